// The two forms of a check's report: text and JSON.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "check/check_report.h"
#include "search/search.h"

namespace spoor {

// "holds", "violated", "probably-holds", "unknown": the words of the machine interface.
const char* verdict_name(const Outcome& outcome);

struct TextOptions {
  bool colour = false;
  bool ascii = false;
  bool full_trace = false;     // otherwise long traces are cut in the middle
  bool final_state = true;     // the values at the end of a trace
  bool all_unreached = false;  // otherwise a part of the list, and only after a complete search
  bool quiet = false;          // the verdict line only
};
// REQUIRES, here and below: at least one report, and all of one check.
std::string text_report(const std::vector<CheckReport>& reports, const SourceSet& sources,
                        const TextOptions& options);

// One object, one line per member, ending in a newline.
std::string json_report(const std::vector<CheckReport>& reports, const SourceSet& sources);

// The object that replaces a report when the input is wrong.
std::string json_error(const std::string& error, const std::vector<Diagnostic>& diagnostics,
                       const SourceSet& sources);

}  // namespace spoor

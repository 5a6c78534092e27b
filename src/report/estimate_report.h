// The report of `spoor estimate` (check/survey.h) as text, as JSON and as a chart.
#pragma once

#include <string>

#include "base/source.h"
#include "check/survey.h"

namespace spoor {

std::string estimate_text(const EstimateReport& report, bool colour, bool ascii, bool with_chart);
std::string estimate_json(const EstimateReport& report, const SourceSet& sources);
// The states seen by each run, and the growth curve. REQUIRES: at least one run.
std::string estimate_svg(const EstimateReport& report);

}  // namespace spoor

// The answer of `spoor estimate` (check/survey.h) as text, as JSON and as a chart.
#pragma once

#include <string>

#include "base/source.h"
#include "check/survey.h"

namespace spoor {

std::string estimate_text(const EstimateReport& report, bool colour, bool ascii, bool with_chart);
std::string estimate_json(const EstimateReport& report, const SourceSet& sources);
// The growth of the runs and the curve through them. REQUIRES: there is a run.
std::string estimate_svg(const EstimateReport& report);

}  // namespace spoor

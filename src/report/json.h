// The JSON forms that reports and trace files share. docs/json.md describes them.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "base/diagnostic.h"
#include "base/source.h"
#include "check/shown.h"
#include "report/report.h"

namespace spoor {

// Members keep the order in which they are written, for readers of the text.
using Json = nlohmann::ordered_json;

Json to_json(const SourceSet& sources, Position position);  // null where it is unknown
Json to_json(const SourceSet& sources, const Diagnostic& diagnostic);
Json to_json(const SourceSet& sources, const ShownTrace& trace);
Json to_json(const SourceSet& sources, const ShownFinding& finding);
Json to_json(const CheckOptions& options);
Json to_json(const Coverage& coverage);

// Null where it is empty.
Json text_or_null(const std::string& text);

// Bytes that are not UTF-8 (a string in a model can contain any bytes) are replaced, never refused.
std::string dump(const Json& json);

}  // namespace spoor

// Diagnostics: errors and warnings about a user's input.
//
// Every diagnostic has a stable code (catalogue.h explains each), a severity, a place, a message and
// possibly a hint. Stages collect all of them in one Diagnostics value and continue as far as
// possible; only src/cli prints.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace spoor {

enum class Severity { kError, kWarning };

struct Diagnostic {
  std::string code;  // "P101"; see catalogue.h
  Severity severity = Severity::kError;
  Range range;
  std::string message;
  std::string hint;  // may be empty
};

class Diagnostics {
 public:
  // Beyond this many errors, further errors are counted but not kept.
  static constexpr std::size_t kMaxKept = 100;

  void error(std::string_view code, Range range, std::string message, std::string hint = {});
  void warning(std::string_view code, Range range, std::string message, std::string hint = {});

  bool has_errors() const { return errors_ != 0; }
  std::size_t error_count() const { return errors_; }
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  void add(Severity severity, std::string_view code, Range range, std::string message, std::string hint);

  std::vector<Diagnostic> all_;
  std::size_t errors_ = 0;
};

// The candidate that is nearest to the misspelt `name`, or "" when none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

// "leader.pml:3:7: error[P101]: ...", the source line, a caret line and the hint; colour on request.
std::string render(const Diagnostic& diagnostic, const SourceSet& sources, bool colour);

}  // namespace spoor

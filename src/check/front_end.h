// Front ends: from a file to a system that can be searched.
//
// A front end is the only part that depends on a language: it recognises a file by its name, reads it, lists
// the claims in the file and prepares the model for one of them. The result is a TransitionSystem that can
// evaluate the atoms of the claim (LoadedModel). No later stage depends on the language.
//
//   recognises   the first front end of the table that recognises a file reads it; the last recognises all
//   read         text -> SourceModel, with all errors that do not depend on the property
//   claims       what --property may name; without it `spoor check` checks all of them but labels
//   load         SourceModel, a claim and options -> LoadedModel: with the reductions that are sound for the
//                claim, the requested execution, and the reference system that replays traces
//
// Reading and loading are two stages because one text is loaded once per property. A formula of the command
// line belongs to reading: its atoms are text of the model's language.
//
// A new language is a pair of classes and a line in front_ends(). A language that is not in this table can be
// checked as well: whoever reads a model may pass a table of their own. tests/unit/counter_machine.cpp is a
// whole language, claims included, in some 300 lines.
//
// Invariants:
//   1. An empty result always comes with a reason in `error`, and nothing is printed.
//   2. `load` is a function of its arguments: loading twice gives systems with the same states in the same
//      order.
//
// Tested by: tests/unit/test_check.cpp, tests/unit/test_counter_machine.cpp, tests/suites/test_bad_input.py
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "check/claim_types.h"
#include "check/execution.h"
#include "check/loaded_model.h"
#include "check/model_options.h"

namespace spoor {

// kMistake: the claim has an error. kTooMuch: it is correct, and more than can be checked here.
enum class Checkability : std::uint8_t { kPossible, kMistake, kTooMuch };

// A model as in its file.
class SourceModel {
 public:
  virtual ~SourceModel() = default;

  // Digest of the files of the model, without a formula of the command line.
  virtual const std::string& sha256() const = 0;
  // In the order of the source.
  virtual std::vector<StatedClaim> claims() const = 0;
  // Why a model of this language cannot have a claim of this kind, as a sentence; empty: it can.
  virtual std::string why_never(ClaimKind kind) const = 0;
  // Adds a warning to those that loading reports.
  virtual void warn(const Diagnostic& warning) = 0;

  // Nothing, with the reasons in `error`, when the model cannot be used or the claim has errors. `options`
  // are those of `read`.
  virtual std::optional<LoadedModel> load(const ModelOptions& options, ExecutionChoice execution,
                                          const ClaimChoice& claim, InputError& error) const = 0;
  // Much faster than loading. The reasons for another answer than kPossible are in `error`; so are warnings
  // about the claim.
  virtual Checkability can_be_checked(const ModelOptions& options, const ClaimChoice& claim,
                                      InputError& error) const = 0;

  // A text of the whole model, with all that it includes, for a recording. Nothing: models of this language
  // are not recorded.
  virtual std::optional<std::string> standalone_text() const { return std::nullopt; }
  // Another version of the model, from the text that it had. Null, with the reasons in `error`, when it
  // cannot be used.
  virtual std::unique_ptr<SourceModel> other_version(const std::string& /*text*/, const ModelOptions&,
                                                     InputError&) const {
    return nullptr;
  }
};

class FrontEnd {
 public:
  virtual ~FrontEnd() = default;

  virtual bool recognises(const std::string& path) const = 0;
  // `formula`: a formula of the command line, or empty. Null, with the reasons in `error`, when the model
  // cannot be used.
  virtual std::unique_ptr<SourceModel> read(const std::string& path, const ModelOptions& options,
                                            const std::string& formula, InputError& error) const = 0;
};

using FrontEnds = std::span<const FrontEnd* const>;
// Those that the program knows.
FrontEnds front_ends();

// Reads a model of any of these languages.
std::unique_ptr<SourceModel> read_model(const std::string& path, const ModelOptions& options,
                                        const std::string& formula, InputError& error,
                                        FrontEnds languages = front_ends());

// Reads a model and loads it, for safety alone.
std::optional<LoadedModel> load_model(const std::string& path, const ModelOptions& options,
                                      ExecutionChoice execution, InputError& error,
                                      FrontEnds languages = front_ends());

// The warnings among the diagnostics of reading.
std::vector<Diagnostic> warnings_of(const Diagnostics& diagnostics);

}  // namespace spoor

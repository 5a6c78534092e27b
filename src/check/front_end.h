// Front ends: from a file to a system that can be searched.
//
// A front end is all that knows a language: it recognises a file by its name, reads it, lists the claims that
// the file states and makes it ready for one of them. What comes out is a TransitionSystem, with the answers
// to the atoms of the claim (LoadedModel). No folder behind it asks where that came from.
//
//   recognises   the first front end of the table that does reads the file; the last takes what is left
//   read         text -> SourceModel, with all errors that do not depend on the property
//   claims       what `spoor check` checks without being told, and what --property may name
//   load         SourceModel, a claim and options -> LoadedModel: with the reductions that are sound for the
//                claim, the execution that was asked for, and the judge that traces are replayed on
//
// Reading and loading are two steps because one text is loaded once per property. A formula that the user
// gives beside the model belongs to reading: its atoms are text of the model's language.
//
// A new language is a pair of classes and a line in front_ends(). A language that is not in this table can be
// checked as well: whoever reads a model may pass a table of their own. tests/unit/counter_machine.cpp is a
// whole language, claims included, in some 200 lines.
//
// Invariants:
//   1. Nothing is returned without a reason in `error`, and nothing is printed.
//   2. `load` is a function of its arguments: loading twice gives systems with the same states in the same
//      order.
//
// Tested by: tests/unit/test_check.cpp, tests/unit/test_counter_machine.cpp, tests/suites/test_bad_input.py
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "check/claim.h"
#include "check/execution.h"
#include "check/loaded_model.h"
#include "check/model_options.h"

namespace spoor {

// A model as its file states it.
class SourceModel {
 public:
  virtual ~SourceModel() = default;

  // Of the files that were read, without a formula of the command line.
  virtual const std::string& sha256() const = 0;
  // In the order of the source.
  virtual std::vector<StatedClaim> claims() const = 0;
  // Why no model of this language can have a claim of this kind, as a sentence; empty: it can.
  virtual std::string why_never(ClaimKind kind) const = 0;
  // Joins the warnings that loading reports.
  virtual void warn(const Diagnostic& warning) = 0;

  // Nothing, with the reasons in `error`, when the model cannot be used or there is something wrong with the
  // claim. `options` are those that the model was read with.
  virtual std::optional<LoadedModel> load(const ModelOptions& options, ExecutionChoice execution,
                                          const ClaimChoice& claim, InputError& error) const = 0;
  // Is there nothing wrong with the claim? Otherwise the reasons are in `error`. Much faster than loading.
  virtual bool can_be_checked(const ModelOptions& options, const ClaimChoice& claim,
                              InputError& error) const = 0;
};

class FrontEnd {
 public:
  virtual ~FrontEnd() = default;

  virtual bool recognises(const std::string& path) const = 0;
  // `formula`: one that the user gives beside the model; or empty. Null, with the reasons in `error`, when
  // the model cannot be used.
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

// Reads a model and makes it ready, for safety alone.
std::optional<LoadedModel> load_model(const std::string& path, const ModelOptions& options,
                                      ExecutionChoice execution, InputError& error,
                                      FrontEnds languages = front_ends());

// What loading passes on of what reading has found.
std::vector<Diagnostic> warnings_of(const Diagnostics& diagnostics);

}  // namespace spoor

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spoor {

// How a model is read and run; a trace replays only with equal options.
struct ModelOptions {
  std::vector<std::string> defines;  // "NAME=VALUE" or "NAME"
  bool strict = false;               // report errors that SPIN ignores
  bool lose_messages = false;        // a message to a full channel is lost
  std::string reduce = "none";       // see Reductions
  bool allow_c = false;              // run embedded C; set by the user, never by a file
  bool is_fair = false;              // claims about infinite runs consider only weakly fair runs
  bool deadlocks_only = false;       // only deadlocks are searched for; a reduction may use that
  bool has_labels = false;           // native code, too, says the labels of steps (model/expansion.h)

  bool operator==(const ModelOptions&) const = default;
};

// Reductions of the number of states (promela/reduce.h).
struct Reductions {
  bool merge = false;     // statement merging
  bool dead = false;      // dead variables
  bool order = false;     // partial-order reduction: ample sets
  bool stubborn = false;  // in addition stubborn sets, where there is no ample set

  bool operator==(const Reductions&) const = default;
};

// "none", "default", or some of "merge,dead,order,stubborn"; nullopt for anything else.
std::optional<Reductions> parse_reductions(std::string_view text);
// The inverse of parse_reductions.
std::string to_text(const Reductions& reductions);
// The same steps, with the values of all variables: what a trace is shown with.
Reductions with_values(Reductions reductions);

}  // namespace spoor

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spoor {

// How a model is read and run; a trace replays only with the same.
struct ModelOptions {
  std::vector<std::string> defines;  // "NAME=VALUE" or "NAME"
  bool strict = false;               // report what SPIN passes over in silence
  bool lose_messages = false;        // a message to a full channel is lost
  std::string reduce = "none";       // see Reductions
  bool allow_c = false;              // run embedded C; the user says so, never a file
  bool is_fair = false;              // only weakly fair runs count, in what is about infinite ones
  bool deadlocks_only = false;       // nothing else is looked for; a reduction may make use of that
  bool has_labels = false;           // native code, too, says the labels of steps (model/expansion.h)

  bool operator==(const ModelOptions&) const = default;
};

// What is done to have fewer states (promela/reduce.h).
struct Reductions {
  bool merge = false;     // statement merging
  bool dead = false;      // dead variables
  bool order = false;     // partial-order reduction: ample sets
  bool stubborn = false;  // and stubborn sets, where those find nothing

  bool operator==(const Reductions&) const = default;
};

// "none", "default", or some of "merge,dead,order,stubborn"; nullopt for anything else.
std::optional<Reductions> parse_reductions(std::string_view text);
// The same backwards.
std::string to_text(const Reductions& reductions);

}  // namespace spoor

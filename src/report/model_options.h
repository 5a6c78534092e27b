#pragma once

#include <string>
#include <vector>

namespace spoor {

// How a model is read and run; a trace replays only with the same.
struct ModelOptions {
  std::vector<std::string> defines;  // "NAME=VALUE" or "NAME"
  bool strict = false;               // report what SPIN passes over in silence
  bool lose_messages = false;        // a message to a full channel is lost

  bool operator==(const ModelOptions&) const = default;
};

}  // namespace spoor

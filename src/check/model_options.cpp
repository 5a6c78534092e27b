#include "check/model_options.h"

namespace spoor {

std::optional<Reductions> parse_reductions(std::string_view text) {
  if (text == "none") return Reductions{};
  if (text == "default") return Reductions{true, true, true, false};
  Reductions result;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    if (word == "merge") {
      result.merge = true;
    } else if (word == "dead") {
      result.dead = true;
    } else if (word == "order") {
      result.order = true;
    } else if (word == "stubborn") {
      result.order = result.stubborn = true;
    } else {
      return std::nullopt;
    }
    if (comma == std::string_view::npos) return result;
    text.remove_prefix(comma + 1);
  }
  return std::nullopt;
}

std::string to_text(const Reductions& reductions) {
  std::string text;
  const auto add = [&](bool is_there, const char* word) {
    if (is_there) text += (text.empty() ? "" : ",") + std::string(word);
  };
  add(reductions.merge, "merge");
  add(reductions.dead, "dead");
  add(reductions.order && !reductions.stubborn, "order");
  add(reductions.stubborn, "stubborn");
  return text.empty() ? "none" : text;
}

Reductions with_values(Reductions reductions) {
  reductions.dead = false;
  return reductions;
}

}  // namespace spoor

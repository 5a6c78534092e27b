#include "report/labels.h"

#include <fmt/format.h>

namespace spoor {

std::string process_label(const Action& action) {
  if (action.process < 0) return action.process_name.empty() ? "-" : action.process_name;
  return fmt::format("{}[{}]", action.process_name, action.process);
}

std::string place_label(const SourceSet& sources, Position position) {
  return position.is_known() ? sources.place(position, false) : std::string();
}

}  // namespace spoor

#include "promela/local_names.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

namespace spoor::promela {
namespace {

using Variables = std::vector<VariableInfo>;

// Indices of the variables whose names the others do not have. A name that is declared twice counts twice.
std::vector<std::size_t> without_namesake(const Variables& variables, const Variables& others) {
  std::unordered_multiset<std::string> names;
  for (const VariableInfo& other : others) names.insert(other.name);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const auto namesake = names.find(variables[i].name);
    if (namesake == names.end()) {
      found.push_back(i);
    } else {
      names.erase(namesake);
    }
  }
  return found;
}

void name_like(Variables& variables, const Variables& others) {
  const std::vector<std::size_t> mine = without_namesake(variables, others);
  const std::vector<std::size_t> theirs = without_namesake(others, variables);
  const auto is_alike = [&](std::size_t i, std::size_t other) {
    return variables[i].type == others[other].type && variables[i].mtype_set == others[other].mtype_set &&
           variables[i].is_hidden == others[other].is_hidden;
  };
  if (!std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(), is_alike)) return;
  for (std::size_t i = 0; i < mine.size(); ++i) variables[mine[i]].name = others[theirs[i]].name;
}

}  // namespace

void name_locals_like(Program& program, const Program& other) {
  if (program.has_embedded_code || other.has_embedded_code) return;
  for (ProcessType& type : program.processes) {
    const auto namesake = std::find_if(other.processes.begin(), other.processes.end(),
                                       [&](const ProcessType& t) { return t.name == type.name; });
    if (namesake != other.processes.end()) name_like(type.variables, namesake->variables);
  }
}

}  // namespace spoor::promela

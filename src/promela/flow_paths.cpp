// Paths: the position of a location in the control structure, as text that an edit elsewhere does not change.
//
// A number would change: inserting a statement shifts all later ones. So a path is made of guards. The
// location of `x--` in `do :: x > 0 -> x-- :: else -> break od` has the path "/do(x > 0)". Brackets (atomic,
// d_step, plain blocks) are left out, so that adding them does not change a path.
#include "promela/flow.h"

namespace spoor::promela {

namespace {

// A guard can be long and the nesting deep: both are cut, since paths need not be unique.
constexpr std::size_t kMostText = 60;
constexpr std::size_t kMostPath = 600;

std::string inside(const std::string& path, const char* what, const std::string& guard) {
  return path.size() < kMostPath ? path + what + "(" + guard + ")" : path;
}

}  // namespace

// The first statement of an option.
std::string FlowBuilder::guard_text(const FlowSequence* option) const {
  const FlowNode* node = option->first;
  while (node != nullptr) {
    if (!node->options.empty()) {
      node = node->options[0]->first;
    } else if (node->body != nullptr) {
      node = node->body->first;
    } else if (node->kind == FlowNode::Kind::kDot) {
      node = node->next;
    } else {
      return program_.statements[node->statement].text.substr(0, kMostText);
    }
  }
  return {};
}

void FlowBuilder::set_paths(const FlowSequence* sequence, const std::string& path, ProcessType& type) const {
  for (const FlowNode* node = sequence->first; node != nullptr; node = node->next) {
    std::string& own = type.locations[node->number].path;
    own = path;
    if (node->kind == FlowNode::Kind::kUnless) {
      set_paths(node->options[0], path, type);
      set_paths(node->options[1], inside(path, "/unless", guard_text(node->options[1])), type);
    } else if (!node->options.empty()) {
      const char* const what = node->kind == FlowNode::Kind::kDo ? "/do" : "/if";
      own += what;
      for (const FlowSequence* option : node->options)
        set_paths(option, inside(path, what, guard_text(option)), type);
    } else if (node->body != nullptr) {
      set_paths(node->body, path, type);
    }
    if (node == sequence->extent) break;
  }
}

}  // namespace spoor::promela

// Derives locations and transitions from the elements; flow.h has the description.
#include <algorithm>
#include <utility>

#include "promela/flow.h"

namespace spoor::promela {

namespace {

// The longest chain of gotos (breaks, joins) without a statement; SPIN has the same limit.
constexpr int kMaxHops = 500;

bool is_ancestor(const Model& model, std::uint32_t ancestor, std::uint32_t scope) {
  for (;;) {
    if (scope == ancestor) return true;
    if (scope == 0 || scope >= model.scope_parent.size()) return false;
    scope = model.scope_parent[scope];
  }
}

}  // namespace

// ---- Where control goes ------------------------------------------------------------------------

// The label in the same block has priority, then one of an enclosing block, then any of the body;
// among several of the last two kinds SPIN's search order decides (newest first, the last enclosing
// one).
FlowNode* FlowBuilder::find_target(const FlowNode* go_to) const {
  if (go_to->loop != 0) {
    const auto exit = loop_exits_.find(go_to->loop);
    return exit == loop_exits_.end() ? nullptr : labels_[exit->second].node;
  }
  const auto namesakes = labels_by_name_.find(std::to_string(current_process_) + "@" + go_to->label);
  if (namesakes == labels_by_name_.end()) return nullptr;
  FlowNode* best = nullptr;
  for (auto index = namesakes->second.rbegin(); index != namesakes->second.rend(); ++index) {
    const LabelEntry& entry = labels_[*index];
    if (entry.scope == go_to->scope) return entry.node;
    if (is_ancestor(model_, entry.scope, go_to->scope) || best == nullptr) best = entry.node;
  }
  return best;
}

// REQUIRES: every label of the body has been set.
FlowNode* FlowBuilder::target_of(FlowNode* go_to) const {
  if (go_to->target == nullptr) go_to->target = find_target(go_to);
  return go_to->target;
}

FlowNode* FlowBuilder::next_state_from(FlowNode* from, bool atomic) {
  int hops = kMaxHops;
  if (FlowNode* found = next_state_from(from, atomic, hops)) return found;
  diagnostics_.error("P411", {from->position, 1},
                     "from here gotos lead to gotos, more than 500 times, and to no statement");
  return from;
}

// Null when no hops are left. The search inside an unless uses the same count, because it may lead back to
// the unless.
FlowNode* FlowBuilder::next_state_from(FlowNode* from, bool atomic, int& hops) {
  FlowNode* node = from;
  for (; hops > 0; --hops) {
    FlowNode* next = nullptr;
    switch (node->kind) {
      case FlowNode::Kind::kGoto:
        next = target_of(node);
        if (next == nullptr) {
          diagnostics_.error("P410", {node->position, 4}, "no label '" + node->label + "' in this body");
          return node;
        }
        if (next == node) {
          diagnostics_.error("P411", {node->position, 4}, "this goto jumps to itself");
          return node;
        }
        if (next->in_dstep != node->in_dstep && next->in_dstep) {
          diagnostics_.error("P412", {node->position, 4}, "jump into a d_step sequence");
          return node;
        }
        break;
      case FlowNode::Kind::kDot:
      case FlowNode::Kind::kBreakTarget:
        if (node->next == nullptr) return node;
        next = node->next;
        break;
      case FlowNode::Kind::kUnless:
        next = next_state_from(node->options[0]->first, atomic, --hops);
        if (next == nullptr) return nullptr;
        break;
      default: return node;
    }
    if (atomic && !next->in_atomic) return node;
    node = next;
  }
  return nullptr;
}

FlowNode* FlowBuilder::first_state_of(FlowNode* from) {
  FlowNode* node = from;
  for (;;) {
    if (node->kind == FlowNode::Kind::kDot && node->next != nullptr) {
      node = node->next;
    } else if (node->kind == FlowNode::Kind::kUnless) {
      node = node->options[0]->first;
    } else {
      return node;
    }
  }
}

std::uint32_t FlowBuilder::location_of(std::uint32_t process, const std::string& label) const {
  for (auto entry = labels_.rbegin(); entry != labels_.rend(); ++entry) {
    if (entry->loop == 0 && entry->process == process && entry->name == label) return entry->node->number;
  }
  return 0;
}

void FlowBuilder::keep_label(std::uint32_t process, const std::string& label) {
  Graph* const building = std::exchange(current_, &graphs_[process]);
  keep_label_of_current(process, label);
  current_ = building;
}

void FlowBuilder::keep_label_of_current(std::uint32_t process, const std::string& label) {
  for (auto entry = labels_.rbegin(); entry != labels_.rend(); ++entry) {
    if (entry->loop != 0 || entry->process != process || entry->name != label) continue;
    FlowNode* node = entry->node;
    if (node->kind == FlowNode::Kind::kGoto) {
      FlowNode* jump = new_node(FlowNode::Kind::kGoto, node->position);
      const std::uint32_t number = jump->number, trail_id = jump->trail_id;
      *jump = *node;
      jump->number = number;
      jump->trail_id = trail_id;
      jump->is_labelled = false;
      node->kind = FlowNode::Kind::kBasic;
      node->statement = compiler_.simple(StatementOp::kSkip, node->position, "(1)");
      node->next = jump;
      // The goto may be the last element of a block, whose end is linked to what follows the block.
      for (const auto& owner : nodes_) {
        if (owner->body != nullptr && owner->body->last == node) owner->body->last = jump;
      }
    }
    return;
  }
}

// ---- Transitions as SPIN first writes them -----------------------------------------------------

void FlowBuilder::link_block_ends() {
  for (const auto& node : nodes_) {
    if (node->body == nullptr || node->next == nullptr || node->body->last->next != nullptr) continue;
    FlowNode* follower = node->next;
    while (follower->kind == FlowNode::Kind::kDot && follower->next != nullptr) follower = follower->next;
    node->body->last->next = follower;
  }
}

void FlowBuilder::finish() {
  link_block_ends();
  for (std::uint32_t process = 0; process < graphs_.size(); ++process) {
    Graph& graph = graphs_[process];
    if (graph.body == nullptr) continue;
    current_ = &graph;
    current_process_ = process;
    graph.edges.resize(graph.numbers);
    graph.is_composite.resize(graph.numbers);
    graph.positions.resize(graph.numbers);
    derive(graph, graph.body);
    if (diagnostics_.has_errors()) continue;
    emit(graph, process);
  }
}

void FlowBuilder::derive(Graph& graph, FlowSequence* sequence) {
  for (FlowNode* node = sequence->first; node != nullptr; node = node->next) {
    if (!node->is_done) {
      node->is_done = true;
      graph.positions[node->number] = node->position;
      if (node->kind == FlowNode::Kind::kUnless) {
        derive(graph, node->options[0]);
      } else if (!node->options.empty()) {
        graph.is_composite[node->number] = true;
        for (FlowSequence* option : node->options) {
          FlowNode* start = first_state_of(option->first);
          const bool is_dead = start->kind == FlowNode::Kind::kBasic && start->escapes.empty() &&
                               compiler_.is_constant(start->statement, 0);
          if (!is_dead)
            graph.edges[node->number].push_back({node, start->number, false, node->in_atomic, {}, 0});
        }
        for (FlowSequence* option : node->options) derive(graph, option);
      } else if (node->body != nullptr) {
        derive_block(graph, node);
      } else {
        derive_basic(graph, node);
      }
    }
    if (node == sequence->last) break;
  }
}

void FlowBuilder::derive_block(Graph& graph, FlowNode* node) {
  patch_gotos(node->body);
  const FlowNode* start = first_state_of(node->body->first);
  node->body->last->next = node->next;
  if (node->kind == FlowNode::Kind::kDStep) {
    node->statement = compiler_.simple(StatementOp::kDStep, node->position, "d_step {...}");
    program_.statements[node->statement].dstep = compile_dstep(node);
    const std::uint32_t target =
        node->next != nullptr ? next_state_from(node->next, node->in_atomic)->number : 0;
    graph.edges[node->number] = {{node, target, true, node->in_atomic, {}, 0}};
    derive_escapes(graph, node);
  } else {
    graph.is_composite[node->number] = true;
    graph.edges[node->number] = {{node, start->number, false, node->kind == FlowNode::Kind::kAtomic, {}, 0}};
    derive(graph, node->body);
  }
}

void FlowBuilder::derive_basic(Graph& graph, FlowNode* node) {
  FlowNode* follower = node->kind == FlowNode::Kind::kGoto ? node : node->next;
  std::uint32_t target = 0;
  if (node->kind == FlowNode::Kind::kGoto) {
    FlowNode* label = target_of(node);
    if (label == nullptr) {
      next_state_from(node, false);  // reports the error
      return;
    }
    if (label == node) {
      next_state_from(node, false);
      return;
    }
    follower = label;
  }
  if (follower != nullptr) {
    const FlowNode* reached = next_state_from(follower, node->in_atomic);
    if (node->kind == FlowNode::Kind::kGoto && reached->refuses_jumps && !node->in_dstep) {
      diagnostics_.error("P412", {node->position, 4}, "a goto or break cannot lead to a d_step",
                         "put a skip in front of the d_step");
    }
    target = reached->number;
  }
  graph.edges[node->number] = {{node, target, true, node->in_atomic, {}, 0}};
  derive_escapes(graph, node);
}

void FlowBuilder::derive_escapes(Graph& graph, FlowNode* node) {
  if (node->kind == FlowNode::Kind::kDot) return;
  for (FlowSequence* escape : node->escapes) {
    graph.edges[node->number][0].escapes.push_back(next_state_from(escape->first, node->in_atomic)->number);
  }
  for (FlowSequence* escape : node->escapes) derive(graph, escape);
}

// A goto out of an atomic sequence ends it; one from its end into another atomic sequence bridges them.
void FlowBuilder::patch_gotos(FlowSequence* sequence) {
  for (FlowNode* node = sequence->first; node != nullptr; node = node->next) {
    if (node->kind == FlowNode::Kind::kGoto) {
      const FlowNode* label = target_of(node);
      if (label != nullptr) {
        const bool into_atomic = label->in_atomic || label->ends_atomic;
        if ((node->in_atomic || node->ends_atomic) && !into_atomic) {
          node->in_atomic = false;
          node->ends_atomic = true;
        }
        if (node->ends_atomic && into_atomic) {
          node->ends_atomic = false;
          node->in_atomic = true;
        }
      }
    } else {
      for (FlowSequence* option : node->options) patch_gotos(option);
    }
    if (node == sequence->extent) break;
  }
}

// ---- Resolving composite heads and escapes -----------------------------------------------------

// After this every composite location holds the transitions of the statements it can start with.
void FlowBuilder::merge_composites(Graph& graph) {
  auto pass_labels_on = [&](std::uint32_t to, std::uint32_t from) {
    auto& locations = program_.processes[current_process_].locations;
    locations[to].is_end |= locations[from].is_end;
    locations[to].is_accept |= locations[from].is_accept;
    locations[to].is_progress |= locations[from].is_progress;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::uint32_t i = 1; i < graph.numbers; ++i) {
      if (!graph.is_composite[i]) continue;
      auto leads_to_composite = [&](const Edge& e) {
        return graph.is_composite[e.target] && !graph.edges[e.target].empty();
      };
      if (std::none_of(graph.edges[i].begin(), graph.edges[i].end(), leads_to_composite)) continue;
      std::vector<Edge> merged;
      for (const Edge& edge : graph.edges[i]) {
        if (!leads_to_composite(edge)) {
          merged.push_back(edge);
          continue;
        }
        for (const Edge& inner : graph.edges[edge.target]) {
          merged.push_back(inner);
          pass_labels_on(inner.target, edge.target);
        }
        changed = true;
      }
      graph.edges[i] = std::move(merged);
    }
  }
  for (std::uint32_t i = 1; i < graph.numbers; ++i) {
    if (!graph.is_composite[i]) continue;
    std::vector<Edge> resolved;
    for (const Edge& edge : graph.edges[i]) {
      if (graph.is_composite[edge.target] || graph.edges[edge.target].empty())
        continue;  // no executable statement there
      resolved.push_back(graph.edges[edge.target][0]);
      pass_labels_on(resolved.back().target, edge.target);
    }
    graph.edges[i] = std::move(resolved);
  }
}

void FlowBuilder::add_escapes(Graph& graph) {
  for (std::uint32_t i = 1; i < graph.numbers; ++i) {
    const std::vector<Edge> ordinary = graph.edges[i];
    for (const Edge& edge : ordinary) {
      for (auto from = edge.escapes.rbegin(); from != edge.escapes.rend(); ++from) {
        const std::vector<Edge> candidates = graph.edges[*from];
        for (const Edge& candidate : candidates) {
          auto& here = graph.edges[i];
          if (std::any_of(here.begin(), here.end(),
                          [&](const Edge& e) { return e.owner == candidate.owner; }))
            continue;
          Edge copy = candidate;
          copy.escape = *from;
          here.insert(here.begin(), std::move(copy));
        }
      }
    }
  }
}

void FlowBuilder::emit(Graph& graph, std::uint32_t process) {
  ProcessType& type = program_.processes[process];
  type.locations.resize(graph.numbers);
  for (const LabelEntry& entry : labels_) {
    if (entry.process != process || entry.loop != 0) continue;
    Location& location = type.locations[entry.node->number];
    location.labels.push_back(entry.name);
    location.is_end |= entry.name.starts_with("end");
    location.is_accept |= entry.name.starts_with("accept");
    location.is_progress |= entry.name.starts_with("progress");
  }
  set_paths(graph.body, "", type);
  type.start = next_state_from(graph.body->first, graph.body->first->in_atomic)->number;
  type.end = graph.body->extent->number;
  type.locations[type.end].is_end = true;
  merge_composites(graph);
  add_escapes(graph);
  // An end label on a `.` belongs to the location that the `.` leads to.
  for (std::uint32_t i = 1; i < graph.numbers; ++i) {
    const auto& edges = graph.edges[i];
    if (edges.size() == 1 && edges[0].owner->kind == FlowNode::Kind::kDot && type.locations[i].is_end) {
      type.locations[edges[0].target].is_end = true;
    }
  }
  for (std::uint32_t i = 1; i < graph.numbers; ++i) {
    Location& location = type.locations[i];
    location.position = graph.positions[i];
    for (const Edge& edge : graph.edges[i]) {
      location.transitions.push_back(
          {edge.owner->statement, edge.target, edge.stays_atomic, edge.escape, edge.owner->trail_id});
    }
  }
}

// ---- d_step ------------------------------------------------------------------------------------

// The next element with a statement, over gotos and joins; null where that is outside the sequence.
FlowNode* FlowBuilder::next_in_dstep(FlowNode* from) {
  FlowNode* node = from;
  for (int hops = 0; hops < kMaxHops; ++hops) {
    if (node == nullptr || !node->in_dstep) return nullptr;
    switch (node->kind) {
      case FlowNode::Kind::kGoto: node = target_of(node); break;
      case FlowNode::Kind::kDot:
      case FlowNode::Kind::kBreakTarget: node = node->next; break;
      case FlowNode::Kind::kUnless: node = node->options[0]->first; break;
      case FlowNode::Kind::kBlock:
        node->body->last->next = node->next;
        node = node->body->first;
        break;
      default: return node;
    }
  }
  diagnostics_.error("P411", {from->position, 1},
                     "from here gotos lead to gotos, more than 500 times, and to no statement");
  return nullptr;
}

// Iterative, with a work list: a d_step may be too long for recursion.
std::uint32_t FlowBuilder::compile_dstep(FlowNode* node) {
  DStepCode code;
  std::unordered_map<const FlowNode*, std::uint32_t> seen;
  std::vector<std::pair<FlowNode*, std::uint32_t>> todo;
  const auto index_of = [&](FlowNode* from) {
    FlowNode* acts = next_in_dstep(from);
    const auto [entry, is_new] = seen.emplace(acts, static_cast<std::uint32_t>(code.nodes.size()));
    if (is_new) {
      code.nodes.push_back({});  // kExit, unless it is filled below
      if (acts != nullptr) todo.emplace_back(acts, entry->second);
    }
    return entry->second;
  };
  index_of(node->body->first);  // the entry, number 0
  while (!todo.empty()) {
    const auto [at, index] = todo.back();
    todo.pop_back();
    DStepNode made;
    made.position = at->position;
    if (!at->options.empty()) {
      made.kind = DStepNode::Kind::kChoice;
      for (FlowSequence* option : at->options) made.options.push_back(index_of(option->first));
    } else {
      made.kind = DStepNode::Kind::kStatement;
      made.statement = at->statement;
      made.next = index_of(at->next);
    }
    code.nodes[index] = std::move(made);
  }
  program_.dsteps.push_back(std::move(code));
  return static_cast<std::uint32_t>(program_.dsteps.size() - 1);
}

}  // namespace spoor::promela

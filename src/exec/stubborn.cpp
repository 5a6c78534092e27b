#include "exec/stubborn.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "exec/access_sets.h"
#include "exec/state_evaluator.h"
#include "exec/stubborn_tables.h"

namespace spoor::exec {

using promela::FieldPattern;
using promela::kNone;
using promela::Scratch;
using promela::Statement;
using promela::StatementOp;

namespace {

constexpr std::size_t kMostInstances = 4096;  // that are remembered
constexpr int kMostProcesses = 64;            // bits of a set
using Processes = StubbornSets::Processes;

Processes bit(int pid) { return Processes{1} << static_cast<unsigned>(pid); }

// What process p can do next, and what that takes.
struct Next {
  AccessSets sets;        // of what can run; reads also of what must change for the rest to run
  Processes needed = 0;   // these at any rate
  bool can_move = false;  // or so it seems
};

// A process as far as stable indices tell it from others of its type.
struct Instance {
  std::uint32_t type = 0;
  std::uint32_t first_channel = 0;
  std::vector<std::byte> key;
  std::vector<std::int32_t> channels;            // by access: the channel's number; -1: not known
  std::vector<std::optional<Next>> free;         // by location, where nothing depends on the state
  std::vector<AccessSets> accesses;              // of stable accesses exactly, of others whatever they can be
  std::vector<std::optional<AccessSets>> lists;  // computed when first asked for
};

}  // namespace

struct StubbornSets::Memory::Content {
  explicit Content(const StubbornTables& t) : tables(t), state(t.machine), view(state.view()) {}

  const StubbornTables& tables;
  StateEvaluator state;
  const StateView& view;  // the same state
  std::map<std::pair<std::uint64_t, std::vector<std::byte>>, std::unique_ptr<Instance>> known;
  std::vector<Instance*> last;  // by pid: the instance in the state before
  std::vector<std::byte> key;

  const TypeAccesses& type(int pid) const { return tables.accesses.types[view.process_type(pid)]; }
  const LocationAccesses& location_of(int pid) const { return type(pid).locations[view.location(pid)]; }

  // ---- Instances of processes.

  void load_instances() {
    if (known.size() > kMostInstances) {
      last.clear();
      known.clear();
    }
    const auto count = static_cast<std::size_t>(view.process_count());
    if (last.size() < count) last.resize(count, nullptr);
    for (std::size_t i = 0; i < count; ++i) {
      if (last[i] == nullptr || !is_still(*last[i], static_cast<int>(i)))
        last[i] = &instance(static_cast<int>(i));
    }
  }

  bool is_still(const Instance& instance, int pid) const {
    if (instance.type != view.process_type(pid) || instance.first_channel != state.first_channel(pid))
      return false;
    const std::byte* at = instance.key.data();
    for (const Scratch& part : type(pid).key) {
      if (!std::equal(at, at + part.bytes, view.bytes().data() + view.process_offset(pid) + part.offset))
        return false;
      at += part.bytes;
    }
    return true;
  }

  Instance& instance(int pid) {
    key.clear();
    for (const Scratch& part : type(pid).key) {
      const std::byte* const at = view.bytes().data() + view.process_offset(pid) + part.offset;
      key.insert(key.end(), at, at + part.bytes);
    }
    const std::uint32_t first = state.first_channel(pid);
    const std::uint64_t type_and_place = static_cast<std::uint64_t>(view.process_type(pid)) << 40U |
                                         std::uint64_t{first} << 16U | static_cast<std::uint64_t>(pid);
    std::unique_ptr<Instance>& found = known[{type_and_place, key}];
    if (found == nullptr) {
      found = std::make_unique<Instance>();
      found->type = view.process_type(pid);
      found->first_channel = first;
      found->key = key;
      const TypeAccesses& t = type(pid);
      for (std::size_t i = 0; i < t.accesses.size(); ++i) {
        // Where the index may change nothing is known of it; of a death the channels are.
        const bool is_known = t.is_stable[i];
        found->accesses.push_back(tables.sets_of(is_known ? &state : nullptr, pid, t.accesses[i]));
        const bool is_channel =
            t.accesses[i].kind >= Access::Kind::kSend && t.accesses[i].kind <= Access::Kind::kQuestion;
        found->channels.push_back(
            is_known && is_channel ? state.evaluate(t.accesses[i].what, pid).value_or(-1) : -1);
      }
      found->lists.resize(t.lists.size());
      found->free.resize(t.locations.size());
    }
    return *found;
  }

  // ---- Lists of accesses.

  // Whatever the indices will be.
  const AccessSets& at_any_time(int pid, std::uint32_t list) {
    Instance& instance = *last[static_cast<std::size_t>(pid)];
    std::optional<AccessSets>& sets = instance.lists[list];
    if (!sets) {
      sets.emplace();
      for (const std::uint32_t access : type(pid).lists[list]) sets->add(instance.accesses[access]);
    }
    return *sets;
  }

  // With the indices as they are here.
  void add_now(int pid, std::uint32_t list, AccessSets& out) {
    const TypeAccesses& t = type(pid);
    if (t.is_list_stable[list]) {
      out.add(at_any_time(pid, list));
      return;
    }
    for (const std::uint32_t access : t.lists[list]) {
      out.add(t.is_stable[access] ? last[static_cast<std::size_t>(pid)]->accesses[access]
                                  : tables.sets_of(&state, pid, t.accesses[access]));
    }
  }
  void read_now(int pid, std::uint32_t list, AccessSets& out) {
    AccessSets sets;
    add_now(pid, list, sets);
    out.reads.add(sets.reads);
  }

  // ---- What is before a process.

  const Next& next_of(int pid) {
    const LocationAccesses& here = location_of(pid);
    if (here.is_free || here.is_mixed) {
      std::optional<Next>& known_next = last[static_cast<std::size_t>(pid)]->free[view.location(pid)];
      if (known_next) return *known_next;
      known_next.emplace();
      if (here.is_free) {
        for (const Move& move : here.moves) add_move(pid, move, *known_next);
      } else {
        known_next->sets = at_any_time(pid, here.all);
        known_next->can_move = true;
      }
      return *known_next;
    }
    next_ = Next();
    for (const Move& move : here.moves) add_move(pid, move, next_);
    return next_;
  }

  void add_move(int pid, const Move& move, Next& next) {
    const Statement& s = tables.program.statements[move.statement];
    switch (s.op) {
      case StatementOp::kDStep:
      case StatementOp::kCondition: return add_condition(pid, move, next);
      case StatementOp::kSend: return add_send(pid, s, move, next);
      case StatementOp::kReceive: return add_receive(pid, s, move, next);
      case StatementOp::kEnd:
        if (pid + 1 == view.process_count()) {
          tables.add_death(&state, pid, view.process_type(pid), kDying, next.sets);
          next.can_move = true;
        } else {
          next.needed |= bit(view.process_count() - 1);
        }
        return;
      default: return add_whole(pid, move, next);
    }
  }

  void add_whole(int pid, const Move& move, Next& next) {
    // A receive and a d_step may store into an index and use it afterwards.
    const StatementOp op = tables.program.statements[move.statement].op;
    if (op == StatementOp::kReceive || op == StatementOp::kDStep) {
      next.sets.add(at_any_time(pid, move.whole));
    } else {
      add_now(pid, move.whole, next.sets);
    }
    next.sets.add(at_any_time(pid, move.chain));
    next.can_move = true;
  }

  void add_condition(int pid, const Move& move, Next& next) {
    for (std::size_t i = 0; i < move.conjuncts.size(); ++i) {
      const std::optional<std::int32_t> value = state.evaluate(move.conjuncts[i].expr, pid);
      if (!value) break;  // as if it were possible
      if (*value != 0) continue;
      for (std::size_t k = 0; k <= i; ++k) {
        if (k == i || move.conjuncts[k].can_fail) read_now(pid, move.conjuncts[k].list, next.sets);
      }
      return;
    }
    add_whole(pid, move, next);
  }

  std::optional<StateEvaluator::Channel> channel(int pid, const Move& move) {
    const std::int32_t known_number =
        move.channel == kNone ? -1 : last[static_cast<std::size_t>(pid)]->channels[move.channel];
    if (known_number >= 0) return state.channel(known_number);
    const std::optional<std::int32_t> value =
        state.evaluate(tables.program.statements[move.statement].chan, pid);
    return value ? state.channel(*value) : std::nullopt;
  }

  // Nothing is known: whichever channel it is, and whether the statement is possible or not.
  void add_unknown(int pid, const Statement& s, const Move& move, Next& next) {
    const Access::Kind kind =
        s.op == StatementOp::kReceive ? Access::Kind::kReceive : Access::Kind::kSortedSend;
    tables.add_channel(&state, pid, s.chan, kind, next.sets);
    tables.add_channel(&state, pid, s.chan, Access::Kind::kQuestion, next.sets);
    add_whole(pid, move, next);
  }

  void add_send(int pid, const Statement& s, const Move& move, Next& next) {
    const std::optional<StateEvaluator::Channel> c = channel(pid, move);
    if (!c || tables.lose_messages) return add_unknown(pid, s, move, next);
    if (c->type->is_rendezvous()) {
      const bool could_move = next.can_move;
      add_whole(pid, move, next);
      next.can_move = could_move || has_partner(pid, c->number);
      next.sets.reads.add(tables.accesses.head(c->number));
    } else if (view.length(*c->place) < c->type->capacity) {
      tables.add_ends(c->number, s.sorted ? Access::Kind::kSortedSend : Access::Kind::kSend, next.sets);
      add_whole(pid, move, next);
    } else {
      read_now(pid, move.aside, next.sets);
      next.sets.reads.add(tables.accesses.head(c->number));
    }
    if (tables.program.has_channel_claims) next.sets.reads.add(kBirths);
  }

  bool has_partner(int sender, std::uint32_t number) {
    for (int pid = 0; pid < view.process_count(); ++pid) {
      if (pid == sender) continue;
      for (const Move& move : location_of(pid).moves) {
        const Statement& s = tables.program.statements[move.statement];
        if (s.op == StatementOp::kDStep) return true;
        if (s.op != StatementOp::kReceive) continue;
        const std::optional<StateEvaluator::Channel> c = channel(pid, move);
        if (!c || c->number == number) return true;
      }
    }
    return false;
  }

  void add_receive(int pid, const Statement& s, const Move& move, Next& next) {
    const std::optional<StateEvaluator::Channel> c = channel(pid, move);
    if (!c) return add_unknown(pid, s, move, next);
    if (c->type->is_rendezvous()) {  // the step is the sender's
      const bool could_move = next.can_move;
      add_whole(pid, move, next);
      next.can_move = could_move;
      next.sets.reads.add(tables.accesses.tail(c->number));
    } else if (view.length(*c->place) == 0) {
      read_now(pid, move.aside, next.sets);
      next.sets.reads.add(tables.accesses.tail(c->number));
    } else if (s.random) {
      return add_unknown(pid, s, move, next);
    } else {
      const std::optional<bool> fits = matches(pid, s, *c);
      if (!fits) return add_unknown(pid, s, move, next);
      if (*fits) {
        tables.add_ends(c->number, Access::Kind::kReceive, next.sets);
        add_whole(pid, move, next);
      } else {
        read_now(pid, move.aside, next.sets);
        next.sets.reads.add(tables.accesses.head(c->number));
      }
    }
    if (tables.program.has_channel_claims) next.sets.reads.add(kBirths);
  }

  // Does the first message of the channel fit?
  std::optional<bool> matches(int pid, const Statement& s, const StateEvaluator::Channel& c) {
    if (s.fields.size() > c.type->fields.size()) return std::nullopt;
    std::uint32_t at = c.place->offset + c.type->length_bytes;
    bool fits = true;
    for (std::size_t i = 0; i < s.fields.size(); ++i) {
      if (s.fields[i].kind == FieldPattern::Kind::kMatch) {
        const std::optional<std::int32_t> wanted = state.evaluate(s.fields[i].match, pid);
        if (!wanted) return std::nullopt;
        fits = fits && *wanted == view.get(at, c.type->fields[i]);
      }
      at += c.type->fields[i].bytes;
    }
    return fits;
  }

  // ---- The closure.

  // The processes without which `next` of process `pid` is not closed.
  Processes needed_by(int pid, const Next& next) const {
    Processes result = next.needed;
    const std::size_t count = needs_.size();
    const std::uint64_t* accessed = future_accessed_.data();
    const std::uint64_t* written = future_written_.data();
    for (std::size_t i = 0; i < tables.accesses.words; ++i, accessed += count, written += count) {
      const std::uint64_t writes = next.sets.writes.word(i), reads = next.sets.reads.word(i);
      if ((writes | reads) == 0) continue;
      for (std::size_t other = 0; other < count; ++other) {
        const std::uint64_t conflict = (writes & accessed[other]) | (reads & written[other]);
        result |= Processes{conflict != 0} << other;
      }
    }
    return result & ~bit(pid);
  }

  // What each process may ever do, word by word.
  void load_futures() {
    const std::size_t count = needs_.size(), words = tables.accesses.words;
    future_accessed_.resize(count * words);
    future_written_.resize(count * words);
    for (std::size_t pid = 0; pid < count; ++pid) {
      const AccessSets& future =
          at_any_time(static_cast<int>(pid), location_of(static_cast<int>(pid)).future);
      for (std::size_t i = 0; i < words; ++i) {
        future_written_[i * count + pid] = future.writes.word(i);
        future_accessed_[i * count + pid] = future.writes.word(i) | future.reads.word(i);
      }
    }
  }

  Processes choose() {
    const int count = view.process_count();
    needs_.resize(static_cast<std::size_t>(count));
    load_futures();
    Processes movable = 0;
    Processes visible = 0;
    for (int pid = 0; pid < count; ++pid) {
      const Next& next = next_of(pid);
      if (next.can_move) movable |= bit(pid);
      if (next.can_move && tables.can_be_seen(next.sets, view.process_type(pid), view.location(pid)))
        visible |= bit(pid);
      needs_[static_cast<std::size_t>(pid)] = needed_by(pid, next);
    }
    Processes best = 0;
    int fewest = std::popcount(movable);  // as good as none
    for (int seed = count - 1; seed >= 0 && fewest > 1; --seed) {
      if ((movable & bit(seed)) == 0) continue;
      const Processes set = closure(bit(seed), movable, fewest);
      if (set == 0 || (set & visible) != 0) continue;
      fewest = std::popcount(set & movable);
      best = set;
    }
    return best;
  }

  // 0 when it grows to `too_many` processes that can move.
  Processes closure(Processes set, Processes movable, int too_many) const {
    for (Processes open = set; open != 0;) {
      const int pid = std::countr_zero(open);
      open &= open - 1;
      const Processes added = needs_[static_cast<std::size_t>(pid)] & ~set;
      set |= added;
      open |= added;
      if (std::popcount(set & movable) >= too_many) return 0;
    }
    return set;
  }

  Next next_;
  std::vector<Processes> needs_;                                 // by pid
  std::vector<std::uint64_t> future_accessed_, future_written_;  // by word, then by pid
};

StubbornSets::Memory::Memory() = default;
StubbornSets::Memory::~Memory() = default;

StubbornSets::StubbornSets(const Machine& machine, bool lose_messages)
    : tables_(std::make_unique<StubbornTables>(machine, lose_messages)) {}
StubbornSets::~StubbornSets() = default;

bool StubbornSets::is_useful() const { return tables_->is_useful; }
const StubbornTables& StubbornSets::tables() const { return *tables_; }

StubbornSets::Processes StubbornSets::choose(std::span<const std::byte> state, Memory& memory) const {
  if (memory.content_ == nullptr || &memory.content_->tables != tables_.get())
    memory.content_ = std::make_unique<Memory::Content>(*tables_);
  Memory::Content& content = *memory.content_;
  const auto count = static_cast<int>(state[0]);
  if (count < 2 || count > kMostProcesses) return 0;
  content.state.load(state);
  content.load_instances();
  return content.choose();
}

}  // namespace spoor::exec

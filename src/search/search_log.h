// Keeping a breadth-first search on disk while it runs (see checkpoint.h for the file), or handing it
// over to a search with another store.
//
// All is written between two levels, when every worker rests. When a limit ends the search within a
// level, what was found since the level began is left out: it will be found again.
//
// Ordinals. In the file states are numbered as they are written: the initial one, then level by level
// what the first worker has found, what the second one has, and so on. A state's parent is of the
// level before and has its number when the state is written. For each worker it is kept which of its
// states have which numbers. A search that goes on puts all states into the store in the order of
// the file; all of them then count as found by its first worker.
//
// A file that cannot be written does not end the search: it goes on, and the result tells of it.
//
// Tested by: tests/unit/test_checkpoint.cpp, tests/suites/test_checkpoint.py
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "search/checkpoint.h"
#include "search/core.h"

namespace spoor {

// `WorkerState`: a worker of the search, with what it has found (bfs.h).
template <VisitedSet Store, class WorkerState>
class SearchLog {
 public:
  SearchLog(SearchCore<Store>& core, const std::vector<std::unique_ptr<WorkerState>>& worker_states)
      : core_(core),
        worker_states_(worker_states),
        options_(core.options().checkpoint),
        written_(std::max(1u, core.options().threads)),
        found_(written_.size()) {}

  // Puts back what an earlier search has found, and gives the depth of the level to be expanded. False:
  // a limit was reached before all was there, and the search is over. Throws CheckpointError.
  bool restore(WorkerState& own, std::uint64_t& depth) {
    reader_.emplace(options_.resume);
    if (!reader_->is_of(options_.identity)) {
      throw CheckpointError(CheckpointError::Reason::kForeign,
                            "belongs to another model or to other options");
    }
    Restorer restorer(core_, own);
    try {
      reader_->each_state([&](std::uint64_t parent, StateBytes state) { restorer.add(parent, state); });
    } catch (const Cut&) {
      core_.restore(reader_->mark());  // what it has found remains true
      return false;
    }
    if (options_.save == options_.resume) {
      written_.front().push_back({0, restorer.states() - 1, 1});
      saved_depth_ = reader_->mark().depth;
    }
    depth = finish(restorer, reader_->mark());
    return true;
  }
  // The same with a search that has another store and comes to an end here.
  template <class Other>
  bool take_over(WorkerState& own, const Other& other, std::uint64_t& depth) {
    Restorer restorer(core_, own);
    try {
      depth = finish(restorer, other.write_anew(restorer));
    } catch (const Cut&) {
      return false;
    }
    return true;
  }

  // Gives everything to the sink, as to a new file.
  template <class Sink>
  CheckpointMark write_anew(Sink& sink) const {
    WrittenByWorker written(written_.size());
    sink.add(0, core_.system().initial_state());
    return write(sink, written, 0);
  }

  // A level begins, and whatever was found before belongs to it or to earlier ones.
  void at_level(std::uint64_t depth) {
    depth_ = depth;
    level_states_ = 0;
    for (std::size_t i = 0; i < worker_states_.size(); ++i) {
      const std::uint64_t end = worker_states_[i]->ancestry.found();
      const std::uint64_t begin = std::exchange(found_[i], end);
      level_states_ += end - begin;
      if (end == begin) continue;
      if (parts_.size() > parts_written_ && parts_.back().worker == i) {
        parts_.back().end = end;
      } else {
        parts_.push_back({i, end});
      }
    }
    if (options_.save.empty() || core_.budget().elapsed_s() < saved_at_s_ + options_.interval_s) return;
    save();
  }

  // The search ends before it is done.
  void at_end() {
    if (!options_.save.empty()) save();
  }

 private:
  // States that a worker found one after the other and that stand so in the file.
  struct Written {
    std::uint64_t begin = 0;  // place of the first among those that the worker has found
    std::uint64_t end = 0;
    std::uint64_t ordinal = 0;  // of the first
  };
  using WrittenByWorker = std::vector<std::vector<Written>>;

  // A limit was reached while states were put back.
  struct Cut {};

  // Puts states back in the order of their ordinals, as found by one worker.
  class Restorer {
   public:
    Restorer(SearchCore<Store>& core, WorkerState& own)
        : core_(core), worker_state_(own), initial_(core.system().initial_state()) {}

    // Throws CheckpointError, Cut.
    void add(std::uint64_t parent, StateBytes state) {
      if (states_ % kPollEvery == 0) {
        worker_state_.worker.poll(worker_state_.memory_bytes());
        if (core_.is_cut_off()) throw Cut();
      }
      const Insertion insertion = worker_state_.worker.put_back(state);
      if (!insertion.is_new || insertion.index != states_)
        throw CheckpointError(CheckpointError::Reason::kDamaged, "is damaged");
      if (states_++ == 0) {
        if (!std::ranges::equal(state, initial_))
          throw CheckpointError(CheckpointError::Reason::kForeign, "belongs to another model");
        return;
      }
      // A state without new successors that is passed over costs a bit, a gap 128 of them.
      const bool is_near = parent > expanded_ && parent - expanded_ <= 128;
      for (std::uint64_t next = is_near ? expanded_ + 1 : parent; expanded_ != parent; ++next) {
        worker_state_.ancestry.expand(static_cast<StateIndex>(next));
        expanded_ = next;
      }
      worker_state_.ancestry.find(insertion.index);
    }
    void begin_level(std::uint64_t begin) {
      // A store that forgets the bytes has no checkpoints.
      for (; begin < states_; ++begin) worker_state_.add_to_next_level(static_cast<StateIndex>(begin), {});
    }
    std::uint64_t states() const { return states_; }

   private:
    static constexpr std::uint64_t kPollEvery = 4096;

    SearchCore<Store>& core_;
    WorkerState& worker_state_;
    std::vector<std::byte> initial_;
    std::uint64_t states_ = 0;
    std::uint64_t expanded_ = UINT64_MAX;
  };

  std::uint64_t finish(Restorer& restorer, const CheckpointMark& mark) {
    restorer.begin_level(mark.level_begin);
    core_.restore(mark);
    // The level begins behind these, which the first worker has.
    found_.front() = std::max<std::uint64_t>(mark.level_begin, 1) - 1;
    if (found_.front() != 0) parts_.push_back({0, found_.front()});
    return mark.depth;
  }

  void save() {
    if (has_failed_ || saved_depth_ == depth_) return;
    try {
      if (!writer_) open();
      writer_->commit(write(*writer_, written_, parts_written_));
      parts_written_ = parts_.size();
      saved_depth_ = depth_;
    } catch (const CheckpointError& error) {
      has_failed_ = true;
      core_.note_checkpoint_error(error.what());
    }
    saved_at_s_ = core_.budget().elapsed_s();
  }

  void open() {
    if (reader_ && options_.save == options_.resume) {
      writer_.emplace(options_.save, *reader_);
    } else {
      writer_.emplace(options_.save, options_.identity);
      writer_->add(0, core_.system().initial_state());
    }
  }

  // From that entry of parts_ on.
  template <class Sink>
  CheckpointMark write(Sink& sink, WrittenByWorker& written, std::size_t first) const {
    CheckpointMark mark = core_.checkpoint_mark();
    for (std::size_t i = first; i < parts_.size(); ++i) {
      write_found(sink, written, parts_[i].worker, parts_[i].end);
    }
    mark.level_begin = depth_ == 0 ? 0 : sink.states() - level_states_;
    for (const std::unique_ptr<WorkerState>& each : worker_states_) each->worker.add_executed(mark.executed);
    mark.depth = depth_;
    return mark;
  }

  // Up to this place among those that the worker has found.
  template <class Sink>
  void write_found(Sink& sink, WrittenByWorker& written_by_worker, std::size_t number,
                   std::uint64_t end) const {
    std::vector<Written>& written = written_by_worker[number];
    const std::uint64_t begin = written.empty() ? 0 : written.back().end;
    if (begin >= end) return;
    const std::uint64_t ordinal = sink.states();
    if (!written.empty() && written.back().ordinal + (begin - written.back().begin) == ordinal) {
      written.back().end = end;
    } else {
      written.push_back({begin, end, ordinal});
    }
    typename Store::DecodeBuffer room;
    StateIndex last = kNoState;
    std::uint64_t ordinal_of_last = 0;
    worker_states_[number]->ancestry.each(begin, end, [&](StateIndex state, StateIndex parent) {
      if (parent != last) ordinal_of_last = ordinal_of(parent, written_by_worker);
      last = parent;
      if constexpr (Store::kKeepsBytes) {
        sink.add(ordinal_of_last, core_.store().get(state, room));
      }
    });
  }

  std::uint64_t ordinal_of(StateIndex state, const WrittenByWorker& written) const {
    for (std::size_t number = 0; number < worker_states_.size(); ++number) {
      const Ancestry& ancestry = worker_states_[number]->ancestry;
      const std::uint64_t place = ancestry.place_of(state);
      if (place == ancestry.found()) continue;
      const auto after = std::ranges::upper_bound(written[number], place, {}, &Written::begin);
      return std::prev(after)->ordinal + (place - std::prev(after)->begin);
    }
    return 0;  // no step has led to the initial state
  }

  SearchCore<Store>& core_;
  const std::vector<std::unique_ptr<WorkerState>>& worker_states_;
  const CheckpointOptions& options_;
  std::optional<CheckpointReader> reader_;
  std::optional<CheckpointWriter> writer_;
  WrittenByWorker written_;
  std::uint64_t depth_ = 0;  // of this level
  // When this level began:
  std::vector<std::uint64_t> found_;  // how many states each worker had found
  std::uint64_t level_states_ = 0;    // and how many of all are of this level
  // In the order of the levels: which worker's states come next, up to which place.
  struct Part {
    std::size_t worker = 0;
    std::uint64_t end = 0;
  };
  std::vector<Part> parts_;
  std::size_t parts_written_ = 0;
  std::optional<std::uint64_t> saved_depth_;  // the level that the last mark in the file is about
  double saved_at_s_ = 0;
  bool has_failed_ = false;
};

}  // namespace spoor

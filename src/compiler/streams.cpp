#include "compiler/streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "compiler/dependences.h"
#include "compiler/turn_walk.h"
#include "isa/core/control_flow.h"
#include "isa/instructions/drain.h"

namespace trainyard::compiler {

namespace {

using isa::Engine;
using isa::engine_count;
using isa::Kind;
using isa::Program;
using isa::StreamItem;

// How many items of each actor are known to be complete.
using Knowledge = std::array<std::uint32_t, actor_count>;

using Step = TurnWalk::Step;

// Where a step stands: its position among its actor's, and what its completion tells.
struct Done {
  std::uint32_t position = 0;        // 1-based, so that it compares with Knowledge
  std::int64_t stream_position = 0;  // of the turn before: as many items earlier as a turn has
  std::uint32_t snapshot = 0;        // what its engine knew, but of itself
  std::uint32_t of_engine = 0;       // how many items of its engine it comes after, or is
  std::uint8_t actor = 0, engine = 0;
};

class Builder {
 public:
  Builder(Program& program, const machine::Core& core, bool turns_overlap)
      : program_(program),
        core_(core),
        walk_(program, turns_overlap),
        tracker_(program, walk_.steps()) {
    semaphore_.fill(-1);
    turn_semaphore_.fill(-1);
    done_.resize(walk_.steps().size());
    find_actors();
    std::array<std::size_t, engine_count + 1> counts{};
    for (const isa::Instruction& what : program.instructions)
      ++counts[static_cast<std::size_t>(what.engine)];
    for (std::size_t e = 0; e < engine_count; ++e) streams_[e].reserve(counts[e]);
    snapshots_.reserve(walk_.steps().size() * actors_.size());
    for (const isa::ScheduleEdge& edge : program.schedule_edges)
      edges_[edge.consumer].push_back(edge.producer);
  }

  std::optional<Shortage> run() {
    for (Step step = 0; step < walk_.steps().size(); ++step) {
      const std::uint32_t i = walk_.steps()[step];
      const isa::Flow flow = isa::flow_of(program_, i);
      if (flow == isa::Flow::loop_begin) {
        begin_loop(i);
      } else if (flow == isa::Flow::loop_end) {
        end_loop(i);
      } else {
        place(step, static_cast<int>(engine_at(i)));
      }
    }
    if (program_.semaphore_count > core_.semaphores.count) {
      return Shortage{{"semaphores.capacity",
                       "the program needs no more semaphores than the core has", "",
                       fmt::format("{} of {}", program_.semaphore_count, core_.semaphores.count),
                       "use fewer DMA queues"}};
    }
    flatten();
    return std::nullopt;
  }

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFFu;
  static constexpr std::size_t drains_behind_begin =
      2;  // a loop's first item comes behind its begin and a drain

  // All engines, which loops join, and the queues in use. What an engine knows is kept for most
  // instructions, and there are many queues.
  void find_actors() {
    std::array<bool, actor_count> used{};
    std::fill_n(used.begin(), engine_count, true);
    for (std::uint32_t i = 0; i < program_.instructions.size(); ++i) {
      if (program_.info_at(i).kind == Kind::dma) used[actor_of(program_, i).index] = true;
    }
    for (std::size_t actor = 0; actor < used.size(); ++actor) {
      if (!used[actor]) continue;
      place_of_[actor] = actors_.size();
      actors_.push_back(actor);
    }
  }

  [[nodiscard]] std::size_t engine_at(std::uint32_t i) const {
    const Engine engine = program_.instructions[i].engine;
    if (engine != Engine::any) return static_cast<std::size_t>(engine);
    throw base::InputError(
        {"branch.engine", "a branch or a drain names the engine whose stream it is part of",
         program_.place(i), fmt::format("{} for all engines", program_.info_at(i).mnemonic),
         "name one, or use a loop of no or one turn"});
  }

  struct Draft {
    std::uint32_t instruction = 0;
    std::uint32_t depends_back = 0;
    std::uint32_t first_wait = 0, wait_count = 0;        // in waits_
    std::uint32_t last_signal = none, signal_count = 0;  // in signals_
    Step needs_own = 0;                                  // what depends_back leads to
    bool is_before = false;  // it stands for the turn before, and in no stream
  };
  struct DraftSignal {
    isa::Signal signal;
    std::uint32_t before = none;  // of the same item, in signals_
  };

  Draft draft(std::uint32_t instruction, std::uint32_t depends_back) const {
    return {.instruction = instruction,
            .depends_back = depends_back,
            .first_wait = static_cast<std::uint32_t>(waits_.size())};
  }
  void add_wait(Draft& item, const isa::Wait& wait) {
    waits_.push_back(wait);
    ++item.wait_count;
  }
  void add_signal(Draft& item, const isa::Signal& signal) {
    signals_.push_back({signal, item.last_signal});
    item.last_signal = static_cast<std::uint32_t>(signals_.size() - 1);
    ++item.signal_count;
  }

  // How many items of an actor are complete when the instruction is.
  [[nodiscard]] std::uint32_t knows(const Done& done, std::size_t actor) const {
    if (actor == done.actor) return done.position;
    if (actor == done.engine) return done.of_engine;
    return snapshots_[std::size_t{done.snapshot} * actors_.size() + place_of_[actor]];
  }
  // What an engine knows now, kept once until it learns something.
  std::uint32_t snapshot(std::size_t engine) {
    if (snapshot_of_[engine] == none) {
      snapshot_of_[engine] = static_cast<std::uint32_t>(snapshots_.size() / actors_.size());
      for (const std::size_t actor : actors_) snapshots_.push_back(known_[engine][actor]);
    }
    return snapshot_of_[engine];
  }

  // Appends the step's instruction to the stream of engine e with the waits that its dependences
  // need; of the turn before it only notes what it tells.
  void place(Step step, int e) {
    base::check(e < engine_count, "what is no loop runs on one engine");
    const auto self = static_cast<std::size_t>(e);
    const bool is_before = walk_.is_turn_before(step);
    Draft item = draft(walk_.steps()[step], 0);
    item.is_before = is_before;
    needs_.clear();
    for (const Dependence& d : dependences(step)) need(d, e, item);
    drop_implied();
    for (const Need& n : needs_) wait(n.producer, n.actor, e, item);

    Done& done = done_[step];
    const Actor actor = program_.info_at(item.instruction).kind == Kind::dma
                            ? actor_of(program_, item.instruction)
                            : Actor{static_cast<std::uint8_t>(e)};
    done.position = ++completed_[actor.index];
    done.stream_position = position_of(item, self);
    done.snapshot = snapshot(self);
    done.actor = actor.index;
    done.engine = static_cast<std::uint8_t>(self);
    if (actor.index != self) {
      // A transfer that is done says nothing of what its issuer ran before, except what it had to
      // wait for itself.
      done.of_engine = item.depends_back == 0 ? 0 : completed_before(item.needs_own);
      queue_issuer_[actor.index - engine_count] = e;
      last_on_queue_[actor.index - engine_count] = step;
    } else {
      known_[self][self] = done.position;
    }
    if (is_before) {
      ++turn_.items_before[self];
    } else {
      streams_[self].push_back(item);
    }
  }

  // Where an item stands among those of its engine, as every turn sees it.
  [[nodiscard]] std::int64_t position_of(const Draft& item, std::size_t engine) const {
    const auto size = static_cast<std::int64_t>(streams_[engine].size());
    return item.is_before ? size + turn_.items_before[engine] - turn_.items[engine] : size;
  }

  const std::vector<Dependence>& dependences(Step step) {
    dependences_ = tracker_.next(step);
    if (const auto extra = edges_.find(walk_.steps()[step]); extra != edges_.end()) {
      for (const std::uint32_t producer : extra->second)
        dependences_.push_back({walk_.is_turn_before(step)
                                    ? walk_.turn_before(producer).value_or(walk_.step_of(producer))
                                    : walk_.step_of(producer),
                                Hazard::ordered});
    }
    return dependences_;
  }

  struct Need {
    Step producer;
    std::size_t actor;
  };

  void need(const Dependence& d, int e, Draft& item) {
    const Done& producer = done_[d.producer];
    const Actor actor = actor_of(program_, walk_.steps()[d.producer]);
    if (actor.index == static_cast<std::size_t>(e)) {
      // The same engine runs and commits in order; only its own result must be committed before it
      // is read, and an instruction that a DMA queue goes on with must be committed whatever the
      // hazard.
      const bool transfer = program_.info_at(item.instruction).kind == Kind::dma;
      if (d.hazard != Hazard::read_after_write && d.hazard != Hazard::ordered && !transfer) return;
      const auto back = static_cast<std::uint32_t>(position_of(item, static_cast<std::size_t>(e)) -
                                                   producer.stream_position);
      if (item.depends_back != 0 && back >= item.depends_back) return;
      item.depends_back = back;
      item.needs_own = d.producer;
      return;
    }
    if (known_[static_cast<std::size_t>(e)][actor.index] >= producer.position) return;
    for (Need& n : needs_) {
      if (n.actor != actor.index) continue;
      if (done_[n.producer].position < producer.position) n.producer = d.producer;
      return;
    }
    needs_.push_back({d.producer, actor.index});
  }

  // A need is implied when another needed instruction could only complete after it.
  void drop_implied() {
    std::erase_if(needs_, [&](const Need& n) {
      return std::any_of(needs_.begin(), needs_.end(), [&](const Need& other) {
        return other.producer != n.producer &&
               knows(done_[other.producer], n.actor) >= done_[n.producer].position &&
               knows(done_[n.producer], other.actor) < done_[other.producer].position;
      });
    });
  }

  void wait(Step producer, std::size_t actor, int e, Draft& item) {
    learn(static_cast<std::size_t>(e), done_[producer]);
    if (item.is_before) return;
    if (walk_.is_turn_before(producer)) return wait_across(producer, actor, e, item);
    const isa::Signal signal = signal_from(actor, e, semaphore_);
    add_signal(item_of(producer), signal);
    add_wait(item, {signal.semaphore, signal.amount});
  }

  [[nodiscard]] Draft& item_of(Step step) {
    const Done& done = done_[step];
    return streams_[done.engine][static_cast<std::size_t>(done.stream_position)];
  }

  using BySignaller = std::array<std::int32_t, actor_count * engine_count>;
  isa::Signal signal_from(std::size_t actor, int e, BySignaller& semaphores) {
    std::int32_t& index = semaphores[actor * engine_count + static_cast<std::size_t>(e)];
    if (index < 0) index = program_.semaphore_count++;
    // Every DMA engine adds one when its share is done, idle ones too.
    const std::int64_t amount =
        actor >= engine_count ? core_.dma.engines * core_.dma.semaphore_increment : 1;
    return {static_cast<std::uint16_t>(index), static_cast<std::uint32_t>(amount)};
  }

  void learn(std::size_t engine, const Done& other) {
    Knowledge& mine = known_[engine];
    for (const std::size_t a : actors_) mine[a] = std::max(mine[a], knows(other, a));
    snapshot_of_[engine] = none;
  }

  [[nodiscard]] std::uint32_t completed_before(Step producer) const {
    return program_.info_at(walk_.steps()[producer]).kind == Kind::dma ? 0
                                                                       : done_[producer].position;
  }

  // A loop begins when all before it has ended. Where its turns do not overlap, so does each turn.
  void begin_loop(std::uint32_t i) {
    meet(i);
    if (!walk_.overlaps(i)) return;
    turn_ = {};
    for (Step step = walk_.step_of(i) + 1; walk_.is_turn_before(step); ++step)
      ++turn_.items[engine_at(walk_.steps()[step])];
    for (std::size_t e = 0; e < engine_count; ++e) {
      ++turn_.items[e];  // its end
      turn_.first[e] = streams_[e].size();
    }
  }

  void end_loop(std::uint32_t i) {
    if (!walk_.overlaps(i)) return meet(i);
    for (int e = 0; e < engine_count; ++e) {
      Draft item = draft(i, 0);
      await_queues(e, item);
      ++completed_[static_cast<std::size_t>(e)];
      streams_[static_cast<std::size_t>(e)].push_back(item);
    }
    for (const Crossing& one : turn_.crossings) {
      add_signal(item_of(walk_.step_of(walk_.steps()[one.producer])), one.signal);
      // What the first turn waits for is there, and what the last one signals is taken behind it.
      add_signal(streams_[one.engine][turn_.first[one.engine] - drains_behind_begin], one.signal);
    }
    meet(append_drain(i));
    turn_ = {};
  }

  // What an engine waits for in the turn before: it has a semaphore of its own, since its signals
  // and waits are a turn apart.
  struct Crossing {
    Step producer;  // of the turn before
    std::size_t engine;
    isa::Signal signal;
  };
  // The turns of a loop at hand that overlap.
  struct Turn {
    std::array<std::int64_t, engine_count> items{}, items_before{};  // of a turn; noted so far
    std::array<std::size_t, engine_count> first{};                   // its first item
    std::vector<Crossing> crossings{};
  };

  void wait_across(Step producer, std::size_t actor, int e, Draft& item) {
    const isa::Signal signal = signal_from(actor, e, turn_semaphore_);
    add_wait(item, {signal.semaphore, signal.amount});
    turn_.crossings.push_back({producer, static_cast<std::size_t>(e), signal});
  }

  // At the end of a turn its issuer waits for a queue's last transfer of the turn before, if
  // nothing else tells it; so it can wait for the last turn's behind the loop.
  void await_queues(int e, Draft& item) {
    for (std::size_t q = 0; q < dma_queue_count; ++q) {
      if (!has_more(q, e)) continue;
      const Step last = *walk_.turn_before(walk_.steps()[last_on_queue_[q]]);
      const bool waits = std::ranges::any_of(turn_.crossings, [&](const Crossing& one) {
        return one.producer == last && one.engine == static_cast<std::size_t>(e);
      });
      if (!waits) wait_across(last, engine_count + q, e, item);
      known_[static_cast<std::size_t>(e)][engine_count + q] = completed_[engine_count + q];
    }
  }
  void await_last_turn(std::size_t engine, Draft& item) {
    std::map<std::uint16_t, std::uint32_t> amounts;
    for (const Crossing& one : turn_.crossings)
      if (one.engine == engine) amounts[one.signal.semaphore] += one.signal.amount;
    for (const auto& [semaphore, amount] : amounts) add_wait(item, {semaphore, amount});
  }
  // Whether an engine has issued transfers on a queue that may not have ended.
  [[nodiscard]] bool has_more(std::size_t q, int e) const {
    const std::size_t actor = engine_count + q;
    return queue_issuer_[q] == e && known_[static_cast<std::size_t>(e)][actor] < completed_[actor];
  }

  std::uint32_t append_drain(std::uint32_t where) {
    return program_.append(isa::Drain{}, Engine::any, program_.instructions[where].location);
  }

  // All engines and queues meet: everything before is complete when any engine goes on, with
  // `then`, which each of them runs. Hardware loops need it where their waits run once an
  // iteration.
  void meet(std::uint32_t then) {
    const std::uint32_t drain = append_drain(then);
    for (int e = 0; e < engine_count; ++e) {
      const auto self = static_cast<std::size_t>(e);
      Draft item = draft(drain, streams_[self].empty() ? 0u : 1u);
      await_last_turn(self, item);
      for (std::size_t q = 0; q < dma_queue_count; ++q) {
        if (has_more(q, e)) wait(last_on_queue_[q], engine_count + q, e, item);
      }
      for (int other = 0; other < engine_count; ++other) {
        if (other != e) add_signal(item, signal_from(self, other, semaphore_));
      }
      ++completed_[self];
      streams_[self].push_back(item);
    }
    for (int e = 0; e < engine_count; ++e) {
      Draft item = draft(then, 0);
      for (int other = 0; other < engine_count; ++other) {
        if (other == e) continue;
        const isa::Signal signal = signal_from(static_cast<std::size_t>(other), e, semaphore_);
        add_wait(item, {signal.semaphore, signal.amount});
      }
      ++completed_[static_cast<std::size_t>(e)];
      streams_[static_cast<std::size_t>(e)].push_back(item);
    }
    for (Knowledge& known : known_) known = completed_;
    snapshot_of_.fill(none);
    tracker_.barrier();
  }

  void flatten() {
    done_ = {};
    snapshots_ = {};
    for (std::size_t e = 0; e < engine_count; ++e) {
      program_.streams[e].clear();
      program_.streams[e].reserve(streams_[e].size());
      for (const Draft& draft : streams_[e]) {
        StreamItem item;
        item.instruction = draft.instruction;
        item.depends_back = draft.depends_back;
        item.first_wait = static_cast<std::uint32_t>(program_.waits.size());
        item.first_signal = static_cast<std::uint32_t>(program_.signals.size());
        item.wait_count = static_cast<std::uint16_t>(draft.wait_count);
        item.signal_count = static_cast<std::uint16_t>(draft.signal_count);
        const auto waits = std::span(waits_).subspan(draft.first_wait, draft.wait_count);
        program_.waits.insert(program_.waits.end(), waits.begin(), waits.end());
        program_.signals.resize(program_.signals.size() + draft.signal_count);
        auto signal = program_.signals.end();
        for (std::uint32_t at = draft.last_signal; at != none; at = signals_[at].before)
          *--signal = signals_[at].signal;
        program_.streams[e].push_back(item);
      }
      streams_[e] = {};
    }
  }

  Program& program_;
  const machine::Core& core_;
  TurnWalk walk_;
  DependenceTracker tracker_;
  std::array<std::vector<Draft>, engine_count> streams_;
  std::vector<isa::Wait> waits_;
  std::vector<DraftSignal> signals_;
  std::array<Knowledge, engine_count> known_{};
  std::vector<std::size_t> actors_;                  // those of the program
  std::array<std::size_t, actor_count> place_of_{};  // in actors_
  std::vector<std::uint32_t> snapshots_;             // of what is known of each of actors_
  std::array<std::uint32_t, engine_count> snapshot_of_{none, none, none, none, none};
  Knowledge completed_{};
  std::vector<Done> done_;
  std::array<int, dma_queue_count> queue_issuer_{};
  std::array<Step, dma_queue_count> last_on_queue_{};
  BySignaller semaphore_{}, turn_semaphore_{};  // of one turn, and from one turn to the next
  Turn turn_{};
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> edges_;
  std::vector<Need> needs_;
  std::vector<Dependence> dependences_;
};

}  // namespace

std::optional<Shortage> build_streams(Program& program, const machine::Core& core,
                                      bool turns_overlap) {
  const std::size_t instructions = program.instructions.size();
  std::optional<Shortage> shortage = Builder(program, core, turns_overlap).run();
  if (!shortage || !turns_overlap) return shortage;
  program.instructions.resize(instructions);  // without its drains
  program.semaphore_count = 0;
  return Builder(program, core, false).run();
}

}  // namespace trainyard::compiler

#include "compiler/streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "compiler/dependences.h"
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

// Where an instruction stands: its position among its actor's, and what its completion tells.
struct Done {
  std::uint32_t position = 0;  // 1-based, so that it compares with Knowledge
  std::uint32_t stream_position = 0;
  std::uint32_t snapshot = 0;   // what its engine knew, but of itself
  std::uint32_t of_engine = 0;  // how many items of its engine it comes after, or is
  std::uint8_t actor = 0, engine = 0;
};

class Builder {
 public:
  Builder(Program& program, const machine::Core& core)
      : program_(program), core_(core), tracker_(program) {
    semaphore_.fill(-1);
    done_.resize(program.instructions.size());
    find_actors();
    std::array<std::size_t, engine_count + 1> counts{};
    for (const isa::Instruction& what : program.instructions)
      ++counts[static_cast<std::size_t>(what.engine)];
    for (std::size_t e = 0; e < engine_count; ++e) streams_[e].reserve(counts[e]);
    snapshots_.reserve(program.instructions.size() * actors_.size());
    for (const isa::ScheduleEdge& edge : program.schedule_edges)
      edges_[edge.consumer].push_back(edge.producer);
  }

  std::optional<Shortage> run() {
    const auto n = static_cast<std::uint32_t>(program_.instructions.size());
    for (std::uint32_t i = 0; i < n; ++i) {
      const isa::Flow flow = isa::flow_of(program_, i);
      if (flow == isa::Flow::loop_begin || flow == isa::Flow::loop_end) {
        barrier(i);
      } else {
        check_engine(i);
        place(i, static_cast<int>(program_.instructions[i].engine));
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

  void check_engine(std::uint32_t i) const {
    if (program_.instructions[i].engine != Engine::any) return;
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

  // Appends instruction i to the stream of engine e with the waits that its dependences need.
  void place(std::uint32_t i, int e) {
    base::check(e < engine_count, "what is no loop runs on one engine");
    const auto self = static_cast<std::size_t>(e);
    std::vector<Draft>& stream = streams_[self];
    Draft item = draft(i, 0);
    needs_.clear();
    for (const Dependence& d : dependences(i)) need(d, e, item);
    drop_implied();
    for (const Need& n : needs_) wait(n.producer, n.actor, e, item);

    Done& done = done_[i];
    const Actor actor = program_.info_at(i).kind == Kind::dma ? actor_of(program_, i)
                                                              : Actor{static_cast<std::uint8_t>(e)};
    done.position = ++completed_[actor.index];
    done.stream_position = static_cast<std::uint32_t>(stream.size());
    done.snapshot = snapshot(self);
    done.actor = actor.index;
    done.engine = static_cast<std::uint8_t>(self);
    if (actor.index != self) {
      // A transfer that is done says nothing of what its issuer ran before, except what it had to
      // wait for itself.
      done.of_engine = item.depends_back == 0 ? 0 : completed_before(stream, item);
      queue_issuer_[actor.index - engine_count] = e;
      last_on_queue_[actor.index - engine_count] = i;
    } else {
      known_[self][self] = done.position;
    }
    stream.push_back(item);
  }

  const std::vector<Dependence>& dependences(std::uint32_t i) {
    if (i == dependences_of_) return dependences_;
    dependences_of_ = i;
    dependences_ = tracker_.next(i);
    if (const auto extra = edges_.find(i); extra != edges_.end()) {
      for (const std::uint32_t producer : extra->second)
        dependences_.push_back({producer, Hazard::ordered});
    }
    return dependences_;
  }

  struct Need {
    std::uint32_t producer;
    std::size_t actor;
  };

  void need(const Dependence& d, int e, Draft& item) {
    const Done& producer = done_[d.producer];
    const Actor actor = actor_of(program_, d.producer);
    if (actor.index == static_cast<std::size_t>(e)) {
      // The same engine runs and commits in order; only its own result must be committed before it
      // is read, and an instruction that a DMA queue goes on with must be committed whatever the
      // hazard.
      const bool transfer = program_.info_at(item.instruction).kind == Kind::dma;
      if (d.hazard != Hazard::read_after_write && d.hazard != Hazard::ordered && !transfer) return;
      const auto back = static_cast<std::uint32_t>(streams_[static_cast<std::size_t>(e)].size()) -
                        producer.stream_position;
      if (item.depends_back == 0 || back < item.depends_back) item.depends_back = back;
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

  void wait(std::uint32_t producer, std::size_t actor, int e, Draft& item) {
    const std::uint16_t semaphore = semaphore_from(actor, e);
    const bool transfer = actor >= engine_count;
    // Every DMA engine adds one when its share is done, idle ones too.
    const auto amount =
        transfer ? static_cast<std::uint32_t>(core_.dma.engines * core_.dma.semaphore_increment)
                 : 1u;
    const std::size_t issuer =
        transfer ? static_cast<std::size_t>(queue_issuer_[actor - engine_count]) : actor;
    add_signal(streams_[issuer][done_[producer].stream_position], {semaphore, amount});
    add_wait(item, {semaphore, amount});
    learn(static_cast<std::size_t>(e), done_[producer]);
  }

  void learn(std::size_t engine, const Done& other) {
    Knowledge& mine = known_[engine];
    for (const std::size_t a : actors_) mine[a] = std::max(mine[a], knows(other, a));
    snapshot_of_[engine] = none;
  }

  std::uint16_t semaphore_from(std::size_t actor, int e) {
    std::int32_t& index = semaphore_[actor * engine_count + static_cast<std::size_t>(e)];
    if (index < 0) index = program_.semaphore_count++;
    return static_cast<std::uint16_t>(index);
  }

  [[nodiscard]] std::uint32_t completed_before(const std::vector<Draft>& stream,
                                               const Draft& item) const {
    const Draft& producer = stream[stream.size() - item.depends_back];
    return program_.info_at(producer.instruction).kind == Kind::dma
               ? 0
               : done_[producer.instruction].position;
  }

  // All engines and queues meet: everything before is complete when any engine goes on. Hardware
  // loops need it at both ends, because their waits run once an iteration.
  void barrier(std::uint32_t loop_instruction) {
    const std::uint32_t drain = program_.append(isa::Drain{}, Engine::any,
                                                program_.instructions[loop_instruction].location);
    done_.resize(program_.instructions.size());
    for (int e = 0; e < engine_count; ++e) {
      Draft item = draft(drain, streams_[static_cast<std::size_t>(e)].empty() ? 0u : 1u);
      for (std::size_t q = 0; q < dma_queue_count; ++q) {
        const std::size_t actor = engine_count + q;
        if (queue_issuer_[q] != e ||
            known_[static_cast<std::size_t>(e)][actor] >= completed_[actor])
          continue;
        wait(last_on_queue_[q], actor, e, item);
      }
      for (int other = 0; other < engine_count; ++other) {
        if (other != e) add_signal(item, {semaphore_from(static_cast<std::size_t>(e), other), 1});
      }
      ++completed_[static_cast<std::size_t>(e)];
      streams_[static_cast<std::size_t>(e)].push_back(std::move(item));
    }
    for (int e = 0; e < engine_count; ++e) {
      Draft item = draft(loop_instruction, 0);
      for (int other = 0; other < engine_count; ++other) {
        if (other != e) add_wait(item, {semaphore_from(static_cast<std::size_t>(other), e), 1});
      }
      ++completed_[static_cast<std::size_t>(e)];
      streams_[static_cast<std::size_t>(e)].push_back(std::move(item));
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
  std::array<std::uint32_t, dma_queue_count> last_on_queue_{};
  std::array<std::int32_t, actor_count * engine_count> semaphore_{};
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> edges_;
  std::vector<Need> needs_;
  std::vector<Dependence> dependences_;
  std::uint32_t dependences_of_ = 0xFFFFFFFFu;
};

}  // namespace

std::optional<Shortage> build_streams(Program& program, const machine::Core& core) {
  return Builder(program, core).run();
}

}  // namespace trainyard::compiler

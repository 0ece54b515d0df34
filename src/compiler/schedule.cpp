#include "compiler/schedule.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "compiler/carried_accumulators.h"
#include "compiler/dependences.h"
#include "compiler/engines.h"
#include "compiler/estimate.h"
#include "compiler/issuers.h"
#include "compiler/memory_window.h"
#include "compiler/register_uses.h"
#include "isa/core/control_flow.h"

namespace trainyard::compiler {

namespace {

using isa::Program;

// The instructions [begin, end) of one straight stretch, in a loop or not: no control instruction
// but those that compute registers, and no branch goes to one of them but the first.
struct Stretch {
  std::uint32_t begin, end;
};

bool ends_stretch(const isa::InstructionInfo& info) {
  return info.kind == isa::Kind::control &&
         (info.flow != isa::Flow::none || info.interface != isa::Interface::registers);
}

std::vector<Stretch> stretches(const Program& program) {
  const auto n = static_cast<std::uint32_t>(program.instructions.size());
  std::vector<bool> starts(n + 1, false);  // a stretch ends before it
  starts[n] = true;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!ends_stretch(program.info_at(i))) continue;
    starts[i] = starts[i + 1] = true;
    if (isa::flow_of(program, i) == isa::Flow::branch)
      starts[static_cast<std::size_t>(isa::target_of(program, i))] = true;
  }
  std::vector<Stretch> found;
  std::uint32_t begin = 0;
  for (std::uint32_t i = 1; i <= n; ++i) {
    if (!starts[i]) continue;
    if (i > begin + 1) found.push_back({begin, i});
    begin = i;
  }
  return found;
}

constexpr std::size_t hidden_states = 8;  // bits of isa::HiddenState

// What comes behind an instruction: when that ends, or, where registers alone order the two, which
// run on one engine, once it has been issued.
struct Successor {
  std::uint32_t position = 0;
  bool awaits_issue = false;
};

// The dependence graph of a stretch, and an estimate of what each instruction takes.
class DependenceGraph {
 public:
  DependenceGraph(const Program& program, const machine::Core& core, DependenceTracker& tracker,
                  RegisterOrder& registers, const CarriedAccumulators& carried, Stretch stretch)
      : stretch_(stretch), predecessors_(size(), 0) {
    std::array<std::uint32_t, hidden_states> last_hidden{};
    last_hidden.fill(none);
    takes_.reserve(size());
    for (std::uint32_t i = stretch.begin; i < stretch.end; ++i) {
      for (const Dependence& d : tracker.next(i)) add(d.producer, i);
      for (const std::uint32_t producer : registers.next(i)) add(producer, i, true);
      keep_hidden_order(i, carried, last_hidden);
      takes_.push_back(estimate(program, i, program.instructions[i].engine, core));
    }
    for (const isa::ScheduleEdge& edge : program.schedule_edges) add(edge.producer, edge.consumer);
    sort_edges();
  }

  static constexpr std::uint32_t none = 0xFFFFFFFFu;
  [[nodiscard]] std::uint32_t size() const { return stretch_.end - stretch_.begin; }
  [[nodiscard]] std::span<const Successor> successors(std::uint32_t k) const {
    return std::span(successors_).subspan(first_[k], first_[k + 1] - first_[k]);
  }
  [[nodiscard]] std::uint32_t predecessors(std::uint32_t k) const { return predecessors_[k]; }
  [[nodiscard]] const Estimate& takes(std::uint32_t k) const { return takes_[k]; }

 private:
  void add(std::uint32_t producer, std::uint32_t consumer, bool awaits_issue = false) {
    if (producer < stretch_.begin || producer >= stretch_.end || consumer < stretch_.begin ||
        consumer >= stretch_.end || producer == consumer) {
      return;
    }
    edges_.emplace_back(producer - stretch_.begin,
                        Successor{consumer - stretch_.begin, awaits_issue});
    ++predecessors_[consumer - stretch_.begin];
  }

  // By producer; those of one in the order in which they were added.
  void sort_edges() {
    first_.assign(size() + 1, 0);
    for (const auto& [producer, consumer] : edges_) ++first_[producer + 1];
    for (std::uint32_t k = 0; k < size(); ++k) first_[k + 1] += first_[k];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    successors_.resize(edges_.size());
    for (const auto& [producer, consumer] : edges_) successors_[next[producer]++] = consumer;
    edges_ = {};
  }

  void keep_hidden_order(std::uint32_t i, const CarriedAccumulators& carried,
                         std::array<std::uint32_t, hidden_states>& last) {
    for (std::size_t bit = 0; bit < hidden_states; ++bit) {
      if (!carried.touches(i, static_cast<isa::HiddenState>(1u << bit))) continue;
      if (last[bit] != none) add(last[bit], i);
      last[bit] = i;
    }
  }

  Stretch stretch_;
  std::vector<std::pair<std::uint32_t, Successor>> edges_;  // until they are sorted
  std::vector<Successor> successors_;                       // those of k are
  std::vector<std::uint32_t> first_;                        // [first_[k], first_[k + 1])
  std::vector<std::uint32_t> predecessors_;
  std::vector<Estimate> takes_;
};

// A set of positions that is walked in order.
class Positions {
 public:
  explicit Positions(std::uint32_t size) : words_(size / bits + 1, 0) {}

  void add(std::uint32_t k) { words_[k / bits] |= std::uint64_t{1} << (k % bits); }
  void remove(std::uint32_t k) { words_[k / bits] &= ~(std::uint64_t{1} << (k % bits)); }
  // The first one in [begin, end), or none.
  [[nodiscard]] std::uint32_t first(std::uint32_t begin, std::uint32_t end) const {
    if (begin >= end) return DependenceGraph::none;
    std::uint64_t word = words_[begin / bits] & (~std::uint64_t{0} << (begin % bits));
    for (std::uint32_t at = begin / bits;; word = words_[at]) {
      if (word != 0) {
        const std::uint32_t k = at * bits + static_cast<std::uint32_t>(std::countr_zero(word));
        return k < end ? k : DependenceGraph::none;
      }
      if (++at * bits >= end) return DependenceGraph::none;
    }
  }

 private:
  static constexpr std::uint32_t bits = 64;
  std::vector<std::uint64_t> words_;
};

// The instructions of one engine that wait for nothing but its turn to take them.
class ReadyOnes {
 public:
  explicit ReadyOnes(std::uint32_t size) : now_(size) {}

  // `at`: when the last result that it needs is there.
  void add(std::uint32_t k, base::Ticks at) {
    if (at <= free_)
      now_.add(k);
    else
      later_.push_back({k, at});
  }
  [[nodiscard]] base::Ticks free() const { return free_; }
  // Another engine has taken it.
  void remove(std::uint32_t k) {
    now_.remove(k);
    std::erase_if(later_, [&](const Later& one) { return one.k == k; });
  }
  // One of them takes the engine up to `end`.
  void issue(std::uint32_t k, base::Ticks end) {
    now_.remove(k);
    free_ = end;
    std::erase_if(later_, [&](const Later& one) {
      if (one.k != k && one.at <= free_) now_.add(one.k);
      return one.k == k || one.at <= free_;
    });
  }
  // Calls tries(k, start) for those in [begin, end) until it returns false: first, in order, for
  // all that can start as soon as the engine is free, then for the others.
  template <typename F>
  void walk(std::uint32_t begin, std::uint32_t end, F&& tries) const {
    for (std::uint32_t k = now_.first(begin, end); k < end; k = now_.first(k + 1, end))
      if (!tries(k, free_)) break;
    for (const Later& one : later_)
      if (one.k < end) tries(one.k, one.at);
  }

 private:
  struct Later {
    std::uint32_t k;
    base::Ticks at;
  };
  Positions now_;
  std::vector<Later> later_;  // their results come after the engine is free
  base::Ticks free_;
};

// Picks, again and again, the instruction that can start first; among those the earliest in the
// author's order, so that a tile is finished before later ones fill the memories. An engine takes
// one instruction at a time, a DMA engine one piece.
class ListScheduler {
 public:
  // `issuers`: of transfers that no author gave to an engine; null where all have one.
  ListScheduler(const Program& program, const machine::Core& core, Stretch stretch,
                const DependenceGraph& graph, Memories& memories, const Issuers* issuers)
      : program_(program),
        core_(core),
        stretch_(stretch),
        graph_(graph),
        memories_(memories),
        ready_(isa::engine_count, ReadyOnes(graph.size())),
        ready_at_(graph.size()),
        engines_(graph.size()) {
    waiting_.reserve(graph.size());
    if (issuers != nullptr) issuers_.resize(graph.size());
    transfer_issued_.fill(base::Ticks{-1});
    for (std::uint32_t k = 0; k < graph.size(); ++k) {
      const isa::Instruction& instruction = program.instructions[stretch.begin + k];
      engines_[k] = static_cast<std::uint8_t>(instruction.engine);
      waiting_.push_back(graph.predecessors(k));
      if (issuers != nullptr) issuers_[k] = issuers->of(program, stretch.begin + k);
      if (waiting_[k] == 0) make_ready(k, {});
    }
  }

  // The engine that issues an instruction of the stretch.
  [[nodiscard]] isa::Engine engine_of(std::uint32_t k) const {
    return static_cast<isa::Engine>(engines_[k]);
  }
  // Positions within the stretch in the new order; empty when the edges form a cycle.
  [[nodiscard]] std::vector<std::uint32_t> run(bool keep_author_order) {
    std::vector<std::uint32_t> order;
    order.reserve(graph_.size());
    std::vector<bool> issued(graph_.size(), false);
    std::uint32_t first = 0;
    while (order.size() < graph_.size()) {
      while (issued[first]) ++first;
      memories_.follow(stretch_.begin + first);
      const Choice best = keep_author_order ? next_written(first) : earliest(first);
      if (best.k == DependenceGraph::none) return {};
      issued[best.k] = true;
      order.push_back(best.k);
      issue(best);
    }
    return order;
  }

 private:
  struct Choice {
    std::uint32_t k = DependenceGraph::none;
    base::Ticks start;
    base::Ticks rank{start};  // by which it is chosen
    const Issuing* issuing = nullptr;
    [[nodiscard]] bool is_before(const Choice& other) const {
      if (other.k == DependenceGraph::none) return true;
      return rank != other.rank ? rank < other.rank : k < other.k;
    }
  };

  // The instruction that can start first among those near the first one not issued.
  [[nodiscard]] Choice earliest(std::uint32_t first) const {
    Choice best;
    const std::uint32_t end = std::min(graph_.size(), first + schedule_lookahead);
    for (std::size_t e = 0; e < ready_.size(); ++e) {
      ready_[e].walk(first, end, [&](std::uint32_t k, base::Ticks start) {
        const Choice one = choice(k, e, start);
        if (!one.is_before(best)) return one.issuing != nullptr;
        if (k != first && !memories_.may_issue(stretch_.begin + k)) return true;
        best = one;
        return one.issuing != nullptr;
      });
    }
    return best;
  }
  // An open transfer starts where its bytes move first.
  [[nodiscard]] Choice choice(std::uint32_t k, std::size_t e, base::Ticks start) const {
    Choice one{k, start};
    const std::span<const Issuing> open = issuers_of(k);
    if (open.empty()) return one;
    const auto mine = std::ranges::find(open, static_cast<isa::Engine>(e), &Issuing::engine);
    one.issuing = &*mine;
    one.rank =
        start + held(*mine, start) + mine->latency - open.front().held - open.front().latency;
    return one;
  }
  // None, where the engine is given.
  [[nodiscard]] std::span<const Issuing> issuers_of(std::uint32_t k) const {
    return issuers_.empty() ? std::span<const Issuing>{} : issuers_[k];
  }
  // Right behind another transfer descriptors are ready sooner.
  [[nodiscard]] base::Ticks held(const Issuing& one, base::Ticks start) const {
    const auto e = static_cast<std::size_t>(one.engine);
    return start == transfer_issued_[e] ? one.held_behind : one.held;
  }
  void make_ready(std::uint32_t k, base::Ticks at) {
    const std::span<const Issuing> open = issuers_of(k);
    for (const Issuing& one : open) ready_[static_cast<std::size_t>(one.engine)].add(k, at);
    if (open.empty()) ready_[engines_[k]].add(k, at);
  }
  // The first one in the author's order.
  [[nodiscard]] Choice next_written(std::uint32_t first) const {
    Choice best;
    for (const ReadyOnes& engine : ready_) {
      engine.walk(first, graph_.size(), [&](std::uint32_t k, base::Ticks start) {
        if (k < best.k) best = {k, start};
        return false;
      });
    }
    return best;
  }

  void issue(const Choice& best) {
    const std::uint32_t k = best.k;
    memories_.issue(stretch_.begin + k);
    const Estimate& takes = graph_.takes(k);
    base::Ticks end;
    if (best.issuing == nullptr) {
      ready_[engines_[k]].issue(k, best.start + takes.engine);
      end = end_of(k, best.start);
    } else {
      end = issue_open(k, best);
    }
    for (const Successor& successor : graph_.successors(k)) {
      const std::uint32_t s = successor.position;
      if (!successor.awaits_issue) ready_at_[s] = std::max(ready_at_[s], end);
      if (--waiting_[s] == 0) make_ready(s, ready_at_[s]);
    }
  }

  base::Ticks issue_open(std::uint32_t k, const Choice& best) {
    const std::uint32_t i = stretch_.begin + k;
    const base::Ticks issued = best.start + held(*best.issuing, best.start);
    for (const Issuing& one : issuers_of(k)) {
      const auto e = static_cast<std::size_t>(one.engine);
      if (&one != best.issuing) {
        ready_[e].remove(k);
        continue;
      }
      engines_[k] = static_cast<std::uint8_t>(e);
      ready_[e].issue(k, issued);
      transfer_issued_[e] = issued;
    }
    TransferEstimate transfer = estimate_transfer(program_, i, core_);
    transfer.before = best.issuing->latency;
    return moved(issued, transfer);
  }

  [[nodiscard]] base::Ticks end_of(std::uint32_t k, base::Ticks begin) {
    const std::uint32_t i = stretch_.begin + k;
    const isa::InstructionInfo& info = program_.info_at(i);
    if (info.kind == isa::Kind::dma && info.meeting == nullptr)
      return moved(begin, estimate_transfer(program_, i, core_));
    const Estimate& takes = graph_.takes(k);
    const base::Ticks end = begin + takes.result;
    if (takes.moving.value == 0) return end;
    return meetings_end_ = std::max(end, meetings_end_ + takes.moving);
  }

  // When a transfer is done: each DMA engine moves its pieces behind those of earlier ones.
  base::Ticks moved(base::Ticks begin, const TransferEstimate& transfer) {
    const base::Ticks arrival = begin + transfer.before;
    base::Ticks end = arrival;
    for (std::size_t e = 0; e < dma_free_.size(); ++e) {
      if (transfer.moving[e].value == 0) continue;
      dma_free_[e] = std::max(dma_free_[e], arrival) + transfer.moving[e];
      end = std::max(end, dma_free_[e]);
    }
    return end + transfer.after;
  }

  const Program& program_;
  const machine::Core& core_;
  Stretch stretch_;
  const DependenceGraph& graph_;
  Memories& memories_;
  std::vector<ReadyOnes> ready_;  // by engine
  std::vector<base::Ticks> ready_at_;
  std::vector<std::uint8_t> engines_;
  std::vector<std::uint32_t> waiting_;
  std::array<base::Ticks, isa::dma_engines_max> dma_free_{};  // of each DMA engine
  base::Ticks meetings_end_;                                  // one follows another
  // When each engine had issued its last transfer of those that are open.
  std::array<base::Ticks, isa::engine_count> transfer_issued_{};
  std::vector<std::span<const Issuing>> issuers_;  // by position; empty where all engines are given
};

void reorder(Program& program, const machine::Core& core, bool keep_author_order,
             std::int64_t percent, bool written_in_parts, bool issuers_open) {
  DependenceTracker tracker(program, false);
  RegisterOrder registers(program);
  const CarriedAccumulators carried(program);
  Memories memories(program, core, percent, written_in_parts);
  const Issuers issuers(core);
  std::uint32_t counted = 0;  // instructions outside the stretches count as issued in order
  std::vector<std::uint32_t> place(program.instructions.size());
  for (std::uint32_t i = 0; i < place.size(); ++i) place[i] = i;
  for (const Stretch stretch : stretches(program)) {
    tracker.barrier();
    for (; counted < stretch.begin; ++counted) memories.issue(counted);
    counted = stretch.end;
    const DependenceGraph graph(program, core, tracker, registers, carried, stretch);
    ListScheduler scheduler(program, core, stretch, graph, memories,
                            issuers_open ? &issuers : nullptr);
    const std::vector<std::uint32_t> order = scheduler.run(keep_author_order);
    if (order.empty()) {
      throw base::InputError({"schedule.cycle",
                              "scheduling edges and data dependences form no cycle",
                              program.place(stretch.begin), "instructions that wait for each other",
                              "remove one of the depends_on or with_schedule edges"});
    }
    const std::vector<isa::Instruction> old(program.instructions.begin() + stretch.begin,
                                            program.instructions.begin() + stretch.end);
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      const std::uint32_t at = stretch.begin + k;
      program.instructions[at] = old[order[k]];
      if (const isa::Engine engine = scheduler.engine_of(order[k]);
          engine != old[order[k]].engine) {
        program.instructions[at].engine = engine;
        program.instructions[at].queue = queue_of(program, at);
      }
      place[stretch.begin + order[k]] = stretch.begin + k;
    }
  }
  for (isa::ScheduleEdge& edge : program.schedule_edges) {
    edge = {place[edge.producer], place[edge.consumer]};
  }
}

}  // namespace

void schedule(Program& program, const machine::Core& core, Order order, std::int64_t percent,
              bool written_in_parts, bool issuers_open) {
  const bool edge_points_back =
      std::any_of(program.schedule_edges.begin(), program.schedule_edges.end(),
                  [](const isa::ScheduleEdge& e) { return e.producer >= e.consumer; });
  if (order == Order::list)
    return reorder(program, core, false, percent, written_in_parts, issuers_open);
  if (edge_points_back) reorder(program, core, true, percent, written_in_parts, false);
}

}  // namespace trainyard::compiler

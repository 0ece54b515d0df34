#include "compiler/schedule.h"

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "compiler/carried_accumulators.h"
#include "compiler/dependences.h"
#include "compiler/estimate.h"
#include "isa/core/control_flow.h"

namespace trainyard::compiler {

namespace {

using isa::Program;

// The instructions [begin, end) of one straight stretch, in a loop or not: no control instruction,
// and no branch goes to one of them but the first.
struct Stretch {
  std::uint32_t begin, end;
};

std::vector<Stretch> stretches(const Program& program) {
  const auto n = static_cast<std::uint32_t>(program.instructions.size());
  std::vector<bool> starts(n + 1, false);  // a stretch ends before it
  starts[n] = true;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (program.info_at(i).kind != isa::Kind::control) continue;
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

// How far ahead of the first instruction not yet issued the scheduler looks. Bounds its work.
constexpr std::uint32_t lookahead = 512;

// The dependence graph of a stretch, and an estimate of what each instruction takes.
class DependenceGraph {
 public:
  DependenceGraph(const Program& program, const machine::Core& core, DependenceTracker& tracker,
                  const CarriedAccumulators& carried, Stretch stretch, bool by_engine)
      : stretch_(stretch), predecessors_(size(), 0) {
    std::array<std::uint32_t, hidden_states> last_hidden{};
    last_hidden.fill(none);
    takes_.reserve(size());
    for (std::uint32_t i = stretch.begin; i < stretch.end; ++i) {
      for (const Dependence& d : tracker.next(i)) add(d.producer, i);
      keep_hidden_order(i, carried, last_hidden);
      takes_.push_back(estimate(program, i, program.instructions[i].engine, core));
      transfer_of_.push_back(static_cast<std::uint32_t>(transfers_.size()));
      const isa::InstructionInfo& info = program.info_at(i);
      if (by_engine && info.kind == isa::Kind::dma && info.meeting == nullptr)
        transfers_.push_back(estimate_transfer(program, i, core));
      else
        transfer_of_.back() = none;
    }
    for (const isa::ScheduleEdge& edge : program.schedule_edges) add(edge.producer, edge.consumer);
    sort_edges();
  }

  static constexpr std::uint32_t none = 0xFFFFFFFFu;
  [[nodiscard]] std::uint32_t size() const { return stretch_.end - stretch_.begin; }
  [[nodiscard]] std::span<const std::uint32_t> successors(std::uint32_t k) const {
    return std::span(successors_).subspan(first_[k], first_[k + 1] - first_[k]);
  }
  [[nodiscard]] std::uint32_t predecessors(std::uint32_t k) const { return predecessors_[k]; }
  [[nodiscard]] const Estimate& takes(std::uint32_t k) const { return takes_[k]; }
  // Null where the bytes alone tell how long the DMA engines have it, as in kernels: their orders
  // are compared with silicon so.
  [[nodiscard]] const TransferEstimate* transfer(std::uint32_t k) const {
    return transfer_of_[k] == none ? nullptr : &transfers_[transfer_of_[k]];
  }

 private:
  void add(std::uint32_t producer, std::uint32_t consumer) {
    if (producer < stretch_.begin || producer >= stretch_.end || consumer < stretch_.begin ||
        consumer >= stretch_.end || producer == consumer) {
      return;
    }
    edges_.emplace_back(producer - stretch_.begin, consumer - stretch_.begin);
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
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;  // until they are sorted
  std::vector<std::uint32_t> first_, successors_;  // those of k are [first_[k], first_[k + 1])
  std::vector<std::uint32_t> predecessors_;
  std::vector<Estimate> takes_;
  std::vector<TransferEstimate> transfers_;
  std::vector<std::uint32_t> transfer_of_;
};

// Which instructions may be issued, by the room in one memory. A part of it belongs to the window:
// the instructions up to where the tensors in use, and all that begin before in the author's order,
// fill it. So the next instruction in the author's order always finds room, but for fragmentation.
// The rest is for tensors that begin behind the window, as far as the author's order leaves it
// until the window reaches them.
class MemoryWindow {
 public:
  MemoryWindow(const Program& program, isa::Space space, std::int64_t alignment,
               std::int64_t capacity, std::int64_t window, std::int64_t ahead,
               bool written_in_parts)
      : capacity_(capacity),
        window_max_(window),
        ahead_most_(ahead),
        ahead_max_(ahead),
        written_in_parts_(written_in_parts),
        begins_(program.instructions.size(), 0) {
    for (const isa::Tensor& tensor : program.tensors)
      tensors_.push_back({.size = base::round_up(tensor.bytes_per_partition(), alignment)});
    first_.reserve(program.instructions.size() + 1);
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
      first_.push_back(static_cast<std::uint32_t>(touched_.size()));
      program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access) {
        if (tile.space != space) return;
        touched_.push_back(tile.tensor);
        if (tensors_[tile.tensor].uses_left++ > 0) return;
        order_.emplace_back(i, tile.tensor);
        begins_[i] += size(tile.tensor);
      });
    }
    first_.push_back(static_cast<std::uint32_t>(touched_.size()));
    if (ahead_most_ > 0) find_needs(program.instructions.size());
  }

  // Moves the window, while `oldest` is the first instruction not issued.
  void follow(std::uint32_t oldest) {
    for (; next_ < order_.size(); ++next_) {
      const auto [begin, t] = order_[next_];
      Use& use = tensors_[t];
      if (begin > oldest && window_ + size(t) > window_max_) break;
      use.in_window = true;
      if (use.uses_left == 0) continue;  // began and ended ahead of the window
      if (use.live) ahead_ -= size(t);
      window_ += size(t);
    }
    if (ahead_most_ > 0) ahead_max_ = std::min(ahead_most_, capacity_ - needs_[oldest]);
  }

  [[nodiscard]] bool may_issue(std::uint32_t i) const {
    if (written_in_parts_) {
      const std::int64_t begun = begun_by(i);
      return begun == 0 || ahead_ + begun <= ahead_max_;
    }
    return begins_[i] == 0 || next_ == order_.size() || i < order_[next_].first ||
           ahead_ + begins_[i] <= ahead_max_;
  }

  void issue(std::uint32_t i) {
    for_each(i, [&](isa::TensorId t) {
      Use& use = tensors_[t];
      std::int64_t& pool = use.in_window ? window_ : ahead_;
      if (!use.live && !use.in_window) ahead_ += size(t);
      use.live = --use.uses_left > 0;
      if (!use.live) pool -= size(t);
    });
  }

 private:
  struct Use {
    std::int64_t size = 0;
    std::uint32_t uses_left = 0;
    bool live = false, in_window = false;
  };

  // What the author's order has live at once from each instruction on, as far as the scheduler
  // looks.
  void find_needs(std::size_t instructions) {
    std::vector<std::uint32_t> uses;
    for (const Use& use : tensors_) uses.push_back(use.uses_left);
    std::vector<std::int64_t> live(instructions, 0);
    std::int64_t now = 0;
    for (std::uint32_t i = 0; i < instructions; ++i) {
      now += begins_[i];
      live[i] = now;
      for_each(i, [&](isa::TensorId t) {
        if (--uses[t] == 0) now -= size(t);
      });
    }
    needs_.resize(instructions);
    std::deque<std::size_t> falling;  // each has more live than all behind it
    for (std::size_t i = instructions; i-- > 0;) {
      while (!falling.empty() && live[falling.back()] <= live[i]) falling.pop_back();
      falling.push_back(i);
      if (falling.front() >= i + lookahead) falling.pop_front();
      needs_[i] = live[falling.front()];
    }
  }

  // Bytes of the tensors behind the window that would begin with this instruction.
  [[nodiscard]] std::int64_t begun_by(std::uint32_t i) const {
    std::int64_t bytes = 0;
    for_each(i, [&](isa::TensorId t) {
      if (!tensors_[t].live && !tensors_[t].in_window) bytes += size(t);
    });
    return bytes;
  }

  template <typename F>
  void for_each(std::uint32_t i, F&& f) const {
    for (std::uint32_t at = first_[i]; at < first_[i + 1]; ++at) f(touched_[at]);
  }
  [[nodiscard]] std::int64_t size(isa::TensorId t) const { return tensors_[t].size; }

  std::int64_t capacity_, window_max_, ahead_most_;
  std::int64_t ahead_max_;  // of those, what the author's order leaves
  bool written_in_parts_;
  std::int64_t window_ = 0, ahead_ = 0;  // bytes of a partition
  std::vector<Use> tensors_;
  std::vector<std::uint32_t> first_;  // the tensors of i are [first_[i], first_[i + 1])
  std::vector<isa::TensorId> touched_;
  std::vector<std::int64_t> begins_;                            // bytes, by instruction
  std::vector<std::pair<std::uint32_t, isa::TensorId>> order_;  // of the first uses
  std::size_t next_ = 0;                                        // the first one behind the window
  std::vector<std::int64_t> needs_;                             // by instruction, if any goes ahead
};

// The room in SBUF and in PSUM. Sums in PSUM are many and short: a part of it is kept for those of
// a later stage, which would otherwise wait behind every sum of the present one.
class Memories {
 public:
  Memories(const Program& program, const machine::Core& core, std::int64_t sbuf_percent,
           bool written_in_parts)
      : sbuf_(program, isa::Space::sbuf, core.sbuf.alignment.value, core.sbuf.usable().value,
              core.sbuf.usable().value * sbuf_percent / 100, 0, written_in_parts),
        psum_(program, isa::Space::psum, core.psum.bank_size.value,
              core.psum.partition_size().value, core.psum.partition_size().value - ahead(core),
              ahead(core), written_in_parts) {}

  void follow(std::uint32_t oldest) {
    sbuf_.follow(oldest);
    psum_.follow(oldest);
  }
  [[nodiscard]] bool may_issue(std::uint32_t i) const {
    return sbuf_.may_issue(i) && psum_.may_issue(i);
  }
  void issue(std::uint32_t i) {
    sbuf_.issue(i);
    psum_.issue(i);
  }

 private:
  static std::int64_t ahead(const machine::Core& core) {
    return core.psum.bank_size.value * (core.psum.banks * 3 / 8);
  }

  MemoryWindow sbuf_, psum_;
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

// Picks, again and again, the instruction that can start first; among those the earliest in the
// author's order, so that a tile is finished before later ones fill the memories. An engine takes
// one instruction at a time, the DMA engines one transfer.
class ListScheduler {
 public:
  ListScheduler(const Program& program, Stretch stretch, const DependenceGraph& graph,
                Memories& memories)
      : stretch_(stretch),
        graph_(graph),
        memories_(memories),
        ready_at_(graph.size()),
        engines_(graph.size()) {
    waiting_.reserve(graph.size());
    for (std::uint32_t k = 0; k < graph.size(); ++k) {
      waiting_.push_back(graph.predecessors(k));
      if (waiting_[k] == 0) ready_.add(k);
      const isa::Instruction& instruction = program.instructions[stretch.begin + k];
      engines_[k] = static_cast<std::uint8_t>(instruction.engine);
    }
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
      const std::uint32_t best =
          keep_author_order ? ready_.first(first, graph_.size()) : earliest(first);
      if (best == DependenceGraph::none) return {};
      issued[best] = true;
      ready_.remove(best);
      order.push_back(best);
      issue(best);
    }
    return order;
  }

 private:
  // The instruction that can start first among those near the first one not issued.
  [[nodiscard]] std::uint32_t earliest(std::uint32_t first) {
    std::uint32_t best = DependenceGraph::none;
    const std::uint32_t end = std::min(graph_.size(), first + lookahead);
    for (std::uint32_t k = ready_.first(first, end); k < end; k = ready_.first(k + 1, end)) {
      if (best != DependenceGraph::none && !before(k, best)) continue;
      if (k == first || memories_.may_issue(stretch_.begin + k)) best = k;
    }
    return best;
  }

  [[nodiscard]] base::Ticks& engine_free(std::uint32_t k) { return engine_free_[engines_[k]]; }
  [[nodiscard]] base::Ticks start(std::uint32_t k) {
    return std::max(ready_at_[k], engine_free(k));
  }
  [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) {
    const base::Ticks start_a = start(a), start_b = start(b);
    return start_a != start_b ? start_a < start_b : a < b;
  }

  void issue(std::uint32_t k) {
    memories_.issue(stretch_.begin + k);
    const base::Ticks begin = start(k);
    const Estimate& takes = graph_.takes(k);
    engine_free(k) = begin + takes.engine;
    const TransferEstimate* const transfer = graph_.transfer(k);
    base::Ticks end = transfer == nullptr ? begin + takes.result : moved(begin, *transfer);
    if (transfer == nullptr && takes.moving.value > 0)
      end = all_dma_free_ = std::max(end, all_dma_free_ + takes.moving);
    for (const std::uint32_t s : graph_.successors(k)) {
      ready_at_[s] = std::max(ready_at_[s], end);
      if (--waiting_[s] == 0) ready_.add(s);
    }
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

  Stretch stretch_;
  const DependenceGraph& graph_;
  Memories& memories_;
  Positions ready_{graph_.size()};  // neither issued nor waiting for others
  std::vector<base::Ticks> ready_at_;
  std::vector<std::uint8_t> engines_;
  std::vector<std::uint32_t> waiting_;
  std::array<base::Ticks, isa::engine_count> engine_free_{};
  std::array<base::Ticks, isa::dma_engines_max> dma_free_{};  // of each DMA engine
  base::Ticks all_dma_free_;                                  // where only bytes count
};

void reorder(Program& program, const machine::Core& core, bool keep_author_order,
             std::int64_t percent, bool written_in_parts) {
  DependenceTracker tracker(program, false);
  const CarriedAccumulators carried(program);
  Memories memories(program, core, percent, written_in_parts);
  std::uint32_t counted = 0;  // instructions outside the stretches count as issued in order
  std::vector<std::uint32_t> place(program.instructions.size());
  for (std::uint32_t i = 0; i < place.size(); ++i) place[i] = i;
  for (const Stretch stretch : stretches(program)) {
    tracker.barrier();
    for (; counted < stretch.begin; ++counted) memories.issue(counted);
    counted = stretch.end;
    const DependenceGraph graph(program, core, tracker, carried, stretch, written_in_parts);
    const std::vector<std::uint32_t> order =
        ListScheduler(program, stretch, graph, memories).run(keep_author_order);
    if (order.empty()) {
      throw base::InputError({"schedule.cycle",
                              "scheduling edges and data dependences form no cycle",
                              program.place(stretch.begin), "instructions that wait for each other",
                              "remove one of the depends_on or with_schedule edges"});
    }
    const std::vector<isa::Instruction> old(program.instructions.begin() + stretch.begin,
                                            program.instructions.begin() + stretch.end);
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      program.instructions[stretch.begin + k] = old[order[k]];
      place[stretch.begin + order[k]] = stretch.begin + k;
    }
  }
  for (isa::ScheduleEdge& edge : program.schedule_edges) {
    edge = {place[edge.producer], place[edge.consumer]};
  }
}

}  // namespace

void schedule(Program& program, const machine::Core& core, Order order, std::int64_t percent,
              bool written_in_parts) {
  const bool edge_points_back =
      std::any_of(program.schedule_edges.begin(), program.schedule_edges.end(),
                  [](const isa::ScheduleEdge& e) { return e.producer >= e.consumer; });
  if (order == Order::list) return reorder(program, core, false, percent, written_in_parts);
  if (edge_points_back) reorder(program, core, true, percent, written_in_parts);
}

}  // namespace trainyard::compiler

#include "compiler/schedule.h"

#include <algorithm>
#include <array>
#include <vector>

#include "compiler/dependences.h"

namespace trainyard::compiler {

namespace {

using isa::Program;

// The instructions [begin, end) of one straight stretch: no hardware loop, no control instruction.
struct Stretch {
  std::uint32_t begin, end;
};

std::vector<Stretch> stretches(const Program& program) {
  std::vector<Stretch> found;
  const auto n = static_cast<std::uint32_t>(program.instructions.size());
  int depth = 0;
  std::uint32_t begin = 0;
  const auto close = [&](std::uint32_t end) {
    if (depth == 0 && end > begin + 1) found.push_back({begin, end});
  };
  for (std::uint32_t i = 0; i < n; ++i) {
    if (program.info_at(i).kind != isa::Kind::control) continue;
    close(i);
    begin = i + 1;
    if (program.info_at(i).mnemonic == "loop_begin") ++depth;
    if (program.info_at(i).mnemonic == "loop_end") --depth;
  }
  close(n);
  return found;
}

constexpr std::size_t hidden_states = 8;  // bits of isa::HiddenState

// How far ahead of the first instruction not yet issued the scheduler looks. Bounds its work, and
// how much longer tensors live than in the author's order.
constexpr std::uint32_t lookahead = 512;

// The dependence graph of a stretch, and an estimate of what each instruction takes.
class Graph {
 public:
  Graph(const Program& program, const machine::Core& core, DependenceTracker& tracker,
        Stretch stretch)
      : program_(program), stretch_(stretch), successors_(size()), predecessors_(size(), 0) {
    std::array<std::uint32_t, hidden_states> last_hidden{};
    last_hidden.fill(none);
    for (std::uint32_t i = stretch.begin; i < stretch.end; ++i) {
      for (const Dependence& d : tracker.next(i)) add(d.producer, i);
      keep_hidden_order(i, last_hidden);
      duration_.push_back(estimate(i, core));
    }
    for (const isa::ScheduleEdge& edge : program.schedule_edges) add(edge.producer, edge.consumer);
    rank();
  }

  static constexpr std::uint32_t none = 0xFFFFFFFFu;
  [[nodiscard]] std::uint32_t size() const { return stretch_.end - stretch_.begin; }
  [[nodiscard]] const std::vector<std::uint32_t>& successors(std::uint32_t k) const {
    return successors_[k];
  }
  [[nodiscard]] std::uint32_t predecessors(std::uint32_t k) const { return predecessors_[k]; }
  [[nodiscard]] base::Ticks duration(std::uint32_t k) const { return duration_[k]; }
  // The longest way from the start of k to the end of the stretch.
  [[nodiscard]] base::Ticks urgency(std::uint32_t k) const { return urgency_[k]; }

 private:
  void add(std::uint32_t producer, std::uint32_t consumer) {
    if (producer < stretch_.begin || producer >= stretch_.end || consumer < stretch_.begin ||
        consumer >= stretch_.end || producer == consumer) {
      return;
    }
    successors_[producer - stretch_.begin].push_back(consumer - stretch_.begin);
    ++predecessors_[consumer - stretch_.begin];
  }

  // Instructions that share state outside their operands (accumulators, generators) keep order.
  void keep_hidden_order(std::uint32_t i, std::array<std::uint32_t, hidden_states>& last) {
    for (std::size_t bit = 0; bit < hidden_states; ++bit) {
      const auto state = static_cast<isa::HiddenState>(1u << bit);
      if (!isa::overlap(program_.info_at(i).hidden, state)) continue;
      if (last[bit] != none) add(last[bit], i);
      last[bit] = i;
    }
  }

  [[nodiscard]] base::Ticks estimate(std::uint32_t i, const machine::Core& core) const {
    const isa::InstructionInfo& info = program_.info_at(i);
    const isa::Engine engine = program_.instructions[i].engine;
    const auto kind = static_cast<machine::EngineKind>(engine);
    base::Ticks time =
        core.engine(kind).clock(info.cycles(program_.record(i), engine, core).latency);
    if (info.kind != isa::Kind::dma) return time;
    std::int64_t bytes = 0;
    program_.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access how) {
      if (isa::writes(how)) bytes += tile.bytes();
    });
    const std::int64_t share = base::ceil_div(bytes, core.dma.engines);
    return time + core.dma.hardware.trigger_latency + core.dma.achieved({share}) +
           core.dma.completion;
  }

  void rank() {
    urgency_.assign(size(), {});
    // Successors come later in the author's order unless an explicit edge points back; those only
    // lose urgency.
    for (std::uint32_t k = size(); k-- > 0;) {
      base::Ticks longest{};
      for (const std::uint32_t s : successors_[k]) longest = std::max(longest, urgency_[s]);
      urgency_[k] = longest + duration_[k];
    }
  }

  const Program& program_;
  Stretch stretch_;
  std::vector<std::vector<std::uint32_t>> successors_;
  std::vector<std::uint32_t> predecessors_;
  std::vector<base::Ticks> duration_, urgency_;
};

// How much of SBUF and PSUM is in use while instructions are issued one by one: a tensor lives from
// its first use to its last.
class Pressure {
 public:
  Pressure(const Program& program, const machine::Core& core)
      : program_(program),
        uses_left_(program.tensors.size(), 0),
        live_(program.tensors.size(), false),
        capacity_{core.sbuf.usable().value, core.psum.partition_size().value},
        alignment_{core.sbuf.alignment.value, core.psum.bank_size.value} {
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
      program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access) {
        ++uses_left_[tile.tensor];
      });
    }
  }

  // Whether what instruction i begins to use fits beside what is live.
  [[nodiscard]] bool fits(std::uint32_t i) const {
    std::array<std::int64_t, 2> extra{};
    program_.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access) {
      if (tile.on_chip() && !live_[tile.tensor])
        extra[memory(tile)] += size(tile.tensor, memory(tile));
    });
    return used_[0] + extra[0] <= capacity_[0] && used_[1] + extra[1] <= capacity_[1];
  }

  void issue(std::uint32_t i) {
    program_.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access) {
      if (!tile.on_chip()) return;
      const std::size_t m = memory(tile);
      if (!live_[tile.tensor]) used_[m] += size(tile.tensor, m);
      live_[tile.tensor] = --uses_left_[tile.tensor] > 0;
      if (!live_[tile.tensor]) used_[m] -= size(tile.tensor, m);
    });
  }

 private:
  static std::size_t memory(const isa::Tile& tile) {
    return tile.space == isa::Space::sbuf ? 0 : 1;
  }
  [[nodiscard]] std::int64_t size(isa::TensorId t, std::size_t m) const {
    return base::round_up(program_.tensors[t].bytes_per_partition(), alignment_[m]);
  }

  const Program& program_;
  std::vector<std::uint32_t> uses_left_;
  std::vector<bool> live_;
  std::array<std::int64_t, 2> capacity_, alignment_, used_{};
};

// Picks, again and again, the instruction that can start first; among those the most urgent, then
// the earliest in the author's order. An engine takes one instruction at a time.
class ListScheduler {
 public:
  ListScheduler(const Program& program, Stretch stretch, const Graph& graph, Pressure& pressure)
      : program_(program),
        stretch_(stretch),
        graph_(graph),
        pressure_(pressure),
        ready_at_(graph.size()) {
    for (std::uint32_t k = 0; k < graph.size(); ++k) waiting_.push_back(graph.predecessors(k));
  }

  // Positions within the stretch in the new order; empty when the edges form a cycle.
  [[nodiscard]] std::vector<std::uint32_t> run(bool keep_author_order) {
    std::vector<std::uint32_t> order;
    std::vector<bool> issued(graph_.size(), false);
    std::uint32_t first = 0;
    while (order.size() < graph_.size()) {
      while (issued[first]) ++first;
      std::uint32_t best = Graph::none;
      const std::uint32_t end =
          keep_author_order ? graph_.size() : std::min(graph_.size(), first + lookahead);
      for (std::uint32_t k = first; k < end; ++k) {
        // The oldest instruction may always go, or nothing would.
        if (issued[k] || waiting_[k] != 0 || (k != first && !pressure_.fits(stretch_.begin + k))) {
          continue;
        }
        if (best == Graph::none || before(k, best)) best = k;
        if (keep_author_order) break;
      }
      if (best == Graph::none) return {};
      issued[best] = true;
      order.push_back(best);
      issue(best);
    }
    return order;
  }

 private:
  [[nodiscard]] base::Ticks& engine_free(std::uint32_t k) {
    return engine_free_[static_cast<std::size_t>(program_.instructions[stretch_.begin + k].engine)];
  }
  [[nodiscard]] base::Ticks start(std::uint32_t k) {
    return std::max(ready_at_[k], engine_free(k));
  }
  [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) {
    const base::Ticks start_a = start(a), start_b = start(b);
    if (start_a != start_b) return start_a < start_b;
    if (graph_.urgency(a) != graph_.urgency(b)) return graph_.urgency(a) > graph_.urgency(b);
    return a < b;
  }

  void issue(std::uint32_t k) {
    pressure_.issue(stretch_.begin + k);
    const base::Ticks begin = start(k);
    const base::Ticks end = begin + graph_.duration(k);
    const bool transfer = program_.info_at(stretch_.begin + k).kind == isa::Kind::dma;
    // A trigger holds its engine only briefly; one tick keeps triggers in order.
    engine_free(k) = transfer ? begin + base::Ticks{1} : end;
    for (const std::uint32_t s : graph_.successors(k)) {
      ready_at_[s] = std::max(ready_at_[s], end);
      --waiting_[s];
    }
  }

  const Program& program_;
  Stretch stretch_;
  const Graph& graph_;
  Pressure& pressure_;
  std::vector<base::Ticks> ready_at_;
  std::vector<std::uint32_t> waiting_;
  std::array<base::Ticks, isa::engine_count> engine_free_{};
};

// A place chosen by hand may be shared by several tensors one after the other, which only the
// author's order tells apart.
bool has_manual_addresses(const Program& program) {
  return std::any_of(program.tensors.begin(), program.tensors.end(),
                     [](const isa::Tensor& t) { return t.manual_address; });
}

void reorder(Program& program, const machine::Core& core, bool keep_author_order) {
  DependenceTracker tracker(program, false);
  Pressure pressure(program, core);
  std::uint32_t counted = 0;  // instructions outside the stretches count as issued in order
  std::vector<std::uint32_t> place(program.instructions.size());
  for (std::uint32_t i = 0; i < place.size(); ++i) place[i] = i;
  for (const Stretch stretch : stretches(program)) {
    tracker.barrier();
    for (; counted < stretch.begin; ++counted) pressure.issue(counted);
    counted = stretch.end;
    const Graph graph(program, core, tracker, stretch);
    const std::vector<std::uint32_t> order =
        ListScheduler(program, stretch, graph, pressure).run(keep_author_order);
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

void schedule(Program& program, const machine::Core& core, Order order) {
  const bool edge_points_back =
      std::any_of(program.schedule_edges.begin(), program.schedule_edges.end(),
                  [](const isa::ScheduleEdge& e) { return e.producer >= e.consumer; });
  if (order == Order::list && !has_manual_addresses(program)) return reorder(program, core, false);
  if (edge_points_back) reorder(program, core, true);
}

}  // namespace trainyard::compiler

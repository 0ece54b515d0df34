// Loops and branches of a tensor program as loops of the machine. The state of a loop lies in HBM
// between its turns, except what is small (carried_tiles.h), what the body hands on as it is, and
// what it only counts: that follows from the counter. A branch is a loop of one turn or none.
#include <algorithm>
#include <array>
#include <limits>

#include "base/error.h"
#include "compiler/lowering/canonical/loop_shape.h"
#include "compiler/lowering/tiles/literal.h"
#include "compiler/lowering/values/carried_tiles.h"
#include "compiler/lowering/values/movement.h"
#include "compiler/lowering/walk/filled_states.h"
#include "compiler/lowering/walk/lowerer.h"
#include "compiler/lowering/walk/nodes.h"
#include "graph/reads.h"
#include "isa/instructions/register_alu.h"
#include "isa/instructions/register_load.h"
#include "isa/instructions/register_move.h"

namespace trainyard::compiler {

using graph::OpKind;
using graph::ValueId;
using numerics::AluOp;

struct Lowerer::LoopState {
  graph::Type type;
  Place before;                    // what it begins as
  std::optional<Counted> count{};  // before the first turn
  std::optional<std::int64_t> step{};
  std::optional<Strided> place{};        // where it lies; nothing where it stays or is counted
  std::optional<CarriedTile> on_chip{};  // likewise, between turns
};

namespace {

bool is_whole_number(const graph::Type& type) {
  return type.kind == graph::Type::Kind::tensor && type.shape.empty() &&
         (graph::is_integer(type.element) || type.element == graph::ElementType::pred);
}

bool is_within_registers(const Counted& value) {
  return value.low() >= std::numeric_limits<std::int32_t>::min() &&
         value.high() <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

std::optional<Counted> Lowerer::counted(ValueId value) {
  const Place& place = scope().place(value);
  if (place.counted) return place.counted;
  if (!is_whole_number(type(value))) return std::nullopt;
  std::optional<double> number = place.number;
  if (!number && place.node && segment().node(*place.node).kind == Node::Kind::number)
    number = segment().node(*place.node).number;
  if (!number) return std::nullopt;
  return Counted{.constant = static_cast<std::int64_t>(*number)};
}

bool Lowerer::follow_counters(const graph::Op& op) {
  if (op.results.size() != 1) return false;
  Place& result = scope().place(op.results[0]);
  if (op.kind == OpKind::select) {
    const std::optional<Counted> chosen = counted(op.operands[0]);
    if (!chosen || !chosen->is_known()) return false;
    const Place& place = scope().place(op.operands[chosen->constant != 0 ? 1 : 2]);
    if (place.node) {
      define(op.results[0], *place.node);
    } else {
      result = place;
    }
    return true;
  }
  if (!is_whole_number(type(op.results[0]))) return false;
  if (op.kind == OpKind::constant) {
    const std::optional<double> number = one_number(op.literal("value"));
    if (number) result.counted = Counted{.constant = static_cast<std::int64_t>(*number)};
    return number.has_value();
  }
  std::vector<Counted> operands;
  for (const ValueId value : op.operands) {
    const std::optional<Counted> operand = counted(value);
    if (!operand) return false;
    operands.push_back(*operand);
  }
  result.counted = compiler::counted(op, operands, type(op.results[0]).element);
  return result.counted.has_value();
}

bool Lowerer::may_overwrite(ValueId value, const graph::Op& op) {
  const Node& node = segment().node(this->node(value));
  if (node.kind != Node::Kind::view || scope().readers_behind(value, op) > 0) return false;
  const isa::TensorId tensor = node.view.tensor;
  const bool repeats = std::ranges::any_of(
      node.view.dims, [](const Extent& dim) { return dim.step == 0 && dim.size > 1; });
  if (repeats || segment().emitter().is_moved(tensor) || tensors_behind(op).contains(tensor))
    return false;
  if (segment().emitter().tensor(tensor).role == isa::TensorRole::internal) return true;
  const std::optional<SlotId> slot = donated(tensor);
  if (!slot || is_read_behind(*slot, value, op)) return false;
  if (std::ranges::find(step_.overwritten, tensor) == step_.overwritten.end())
    step_.overwritten.push_back(tensor);
  return true;
}

// What the host repeats reads its buffers again.
std::optional<SlotId> Lowerer::donated(isa::TensorId tensor) const {
  const auto input =
      std::ranges::find(step_.inputs, tensor, &std::pair<SlotId, isa::TensorId>::second);
  const bool is_once = block_ == &out_.block;
  if (!is_once || input == step_.inputs.end() || !donated_.contains(input->first))
    return std::nullopt;
  return input->first;
}

bool Lowerer::is_read_behind(SlotId slot, ValueId but, const graph::Op& op) const {
  return std::ranges::any_of(scopes_, [&](Scope* each) {
    return std::ranges::any_of(each->places(), [&](const auto& entry) {
      const auto& [value, place] = entry;
      if (place.slot != slot || (each == &scope() && value == but)) return false;
      return (each == &scope() ? each->readers_behind(value, op) : each->readers_left(value)) > 0;
    });
  });
}

// What is read behind an operation lies in these tensors.
std::set<isa::TensorId> Lowerer::tensors_behind(const graph::Op& op) const {
  std::set<isa::TensorId> tensors;
  for (Scope* const each : scopes_) {
    for (const auto& [value, place] : each->places()) {
      if (!place.node) continue;
      const int readers =
          each == &scope() ? each->readers_behind(value, op) : each->readers_left(value);
      if (readers > 0) segment_->add_tensors(*place.node, tensors);
    }
  }
  return tensors;
}

// A whole number of the loop's state, or one that its region reads.
std::optional<Counted> Lowerer::counted_in(const graph::Op& loop, const graph::Region& region,
                                           ValueId value, std::span<const LoopState> states) {
  for (const graph::Op& op : region.ops) {
    if (op.results.empty() || op.results[0] != value) continue;
    if (op.kind != OpKind::constant || !is_whole_number(type(value))) return std::nullopt;
    const std::optional<double> number = one_number(op.literal("value"));
    if (!number) return std::nullopt;
    return Counted{.constant = static_cast<std::int64_t>(*number)};
  }
  const auto argument = std::ranges::find(region.arguments, value);
  if (argument == region.arguments.end()) return counted(value);
  const auto i = static_cast<std::size_t>(std::distance(region.arguments.begin(), argument));
  if (states[i].step || states[i].place) return std::nullopt;
  return counted(loop.operands[i]);
}

std::optional<std::int64_t> Lowerer::turns(const graph::Op& op, std::vector<LoopState>& states) {
  const LoopShape shape = shape_of(op);
  if (!shape.bound) return std::nullopt;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (shape.states[i].is_same) continue;
    states[i].place = Strided{};
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto& step = shape.states[i].step;
    if (!step || !is_whole_number(states[i].type)) continue;
    const auto by = counted_in(op, op.regions[1], step->by, states);
    states[i].count = counted(op.operands[i]);
    if (!by || !by->is_known() || !states[i].count) continue;
    states[i].step = step->is_taken_away ? -by->constant : by->constant;
    states[i].place.reset();
  }
  const LoopState& state = states[shape.bound->state];
  const auto bound = counted_in(op, op.regions[0], shape.bound->value, states);
  if (!state.step || !bound) return std::nullopt;
  const Counted distance = sum(*bound, scaled(*state.count, -1));
  if (!distance.is_known()) return std::nullopt;
  const auto turns = turns_of(distance.constant, *state.step, shape.bound->direction);
  if (!turns || *turns > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  for (const LoopState& each : states) {
    if (!each.step) continue;
    Counted last = *each.count;
    last.constant += *each.step * *turns;
    if (!is_within_registers(*each.count) || !is_within_registers(last)) return std::nullopt;
  }
  return turns;
}

// A place in HBM that begins as the loop's operand, or as anything where that is not read.
Strided Lowerer::state_place(const graph::Op& op, std::size_t i, bool is_filled) {
  const ValueId value = op.operands[i];
  const graph::Type& type = this->type(value);
  if (!storage_of(type.element) || type.kind != graph::Type::Kind::tensor) throw NotInHardware{};
  Segment& segment = this->segment();
  const NodeId node = this->node(value);
  const auto captured = values_captured(op);
  if (std::ranges::count(op.operands, value) == 1 && !captured.contains(value) &&
      may_overwrite(value, op)) {
    const Strided place = segment.stored(node);
    segment.residents().forget(place.tensor);
    return place;
  }
  const Strided place = fresh(*this, type);
  if (!is_filled) segment.store(node, place);
  return place;
}

std::vector<Lowerer::LoopState> Lowerer::states_of(const graph::Op& op,
                                                   std::optional<std::int64_t>& turns) {
  std::vector<LoopState> states;
  for (const ValueId value : op.operands) states.push_back({.type = type(value), .before = {}});
  turns = this->turns(op, states);
  const LoopShape shape = shape_of(op);
  std::vector<std::optional<Counted>> counts;  // of which register does not matter
  for (LoopState& state : states) {
    if (!turns) {
      state.count.reset();
      state.step.reset();
    }
    counts.push_back(std::nullopt);
    if (state.step && *turns > 0)
      counts.back() = sum(*state.count, {.terms = {{{}, *turns - 1, *state.step}}});
  }
  const auto outside = [&](ValueId value) { return counted(value); };
  for (std::size_t i = 0; i < states.size(); ++i) {
    LoopState& state = states[i];
    if (state.step) continue;
    state.place.reset();
    if (!shape.states[i].is_same) {
      const bool is_filled =
          turns && *turns > 0 && compiler::is_filled(op, scope().function(), i, counts, outside);
      state.place = state_place(op, i, is_filled);
      if (!writes_in_place(op, scope().function(), state.place->elements()))
        state.on_chip = carried(segment(), *state.place);
      continue;
    }
    Place& place = scope().place(op.operands[i]);
    if (place.node) segment().placed(*place.node);
    state.before = place;
  }
  return states;
}

Scope Lowerer::inside(const graph::Region& region, std::span<const LoopState> states) {
  Scope inner(scope().function(), region);
  for (const auto& [value, place] : scope().places()) inner.place(value) = place;
  for (std::size_t i = 0; i < region.arguments.size(); ++i) {
    const LoopState& state = states[i];
    Place& place = inner.place(region.arguments[i]);
    if (state.place) {
      place = {.node = segment().add_view(state.type, *state.place)};
    } else if (state.step) {
      place = {.counted = state.count};
    } else {
      place = state.before;
    }
  }
  return inner;
}

void Lowerer::load_scalar(NodeId node, isa::Register into) {
  Segment& segment = this->segment();
  if (segment.node(node).kind == Node::Kind::number) throw NotInHardware{};
  const isa::DType dtype = *storage_of(segment.node(node).type.element);
  const Strided value = segment.placed(node);
  const auto here = segment.residents().find(matrix_of(value, 0), {0, 1, 0, 1});
  const Strided stored = here ? value : segment.stored(node);
  segment.emitter().emit(
      isa::RegisterLoad{into, here ? *here : hbm_tile(stored.tensor, dtype, stored.offset, {})});
}

void Lowerer::load_condition(const graph::Op& op, std::span<const LoopState> states,
                             isa::Register into) {
  Scope inner = inside(op.regions.at(0), states);
  scopes_.push_back(&inner);
  lower_ops();
  load_scalar(node(inner.region().ops.back().operands.at(0)), into);
  scopes_.pop_back();
}

// The state of the next turn: all of it is computed before any of it is stored.
void Lowerer::hand_on(const graph::Region& region, std::span<const LoopState> states) {
  Segment& segment = this->segment();
  std::set<isa::TensorId> places;
  for (const LoopState& state : states) {
    if (state.place) places.insert(state.place->tensor);
  }
  const std::vector<ValueId>& results = region.ops.back().operands;
  std::vector<std::pair<NodeId, Strided>> stores;
  std::vector<std::pair<isa::Tile, const CarriedTile*>> tiles;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (!states[i].place) continue;
    NodeId node = this->node(results[i]);
    if (states[i].on_chip) {
      const Strided value = segment.placed(node);
      if (value == *states[i].place) continue;
      if (!is_resident(segment, *states[i].on_chip)) throw NotInHardware{};
      const bool may_change = places.contains(segment.emitter().origin(value.tensor));
      tiles.emplace_back(next_of(segment, value, *states[i].on_chip, may_change),
                         &*states[i].on_chip);
      continue;
    }
    std::set<isa::TensorId> read;
    segment.add_tensors(node, read);
    const bool reads_state =
        std::ranges::any_of(read, [&](isa::TensorId tensor) { return places.contains(tensor); });
    if (reads_state) {
      const Strided value = segment.placed(node);
      if (value == *states[i].place) {  // a loop in the body may have it on chip
        segment.residents().write_back(value.tensor);
        segment.residents().forget(value.tensor);
        continue;
      }
      if (places.contains(segment.emitter().origin(value.tensor))) {
        const Strided apart = fresh(*this, states[i].type);
        copy(segment.emitter(), segment.stored(node), apart);
        node = segment.add_view(states[i].type, apart);
      }
    }
    stores.emplace_back(node, *states[i].place);
  }
  for (const auto& [node, place] : stores) {
    segment.store(node, place);
    segment.residents().forget(place.tensor);
  }
  for (const auto& [next, state] : tiles) hand_over(segment, next, *state);
}

void Lowerer::in_loop(const graph::Op& op, bool may_not_run, std::span<const LoopState> states,
                      const std::function<void()>& f) {
  Segment& segment = this->segment();
  std::set<isa::TensorId> read;
  const auto reads = [&](const Place& place) {
    if (!place.node) return;
    segment.placed(*place.node);
    segment.add_tensors(*place.node, read);
  };
  for (const ValueId value : values_captured(op)) {
    const Place& place = scope().place(value);
    if (place.node && segment.node(*place.node).kind == Node::Kind::number) continue;
    reads(place);
  }
  for (const LoopState& state : states) {
    if (state.on_chip) read.insert(state.place->tensor);
    if (state.before.node && segment.node(*state.before.node).kind == Node::Kind::number) continue;
    reads(state.before);
  }
  segment.residents().enter_loop(read, tensors_behind(op), may_not_run);
  for (const LoopState& state : states) {
    if (state.on_chip && is_resident(segment, *state.on_chip)) changed(segment, *state.on_chip);
  }
  std::vector<Node> known = segment.known();
  f();
  segment.residents().leave_loop();
  segment.know_again(std::move(known));
  segment.emitter().at(op.location);
}

void Lowerer::loop_in_hardware(const graph::Op& op) {
  Emitter& emitter = segment().emitter();
  emitter.at(op.location);
  std::optional<std::int64_t> turns;
  std::vector<LoopState> states = states_of(op, turns);
  const isa::RegisterRef kept = emitter.keep_register();
  const isa::Register counter = kept->reg();
  isa::LoopBegin begin{.counter = counter, .kind = isa::LoopKind::while_nonzero};
  if (turns) {
    begin.kind = isa::LoopKind::counted;
    begin.stop.constant = *turns;
  } else {
    load_condition(op, states, counter);
  }
  std::vector<LoopState> turning = states;
  for (LoopState& state : turning) {
    if (state.step && turns)
      state.count = sum(*state.count, {.terms = {{counter, *turns - 1, *state.step}}});
  }
  if (!turns || *turns > 0) {
    in_loop(op, !turns, states, [&] {
      for (LoopState& state : turning) {  // others may have needed the room
        if (state.on_chip && !is_resident(segment(), *state.on_chip)) state.on_chip.reset();
      }
      emitter.begin_loop(begin);
      Scope body = inside(op.regions.at(1), turning);
      scopes_.push_back(&body);
      lower_ops();
      hand_on(body.region(), turning);
      scopes_.pop_back();
      if (!turns) load_condition(op, states, counter);
      emitter.at(op.location);
      emitter.end_loop();
    });
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    LoopState& state = states[i];
    Place& result = scope().place(op.results[i]);
    if (state.place) {
      define(op.results[i], segment().add_view(state.type, *state.place));
    } else if (state.step) {
      state.count->constant += *state.step * *turns;
      if (state.count->is_known()) {
        result.number = static_cast<double>(state.count->constant);
      } else {
        result.counted = state.count;
      }
    } else if (state.before.node) {
      define(op.results[i], *state.before.node);
    } else {
      result = state.before;
    }
  }
}

void Lowerer::branch_in_hardware(const graph::Op& op) {
  Emitter& emitter = segment().emitter();
  emitter.at(op.location);
  const auto last = static_cast<std::int64_t>(op.regions.size()) - 1;
  const bool is_predicate = op.kind == OpKind::if_;
  if (const auto known = counted(op.operands[0]); known && known->is_known()) {
    const std::int64_t at = known->constant;
    const std::int64_t taken = is_predicate ? (at != 0 ? 0 : 1) : at < 0 || at > last ? last : at;
    Scope inner = inside(op.regions.at(static_cast<std::size_t>(taken)), {});
    for (const ValueId value : values_captured(op)) {
      const Place& place = inner.place(value);
      if (place.node && inner.readers_left(value) > 1) segment().placed(*place.node);
    }
    return lower_inside(inner, op);
  }
  std::vector<LoopState> results;
  for (const ValueId value : op.results) {
    if (!storage_of(type(value).element)) throw NotInHardware{};
    results.push_back({.type = type(value), .before = {}, .place = fresh(*this, type(value))});
  }
  const std::array kept{emitter.keep_register(), emitter.keep_register(), emitter.keep_register()};
  const isa::Register index = kept[0]->reg(), taken = kept[1]->reg(), counter = kept[2]->reg();
  load_scalar(node(op.operands[0]), index);
  emitter.emit(isa::RegisterMove{taken, {.constant = 0}});
  for (std::int64_t i = 0; i <= last; ++i) {
    in_loop(op, true, {}, [&] {
      const isa::Register stop = emitter.fresh_register();
      if (i < last) {  // an index beyond them takes the last one
        const std::int64_t is = is_predicate ? 1 - i : i;
        emitter.emit(isa::RegisterAlu{stop, {.reg = index}, AluOp::equal, {.constant = is}});
        emitter.emit(isa::RegisterAlu{taken, {.reg = taken}, AluOp::add, {.reg = stop}});
      } else {
        emitter.emit(isa::RegisterAlu{stop, {.constant = 1}, AluOp::subtract, {.reg = taken}});
      }
      emitter.begin_loop({.counter = counter, .stop = {.reg = stop}});
      Scope inner = inside(op.regions[static_cast<std::size_t>(i)], {});
      scopes_.push_back(&inner);
      lower_ops();
      hand_on(inner.region(), results);
      scopes_.pop_back();
      emitter.at(op.location);
      emitter.end_loop();
    });
  }
  for (std::size_t i = 0; i < results.size(); ++i)
    define(op.results[i], segment().add_view(results[i].type, *results[i].place));
}

}  // namespace trainyard::compiler

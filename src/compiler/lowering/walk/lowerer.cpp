#include "compiler/lowering/walk/lowerer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

#include "base/error.h"
#include "compiler/lowering/patterns/stored_weights.h"
#include "compiler/lowering/products/compute.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/literal.h"
#include "compiler/lowering/walk/nodes.h"
#include "graph/alone.h"
#include "graph/donation.h"
#include "graph/precision.h"
#include "graph/reads.h"
#include "graph/values.h"

namespace trainyard::compiler {

namespace {

// Whether a step fills that buffer.
bool makes(const Step& step, SlotId slot) {
  if (const auto* program = std::get_if<ProgramStep>(&step.what))
    return std::ranges::any_of(program->outputs,
                               [&](const auto& out) { return out.first == slot; });
  const auto* routine = std::get_if<RoutineStep>(&step.what);
  return routine != nullptr && std::ranges::find(routine->results, slot) != routine->results.end();
}

}  // namespace

Segment& Lowerer::segment() {
  if (!segment_) {
    segment_.emplace(module_, core_, module_.name,
                     core_.sbuf.partition_size.value * resident_percent_ / 100, cores_, computing);
    segment_->emitter().set_scorer(scorer_);
    segment_->emitter().set_variation(variation_);
    segment_->residents().watch(
        [this](std::optional<graph::ValueId> made) { return next_reads(made); });
  }
  return *segment_;
}

// Without a value, what is made is a result of the operation at hand.
NextReads Lowerer::next_reads(std::optional<graph::ValueId> made) const {
  const auto read_at = [&](graph::ValueId value) { return scope().next_read(value).value_or(0); };
  NextReads reads{.of = {}, .of_made = 0, .first_made = first_made_};
  const std::vector<graph::ValueId>& results = scope().op_at_hand().results;
  if (made) {
    reads.of_made = read_at(*made);
  } else if (!results.empty()) {
    reads.of_made = std::ranges::min(results | std::views::transform(read_at));
  }
  std::int64_t ahead = 0;  // of the scope's operation at hand
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    for (const auto& [value, place] : (*scope)->places()) {
      if (!place.node || (*scope)->readers_left(value) == 0) continue;
      std::set<isa::TensorId> tensors;
      segment_->add_tensors(*place.node, tensors);
      const std::int64_t next = ahead + (*scope)->next_read(value).value_or((*scope)->ops_left());
      for (const isa::TensorId tensor : tensors) {
        std::int64_t& nearest = reads.of.try_emplace(tensor, next).first->second;
        nearest = std::min(nearest, next);
      }
    }
    ahead += (*scope)->ops_left();
  }
  return reads;
}

NodeId Lowerer::node(graph::ValueId value) {
  Place& place = scope().place(value);
  if (place.node) return *place.node;
  if (place.counted) {
    place.node = counted_node(*this, scope().type(value), *place.counted);
    return *place.node;
  }
  if (place.number) {
    place.node = segment().add(
        {.kind = Node::Kind::number, .type = scope().type(value), .number = *place.number});
    return *place.node;
  }
  base::check(place.slot.has_value(), "a value is defined before it is read");
  const auto [entry, is_new] = loaded_.try_emplace(*place.slot, 0);
  if (is_new) {
    const graph::Type& type = scope().type(value);
    const isa::DType dtype = *storage_of(type.element);
    const isa::TensorId tensor = segment().emitter().hbm(dtype, type.shape, isa::TensorRole::input);
    step_.inputs.emplace_back(*place.slot, tensor);
    entry->second = segment().add_view(type, dense(tensor, dtype, type.shape));
  }
  place.node = entry->second;
  return entry->second;
}

void Lowerer::define(graph::ValueId value, NodeId node) {
  const Node::Kind kind = segment().node(node).kind;
  if (kind != Node::Kind::view && kind != Node::Kind::number) {
    if (scope().readers_left(value) == 0) return;
    segment().hold(node, value);
    if (scope().readers_left(value) > 1 && !is_together_ && !segment().is_widened_view(node))
      segment().placed(node);
  }
  scope().place(value).node = node;
}

const graph::Op& Lowerer::invent(graph::Op op) {
  invented_.push_back(std::move(op));
  return invented_.back();
}

SlotId Lowerer::fresh_slot(const graph::Type& type) {
  out_.slots.push_back(type);
  return static_cast<SlotId>(out_.slots.size() - 1);
}

isa::TensorId Lowerer::exported(NodeId node) {
  Segment& segment = this->segment();
  if (segment.node(node).kind == Node::Kind::view) {
    const Strided& view = segment.stored(node);
    isa::Tensor& tensor = segment.emitter().tensor(view.tensor);
    const bool is_whole =
        view.offset == 0 && view.is_dense() && view.elements() == tensor.elements();
    if (is_whole &&
        (tensor.role == isa::TensorRole::internal || tensor.role == isa::TensorRole::output)) {
      tensor.role = isa::TensorRole::output;
      return view.tensor;
    }
    if (is_whole && std::ranges::find(step_.overwritten, view.tensor) != step_.overwritten.end())
      return view.tensor;
  }
  const graph::Type type = segment.node(node).type;
  const isa::DType dtype = *storage_of(type.element);
  segment.emitter().at(segment.node(node).location);
  const isa::TensorId tensor = segment.emitter().hbm(dtype, type.shape, isa::TensorRole::output);
  segment.store(node, dense(tensor, dtype, type.shape));
  return tensor;
}

void Lowerer::close() {
  if (!loops_.empty()) throw NotInHardware{};  // a program does not end inside a loop
  if (!segment_) return;
  std::map<NodeId, SlotId> slots;
  for (const auto& [slot, node] : loaded_) slots[node] = slot;
  for (Scope* const scope : scopes_) {
    for (auto& [value, place] : scope->places()) {
      if (place.node && segment_->node(*place.node).kind == Node::Kind::number) {
        place.number = segment_->node(*place.node).number;
      } else if (place.node && !place.slot && scope->readers_left(value) > 0) {
        const auto [entry, is_new] = slots.try_emplace(*place.node, 0);
        if (is_new) {
          entry->second = fresh_slot(scope->type(value));
          step_.outputs.emplace_back(entry->second, exported(*place.node));
        }
        place.slot = entry->second;
      }
      place.node.reset();
    }
  }
  loaded_.clear();
  step_.groups = segment_->emitter().groups();
  step_.programs = std::make_shared<std::vector<isa::Program>>(segment_->emitter().take());
  segment_.reset();
  ProgramStep done = std::exchange(step_, {});
  if (!done.outputs.empty()) block_->steps.push_back({std::move(done)});
}

// The value in a buffer; the program that makes it has been closed.
SlotId Lowerer::slot(graph::ValueId value) {
  Place& place = scope().place(value);
  if (!place.slot && place.number) {
    place.slot = fresh_slot(type(value));
    out_.constants.emplace_back(*place.slot, graph::filled(type(value), *place.number));
  }
  base::check(place.slot.has_value(), "a value lies in a buffer before a step reads it");
  return *place.slot;
}

// Operations as a module of its own, on the values that they and their regions read; numbers of
// values and places, which attributes may have, are those here.
graph::Module Lowerer::alone(std::span<const graph::Op* const> ops,
                             std::span<const graph::ValueId> read,
                             std::span<const graph::ValueId> results) const {
  graph::Module module{.name = std::string(graph::name(ops.front()->kind)),
                       .locations = module_.locations};
  graph::Function main{.name = "main", .types = scope().function().types};
  main.body.arguments.assign(read.begin(), read.end());
  for (const graph::Op* const op : ops) main.body.ops.push_back(*op);
  main.body.ops.push_back(
      {.kind = graph::OpKind::return_, .operands = {results.begin(), results.end()}});
  module.functions.push_back(std::move(main));
  for (const graph::Function& function : module_.functions) {
    if (function.name != "main") module.functions.push_back(function);
  }
  return module;
}

void Lowerer::routine(const graph::Op& op) {
  close();
  const std::set<graph::ValueId> all = values_read(op);
  const std::vector<graph::ValueId> read(all.begin(), all.end());
  // A buffer of its own, or one given away, that nobody reads behind this.
  const auto may_overwrite = [&](graph::ValueId value) {
    const SlotId at = slot(value);
    if (scope().readers_behind(value, op) > 0 || is_read_behind(at, value, op)) return false;
    if (donated_.contains(at)) return block_ == &out_.block;
    return std::ranges::any_of(block_->steps, [&](const Step& each) { return makes(each, at); });
  };
  const graph::Function& function = scope().function();
  RoutineStep step{.module = graph::alone(module_, function, std::array{&op}, read, op.results),
                   .kind = op.kind,
                   .is_prepared = compiler::is_prepared(op),
                   .is_held = graph::is_held(op)};
  for (const graph::ValueId value : read) step.operands.push_back(slot(value));
  for (const graph::ValueId value : op.results) {
    step.results.push_back(fresh_slot(type(value)));
    scope().place(value).slot = step.results.back();
  }
  if (op.kind == graph::OpKind::scatter && op.results.size() == 1 && may_overwrite(op.operands[0]))
    step.module.attributes.push_back({std::string(graph::in_place_attribute), {true}});
  block_->steps.push_back({std::move(step)});
}

void Lowerer::lower_op(const graph::Op& op) {
  first_made_ = 0;
  if (segment_) {
    segment_->emitter().at(op.location);
    first_made_ = static_cast<isa::TensorId>(segment_->emitter().tensors());
  }
  if (!loops_.empty() && follow_counters(op)) return;
  if (!lower_in_best_way(op)) routine(op);
}

void Lowerer::lower_ops() {
  std::vector<LayoutRegion> regions;
  if (scorer_ != nullptr) regions = layout_regions(scope().function(), scope().region());
  for (const graph::Op& op : scope().region().ops) {
    if (op.kind == graph::OpKind::return_) return;
    for (const LayoutRegion& each : regions)
      if (each.ops.front() == &op) choose_layouts(each);
    lower_op(op);
    scope().passed(op);
  }
}

void Lowerer::inline_call(const graph::Op& op, std::string_view callee) {
  const graph::Function* const function = module_.find(callee);
  if (function == nullptr) {
    throw base::InputError({"graph.call", "a called function is part of the module",
                            module_.describe(op.location), fmt::format("@{}", callee),
                            "export the module whole"});
  }
  Scope inner(*function, function->body);
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const graph::ValueId argument = function->body.arguments.at(i);
    Place& place = scope().place(op.operands[i]);
    if (place.node && inner.readers_left(argument) > 1) segment().placed(*place.node);
    inner.place(argument) = place;
  }
  lower_inside(inner, op);
}

void Lowerer::inline_region(const graph::Op& op) {
  Scope inner(scope().function(), op.regions.at(0));
  for (const auto& [value, place] : scope().places()) inner.place(value) = place;
  for (const graph::ValueId value : values_read(op)) {
    const Place& place = inner.place(value);
    if (place.node && inner.readers_left(value) > 1) segment().placed(*place.node);
  }
  lower_inside(inner, op);
}

void Lowerer::lower_together(const graph::Op& op) {
  Scope inner(scope().function(), op.regions.at(0));
  for (const auto& [value, place] : scope().places()) inner.place(value) = place;
  scopes_.push_back(&inner);
  is_together_ = true;
  lower_ops();
  is_together_ = false;
  scopes_.pop_back();
  std::vector<NodeId> results;
  for (const graph::ValueId value : op.results) results.push_back(*inner.place(value).node);
  for (std::size_t i = 0; i < results.size(); ++i) segment().hold(results[i], op.results[i]);
  if (results.size() > 1) compute_together(segment(), results);
  for (std::size_t i = 0; i < results.size(); ++i) define(op.results[i], results[i]);
}

void Lowerer::lower_inside(Scope& inner, const graph::Op& op) {
  scopes_.push_back(&inner);
  lower_ops();
  scopes_.pop_back();
  const std::span<const graph::ValueId> results = inner.region().ops.back().operands;
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const Place& place = inner.place(results[i]);
    if (place.node) {
      define(op.results[i], *place.node);
    } else {
      scope().place(op.results[i]) = place;
    }
  }
}

Block Lowerer::lower_region(const graph::Region& region, std::span<const SlotId> arguments) {
  Block result;
  Block* const outer = std::exchange(block_, &result);
  Scope inner(scope().function(), region);
  for (const auto& [value, place] : scope().places()) inner.place(value) = place;
  for (std::size_t i = 0; i < region.arguments.size(); ++i)
    inner.place(region.arguments[i]) = {.slot = arguments[i]};
  scopes_.push_back(&inner);
  lower_ops();
  close();
  for (const graph::ValueId value : region.ops.back().operands)
    result.results.push_back(slot(value));
  scopes_.pop_back();
  block_ = outer;
  return result;
}

void Lowerer::lower_loop(const graph::Op& op) {
  if (on_host_.contains(&op)) return host_loop(op);
  loops_.insert(&op);
  loop_in_hardware(op);
  loops_.erase(&op);
}

void Lowerer::lower_branch(const graph::Op& op) {
  if (on_host_.contains(&op)) return host_branch(op);
  loops_.insert(&op);
  branch_in_hardware(op);
  loops_.erase(&op);
}

void Lowerer::host_loop(const graph::Op& op) {
  LoopStep step;
  step.location = op.location;
  std::vector<LoopState> states;
  for (const graph::ValueId value : op.operands)
    states.push_back({.type = type(value), .before = {}});
  step.turns = turns(op, states);
  close();
  for (const graph::ValueId value : op.operands) {
    step.initial.push_back(slot(value));
    step.state.push_back(fresh_slot(type(value)));
  }
  step.condition = lower_region(op.regions.at(0), step.state);
  step.body = lower_region(op.regions.at(1), step.state);
  for (std::size_t i = 0; i < op.results.size(); ++i)
    scope().place(op.results[i]) = {.slot = step.state[i]};
  block_->steps.push_back({std::move(step)});
}

void Lowerer::host_branch(const graph::Op& op) {
  close();
  BranchStep step;
  step.index = slot(op.operands.at(0));
  step.location = op.location;
  step.is_predicate = op.kind == graph::OpKind::if_;
  for (const graph::Region& region : op.regions) step.branches.push_back(lower_region(region, {}));
  for (const graph::ValueId value : op.results) {
    step.results.push_back(fresh_slot(type(value)));
    scope().place(value) = {.slot = step.results.back()};
  }
  block_->steps.push_back({std::move(step)});
}

void Lowerer::check_types(const graph::Function& function) const {
  for (const graph::Type& type : function.types) {
    if (type.kind != graph::Type::Kind::tensor || type.is_static()) continue;
    throw base::InputError({"lower.dynamic", "shapes are known when a program is compiled",
                            fmt::format("@{}", function.name), graph::to_string(type),
                            "give every dimension a size, as jax.jit does"});
  }
}

Lowered Lowerer::run() {
  for (const graph::Function& function : module_.functions) check_types(function);
  const graph::Function& main = module_.entry();
  Scope scope(main, main.body);
  const std::vector<bool> donated = graph::donated_arguments(main);
  for (std::size_t i = 0; i < donated.size(); ++i) {
    const graph::ValueId argument = main.body.arguments[i];
    out_.arguments.push_back(fresh_slot(main.type(argument)));
    scope.place(argument) = {.slot = out_.arguments.back()};
    if (donated[i]) donated_.insert(out_.arguments.back());
  }
  scopes_.push_back(&scope);
  lower_ops();
  close();
  for (const graph::ValueId value : main.results()) out_.block.results.push_back(slot(value));
  scopes_.pop_back();
  return std::move(out_);
}

}  // namespace trainyard::compiler

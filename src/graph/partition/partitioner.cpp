#include "graph/partition/partitioner.h"
#include "graph/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "graph/inline_calls.h"
#include "graph/known_tables.h"
#include "graph/loop_invariants.h"
#include "graph/partition/estimate.h"
#include "graph/reads.h"
#include "graph/residuals.h"
#include "graph/verify.h"

namespace trainyard::graph {

namespace {

const Attribute* find(const Dictionary& attributes, std::string_view name) {
  const auto found = std::ranges::find(attributes, name, &NamedAttribute::name);
  return found == attributes.end() ? nullptr : &found->value;
}

std::string text_of(const Attribute* attribute) {
  const auto* const text =
      attribute == nullptr ? nullptr : std::get_if<std::string>(&attribute->value);
  return text == nullptr ? std::string() : *text;
}

void add_called(const Module& module, const Region& region, std::set<std::string>& called) {
  for (const Op& op : region.ops) {
    for (const NamedAttribute& attribute : op.attributes) {
      const auto* const symbol = std::get_if<Symbol>(&attribute.value.value);
      if (symbol == nullptr || !called.insert(symbol->name).second) continue;
      if (const Function* const callee = module.find(symbol->name))
        add_called(module, callee->body, called);
    }
    for (const Region& nested : op.regions) add_called(module, nested, called);
  }
}

// "#sdy<manual_axes{a, b}>".
std::set<std::string> manual_axes(std::string_view text) {
  const std::size_t begin = text.find('{'), end = text.rfind('}');
  std::set<std::string> axes;
  if (begin == std::string_view::npos || end == std::string_view::npos) return axes;
  std::string name;
  for (const char c : text.substr(begin + 1, end - begin)) {
    if (c != ',' && c != '}' && c != ' ') {
      name += c == '"' ? "" : std::string(1, c);
    } else if (!name.empty()) {
      axes.insert(std::exchange(name, {}));
    }
  }
  return axes;
}

// Of a manual computation's shardings the axes that are its own; others mean nothing inside.
std::vector<Sharding> own_axes(const Op& op, std::string_view name, const Meshes& meshes,
                               const std::string& place) {
  const std::set<std::string> axes = manual_axes(text_of(op.find("manual_axes")));
  std::vector<Sharding> all = read_shardings(text_of(op.find(name)), meshes, place);
  for (Sharding& each : all) {
    each.open.clear();
    for (Axes& dim : each.dims)
      std::erase_if(dim,
                    [&](std::size_t axis) { return !axes.contains(each.mesh->axes[axis].name); });
  }
  return all;
}

void check_divides(const Type& type, const Sharding& sharding, const std::string& place) {
  bool divides = sharding.dims.size() == type.shape.size();
  for (std::size_t d = 0; divides && d < type.shape.size(); ++d)
    divides = type.shape[d] % sharding.ways(d) == 0;
  if (divides) return;
  throw base::InputError({"graph.devices", "axes of a mesh divide the dimensions of a value evenly",
                          place, to_string(type), "pad the dimension to a multiple"});
}

// An argument or a result that only GSPMD's attribute divides, which Shardy replaced.
void refuse_older(const Dictionary& attributes, const std::string& place) {
  const Attribute* const older = find(attributes, "mhlo.sharding");
  if (older == nullptr || text_of(older).find("devices=") == std::string::npos) return;
  throw base::InputError({"graph.devices", "shardings are Shardy's", place,
                          "mhlo.sharding = " + text_of(older),
                          "let the framework use Shardy (jax_use_shardy_partitioner); torch_xla "
                          "cannot: divide nothing there"});
}

}  // namespace

Partitioner::Partitioner(const Module& module, std::set<std::string> of_weights)
    : module_(module), of_weights_(std::move(of_weights)), meshes_(meshes_of(module)) {}

// What the author says inside of the function.
void Partitioner::add_given(const Region& region, Given& given) {
  for (const Op& op : region.ops) {
    const std::string place = module_.describe(op.location);
    if (is_target(op, sharding_constraint)) {
      Sharding wanted = read_sharding(text_of(op.find("sharding")), meshes_, place);
      keep_what_divides(op, wanted);
      given.emplace(op.results.at(0), std::move(wanted));
    } else if (is_target(op, manual_computation)) {
      const std::vector<Sharding> left = own_axes(op, "out_shardings", meshes_, place);
      for (std::size_t i = 0; i < std::min(left.size(), op.results.size()); ++i)
        given.emplace(op.results[i], left[i]);
    } else if (op.kind == OpKind::while_) {
      for (const Region& inner : op.regions) add_given(inner, given);
    }
  }
}

// A dimension that a constraint does not divide evenly stays whole.
void Partitioner::keep_what_divides(const Op& op, Sharding& sharding) {
  const Type& whole = type(op.results.at(0));
  sharding.dims.resize(whole.shape.size());
  for (std::size_t d = 0; d < sharding.dims.size(); ++d) {
    if (whole.shape[d] % sharding.ways(d) == 0) continue;
    computed_whole_.insert(fmt::format("dimension {} of {} at {}", d, to_string(whole),
                                       module_.describe(op.location)));
    sharding.dims[d].clear();
  }
}

Partitioned Partitioner::run() {
  const Function& entry = module_.entry();
  function_ = &entry;
  Partitioned result;
  const auto lies = [&](const std::vector<Dictionary>& all, std::size_t i, const Type& type) {
    const Attribute* const given = i < all.size() ? find(all[i], "sdy.sharding") : nullptr;
    if (given == nullptr && i < all.size()) refuse_older(all[i], module_.name);
    if (given == nullptr) return std::optional<Sharding>();
    Sharding sharding = read_sharding(text_of(given), meshes_, module_.name);
    check_divides(type, sharding, module_.name);
    return std::optional(std::move(sharding));
  };
  Given given;
  add_given(entry.body, given);
  for (std::size_t i = 0; i < entry.body.arguments.size(); ++i) {
    const ValueId argument = entry.body.arguments[i];
    Sharding sharding =
        lies(entry.argument_attributes, i, entry.type(argument)).value_or(Sharding());
    sharding.open.clear();
    const ValueId part = main_.add_value(part_of(entry.type(argument), sharding));
    main_.body.arguments.push_back(part);
    given.emplace(argument, sharding);
    result.arguments.push_back(sharding);
    put(argument, {.part = part, .sharding = std::move(sharding)});
  }
  std::vector<std::optional<Sharding>> wanted;
  for (std::size_t i = 0; i < entry.results().size(); ++i)
    wanted.push_back(lies(entry.result_attributes, i, entry.type(entry.results()[i])));
  facts_.emplace(entry);
  decided_.emplace(entry, *facts_, given, wanted, of_weights_);
  contested_ = decided_->contested();
  run_ops(entry.body);
  std::vector<ValueId> returned;
  for (std::size_t i = 0; i < entry.results().size(); ++i) {
    const ValueId value = entry.results()[i];
    settle(value);
    result.results.push_back(wanted[i] ? *wanted[i] : along_whole_axes(sharding(value)));
    returned.push_back(get(value, result.results.back()));
  }
  main_.name = entry.name;
  main_.is_public = entry.is_public;
  main_.argument_attributes = entry.argument_attributes;
  main_.result_attributes = entry.result_attributes;
  main_.body.ops = std::move(prelude_);
  std::ranges::move(ops_, std::back_inserter(main_.body.ops));
  main_.body.ops.push_back({.kind = OpKind::return_, .operands = std::move(returned)});
  scatter_sums(main_.body);
  drop_unread(main_.body);
  result.module = {.name = module_.name,
                   .attributes = module_.attributes,
                   .functions = {std::move(main_)},
                   .locations = module_.locations};
  std::set<std::string> called;
  add_called(module_, result.module.functions.front().body, called);
  for (const Function& other : module_.functions) {
    if (called.contains(other.name)) result.module.functions.push_back(other);
  }
  result.products = std::move(products_);
  result.computed_whole.assign(computed_whole_.begin(), computed_whole_.end());
  verify(result.module);
  return result;
}

void Partitioner::put(ValueId value, Placed placed) {
  values_.insert_or_assign(value, std::move(placed));
}

void Partitioner::emit(const Op& op, std::vector<ValueId> parts,
                       const std::vector<Sharding>& results, const Axes& partial) {
  Op mine{.kind = op.kind,
          .operands = std::move(parts),
          .attributes = op.attributes,
          .location = op.location};
  for (const Region& region : op.regions) mine.regions.push_back(copy(region));
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const ValueId part = main_.add_value(part_of(type(op.results[i]), results[i]));
    mine.results.push_back(part);
    put(op.results[i], {.part = part, .sharding = results[i], .partial = partial});
  }
  ops_.push_back(std::move(mine));
}

ValueId Partitioner::add(OpKind kind, std::vector<ValueId> operands, Type type,
                         Dictionary attributes, std::vector<Region> regions) {
  return Builder(main_, ops_, location_)
      .emit(kind, std::move(operands), std::move(type), std::move(attributes), std::move(regions));
}

Region Partitioner::copy(const Region& region) {
  std::vector<Op> outer = std::exchange(ops_, {});
  const std::size_t known = known_.size();
  Region mine;
  for (const ValueId argument : region.arguments) {
    mine.arguments.push_back(main_.add_value(type(argument)));
    put(argument, {.part = mine.arguments.back()});
  }
  for (const Op& op : region.ops) {
    if (is_target(op, sharding_constraint)) {
      put(op.results.at(0), values_.at(op.operands.at(0)));
      continue;
    }
    std::vector<ValueId> parts;
    for (const ValueId value : op.operands) parts.push_back(values_.at(value).part);
    emit(op, std::move(parts), std::vector<Sharding>(op.results.size()));
  }
  known_.resize(known);
  mine.ops = std::exchange(ops_, std::move(outer));
  return mine;
}

// --- Operations ---

void Partitioner::run_ops(const Region& region) {
  for (const Op& op : region.ops) {
    if (op.kind == OpKind::return_) return;
    run_op(op);
  }
}

void Partitioner::run_op(const Op& op) {
  const LocationId before = std::exchange(location_, op.location);
  if (op.kind == OpKind::dot_general && !is_manual_) note_product(op);
  if (is_target(op, sharding_constraint)) {
    run_constraint(op);
  } else if (is_target(op, manual_computation)) {
    run_manual(op);
  } else if (op.kind == OpKind::while_) {
    run_loop(op);
  } else if (op.kind == OpKind::optimization_barrier) {
    run_barrier(op);
  } else if (op.kind == OpKind::case_ || op.kind == OpKind::if_) {
    run_branch(op);
  } else if (const Factors* const factors = decided_->factors(op);
             is_manual_ || factors == nullptr || !divide(op, *factors)) {
    run_whole(op);
  }
  location_ = before;
}

void Partitioner::note_product(const Op& op) {
  PlacedProduct product{
      .op = op, .result = type(op.results[0]), .result_lies = decided_->of(op.results[0])};
  for (const ValueId value : op.operands) {
    product.operands.push_back(type(value));
    product.operands_lie.push_back(sharding(value));
  }
  const auto [at, is_new] = product_of_.try_emplace(&op, products_.size());
  if (is_new)
    products_.push_back(std::move(product));
  else
    products_[at->second] = std::move(product);  // of a loop whose body is divided again
}

// On every device the same, or in a manual computation what it has.
void Partitioner::run_whole(const Op& op) {
  std::set<ValueId> read;
  for (const Region& region : op.regions) add_read(region, read);
  bool is_gathered = false;
  std::vector<std::pair<ValueId, Placed>> before;
  std::vector<ValueId> parts;
  for (const ValueId value : op.operands) {
    is_gathered |= !sharding(value).is_whole();
    parts.push_back(whole(value));
  }
  for (const ValueId value : read) {  // by its regions
    is_gathered |= !sharding(value).is_whole();
    before.emplace_back(value, values_.at(value));
    put(value, {.part = whole(value)});
  }
  if (is_gathered)
    computed_whole_.insert(fmt::format("{} at {}", name(op.kind), module_.describe(op.location)));
  emit(op, std::move(parts), std::vector<Sharding>(op.results.size()));
  for (auto& [value, placed] : before) put(value, std::move(placed));
  if (op.kind == OpKind::constant || op.kind == OpKind::iota || op.kind == OpKind::broadcast_in_dim)
    values_.at(op.results[0]).source = &op;
}

void Partitioner::run_constraint(const Op& op) {
  const ValueId value = op.operands.at(0), result = op.results.at(0);
  if (is_manual_) return put(result, values_.at(value));
  const Sharding& wanted = decided_->of(result);
  const ValueId part = get(value, wanted);
  put(result, {.part = part, .sharding = wanted});
}

// Each operand is a result.
void Partitioner::run_barrier(const Op& op) {
  std::vector<ValueId> parts;
  std::vector<Sharding> lie;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    lie.push_back(is_manual_ ? Sharding() : decided_->of(op.results[i]));
    parts.push_back(get(op.operands[i], lie[i]));
  }
  emit(op, std::move(parts), lie);
}

// Its operands and results lie as it says along its own axes; other axes mean nothing inside.
void Partitioner::run_manual(const Op& op) {
  const std::string place = module_.describe(op.location);
  const std::vector<Sharding> given = own_axes(op, "in_shardings", meshes_, place);
  const std::vector<Sharding> left = own_axes(op, "out_shardings", meshes_, place);
  const Region& body = op.regions.at(0);
  const auto refuse = [&](std::string found) {
    throw base::InputError({"graph.devices", "a manual computation says how its values lie", place,
                            std::move(found), "give each argument and result a sharding"});
  };
  if (given.size() != op.operands.size() || left.size() != op.results.size())
    refuse(fmt::format("{} and {} shardings", given.size(), left.size()));
  const bool was_manual = is_manual_;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    if (part_of(type(op.operands[i]), given[i]) != type(body.arguments[i]))
      refuse(to_string(type(body.arguments[i])));
    put(body.arguments[i], {.part = get(op.operands[i], given[i])});
  }
  is_manual_ = true;
  run_ops(body);
  is_manual_ = was_manual;
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const ValueId result = body.ops.back().operands.at(i);
    if (part_of(type(op.results[i]), left[i]) != type(result)) refuse(to_string(type(result)));
    put(op.results[i], {.part = whole(result), .sharding = left[i]});
  }
}

Region Partitioner::run_region(const Region& region, const std::vector<Sharding>& arguments,
                               const std::vector<Sharding>& wanted) {
  std::vector<Op> outer = std::exchange(ops_, {});
  const Values before = values_;
  const std::size_t known = known_.size();
  Region mine;
  for (std::size_t i = 0; i < region.arguments.size(); ++i) {
    const ValueId argument = region.arguments[i];
    mine.arguments.push_back(main_.add_value(part_of(type(argument), arguments[i])));
    put(argument, {.part = mine.arguments.back(), .sharding = arguments[i]});
  }
  run_ops(region);
  std::vector<ValueId> results;
  const std::vector<ValueId>& returned = region.ops.back().operands;
  for (std::size_t i = 0; i < returned.size(); ++i) results.push_back(get(returned[i], wanted[i]));
  ops_.push_back({.kind = OpKind::return_, .operands = std::move(results), .location = location_});
  known_.resize(known);
  values_ = before;
  mine.ops = std::exchange(ops_, std::move(outer));
  return mine;
}

// All devices take the same branch, with whole values: nobody meets inside.
void Partitioner::run_branch(const Op& op) {
  std::set<ValueId> read;
  for (const Region& region : op.regions) add_read(region, read);
  const Values before = values_;
  for (const ValueId value : read) put(value, {.part = whole(value)});
  Op mine{.kind = op.kind,
          .operands = {whole(op.operands.at(0))},
          .attributes = op.attributes,
          .location = op.location};
  for (const Region& region : op.regions) {
    mine.regions.push_back(run_region(region, {}, std::vector<Sharding>(op.results.size())));
  }
  for (const ValueId value : read) put(value, before.at(value));
  for (const ValueId result : op.results) {
    mine.results.push_back(main_.add_value(type(result)));
    put(result, {.part = mine.results.back()});
  }
  ops_.push_back(std::move(mine));
}

// What turns hand on lies as decided. Sums of what the loop reads are added up before it.
void Partitioner::run_loop(const Op& op) {
  Op mine{.kind = op.kind, .attributes = op.attributes, .location = op.location};
  std::vector<Sharding> carried;
  for (const Region& region : op.regions) settle_read(region);
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    carried.push_back(is_manual_ ? Sharding() : decided_->of(op.results[i]));
    mine.operands.push_back(get(op.operands[i], carried[i]));
  }
  mine.regions.push_back(run_region(op.regions.at(0), carried, {Sharding()}));
  mine.regions.push_back(run_region(op.regions.at(1), carried, carried));
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    mine.results.push_back(main_.add_value(part_of(type(op.results[i]), carried[i])));
    put(op.results[i], {.part = mine.results.back(), .sharding = carried[i]});
  }
  ops_.push_back(std::move(mine));
}

void Partitioner::settle_read(const Region& region) {
  std::set<ValueId> read;
  add_read(region, read);
  for (const ValueId value : read) settle(value);
}

namespace {

// Each contested axis is given to weights where devices then have less to do.
Partitioned best_partition(const Module& module) {
  constexpr double better = 0.999;  // what is alike stays as it is
  Partitioner first(module, {});
  Partitioned best = first.run();
  std::set<std::string> of_weights;
  double least = first.contested().empty() ? 0 : estimated_bytes(best.module);
  for (const std::string& axis : first.contested()) {
    std::set<std::string> tried = of_weights;
    tried.insert(axis);
    Partitioned other = Partitioner(module, tried).run();
    const double bytes = estimated_bytes(other.module);
    if (bytes >= better * least) continue;
    best = std::move(other);
    least = bytes;
    of_weights = std::move(tried);
  }
  return best;
}

}  // namespace

std::int64_t partitions(const Module& module) {
  const Attribute* const count = find(module.attributes, partitions_attribute);
  const auto* const number = count == nullptr ? nullptr : std::get_if<std::int64_t>(&count->value);
  return number == nullptr ? 1 : *number;
}

Partitioned partition(const Module& module) {
  Module flat = without_calls(module).value_or(module);
  compute_known_loops(flat);
  compute_in_loops(flat);
  recompute_residuals(flat);
  return best_partition(flat);
}

}  // namespace trainyard::graph

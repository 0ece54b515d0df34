#include "graph/partition/partitioner.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "graph/pieces.h"
#include "graph/verify.h"

namespace trainyard::graph {

namespace {

std::int64_t readers(const Region& region, ValueId value) {
  std::int64_t count = 0;
  for (const Op& op : region.ops) {
    count += std::ranges::count(op.operands, value);
    for (const Region& inner : op.regions) count += readers(inner, value);
  }
  return count;
}

constexpr int call_depth_max = 200;

const Attribute* find(const Dictionary& attributes, std::string_view name) {
  const auto found = std::ranges::find(attributes, name, &NamedAttribute::name);
  return found == attributes.end() ? nullptr : &found->value;
}

std::string text_of(const Attribute* attribute) {
  const auto* const text =
      attribute == nullptr ? nullptr : std::get_if<std::string>(&attribute->value);
  return text == nullptr ? std::string() : *text;
}

bool is_target(const Op& op, std::string_view target) {
  return op.kind == OpKind::custom_call && text_of(op.find("call_target_name")) == target;
}

bool has_effect(const Op& op) {
  switch (op.kind) {
    case OpKind::custom_call: {
      const Attribute* const effect = op.find("has_side_effect");
      const auto* const flag = effect == nullptr ? nullptr : std::get_if<bool>(&effect->value);
      return flag == nullptr || *flag;
    }
    case OpKind::call:
    case OpKind::infeed:
    case OpKind::outfeed:
    case OpKind::send:
    case OpKind::recv:
    case OpKind::while_:
    case OpKind::case_:
    case OpKind::if_:
    case OpKind::return_: return true;
    default: return false;
  }
}

// Without operations whose results nobody reads.
void drop_unread(Region& region, std::set<ValueId>& read) {
  std::vector<Op> kept;
  for (auto op = region.ops.rbegin(); op != region.ops.rend(); ++op) {
    const bool is_read =
        std::ranges::any_of(op->results, [&](ValueId value) { return read.contains(value); });
    if (!is_read && !has_effect(*op)) continue;
    read.insert(op->operands.begin(), op->operands.end());
    for (Region& nested : op->regions) drop_unread(nested, read);
    kept.push_back(std::move(*op));
  }
  std::ranges::reverse(kept);
  region.ops = std::move(kept);
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

void check_divides(const Type& type, const Sharding& sharding, const std::string& place) {
  bool divides = sharding.dims.size() == type.shape.size();
  for (std::size_t d = 0; divides && d < type.shape.size(); ++d)
    divides = type.shape[d] % sharding.ways(d) == 0;
  if (divides) return;
  throw base::InputError({"graph.devices", "axes of a mesh divide the dimensions of a value evenly",
                          place, to_string(type), "pad the dimension to a multiple"});
}

}  // namespace

Partitioner::Partitioner(const Module& module) : module_(module), meshes_(meshes_of(module)) {}

Partitioned Partitioner::run() {
  const Function& entry = module_.entry();
  function_ = &entry;
  Partitioned result;
  const auto lies = [&](const std::vector<Dictionary>& all, std::size_t i, const Type& type) {
    const Attribute* const given = i < all.size() ? find(all[i], "sdy.sharding") : nullptr;
    if (given == nullptr) return Sharding();
    Sharding sharding = read_sharding(text_of(given), meshes_, module_.name);
    check_divides(type, sharding, module_.name);
    return sharding;
  };
  for (std::size_t i = 0; i < entry.body.arguments.size(); ++i) {
    const ValueId argument = entry.body.arguments[i];
    result.arguments.push_back(lies(entry.argument_attributes, i, entry.type(argument)));
    const Sharding& sharding = result.arguments.back();
    const ValueId part = main_.add_value(part_of(entry.type(argument), sharding));
    main_.body.arguments.push_back(part);
    put(argument, {.part = part, .sharding = sharding});
  }
  run_ops(entry.body);
  std::vector<ValueId> returned;
  for (std::size_t i = 0; i < entry.results().size(); ++i) {
    const ValueId value = entry.results()[i];
    const bool is_asked =
        i < entry.result_attributes.size() && find(entry.result_attributes[i], "sdy.sharding");
    result.results.push_back(is_asked ? lies(entry.result_attributes, i, entry.type(value))
                                      : along_whole_axes(sharding(value)));
    returned.push_back(get(value, result.results.back()));
  }
  main_.name = entry.name;
  main_.is_public = entry.is_public;
  main_.argument_attributes = entry.argument_attributes;
  main_.result_attributes = entry.result_attributes;
  main_.body.ops = std::move(prelude_);
  std::ranges::move(ops_, std::back_inserter(main_.body.ops));
  main_.body.ops.push_back({.kind = OpKind::return_, .operands = std::move(returned)});
  std::set<ValueId> read;
  drop_unread(main_.body, read);
  result.module = {.name = module_.name,
                   .attributes = module_.attributes,
                   .functions = {std::move(main_)},
                   .locations = module_.locations};
  std::set<std::string> called;
  add_called(module_, result.module.functions.front().body, called);
  for (const Function& other : module_.functions) {
    if (called.contains(other.name)) result.module.functions.push_back(other);
  }
  result.computed_whole.assign(computed_whole_.begin(), computed_whole_.end());
  verify(result.module);
  return result;
}

void Partitioner::put(ValueId value, Placed placed) {
  values_.insert_or_assign(value, std::move(placed));
}

const Sharding& Partitioner::sharding(ValueId value) const { return values_.at(value).sharding; }

bool Partitioner::is_read_once(ValueId value) const { return readers(function_->body, value) == 1; }

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
  const ValueId result = main_.add_value(std::move(type));
  std::ranges::sort(attributes, {}, &NamedAttribute::name);
  ops_.push_back({.kind = kind,
                  .operands = std::move(operands),
                  .results = {result},
                  .attributes = std::move(attributes),
                  .regions = std::move(regions),
                  .location = location_});
  return result;
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
  if (is_target(op, sharding_constraint)) {
    run_constraint(op);
  } else if (is_target(op, manual_computation)) {
    run_manual(op);
  } else if (op.kind == OpKind::call) {
    run_call(op);
  } else if (op.kind == OpKind::while_) {
    run_loop(op);
  } else if (op.kind == OpKind::case_ || op.kind == OpKind::if_) {
    run_branch(op);
  } else {
    std::set<ValueId> read;
    add_read(op, read);
    const bool is_divided = std::ranges::any_of(read, [&](ValueId value) {
      const Placed& placed = values_.at(value);
      return !placed.sharding.is_whole() || !placed.partial.empty();
    });
    if (!is_divided || !divide(*this, op)) run_whole(op);
  }
  location_ = before;
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
  const ValueId value = op.operands.at(0);
  if (is_manual_) return put(op.results.at(0), values_.at(value));
  Sharding wanted =
      read_sharding(text_of(op.find("sharding")), meshes_, module_.describe(op.location));
  wanted.open.resize(wanted.dims.size());
  const Sharding& now = sharding(value);
  if (now.mesh != nullptr && wanted.mesh != nullptr && *now.mesh == *wanted.mesh) {
    for (std::size_t d = 0; d < wanted.dims.size(); ++d) {
      if (!wanted.open[d] || !wanted.dims[d].empty()) continue;
      const bool is_free =
          std::ranges::none_of(now.axes(d), [&](std::size_t axis) { return wanted.uses(axis); });
      if (is_free) wanted.dims[d] = now.axes(d);
    }
  }
  wanted.dims.resize(type(value).shape.size());
  for (std::size_t d = 0; d < wanted.dims.size(); ++d) {
    if (type(value).shape[d] % wanted.ways(d) == 0) continue;
    computed_whole_.insert(fmt::format("dimension {} of {} at {}", d, to_string(type(value)),
                                       module_.describe(op.location)));
    wanted.dims[d].clear();
  }
  const ValueId part = get(value, wanted);
  put(op.results.at(0), {.part = part, .sharding = wanted});
}

// Its operands and results lie as it says along its own axes; other axes mean nothing inside.
void Partitioner::run_manual(const Op& op) {
  const std::string place = module_.describe(op.location);
  const std::set<std::string> axes = manual_axes(text_of(op.find("manual_axes")));
  const auto own = [&](std::vector<Sharding> all) {
    for (Sharding& each : all) {
      for (Axes& dim : each.dims)
        std::erase_if(dim,
                      [&](std::size_t axis) { return !axes.contains(each.mesh->axes[axis].name); });
    }
    return all;
  };
  const std::vector<Sharding> given =
      own(read_shardings(text_of(op.find("in_shardings")), meshes_, place));
  const std::vector<Sharding> left =
      own(read_shardings(text_of(op.find("out_shardings")), meshes_, place));
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

void Partitioner::run_call(const Op& op) {
  const Function* const callee = module_.find(op.symbol("callee"));
  if (callee == nullptr || callee->is_declaration() || depth_ >= call_depth_max) {
    throw base::InputError({"graph.devices", "a function that is called has a body, not itself",
                            module_.describe(op.location), std::string(op.symbol("callee")),
                            "write the recursion as a loop"});
  }
  Values inner;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    Placed placed = values_.at(op.operands[i]);
    placed.source = nullptr;  // its operands are not at hand there
    inner.insert_or_assign(callee->body.arguments.at(i), std::move(placed));
  }
  ++depth_;
  std::swap(values_, inner);
  const Function* const outer = std::exchange(function_, callee);
  run_ops(callee->body);
  function_ = outer;
  std::swap(values_, inner);
  --depth_;
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    Placed placed = inner.at(callee->results()[i]);
    placed.source = nullptr;
    put(op.results[i], std::move(placed));
  }
}

Region Partitioner::run_region(const Region& region, const std::vector<Sharding>& arguments,
                               const std::vector<Sharding>* wanted, std::vector<Sharding>& found) {
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
  for (std::size_t i = 0; i < returned.size(); ++i) {
    found.push_back(sharding(returned[i]));
    results.push_back(get(returned[i], wanted == nullptr ? Sharding() : (*wanted)[i]));
  }
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
    std::vector<Sharding> found;
    mine.regions.push_back(run_region(region, {}, nullptr, found));
  }
  for (const ValueId value : read) put(value, before.at(value));
  for (const ValueId result : op.results) {
    mine.results.push_back(main_.add_value(type(result)));
    put(result, {.part = mine.results.back()});
  }
  ops_.push_back(std::move(mine));
}

void Partitioner::run_loop(const Op& op) {
  std::vector<Sharding> carried;
  for (const ValueId value : op.operands) carried.push_back(sharding(value));
  constexpr int attempts = 4;
  for (int attempt = 1;; ++attempt) {
    const std::size_t ops = ops_.size(), known = known_.size();
    const std::vector<Sharding> found = try_loop(op, carried);
    // What begins whole (zeros, say) may as well begin in the parts that the body leaves.
    bool is_changed = false;
    for (std::size_t i = 0; i < carried.size() && attempt < attempts; ++i) {
      if (!carried[i].is_whole() || found[i].is_whole()) continue;
      carried[i] = found[i];
      is_changed = true;
    }
    if (!is_changed) return;
    ops_.resize(ops);
    known_.resize(known);
  }
}

std::vector<Sharding> Partitioner::try_loop(const Op& op, const std::vector<Sharding>& carried) {
  Op mine{.kind = op.kind, .attributes = op.attributes, .location = op.location};
  for (std::size_t i = 0; i < op.operands.size(); ++i)
    mine.operands.push_back(get(op.operands[i], carried[i]));
  std::vector<Sharding> decided, found;
  mine.regions.push_back(run_region(op.regions.at(0), carried, nullptr, decided));
  mine.regions.push_back(run_region(op.regions.at(1), carried, &carried, found));
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    mine.results.push_back(main_.add_value(part_of(type(op.results[i]), carried[i])));
    put(op.results[i], {.part = mine.results.back(), .sharding = carried[i]});
  }
  ops_.push_back(std::move(mine));
  return found;
}

std::int64_t partitions(const Module& module) {
  const Attribute* const count = find(module.attributes, "mhlo.num_partitions");
  const auto* const number = count == nullptr ? nullptr : std::get_if<std::int64_t>(&count->value);
  return number == nullptr ? 1 : *number;
}

Partitioned partition(const Module& module) { return Partitioner(module).run(); }

}  // namespace trainyard::graph

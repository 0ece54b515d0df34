#include "plan/collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <utility>

#include "graph/folds.h"

namespace trainyard::plan {

namespace {

using graph::ElementType, graph::Literal, graph::OpKind, graph::Type;

// Who sends to whom, one after the other.
std::vector<Partitions> chains(const Op& permute) {
  std::map<std::size_t, std::size_t> next;
  std::vector<std::size_t> targets;
  const auto pairs = permute.integers("source_target_pairs");
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    if (pairs[i] == pairs[i + 1]) continue;
    next[static_cast<std::size_t>(pairs[i])] = static_cast<std::size_t>(pairs[i + 1]);
    targets.push_back(static_cast<std::size_t>(pairs[i + 1]));
  }
  std::vector<Partitions> all;
  const auto follow = [&](std::size_t from) {
    Partitions chain{from};
    for (auto at = next.find(from); at != next.end(); at = next.find(chain.back())) {
      const std::size_t to = at->second;
      next.erase(at);
      if (to == from) break;
      chain.push_back(to);
    }
    all.push_back(std::move(chain));
  };
  std::vector<std::size_t> sources;
  for (const auto& [source, target] : next) sources.push_back(source);
  for (const std::size_t source : sources) {  // chains first, then rings
    if (std::ranges::find(targets, source) == targets.end()) follow(source);
  }
  while (!next.empty()) follow(next.begin()->first);
  return all;
}

// A module of one operation on values of those types.
class Alone {
 public:
  explicit Alone(OpKind kind) { op_.kind = kind; }

  Alone& with(std::string name, decltype(graph::Attribute::value) value) {
    op_.attributes.push_back({std::move(name), {std::move(value)}});
    return *this;
  }
  Alone& with(const Region& region, const Function& of) {
    main_.types = of.types;
    op_.regions = {region};
    return *this;
  }
  [[nodiscard]] Literal of(std::span<const Literal> operands, const Type& result) {
    main_.name = "main";
    for (const Literal& operand : operands) {
      op_.operands.push_back(main_.add_value(operand.type));
      main_.body.arguments.push_back(op_.operands.back());
    }
    op_.results = {main_.add_value(result)};
    std::ranges::sort(op_.attributes, {}, &graph::NamedAttribute::name);
    main_.body.ops = {op_, {.kind = OpKind::return_, .operands = op_.results}};
    graph::Module module;
    module.functions.push_back(main_);
    return evaluate(module, operands).front();
  }

 private:
  Function main_;
  Op op_;
};

Shared shared(Literal literal) { return std::make_shared<const Literal>(std::move(literal)); }

Literal joined(std::span<const Literal> parts, std::int64_t dim, const Type& type) {
  return Alone(OpKind::concatenate).with("dimension", dim).of(parts, type);
}

Literal part(const Literal& whole, std::int64_t dim, std::size_t k, std::size_t count) {
  Type type = whole.type;
  const auto at = static_cast<std::size_t>(dim);
  type.shape[at] /= static_cast<std::int64_t>(count);
  std::vector<std::int64_t> starts(type.shape.size(), 0), limits = whole.type.shape;
  const std::vector<std::int64_t> strides(type.shape.size(), 1);
  starts[at] = static_cast<std::int64_t>(k) * type.shape[at];
  limits[at] = starts[at] + type.shape[at];
  return Alone(OpKind::slice)
      .with("limit_indices", std::move(limits))
      .with("start_indices", std::move(starts))
      .with("strides", strides)
      .of({&whole, 1}, type);
}

Literal converted(const Literal& literal, const Type& type) {
  return literal.type == type ? literal : Alone(OpKind::convert).of(std::span(&literal, 1), type);
}

Literal folded(const Function& function, const Region& region, const std::vector<Literal>& given) {
  const Type type = given.front().type;
  const auto kinds = graph::simple_folds(region);
  const bool is_wide =
      kinds && is_float(type.element) && bits(type.element) < bits(ElementType::f32);
  const Type wide{.element = is_wide ? ElementType::f32 : type.element, .shape = type.shape};
  Literal sum = converted(given.front(), wide);
  std::vector<std::int64_t> dimensions;
  for (std::int64_t d = 0; d < type.rank(); ++d) dimensions.push_back(d);
  for (const Literal& each : std::span(given).subspan(1)) {
    const std::array<Literal, 2> both{sum, converted(each, wide)};
    sum = kinds ? Alone(kinds->front()).of(both, wide)
                : Alone(OpKind::map)
                      .with("dimensions", dimensions)
                      .with(region, function)
                      .of(both, wide);
  }
  return converted(sum, type);
}

// `type`: of one device's result.
std::vector<Shared> combined(const Function& function, const Op& op,
                             const std::vector<Literal>& given, const Type& type) {
  const std::size_t count = given.size();
  if (op.kind == OpKind::all_gather)
    return {count, shared(joined(given, op.integer("all_gather_dim"), type))};
  std::vector<Shared> results;
  if (op.kind == OpKind::all_to_all) {
    for (std::size_t k = 0; k < count; ++k) {
      std::vector<Literal> parts;
      for (const Literal& each : given)
        parts.push_back(part(each, op.integer("split_dimension"), k, count));
      results.push_back(shared(joined(parts, op.integer("concat_dimension"), type)));
    }
    return results;
  }
  Literal sum = folded(function, op.regions.at(0), given);
  if (op.kind == OpKind::all_reduce) return {count, shared(std::move(sum))};
  for (std::size_t k = 0; k < count; ++k)
    results.push_back(shared(part(sum, op.integer("scatter_dimension"), k, count)));
  return results;
}

// Of jax.lax.ragged_all_to_all.
const Literal& ragged_groups(const graph::Module& module, const Op& op) {
  const graph::Attribute* const config = op.find("backend_config");
  const auto* const entries =
      config == nullptr ? nullptr : std::get_if<graph::Dictionary>(&config->value);
  if (entries != nullptr) {
    const auto at = std::ranges::find(*entries, "replica_groups", &graph::NamedAttribute::name);
    const auto* const groups =
        at == entries->end() ? nullptr : std::get_if<Literal>(&at->value.value);
    if (groups != nullptr) return *groups;
  }
  refuse(module, op, "ragged_all_to_all without replica_groups in its backend_config");
}

using Results = std::vector<std::vector<Shared>>;  // of each device

std::vector<std::int64_t> numbers_of(const Literal& literal) {
  const std::vector<std::byte> content = literal.expanded();
  const auto size = static_cast<std::size_t>(size_in_bytes(literal.type.element));
  std::vector<std::int64_t> all(content.size() / size);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::int32_t narrow = 0;
    if (size == sizeof(narrow)) {
      std::memcpy(&narrow, content.data() + (i * size), size);
      all[i] = narrow;
    } else {
      std::memcpy(&all[i], content.data() + (i * size), sizeof(std::int64_t));
    }
  }
  return all;
}

// Rows of a device's first operand, written over rows of its receivers' second one: where from, how
// many and where to stands in the others, for each receiver as many times.
Results ragged(const Plan& plan, const Meet& meet, std::span<const std::vector<Shared>> given) {
  Results all(plan.devices);
  std::vector<bool> have;  // what this process knows of
  std::vector<std::vector<std::byte>> contents(plan.devices);
  for (const std::vector<Shared>& each : given) have.push_back(each.at(1) != nullptr);
  for (std::size_t d = 0; d < plan.devices; ++d)
    if (have[d]) contents[d] = given[d][1]->expanded();
  const Type& type = plan.main().type(meet.op->results[0]);
  const Type& sent = plan.main().type(meet.op->operands[0]);
  const std::int64_t row = sent.shape[0] == 0 ? 0 : sent.bytes() / sent.shape[0];
  for (const Partitions& group : meet.groups) {
    for (const std::size_t source : group) {
      const std::vector<std::byte> rows = given[source][0]->expanded();
      const auto from = numbers_of(*given[source].at(2)), count = numbers_of(*given[source].at(3)),
                 to = numbers_of(*given[source].at(4));
      const std::size_t each = from.size() / group.size();
      for (std::size_t i = 0; i < from.size(); ++i) {
        std::vector<std::byte>& target = contents[group.at(i / each)];
        if (count[i] <= 0) continue;
        if (from[i] < 0 || to[i] < 0 || from[i] + count[i] > sent.shape[0] ||
            to[i] + count[i] > type.shape[0]) {
          refuse(*plan.module, *meet.op,
                 fmt::format("{} rows from row {} of {} to row {} of {}", count[i], from[i],
                             sent.shape[0], to[i], type.shape[0]));
        }
        std::memcpy(target.data() + (to[i] * row), rows.data() + (from[i] * row),
                    static_cast<std::size_t>(count[i] * row));
      }
    }
  }
  for (std::size_t d = 0; d < plan.devices; ++d)
    all[d].push_back(have[d] ? shared({.type = type, .content = std::move(contents[d])}) : nullptr);
  return all;
}

Results permuted(const Plan& plan, const Op& op, std::span<const std::vector<Shared>> given) {
  const std::span<const std::int64_t> pairs = op.integers("source_target_pairs");
  const Type& type = plan.main().type(op.results[0]);
  const Shared zeros = shared(
      {.type = type,
       .content = std::vector<std::byte>(static_cast<std::size_t>(size_in_bytes(type.element))),
       .splat = true});
  Results received(plan.devices, {zeros});
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
    received[static_cast<std::size_t>(pairs[i + 1])] = {
        given[static_cast<std::size_t>(pairs[i])].front()};
  return received;
}

Results numbered(const Plan& plan, const Op& op) {
  Results results;
  for (std::size_t d = 0; d < plan.devices; ++d) {
    const auto id = static_cast<std::uint32_t>(op.kind == OpKind::partition_id ? d : 0);
    Literal literal{.type = plan.main().type(op.results[0]),
                    .content = std::vector<std::byte>(sizeof(id))};
    std::memcpy(literal.content.data(), &id, sizeof(id));
    results.push_back({shared(std::move(literal))});
  }
  return results;
}

}  // namespace

bool is_ragged(const Op& op) {
  return op.kind == OpKind::custom_call && op.text("call_target_name") == "ragged_all_to_all";
}

bool is_collective(const Op& op) {
  return is_ragged(op) || graph::is(op.kind, graph::Trait::collective) ||
         op.kind == OpKind::partition_id || op.kind == OpKind::replica_id;
}

bool meets(const graph::Module& module, const Op& op) {
  if (is_collective(op)) return true;
  const auto in_region = [&](const Region& region) {
    return std::ranges::any_of(region.ops, [&](const Op& each) { return meets(module, each); });
  };
  if (op.kind == OpKind::call) {
    const Function* const callee = module.find(op.symbol("callee"));
    return callee != nullptr && in_region(callee->body);
  }
  return std::ranges::any_of(op.regions, in_region);
}

std::vector<Partitions> groups_of(const graph::Module& module, const Op& op, std::size_t devices) {
  const auto known = [&](std::int64_t device) {
    if (device >= static_cast<std::int64_t>(devices))
      refuse(module, op, fmt::format("device {} of {}", device, devices));
    return static_cast<std::size_t>(device);
  };
  if (op.kind == OpKind::partition_id || op.kind == OpKind::replica_id) return {};
  if (op.kind == OpKind::collective_broadcast) refuse(module, op, "collective_broadcast");
  if (op.kind == OpKind::collective_permute) {
    for (const std::int64_t device : op.integers("source_target_pairs")) (void)known(device);
    return chains(op);
  }
  const Literal& literal = is_ragged(op) ? ragged_groups(module, op) : op.literal("replica_groups");
  const std::vector<std::byte> content = literal.expanded();
  std::vector<std::int64_t> ids(content.size() / sizeof(std::int64_t));
  std::memcpy(ids.data(), content.data(), ids.size() * sizeof(std::int64_t));
  const auto width = static_cast<std::size_t>(literal.type.shape.at(1));
  std::vector<Partitions> groups;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i % width == 0) groups.emplace_back();
    if (ids[i] >= 0) groups.back().push_back(known(ids[i]));
  }
  if (groups.empty()) {
    groups.emplace_back();
    for (std::size_t d = 0; d < devices; ++d) groups.back().push_back(d);
  }
  std::vector<int> memberships(devices, 0);
  for (const Partitions& group : groups)
    for (const std::size_t device : group) ++memberships[device];
  for (std::size_t d = 0; d < devices; ++d)
    if (memberships[d] != 1)
      refuse(module, op, fmt::format("device {} in {} of its groups", d, memberships[d]));
  return groups;
}

std::vector<std::vector<Shared>> exchanged(const Plan& plan, const Meet& meet,
                                           std::span<const std::vector<Shared>> given) {
  const Op& op = *meet.op;
  if (op.kind == OpKind::partition_id || op.kind == OpKind::replica_id) return numbered(plan, op);
  if (op.kind == OpKind::collective_permute) return permuted(plan, op, given);
  if (is_ragged(op)) return ragged(plan, meet, given);
  Results all(plan.devices, std::vector<Shared>(op.results.size()));
  for (const Partitions& group : meet.groups) {
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      std::vector<Literal> mine;
      for (const std::size_t d : group) mine.push_back(*given[d].at(i));
      std::vector<Shared> results =
          combined(plan.main(), op, mine, plan.main().type(op.results[i]));
      for (std::size_t k = 0; k < group.size(); ++k) all[group[k]][i] = std::move(results[k]);
    }
  }
  return all;
}

}  // namespace trainyard::plan

#include "graph/together.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"

namespace trainyard::graph {

namespace {

using Values = std::map<ValueId, Literal>;  // of one device

constexpr std::array collectives{OpKind::all_gather,         OpKind::all_reduce,
                                 OpKind::all_to_all,         OpKind::collective_broadcast,
                                 OpKind::collective_permute, OpKind::partition_id,
                                 OpKind::reduce_scatter,     OpKind::replica_id};

void add_read(const Region& region, std::set<ValueId>& inside, std::set<ValueId>& read) {
  inside.insert(region.arguments.begin(), region.arguments.end());
  for (const Op& op : region.ops) {
    for (const ValueId value : op.operands) {
      if (!inside.contains(value)) read.insert(value);
    }
    for (const Region& nested : op.regions) add_read(nested, inside, read);
    inside.insert(op.results.begin(), op.results.end());
  }
}

// A module of one operation on values of those types.
class Alone {
 public:
  explicit Alone(OpKind kind) { op_.kind = kind; }

  Alone& with(std::string name, decltype(Attribute::value) value) {
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
    std::ranges::sort(op_.attributes, {}, &NamedAttribute::name);
    main_.body.ops = {op_, {.kind = OpKind::return_, .operands = op_.results}};
    Module module;
    module.functions.push_back(main_);
    return evaluate(module, operands).front();
  }

 private:
  Function main_;
  Op op_;
};

class Together {
 public:
  Together(const Module& module, std::size_t devices, const EvaluateLimits& limits)
      : module_(module), devices_(devices), limits_(limits) {}

  // Adds the values of a region's operations; the results are those of its return.
  const std::vector<ValueId>& run(const Function& function, const Region& region,
                                  std::vector<Values>& values) {
    for (const Op& op : region.ops) {
      if (op.kind == OpKind::return_) return op.operands;
      step(function, op, values);
    }
    base::check(false, "a region returns");
    std::abort();
  }

 private:
  void step(const Function& function, const Op& op, std::vector<Values>& values) {
    if (std::ranges::find(collectives, op.kind) != collectives.end())
      return exchange(function, op, values);
    if (!meets(op)) return each_alone(function, op, values);
    if (op.kind == OpKind::call) return call(op, values);
    if (op.kind == OpKind::while_) return loop(function, op, values);
    refuse(op, fmt::format("a collective inside {}", name(op.kind)));
  }

  [[noreturn]] void refuse(const Op& op, std::string found) const {
    throw base::InputError({"graph.devices",
                            "all devices meet at a collective: in main, in a function that it "
                            "calls, or in a loop that turns as often on all of them",
                            module_.describe(op.location), std::move(found),
                            "move the collective out of the branch, or run it on every device"});
  }

  // Whether a collective is in it.
  [[nodiscard]] bool meets(const Op& op) const {
    if (std::ranges::find(collectives, op.kind) != collectives.end()) return true;
    const auto in_region = [&](const Region& region) {
      return std::ranges::any_of(region.ops, [&](const Op& each) { return meets(each); });
    };
    if (op.kind == OpKind::call) {
      const Function* const callee = module_.find(op.symbol("callee"));
      return callee != nullptr && in_region(callee->body);
    }
    return std::ranges::any_of(op.regions, in_region);
  }

  void each_alone(const Function& function, const Op& op, std::vector<Values>& values) const {
    std::set<ValueId> inside, read(op.operands.begin(), op.operands.end());
    for (const Region& region : op.regions) add_read(region, inside, read);
    Module module{.name = module_.name, .locations = module_.locations};
    Function main{.name = "main", .types = function.types};
    main.body.arguments.assign(read.begin(), read.end());
    main.body.ops = {op, {.kind = OpKind::return_, .operands = op.results}};
    module.functions.push_back(std::move(main));
    for (const Function& other : module_.functions) {
      if (other.name != "main") module.functions.push_back(other);
    }
    for (Values& mine : values) {
      std::vector<Literal> inputs;
      for (const ValueId value : read) inputs.push_back(mine.at(value));
      std::vector<Literal> results = evaluate(module, inputs, limits_);
      for (std::size_t i = 0; i < results.size(); ++i)
        mine.insert_or_assign(op.results[i], std::move(results[i]));
    }
  }

  void call(const Op& op, std::vector<Values>& values) {
    const Function& callee = *module_.find(op.symbol("callee"));
    std::vector<Values> inner(devices_);
    for (std::size_t d = 0; d < devices_; ++d) {
      for (std::size_t i = 0; i < op.operands.size(); ++i)
        inner[d].insert_or_assign(callee.body.arguments[i], values[d].at(op.operands[i]));
    }
    hand_over(run(callee, callee.body, inner), inner, op.results, values);
  }

  void hand_over(const std::vector<ValueId>& from, std::vector<Values>& given,
                 const std::vector<ValueId>& to, std::vector<Values>& values) const {
    for (std::size_t d = 0; d < devices_; ++d) {
      std::vector<Literal> all;
      for (const ValueId value : from) all.push_back(given[d].at(value));
      for (std::size_t i = 0; i < to.size(); ++i)
        values[d].insert_or_assign(to[i], std::move(all[i]));
    }
  }

  void loop(const Function& function, const Op& op, std::vector<Values>& values) {
    const Region &condition = op.regions.at(0), &body = op.regions.at(1);
    hand_over(op.operands, values, op.results, values);
    for (std::int64_t turn = 0; turn < limits_.loop_iterations_max; ++turn) {
      hand_over(op.results, values, condition.arguments, values);
      const ValueId decides = run(function, condition, values).at(0);
      const auto goes_on = [&](const Values& mine) {
        return mine.at(decides).content.at(0) != std::byte{0};
      };
      const auto ready = std::ranges::count_if(values, goes_on);
      if (ready == 0) return;
      if (static_cast<std::size_t>(ready) != devices_)
        refuse(op, fmt::format("{} of {} devices go on", ready, devices_));
      hand_over(op.results, values, body.arguments, values);
      hand_over(run(function, body, values), values, op.results, values);
    }
    refuse(op, "a loop without an end");
  }

  // --- What devices exchange ---

  [[nodiscard]] std::vector<std::int64_t> numbers(const Op& op, std::string_view attribute) const {
    const Literal& literal = op.literal(attribute);
    const std::vector<std::byte> content = literal.expanded();
    std::vector<std::int64_t> all(content.size() / sizeof(std::int64_t));
    std::memcpy(all.data(), content.data(), all.size() * sizeof(std::int64_t));
    return all;
  }

  // The devices of each group, in its order.
  [[nodiscard]] std::vector<std::vector<std::size_t>> groups_of(const Op& op) const {
    const Literal& literal = op.literal("replica_groups");
    const std::vector<std::int64_t> ids = numbers(op, "replica_groups");
    const auto width = static_cast<std::size_t>(literal.type.shape.at(1));
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (i % width == 0) groups.emplace_back();
      if (ids[i] < 0) continue;
      if (static_cast<std::size_t>(ids[i]) >= devices_)
        refuse(op, fmt::format("device {} of {}", ids[i], devices_));
      groups.back().push_back(static_cast<std::size_t>(ids[i]));
    }
    if (groups.empty()) {
      groups.emplace_back();
      for (std::size_t d = 0; d < devices_; ++d) groups.back().push_back(d);
    }
    return groups;
  }

  void exchange(const Function& function, const Op& op, std::vector<Values>& values) {
    if (op.kind == OpKind::partition_id || op.kind == OpKind::replica_id)
      return number(op, function, values);
    if (op.kind == OpKind::collective_permute) return permute(op, function, values);
    if (op.kind == OpKind::collective_broadcast) refuse(op, "collective_broadcast");
    for (const std::vector<std::size_t>& group : groups_of(op)) {
      for (std::size_t i = 0; i < op.operands.size(); ++i) {
        std::vector<Literal> given;
        for (const std::size_t d : group) given.push_back(values[d].at(op.operands[i]));
        const Type& type = function.type(op.results[i]);
        std::vector<Literal> results = combined(op, function, given, type);
        for (std::size_t k = 0; k < group.size(); ++k)
          values[group[k]].insert_or_assign(op.results[i], std::move(results[k]));
      }
    }
  }

  // `type`: of one device's result.
  [[nodiscard]] std::vector<Literal> combined(const Op& op, const Function& function,
                                              const std::vector<Literal>& given,
                                              const Type& type) const {
    const std::size_t count = given.size();
    if (op.kind == OpKind::all_gather)
      return std::vector<Literal>(count, joined(given, op.integer("all_gather_dim"), type));
    std::vector<Literal> results;
    if (op.kind == OpKind::all_to_all) {
      for (std::size_t k = 0; k < count; ++k) {
        std::vector<Literal> parts;
        for (const Literal& each : given)
          parts.push_back(part(each, op.integer("split_dimension"), k, count));
        results.push_back(joined(parts, op.integer("concat_dimension"), type));
      }
      return results;
    }
    Literal sum = given.front();
    for (std::size_t k = 1; k < count; ++k) {
      const std::array<Literal, 2> both{sum, given[k]};
      std::vector<std::int64_t> dimensions;
      for (std::int64_t d = 0; d < sum.type.rank(); ++d) dimensions.push_back(d);
      sum = Alone(OpKind::map)
                .with("dimensions", std::move(dimensions))
                .with(op.regions.at(0), function)
                .of(both, sum.type);
    }
    if (op.kind == OpKind::all_reduce) return std::vector<Literal>(count, sum);
    for (std::size_t k = 0; k < count; ++k)
      results.push_back(part(sum, op.integer("scatter_dimension"), k, count));
    return results;
  }

  [[nodiscard]] static Literal joined(std::span<const Literal> parts, std::int64_t dim,
                                      const Type& type) {
    return Alone(OpKind::concatenate).with("dimension", dim).of(parts, type);
  }

  [[nodiscard]] static Literal part(const Literal& whole, std::int64_t dim, std::size_t k,
                                    std::size_t count) {
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

  void permute(const Op& op, const Function& function, std::vector<Values>& values) const {
    const std::span<const std::int64_t> pairs = op.integers("source_target_pairs");
    const Type& type = function.type(op.results[0]);
    const Literal zeros{
        .type = type,
        .content = std::vector<std::byte>(static_cast<std::size_t>(size_in_bytes(type.element))),
        .splat = true};
    std::vector<Literal> received(devices_, zeros);
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
      if (std::max(pairs[i], pairs[i + 1]) >= static_cast<std::int64_t>(devices_))
        refuse(op, fmt::format("from {} to {}", pairs[i], pairs[i + 1]));
      received[static_cast<std::size_t>(pairs[i + 1])] =
          values[static_cast<std::size_t>(pairs[i])].at(op.operands[0]);
    }
    for (std::size_t d = 0; d < devices_; ++d)
      values[d].insert_or_assign(op.results[0], std::move(received[d]));
  }

  void number(const Op& op, const Function& function, std::vector<Values>& values) const {
    for (std::size_t d = 0; d < devices_; ++d) {
      const auto id = static_cast<std::uint32_t>(op.kind == OpKind::partition_id ? d : 0);
      Literal literal{.type = function.type(op.results[0]),
                      .content = std::vector<std::byte>(sizeof(id))};
      std::memcpy(literal.content.data(), &id, sizeof(id));
      values[d].insert_or_assign(op.results[0], std::move(literal));
    }
  }

  const Module& module_;
  std::size_t devices_;
  const EvaluateLimits& limits_;
};

}  // namespace

std::vector<std::vector<Literal>> evaluate_together(const Module& module,
                                                    std::span<const std::vector<Literal>> inputs,
                                                    const EvaluateLimits& limits) {
  const Function& main = module.entry();
  std::vector<Values> values(inputs.size());
  for (std::size_t d = 0; d < inputs.size(); ++d) {
    for (std::size_t i = 0; i < main.body.arguments.size(); ++i)
      values[d].insert_or_assign(main.body.arguments[i], inputs[d].at(i));
  }
  Together together(module, inputs.size(), limits);
  const std::vector<ValueId>& returned = together.run(main, main.body, values);
  std::vector<std::vector<Literal>> results(inputs.size());
  for (std::size_t d = 0; d < inputs.size(); ++d) {
    for (const ValueId value : returned) results[d].push_back(values[d].at(value));
  }
  return results;
}

}  // namespace trainyard::graph

#include "graph/halves.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "graph/builder.h"
#include "graph/donation.h"
#include "graph/hoist_sums.h"
#include "graph/inline_calls.h"
#include "graph/partition.h"
#include "graph/partition/propagation.h"
#include "graph/reads.h"

namespace trainyard::graph {

namespace {

constexpr std::string_view mesh_name = "halves", axis_name = "core";
constexpr std::int64_t cores = 2;

// --- Which arguments are halved ---

// The slowest dimension that has more than one element.
std::optional<std::size_t> rows_dim(const Type& type) {
  if (type.kind != Type::Kind::tensor || !type.is_static()) return std::nullopt;
  for (std::size_t d = 0; d < type.shape.size(); ++d)
    if (type.shape[d] != 1) return d;
  return std::nullopt;
}
std::int64_t rows(const Type& type) {
  const std::optional<std::size_t> dim = rows_dim(type);
  return dim ? type.shape[*dim] : 1;
}
bool has_halves(const Type& type) { return rows(type) != 1 && rows(type) % cores == 0; }

class Halving {
 public:
  explicit Halving(const Function& main)
      : main_(main),
        mesh_(std::make_shared<const Mesh>(
            Mesh{.axes = {{.name = std::string(axis_name), .size = cores}}})) {}

  // The ways to halve arguments that are worth a try, likely ones first.
  [[nodiscard]] std::vector<std::vector<bool>> candidates() const {
    std::vector<std::vector<bool>> all;
    if (std::ranges::all_of(main_.results(), has_halves, type_of()))
      all.push_back(read_by_halves());
    for (const std::int64_t batch : batches()) {
      std::vector<bool>& halved = all.emplace_back();
      for (const ValueId value : main_.body.arguments)
        halved.push_back(is_data(value) && rows(main_.type(value)) == batch);
    }
    std::erase_if(all, [](const std::vector<bool>& halved) {
      return std::ranges::find(halved, true) == halved.end();
    });
    return all;
  }

 private:
  [[nodiscard]] std::function<const Type&(ValueId)> type_of() const {
    return [this](ValueId value) -> const Type& { return main_.type(value); };
  }
  [[nodiscard]] Sharding halved(ValueId value) const {
    const Type& type = main_.type(value);
    Sharding sharding{.mesh = mesh_, .dims = std::vector<Axes>(type.shape.size())};
    sharding.dims.at(rows_dim(type).value()) = {0};
    return sharding;
  }

  // The arguments whose halves the halves of all results read.
  [[nodiscard]] std::vector<bool> read_by_halves() const {
    std::vector<std::optional<Sharding>> wanted;
    for (const ValueId value : main_.results()) wanted.emplace_back(halved(value));
    const Facts facts(main_);
    const Propagation lies(main_, facts, {}, std::move(wanted), {});
    std::vector<bool> all;
    for (const ValueId value : main_.body.arguments)
      all.push_back(has_halves(main_.type(value)) && lies_alike(lies.of(value), halved(value)));
    return all;
  }

  // What a step returns in a new form is no data: weights, and an optimizer's state.
  [[nodiscard]] bool is_data(ValueId argument) const {
    const Type& type = main_.type(argument);
    return has_halves(type) &&
           std::ranges::find(main_.results(), type, type_of()) == std::ranges::end(main_.results());
  }

  // Numbers of rows that arguments have, those of most arguments first.
  [[nodiscard]] std::vector<std::int64_t> batches() const {
    constexpr std::size_t tried_max = 2;
    std::map<std::int64_t, int> counts;
    for (const ValueId value : main_.body.arguments)
      if (is_data(value)) ++counts[rows(main_.type(value))];
    std::vector<std::int64_t> all;
    for (const auto& [batch, count] : counts) all.push_back(batch);
    std::ranges::stable_sort(all, std::greater(), [&](std::int64_t b) { return counts.at(b); });
    all.resize(std::min(all.size(), tried_max));
    return all;
  }

  const Function& main_;
  std::shared_ptr<const Mesh> mesh_;
};

// --- What a core does of it ---

bool calls_host(const Op& op) {
  return is(op.kind, Trait::host) || is(op.kind, Trait::collective) ||
         op.kind == OpKind::partition_id || op.kind == OpKind::replica_id ||
         (op.kind == OpKind::custom_call && op.flag("has_side_effect", false));
}

bool is_about_devices(const NamedAttribute& attribute) {
  return attribute.name.starts_with("sdy.") || attribute.name == partitions_attribute;
}
bool is_donation(const NamedAttribute& attribute) {
  return attribute.name == donor_attribute || attribute.name == "tf.aliasing_output";
}

Function& main_of(Module& module) {
  return *std::ranges::find(module.functions, "main", &Function::name);
}

// The program as for two devices that have those halves.
Module for_devices(Module module, const std::vector<bool>& halved) {
  std::erase_if(module.attributes, is_about_devices);
  const AttributeList axis{{std::string(axis_name)}, {cores}};
  module.attributes.push_back({std::string(partitions_attribute), {cores}});
  module.attributes.push_back(
      {fmt::format("sdy.mesh.{}", mesh_name), {Dictionary{{"axes", {AttributeList{{axis}}}}}}});
  module.attributes = sorted_by_name(std::move(module.attributes));
  Function& main = main_of(module);
  main.argument_attributes.resize(halved.size());
  for (std::size_t i = 0; i < halved.size(); ++i) {
    Dictionary& attributes = main.argument_attributes[i];
    std::erase_if(attributes, is_about_devices);
    if (!halved[i]) continue;
    const Type& type = main.type(main.body.arguments[i]);
    std::string dims;
    for (std::size_t d = 0; d < type.shape.size(); ++d)
      dims += fmt::format("{}{{{}}}", d == 0 ? "" : ", ",
                          d == rows_dim(type) ? fmt::format("\"{}\"", axis_name) : "");
    attributes.push_back(
        {"sdy.sharding", {fmt::format("#sdy.sharding<@{}, [{}]>", mesh_name, dims)}});
    attributes = sorted_by_name(std::move(attributes));
  }
  for (Dictionary& attributes : main.result_attributes) std::erase_if(attributes, is_about_devices);
  return module;
}

// --- Where both meet ---

// The operation that combines the parts of both cores, if it is a single one.
std::optional<OpKind> combined_by(const Op& op) {
  if (op.kind != OpKind::all_reduce || op.regions.size() != 1) return std::nullopt;
  const Region& region = op.regions[0];
  if (region.ops.size() != 2 || !is(region.ops[0].kind, Trait::fold)) return std::nullopt;
  const bool is_of_both =
      region.ops[0].operands == region.arguments && region.ops[1].operands == region.ops[0].results;
  return is_of_both ? std::optional(region.ops[0].kind) : std::nullopt;
}

// Cuts what a core does where the sums of both are added up.
class Cut {
 public:
  // `whole`: what both do; `part`: what a core does of it, with its collectives.
  Cut(const Module& whole, const Module& part, std::vector<bool> halved)
      : whole_(whole), part_(part), main_(part.entry()), halved_(std::move(halved)) {}

  std::optional<Halves> run() && {
    if (!sort_values()) return std::nullopt;
    Halves made{.each = part_, .arguments = halved_};
    std::vector<ValueId> given;  // of each
    std::vector<ValueId> behind;
    const auto main_results = main_.results();
    for (std::size_t i = 0; i < main_results.size(); ++i) {
      const ValueId value = main_results[i];
      const bool is_part = parts_.contains(value);
      const Type& type = whole_.entry().type(whole_.entry().results()[i]);
      if (is_part && !is_half_of(main_.type(value), type)) return std::nullopt;
      // What follows from constants alone may have been halved, too: both cores have the same half.
      if (!is_part && main_.type(value).shape != type.shape) return std::nullopt;
      std::vector<ValueId>& list = is_part ? given : behind;
      made.results.push_back({!is_part, list.size()});
      list.push_back(value);
    }
    if (!behind.empty()) add_rest(behind, given, made);
    if (given.empty()) return std::nullopt;
    finish_each(given, made.each);
    return made;
  }

 private:
  static bool makes(const Op& op, const std::set<ValueId>& some) {
    return std::ranges::any_of(op.results, [&](ValueId value) { return some.contains(value); });
  }
  static bool is_half_of(const Type& half, Type type) {
    if (!has_halves(type)) return false;
    type.shape[*rows_dim(type)] /= cores;
    return half == type;
  }

  // Whether a sum that is no gradient of an argument would be rounded once more, in few bits: one
  // core adds up in float32.
  [[nodiscard]] bool loses(ValueId sum) const {
    const Type& type = main_.type(sum);
    return is_float(type.element) && type.element != ElementType::f32 &&
           type.element != ElementType::f64 &&
           std::ranges::none_of(main_.body.arguments,
                                [&](ValueId argument) { return main_.type(argument) == type; });
  }

  // What differs between the cores, and what follows from the sums of both. False where cores would
  // have to meet once more.
  bool sort_values() {
    for (std::size_t i = 0; i < halved_.size(); ++i)
      if (halved_[i]) parts_.insert(main_.body.arguments[i]);
    for (const Op& op : main_.body.ops) {
      if (op.kind == OpKind::return_) break;
      const std::set<ValueId> read = values_read(op);
      const auto reads = [&](const std::set<ValueId>& some) {
        return std::ranges::any_of(read, [&](ValueId value) { return some.contains(value); });
      };
      const bool is_sum = combined_by(op).has_value();
      const auto nested = [](const Region& region) { return has_op(region, calls_host); };
      if (std::ranges::any_of(op.regions, nested) || (calls_host(op) && !is_sum)) return false;
      const bool is_behind = reads(behind_);
      if (is_behind && (is_sum || reads(parts_))) return false;
      if (is_sum && std::ranges::any_of(op.results, [&](ValueId sum) { return loses(sum); }))
        return false;
      if (is_sum || is_behind)
        behind_.insert(op.results.begin(), op.results.end());
      else if (reads(parts_))
        parts_.insert(op.results.begin(), op.results.end());
    }
    return true;
  }

  // `given` gets the summands.
  void add_rest(const std::vector<ValueId>& results, std::vector<ValueId>& given, Halves& made) {
    Halves::Rest rest{.module = part_, .arguments = {}};
    Function& main = main_of(rest.module);
    std::vector<Op> ops;
    std::vector<ValueId> arguments;
    std::vector<Dictionary> attributes;
    for (Op& op : main.body.ops) {
      if (const std::optional<OpKind> kind = combined_by(op)) {
        for (std::size_t i = 0; i < op.operands.size(); ++i) {
          rest.arguments.push_back({false, given.size()});
          given.push_back(op.operands[i]);
          arguments.push_back(add_sum(main, op, i, *kind, ops));
        }
        attributes.resize(arguments.size());
      } else if (op.kind != OpKind::return_ && !makes(op, parts_)) {
        ops.push_back(std::move(op));
      }
    }
    ops.push_back({.kind = OpKind::return_, .operands = results});
    main.body.ops = std::move(ops);
    drop_unread(main.body);
    main.body.arguments = std::move(arguments);
    std::set<ValueId> read;
    add_read(main.body, read);
    for (std::size_t i = 0; i < halved_.size(); ++i) {
      if (halved_[i] || !read.contains(main_.body.arguments[i])) continue;
      rest.arguments.push_back({true, i});
      main.body.arguments.push_back(main_.body.arguments[i]);
      attributes.push_back(i < main_.argument_attributes.size() ? donor_of(i) : Dictionary());
    }
    main.argument_attributes = std::move(attributes);
    main.result_attributes.clear();
    rest.module.attributes = without_devices(whole_.attributes);
    made.rest = std::move(rest);
  }

  // Defines what the sum gives; the value that holds the parts of both cores.
  static ValueId add_sum(Function& main, const Op& op, std::size_t i, OpKind kind,
                         std::vector<Op>& ops) {
    const Type type = main.type(op.operands[i]);
    Type both = type;
    both.shape.insert(both.shape.begin(), cores);
    const ValueId parts = main.add_value(both);
    Builder builder(main, ops, op.location);
    std::vector<ValueId> operands;
    for (std::int64_t core = 0; core < cores; ++core)
      operands.push_back(builder.reshape(builder.sliced(parts, 0, core, core + 1), type.shape));
    ops.push_back({.kind = kind,
                   .operands = std::move(operands),
                   .results = {op.results[i]},
                   .location = op.location});
    return parts;
  }

  // Which result an argument's memory is meant for is known of main only: any may have it.
  [[nodiscard]] Dictionary donor_of(std::size_t argument) const {
    const Dictionary& attributes = main_.argument_attributes[argument];
    return std::ranges::any_of(attributes, is_donation)
               ? Dictionary{{std::string(donor_attribute), {true}}}
               : Dictionary();
  }

  // Two cores never write the same bytes, and none writes what the other one reads.
  void finish_each(const std::vector<ValueId>& given, Module& each) const {
    Function& main = main_of(each);
    std::vector<Op> ops;
    for (Op& op : main.body.ops) {
      if (op.kind != OpKind::return_ && !combined_by(op) && !makes(op, behind_))
        ops.push_back(std::move(op));
    }
    ops.push_back({.kind = OpKind::return_, .operands = given});
    main.body.ops = std::move(ops);
    drop_unread(main.body);
    for (std::size_t i = 0; i < main.argument_attributes.size(); ++i) {
      Dictionary& attributes = main.argument_attributes[i];
      const bool is_donor = halved_[i] && std::ranges::any_of(attributes, is_donation);
      std::erase_if(attributes, is_about_devices);
      std::erase_if(attributes, is_donation);
      if (is_donor) attributes.push_back({std::string(donor_attribute), {true}});
    }
    main.result_attributes.clear();
    each.attributes = without_devices(whole_.attributes);
  }

  static Dictionary without_devices(Dictionary attributes) {
    std::erase_if(attributes, is_about_devices);
    return attributes;
  }

  const Module& whole_;
  const Module& part_;
  const Function& main_;
  std::vector<bool> halved_;
  std::set<ValueId> parts_, behind_;
};

}  // namespace

std::optional<Halves> halves_of(const Module& module) {
  if (partitions(module) > 1 || has_op(module.entry().body, calls_host)) return std::nullopt;
  const Module flat = without_calls(module).value_or(module);
  for (const std::vector<bool>& halved : Halving(flat.entry()).candidates()) {
    Module part = partition(for_devices(flat, halved)).module;
    hoist_sums(main_of(part));
    if (std::optional<Halves> made = Cut(flat, part, halved).run()) return made;
  }
  return std::nullopt;
}

}  // namespace trainyard::graph

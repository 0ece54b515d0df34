#include "compiler/lowering/attention/attention_pattern.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "compiler/lowering/attention/attention.h"
#include "compiler/lowering/attention/attention_gradient.h"
#include "compiler/lowering/attention/attention_gradient_matcher.h"
#include "compiler/lowering/attention/attention_matcher.h"
#include "graph/reads.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

using Forward = AttentionMatcher::Found;

graph::Attribute list(std::vector<std::int64_t> values) { return {std::move(values)}; }

void sort_by_name(graph::Dictionary& attributes) {
  std::ranges::sort(attributes, {}, &graph::NamedAttribute::name);
}

graph::Dictionary attributes_of(AttentionShape shape, std::string_view name,
                                const std::set<const Op*>& members) {
  for (const Op* const op : members) shape.locations.push_back(op->location);
  std::ranges::sort(shape.locations);
  shape.locations.erase(std::ranges::unique(shape.locations).begin(), shape.locations.end());
  graph::Dictionary all{{"column_count", {shape.columns}},
                        {"depth", {shape.depth}},
                        {"key_dims", list(shape.key_dims)},
                        {"keys", {shape.keys}},
                        {"locations", list({shape.locations.begin(), shape.locations.end()})},
                        {"name", {std::string(name)}},
                        {"outer", list(shape.outer)},
                        {"queries", {shape.queries}},
                        {"query_dims", list(shape.query_dims)},
                        {"result_dims", list(shape.result_dims)},
                        {"scale", {shape.scale}},
                        {"value_dims", list(shape.value_dims)},
                        {"weights", {Type{.element = shape.weights}}}};
  if (shape.mask) {
    all.push_back({"mask_high", {shape.mask->high}});
    all.push_back({"mask_low", {shape.mask->low}});
  }
  if (shape.inner) all.push_back({"inner", {*shape.inner}});
  if (shape.limit != AttentionShape::Limit::none) {
    all.push_back({"limit", {static_cast<std::int64_t>(shape.limit)}});
    all.push_back({"limit_dims", list(shape.limit_dims)});
    all.push_back({"masked", {shape.masked}});
  }
  sort_by_name(all);
  return all;
}

// What an attention leaves for its gradient.
struct Left {
  ValueId sums = 0, result = 0;
};

Op composite(const Forward& found, graph::LocationId location, const std::optional<Left>& left) {
  Op op{.kind = OpKind::composite,
        .operands = {found.queries, found.keys, found.values},
        .results = {found.result},
        .attributes = attributes_of(found.shape, attention_name, found.members),
        .location = location};
  if (found.limit) op.operands.push_back(*found.limit);
  if (left) op.results.insert(op.results.end(), {left->sums, left->result});
  return op;
}

Op composite(const AttentionGradient& found, const Left& left, graph::LocationId location) {
  Op op{.kind = OpKind::composite,
        .operands = {found.queries, found.keys, found.values, found.given, left.result, left.sums},
        .results = {found.of_queries, found.of_keys, found.of_values},
        .attributes = attributes_of(found.shape, attention_gradient_name, found.members),
        .location = location};
  op.attributes.push_back({"given_dims", list(found.given_dims)});
  op.attributes.push_back({"of_key_dims", list(found.of_key_dims)});
  op.attributes.push_back({"of_query_dims", list(found.of_query_dims)});
  op.attributes.push_back({"of_value_dims", list(found.of_value_dims)});
  sort_by_name(op.attributes);
  return op;
}

void count(const Region& region, std::vector<int>& readers) {
  for (const Op& op : region.ops) {
    for (const ValueId value : op.operands) ++readers[value];
    for (const Region& nested : op.regions) count(nested, readers);
  }
}

// What stands in the place of an operation.
using Consumers = std::map<const Op*, std::vector<Op>>;

class Recognizer {
 public:
  Recognizer(Function& function, const machine::Core& core)
      : function_(function), core_(core), definitions_(function) {
    readers_.assign(function.types.size(), 0);
    count(function.body, readers_);
  }

  void run(Region& region) {
    for (Op& op : region.ops) {
      for (Region& nested : op.regions) run(nested);
    }
    gone_.clear();
    places_.clear();
    std::vector<AttentionGradient> gradients;
    const Readers by_value = readers_in(region);
    for (const Op& op : region.ops) {
      if (op.kind != OpKind::multiply) continue;
      if (auto found = attention_gradient(function_, definitions_, by_value, core_, op)) {
        take_readers(region, found->of_queries, found->of_query_dims, found->roots);
        take_readers(region, found->of_keys, found->of_key_dims, found->roots);
        take_readers(region, found->of_values, found->of_value_dims, found->roots);
        leave_out(region, found->members, found->roots);
        gradients.push_back(*std::move(found));
      }
    }
    for (const Op& op : region.ops) {
      const bool is_root = op.kind == OpKind::dot_general || op.kind == OpKind::divide;
      if (is_root && !gone_.contains(&op)) find_forward(region, op);
    }
    for (const AttentionGradient& gradient : gradients) place(region, gradient);
    for (auto& [value, forward] : forwards_) {
      places_[forward.at].insert(places_[forward.at].begin(),
                                 composite(forward.found, forward.at->location, forward.left));
    }
    forwards_.clear();
    rebuild(region);
  }

 private:
  struct Placed {
    Forward found;
    const Op* at = nullptr;
    std::optional<Left> left{};
  };

  [[nodiscard]] static Readers readers_in(const Region& region) {
    Readers all;
    for (const Op& op : region.ops)
      for (const ValueId value : values_read(op)) all[value].push_back(&op);
    return all;
  }

  // The roots, and what nobody but these reads then, go.
  void leave_out(const Region& region, const std::set<const Op*>& members,
                 const std::set<const Op*>& roots) {
    for (auto op = region.ops.rbegin(); op != region.ops.rend(); ++op) {
      const bool is_unread =
          members.contains(&*op) && op->results.size() == 1 && readers_[op->results[0]] == 0;
      if (gone_.contains(&*op) || (!roots.contains(&*op) && !is_unread)) continue;
      gone_.insert(&*op);
      for (const ValueId value : op->operands) --readers_[value];
    }
  }

  // Nobody but its own operations reads what lies between.
  [[nodiscard]] bool is_closed(const Forward& found, const Op& root) const {
    std::map<ValueId, int> inside;
    for (const Op* const op : found.members) {
      if (!gone_.contains(op))
        for (const ValueId value : op->operands) ++inside[value];
    }
    return std::ranges::all_of(found.members, [&](const Op* op) {
      return op == &root || readers_[op->results[0]] == inside[op->results[0]];
    });
  }

  void find_forward(const Region& region, const Op& root) {
    for (const bool weights_are_left : {true, false}) {
      AttentionMatcher matcher(function_, definitions_, core_, AttentionMatcher::Queries::any);
      if (!matcher.matches(root, weights_are_left) || !is_closed(matcher.found(), root) ||
          !attention_fits(matcher.found().shape, function_.type(matcher.found().queries).element,
                          function_.type(matcher.found().values).element, core_))
        continue;
      Forward found = matcher.found();
      if (are_few(found.shape)) read_as_stored(found);
      take_readers(region, found.result, found.shape.result_dims, found.members);
      leave_out(region, found.members, {&root});
      for (const Op* const op : found.members) gone_.insert(op);
      forwards_[found.power] = {std::move(found), &root};
      return;
    }
  }

  // Keys and values that were widened from eight bits, as those of a narrow cache, are read as they
  // are stored: the array multiplies eight bits by sixteen.
  void read_as_stored(Forward& found) {
    for (ValueId* const value : {&found.keys, &found.values}) {
      const Op* const wide = definitions_.of(*value);
      if (wide == nullptr || wide->kind != OpKind::convert) continue;
      const graph::ElementType from = function_.type(wide->operands[0]).element;
      if (!graph::is_float(from) || graph::bits(from) != 8) continue;
      --readers_[*value];
      *value = wide->operands[0];
      ++readers_[*value];
      if (readers_[wide->results[0]] > 0) continue;
      gone_.insert(wide);
      --readers_[*value];
    }
  }

  // What alone reads a result says how it is stored, and goes, too: transposes, and a cast of
  // float32 to a narrower format.
  void take_readers(const Region& region, ValueId& result, std::vector<std::int64_t>& dims,
                    std::set<const Op*>& taken) const {
    while (readers_[result] == 1) {
      const auto reader = std::ranges::find_if(region.ops, [&](const Op& op) {
        const bool is_one = op.kind == OpKind::transpose || op.kind == OpKind::convert;
        return is_one && op.operands[0] == result && !gone_.contains(&op);
      });
      if (reader == region.ops.end()) return;
      if (reader->kind == OpKind::convert) {
        const graph::ElementType to = function_.type(reader->results[0]).element;
        if (function_.type(result).element != graph::ElementType::f32 || !graph::is_float(to) ||
            graph::bits(to) != 16)
          return;
      } else {
        const auto order = reader->integers("permutation");
        for (std::int64_t& dim : dims)
          if (dim != AttentionShape::repeats) dim = std::ranges::find(order, dim) - order.begin();
      }
      result = reader->results[0];
      taken.insert(&*reader);
    }
  }

  // The gradient stands in the place of its first product; it needs the result and the sums of the
  // attention itself.
  void place(const Region& region, const AttentionGradient& gradient) {
    const auto at = std::ranges::find_if(
        region.ops, [&](const Op& op) { return gradient.products.contains(&op); });
    const auto known = forwards_.find(gradient.power);
    const bool is_before = known != forwards_.end() && known->second.at < &*at;
    std::vector<Op>& ops = places_[&*at];
    if (is_before) {
      if (!known->second.left) known->second.left = leave(gradient.shape);
      ops.push_back(composite(gradient, *known->second.left, at->location));
      return;
    }
    const Left left = leave(gradient.shape);
    ops.push_back(composite(again(gradient), at->location, left));
    ops.push_back(composite(gradient, left, at->location));
  }
  Left leave(const AttentionShape& shape) {
    std::vector<std::int64_t> dims = shape.outer;
    dims.push_back(shape.queries);
    Left made;
    made.sums = function_.add_value({.element = graph::ElementType::f32, .shape = dims});
    dims.push_back(shape.columns);
    made.result =
        function_.add_value({.element = graph::ElementType::f32, .shape = std::move(dims)});
    return made;
  }
  // The attention computed for its gradient.
  Forward again(const AttentionGradient& gradient) {
    Forward made{.shape = gradient.shape,
                 .queries = gradient.queries,
                 .keys = gradient.keys,
                 .values = gradient.values};
    std::vector<std::int64_t> dims = gradient.shape.outer;
    dims.insert(dims.end(), {gradient.shape.queries, gradient.shape.columns});
    for (std::size_t i = 0; i < dims.size(); ++i)
      made.shape.result_dims.push_back(static_cast<std::int64_t>(i));
    made.result = function_.add_value(
        {.element = function_.type(gradient.values).element, .shape = std::move(dims)});
    return made;
  }

  void rebuild(Region& region) {
    if (places_.empty()) return;
    std::vector<Op> kept;
    for (Op& op : region.ops) {
      if (const auto found = places_.find(&op); found != places_.end())
        std::ranges::move(found->second, std::back_inserter(kept));
      if (!gone_.contains(&op)) kept.push_back(std::move(op));
    }
    region.ops = std::move(kept);
  }

  Function& function_;
  const machine::Core& core_;
  Definitions definitions_;
  std::vector<int> readers_;
  std::set<const Op*> gone_;
  Consumers places_;
  std::map<ValueId, Placed> forwards_;  // by their exponentials
};

}  // namespace

std::int64_t AttentionShape::batches() const {
  return std::accumulate(outer.begin(), outer.end(), std::int64_t{1}, std::multiplies<>{});
}

bool is_attention(const Op& op) {
  return op.kind == OpKind::composite && op.text("name") == attention_name;
}

AttentionShape attention_shape(const Op& op) {
  const auto list = [&](std::string_view name) {
    const auto all = op.integers(name);
    return std::vector<std::int64_t>(all.begin(), all.end());
  };
  const auto locations = op.integers("locations");
  AttentionShape shape{.outer = list("outer"),
                       .query_dims = list("query_dims"),
                       .key_dims = list("key_dims"),
                       .value_dims = list("value_dims"),
                       .result_dims = list("result_dims"),
                       .queries = op.integer("queries"),
                       .keys = op.integer("keys"),
                       .depth = op.integer("depth"),
                       .columns = op.integer("column_count"),
                       .scale = std::get<double>(op.find("scale")->value),
                       .weights = std::get<Type>(op.find("weights")->value).element,
                       .locations = {locations.begin(), locations.end()}};
  if (op.find("mask_low") != nullptr)
    shape.mask = DiagonalMask{op.integer("mask_low"), op.integer("mask_high")};
  if (const auto* const inner = op.find("inner")) shape.inner = std::get<double>(inner->value);
  if (op.find("limit") != nullptr) {
    shape.limit = static_cast<AttentionShape::Limit>(op.integer("limit"));
    shape.limit_dims = list("limit_dims");
    shape.masked = std::get<double>(op.find("masked")->value);
  }
  return shape;
}

void recognize_attention(graph::Module& module, const machine::Core& core) {
  for (Function& function : module.functions) Recognizer(function, core).run(function.body);
}

}  // namespace trainyard::compiler

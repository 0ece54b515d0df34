#include "compiler/lowering/canonical/merged_dims.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/dot_sides.h"
#include "graph/builder.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;
using Form = std::vector<Dims>;  // of each dimension, the sizes of those that it is merged from

std::size_t at(std::int64_t dim) { return static_cast<std::size_t>(dim); }

Form whole(const Dims& shape) {
  Form form;
  for (const std::int64_t size : shape) form.push_back({size});
  return form;
}
Dims flattened(const Form& form) {
  Dims all;
  for (const Dims& each : form) all.insert(all.end(), each.begin(), each.end());
  return all;
}
bool is_apart(const Form& form) {
  return std::ranges::any_of(form, [](const Dims& each) { return each.size() > 1; });
}
// The dimensions that those of the merged value are.
Dims expanded(const Form& form, std::span<const std::int64_t> dims) {
  Dims all;
  for (const std::int64_t dim : dims) {
    std::int64_t first = 0;
    for (std::int64_t i = 0; i < dim; ++i) first += std::ssize(form[at(i)]);
    for (std::int64_t i = 0; i < std::ssize(form[at(dim)]); ++i) all.push_back(first + i);
  }
  return all;
}

// How a reshape merges dimensions, those of one element with the first that can have them. Nothing
// where it divides one.
std::optional<Form> merged_from(const Dims& from, const Dims& to) {
  Form form;
  std::size_t next = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    Dims sizes;
    std::int64_t size = 1;
    const auto take = [&] {
      size *= from[next];
      sizes.push_back(from[next++]);
    };
    while (next < from.size() && (sizes.empty() || size < to[i])) take();
    const std::size_t others = to.size() - i - 1;
    while (next < from.size() && from[next] == 1 && from.size() - next > others) take();
    if (size != to[i] || sizes.empty()) return std::nullopt;
    form.push_back(std::move(sizes));
  }
  return next == from.size() ? std::optional(form) : std::nullopt;
}

enum class Merged : std::uint8_t { batches, repeats };

class DimSplitter {
 public:
  DimSplitter(Function& function, Merged which) : function_(function), which_(which) {
    collect(function.body);
  }

  void run() {
    rewrite(function_.body);
    if (made_any_) drop_unread(function_.body);
  }

 private:
  struct Apart {
    ValueId value = 0;
    Form form{};
    bool computes = true;  // what is computed with it stays apart, too, and not only turned
  };

  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }
  [[nodiscard]] const Dims& shape(ValueId value) const { return type(value).shape; }

  void collect(const Region& region) {
    for (const Op& op : region.ops) {
      for (const ValueId value : op.operands) {
        if (op.kind == OpKind::dot_general) multiplied_.insert(value);
        if (passes_on(op)) made_of_[value].push_back(op.results[0]);
      }
      if (op.kind == OpKind::broadcast_in_dim) broadcasts_.emplace(op.results[0], op);
      for (const Region& nested : op.regions) collect(nested);
    }
  }

  // Whether the elements keep their order, so that only the shape changes.
  [[nodiscard]] bool only_reshapes(const Op& op) const {
    if (op.kind == OpKind::reshape) return type(op.operands[0]).is_static();
    return op.kind == OpKind::broadcast_in_dim && type(op.results[0]).is_static() &&
           type(op.operands[0]).elements() == type(op.results[0]).elements() &&
           std::ranges::is_sorted(op.integers("broadcast_dimensions"));
  }

  // Whether dimensions stay apart from an operand to the result.
  [[nodiscard]] static bool passes_on(const Op& op) {
    return op.results.size() == 1 &&
           (op.kind == OpKind::transpose || graph::is(op.kind, graph::Trait::elementwise));
  }
  [[nodiscard]] bool reaches_a_product(ValueId value) const {
    std::vector<ValueId> waiting{value};
    std::set<ValueId> seen;
    while (!waiting.empty()) {
      const ValueId next = waiting.back();
      waiting.pop_back();
      if (multiplied_.contains(next)) return true;
      const auto found = made_of_.find(next);
      if (found == made_of_.end() || !seen.insert(next).second) continue;
      waiting.insert(waiting.end(), found->second.begin(), found->second.end());
    }
    return false;
  }

  // What a reshape merges, where some of it is repeated and some is not.
  [[nodiscard]] std::optional<Form> repeats(const Op& op) const {
    if (which_ != Merged::repeats || op.kind != OpKind::reshape || !type(op.results[0]).is_static())
      return std::nullopt;
    const auto source = broadcasts_.find(op.operands[0]);
    if (source == broadcasts_.end()) return std::nullopt;
    auto form = merged_from(shape(op.operands[0]), shape(op.results[0]));
    const auto merges = [](const Dims& sizes) {
      return std::ranges::count_if(sizes, [](std::int64_t size) { return size > 1; }) > 1;
    };
    const bool is_one =
        form && std::ranges::any_of(*form, merges) &&
        type(source->second.operands[0]).elements() < type(op.operands[0]).elements() &&
        reaches_a_product(op.results[0]);
    return is_one ? form : std::nullopt;
  }

  // A value as dimensions of that form.
  [[nodiscard]] ValueId in_form(ValueId value, const Form& form, graph::Builder& write) {
    if (!is_apart(form)) return value;
    const auto found = apart_.find(value);
    if (found != apart_.end() && found->second.form == form) return found->second.value;
    const auto [known, is_new] = in_forms_.try_emplace({value, form});
    if (is_new) known->second = put_in_form(value, form, write);
    return known->second;
  }
  ValueId put_in_form(ValueId value, const Form& form, graph::Builder& write) const {
    const auto source = broadcasts_.find(value);
    if (source == broadcasts_.end()) return write.reshape(value, flattened(form));
    const ValueId from = source->second.operands[0];
    const auto dims = source->second.integers("broadcast_dimensions");
    Form parts;
    Dims places;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const bool repeats = shape(from)[i] == 1;
      const Dims to = expanded(form, dims.subspan(i, 1));
      parts.push_back(repeats ? Dims{1} : form[at(dims[i])]);
      places.insert(places.end(), to.begin(), to.begin() + std::ssize(parts.back()));
    }
    const ValueId divided = is_apart(parts) ? write.reshape(from, flattened(parts)) : from;
    return write.spread(divided, std::move(places), flattened(form));
  }

  [[nodiscard]] Form form_of(ValueId value) const {
    const auto found = apart_.find(value);
    return found == apart_.end() ? whole(shape(value)) : found->second.form;
  }

  // The operation on dimensions that are apart, where it can be: its result is then made of that.
  [[nodiscard]] bool stays_apart(const Op& op, std::vector<Op>& ops) {
    if (op.results.size() != 1 || !type(op.results[0]).is_static()) return false;
    if (op.kind == OpKind::dot_general) return multiply(op, ops);
    const auto apart = std::ranges::find_if(
        op.operands, [&](ValueId operand) { return apart_.contains(operand); });
    if (apart == op.operands.end()) return false;
    const Form form = form_of(*apart);
    if (op.kind == OpKind::transpose) return turn(op, form, ops);
    if (op.kind == OpKind::reshape) return reshape(op, form, ops);
    if (!apart_.at(*apart).computes) return false;
    if (graph::is(op.kind, graph::Trait::elementwise)) return compute(op, form, ops);
    switch (op.kind) {
      case OpKind::reduce: return reduce(op, form, ops);
      case OpKind::broadcast_in_dim: return spread(op, form, ops);
      default: return false;
    }
  }

  bool put(const Op& op, Op made, Form form, std::vector<Op>& ops, bool computes = true) {
    Type to = type(op.results[0]);
    to.shape = flattened(form);
    const ValueId value = function_.add_value(std::move(to));
    made.results = {value};
    ops.push_back(std::move(made));
    ops.push_back({.kind = OpKind::reshape,
                   .operands = {value},
                   .results = op.results,
                   .location = op.location});
    apart_[op.results[0]] = {value, std::move(form), computes};
    return made_any_ = true;
  }

  bool compute(const Op& op, const Form& form, std::vector<Op>& ops) {
    graph::Builder write(function_, ops, op.location);
    Op made = op;
    for (ValueId& operand : made.operands)
      if (!shape(operand).empty()) operand = in_form(operand, form, write);
    return put(op, std::move(made), form, ops);
  }

  bool turn(const Op& op, const Form& form, std::vector<Op>& ops) {
    const auto order = op.integers("permutation");
    Form result;
    for (const std::int64_t dim : order) result.push_back(form[at(dim)]);
    const Apart& apart = apart_.at(op.operands[0]);
    Op made = op;
    made.operands = {apart.value};
    set_integers(made.attributes, "permutation", expanded(form, order));
    return put(op, std::move(made), std::move(result), ops, apart.computes);
  }

  // One that adds dimensions of one element, or leaves them out.
  bool reshape(const Op& op, const Form& form, std::vector<Op>& ops) {
    const Dims &from = shape(op.operands[0]), &to = shape(op.results[0]);
    Form result;
    std::size_t next = 0;
    const auto skip = [&] {
      while (next < from.size() && from[next] == 1) ++next;
    };
    for (const std::int64_t size : to) {
      if (size != 1) skip();
      if (size != 1 && (next == from.size() || from[next] != size)) return false;
      result.push_back(size == 1 ? Dims{1} : form[next++]);
    }
    skip();
    if (next < from.size() || !is_apart(result)) return false;
    const Apart& apart = apart_.at(op.operands[0]);
    Op made = op;
    made.operands = {apart.value};
    return put(op, std::move(made), std::move(result), ops, apart.computes);
  }

  bool reduce(const Op& op, const Form& form, std::vector<Op>& ops) {
    const auto dims = op.integers("dimensions");
    if (op.operands.size() != 2 || !apart_.contains(op.operands[0])) return false;
    Form result;
    for (std::int64_t dim = 0; dim < std::ssize(form); ++dim)
      if (!is_in(dims, dim)) result.push_back(form[at(dim)]);
    Op made = op;
    made.operands[0] = apart_.at(op.operands[0]).value;
    set_integers(made.attributes, "dimensions", expanded(form, dims));
    return is_apart(result) && put(op, std::move(made), std::move(result), ops);
  }

  bool spread(const Op& op, const Form& form, std::vector<Op>& ops) {
    const auto dims = op.integers("broadcast_dimensions");
    Form result = whole(shape(op.results[0]));
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const bool repeats = shape(op.operands[0])[i] != shape(op.results[0])[at(dims[i])];
      if (repeats && form[i].size() > 1) return false;
      if (!repeats) result[at(dims[i])] = form[i];
    }
    Op made = op;
    made.operands = {apart_.at(op.operands[0]).value};
    set_integers(made.attributes, "broadcast_dimensions", expanded(result, dims));
    return put(op, std::move(made), std::move(result), ops);
  }

  // The operands of a product as they are apart, one of them because the other one is.
  [[nodiscard]] std::array<Apart, 2> sides_of(const Op& dot, graph::Builder& write) {
    std::array<Form, 2> forms{form_of(dot.operands[0]), form_of(dot.operands[1])};
    for (const auto member : {&DotSide::batches, &DotSide::depths}) {
      const auto left = dot.integers(dot_sides[0].*member),
                 right = dot.integers(dot_sides[1].*member);
      for (std::size_t i = 0; i < left.size(); ++i) {
        Dims &a = forms[0][at(left[i])], &b = forms[1][at(right[i])];
        if (a.size() < b.size()) {
          a = b;
        } else {
          b = a;
        }
      }
    }
    return {Apart{.value = in_form(dot.operands[0], forms[0], write), .form = forms[0]},
            Apart{.value = in_form(dot.operands[1], forms[1], write), .form = forms[1]}};
  }

  // A value before a reshape has merged dimensions of it, turned as it was turned since.
  std::optional<Apart> behind(ValueId value, graph::Builder& write) {
    if (const auto found = apart_.find(value); found != apart_.end()) return found->second;
    if (const auto found = reshaped_from_.find(value); found != reshaped_from_.end()) {
      auto form = merged_from(shape(found->second), shape(value));
      return form && is_apart(*form)
                 ? std::optional(Apart{.value = found->second, .form = *std::move(form)})
                 : std::nullopt;
    }
    const auto turned = turns_.find(value);
    if (turned == turns_.end()) return std::nullopt;
    const auto inner = behind(turned->second.operands[0], write);
    if (!inner) return std::nullopt;
    const auto order = turned->second.integers("permutation");
    made_any_ = true;  // though the product may not take it
    Apart made;
    for (const std::int64_t dim : order) made.form.push_back(inner->form[at(dim)]);
    made.value = write.turned(inner->value, expanded(inner->form, order));
    return made;
  }

  // The operands before reshapes have merged batches of both alike, and nothing else.
  [[nodiscard]] std::optional<std::array<Apart, 2>> before_merging(const Op& dot,
                                                                   graph::Builder& write) {
    if (which_ != Merged::batches) return std::nullopt;
    std::array<Apart, 2> sides;
    for (std::size_t side = 0; side < 2; ++side) {
      auto found = behind(dot.operands[side], write);
      if (!found) return std::nullopt;
      const auto batches = dot.integers(dot_sides[side].batches);
      for (std::int64_t dim = 0; dim < std::ssize(found->form); ++dim) {
        const bool is_batch = is_in(batches, dim);
        if (!is_batch && found->form[at(dim)].size() > 1) return std::nullopt;
      }
      sides[side] = *std::move(found);
    }
    const auto left = dot.integers(dot_sides[0].batches),
               right = dot.integers(dot_sides[1].batches);
    for (std::size_t i = 0; i < left.size(); ++i)
      if (sides[0].form[at(left[i])] != sides[1].form[at(right[i])]) return std::nullopt;
    return sides;
  }

  bool multiply(const Op& dot, std::vector<Op>& ops) {
    graph::Builder write(function_, ops, dot.location);
    const auto before = before_merging(dot, write);
    if (!before && which_ == Merged::batches) return false;
    const std::array<Apart, 2> sides = before ? *before : sides_of(dot, write);
    if (!is_apart(sides[0].form) && !is_apart(sides[1].form)) return false;
    Op made = dot;
    Form result;
    for (const std::int64_t dim : dot.integers(dot_sides[0].batches))
      result.push_back(sides[0].form[at(dim)]);
    for (std::size_t side = 0; side < 2; ++side) {
      const Form& form = sides[side].form;
      const auto batches = dot.integers(dot_sides[side].batches),
                 depths = dot.integers(dot_sides[side].depths);
      made.operands[side] = sides[side].value;
      set_integers(made.attributes, dot_sides[side].batches, expanded(form, batches));
      set_integers(made.attributes, dot_sides[side].depths, expanded(form, depths));
      for (std::int64_t dim = 0; dim < std::ssize(form); ++dim) {
        if (!is_in(batches, dim) && !is_in(depths, dim)) result.push_back(form[at(dim)]);
      }
    }
    return put(dot, std::move(made), std::move(result), ops,
               !before || reaches_a_product(dot.results[0]));
  }

  // The value that a reshape of what is apart makes again.
  [[nodiscard]] std::optional<ValueId> made_again(const Op& op) const {
    if (!only_reshapes(op)) return std::nullopt;
    const auto apart = apart_.find(op.operands[0]);
    const bool is_same = apart != apart_.end() && type(apart->second.value) == type(op.results[0]);
    return is_same ? std::optional(apart->second.value) : std::nullopt;
  }

  void rewrite(Region& region) {
    const auto known_outside = in_forms_;
    std::vector<Op> ops;
    for (Op& op : region.ops) {
      for (ValueId& operand : op.operands)
        if (const auto found = same_.find(operand); found != same_.end()) operand = found->second;
      for (Region& nested : op.regions) rewrite(nested);
      // The first dimension of what lies in a stack is no batch.
      if (op.kind == OpKind::dynamic_slice) stacked_.insert(op.results[0]);
      if (only_reshapes(op) && !stacked_.contains(op.operands[0]))
        reshaped_from_[op.results[0]] = op.operands[0];
      if (op.kind == OpKind::transpose) turns_[op.results[0]] = op;
      if (const auto value = made_again(op)) {
        same_[op.results[0]] = *value;
        made_any_ = true;
      } else if (const auto form = repeats(op)) {
        apart_[op.results[0]] = {.value = op.operands[0], .form = *form};
        ops.push_back(std::move(op));
      } else if (!stays_apart(op, ops)) {
        ops.push_back(std::move(op));
      }
    }
    region.ops = std::move(ops);
    in_forms_ = known_outside;
  }

  // Shapes and orders that nothing reads any longer.
  void drop_unread(Region& region) {
    std::map<ValueId, int> readers;
    const auto count = [&](const Region& each, const auto& self) -> void {
      for (const Op& op : each.ops) {
        for (const ValueId value : op.operands) ++readers[value];
        for (const Region& nested : op.regions) self(nested, self);
      }
    };
    count(function_.body, count);
    const auto drop = [&](Region& each, const auto& self) -> void {
      std::set<const Op*> unread;
      for (Op& op : each.ops | std::views::reverse) {
        for (Region& nested : op.regions) self(nested, self);
        if (!graph::is(op.kind, graph::Trait::arrange) || readers[op.results[0]] > 0) continue;
        unread.insert(&op);
        for (const ValueId value : op.operands) --readers[value];
      }
      std::erase_if(each.ops, [&](const Op& op) { return unread.contains(&op); });
    };
    drop(region, drop);
  }

  Function& function_;
  Merged which_;
  std::set<ValueId> multiplied_;                     // by products
  std::map<ValueId, std::vector<ValueId>> made_of_;  // through what dimensions stay apart
  std::map<ValueId, Op> broadcasts_;
  std::map<ValueId, Op> turns_;
  std::set<ValueId> stacked_;                 // slices at places that are computed
  std::map<ValueId, ValueId> reshaped_from_;  // what only differs in its shape
  std::map<ValueId, Apart> apart_;
  std::map<std::pair<ValueId, Form>, ValueId> in_forms_;  // what was put in a form
  std::map<ValueId, ValueId> same_;                       // what a value replaces
  bool made_any_ = false;
};

}  // namespace

void split_merged_dims(graph::Module& module) {
  for (Function& function : module.functions) {
    for (const Merged which : {Merged::batches, Merged::repeats})
      DimSplitter(function, which).run();
  }
}

}  // namespace trainyard::compiler

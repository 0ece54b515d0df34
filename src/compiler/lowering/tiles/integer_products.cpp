#include "compiler/lowering/tiles/integer_products.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/builder.h"
#include "graph/replace_each.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

constexpr std::int64_t exact_in_float32 = std::int64_t{1} << 24;
// Pieces are whole passes over the partitions, where they are as long.
constexpr std::int64_t pass = 128;

std::int64_t largest(ElementType type) { return graph::is_signed(type) ? 128 : 255; }

class IntegerProducts {
 public:
  explicit IntegerProducts(Function& function) : function_(function) {
    collect(function.body);
    graph::replace_each(function.body, [&](const Op& op, std::vector<Op>& ops) {
      if (!is_one(op)) return false;
      multiply(op, ops);
      return true;
    });
  }

 private:
  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }

  void collect(const Region& region) {
    for (const Op& op : region.ops) {
      if (op.kind == OpKind::convert) converted_from_[op.results[0]] = op.operands[0];
      for (const Region& inner : op.regions) collect(inner);
    }
  }
  // What the value was widened from, if that has 8 bits, or the value.
  [[nodiscard]] ValueId origin(ValueId value) const {
    const auto found = converted_from_.find(value);
    return found != converted_from_.end() && is_small(type(found->second)) ? found->second : value;
  }
  [[nodiscard]] static bool is_small(const Type& t) {
    return t.is_static() && t.quantized.empty() && is_multiplied_in_bfloat16(t.element);
  }

  [[nodiscard]] bool is_one(const Op& op) const {
    if (op.kind != OpKind::dot_general) return false;
    const Type& result = type(op.results[0]);
    const bool is_integer = graph::is_integer(result.element) && graph::bits(result.element) <= 32;
    return is_integer && is_small(type(origin(op.operands[0]))) &&
           is_small(type(origin(op.operands[1]))) && graph::bits(result.element) >= 8 &&
           result.quantized.empty() && piece(op) > 0;
  }

  // How much of the first dimension that is summed over one product may take.
  [[nodiscard]] std::int64_t piece(const Op& op) const {
    const Type &left = type(origin(op.operands[0])), &right = type(origin(op.operands[1]));
    const auto dims = op.integers("lhs_contracting_dimensions");
    std::int64_t others = 1;
    for (const std::int64_t dim : dims) others *= left.shape[static_cast<std::size_t>(dim)];
    const std::int64_t most = exact_in_float32 / largest(left.element) / largest(right.element);
    if (others <= most) return others;
    others /= left.shape[static_cast<std::size_t>(dims[0])];
    const std::int64_t first = most / others;
    return first > pass ? first / pass * pass : first;
  }

  // The product of two pieces, as words.
  [[nodiscard]] ValueId words(graph::Builder& write, const Op& dot, ValueId left,
                              ValueId right) const {
    Type sums = type(dot.results[0]);
    sums.element = ElementType::f32;
    const ValueId made = write.emit(dot.kind, {left, right}, sums, dot.attributes);
    sums.element = ElementType::s32;
    return write.emit(OpKind::composite, {made}, sums, {{"name", {std::string(whole_name)}}});
  }

  void multiply(const Op& dot, std::vector<Op>& ops) {
    graph::Builder write(function_, ops, dot.location);
    const auto left_dims = dot.integers("lhs_contracting_dimensions");
    const auto right_dims = dot.integers("rhs_contracting_dimensions");
    const ValueId left = origin(dot.operands[0]), right = origin(dot.operands[1]);
    const std::int64_t depth =
        left_dims.empty() ? 1 : type(left).shape[static_cast<std::size_t>(left_dims[0])];
    const std::int64_t step = std::min(piece(dot), depth);
    ValueId sum = 0;
    for (std::int64_t begin = 0; begin < depth; begin += step) {
      const std::int64_t end = std::min(begin + step, depth);
      const auto piece_of = [&](ValueId whole, std::span<const std::int64_t> dims) {
        const ValueId some = step == depth ? whole : write.sliced(whole, dims[0], begin, end);
        return write.convert(some, ElementType::bf16);
      };
      const ValueId more =
          words(write, dot, piece_of(left, left_dims), piece_of(right, right_dims));
      sum = begin == 0 ? more : write.emit(OpKind::add, {sum, more}, Type(type(more)));
    }
    give(dot.results[0], sum, dot.location, ops);
  }

  // The result has the sum's lower bits.
  void give(ValueId result, ValueId sum, graph::LocationId location, std::vector<Op>& ops) const {
    if (type(result).element == ElementType::s32) {
      ops.back().results = {result};
    } else {
      ops.push_back(
          {.kind = OpKind::convert, .operands = {sum}, .results = {result}, .location = location});
    }
  }

  Function& function_;
  std::map<ValueId, ValueId> converted_from_;
};

}  // namespace

void multiply_integers(graph::Module& module) {
  for (Function& function : module.functions) IntegerProducts{function};
}

}  // namespace trainyard::compiler

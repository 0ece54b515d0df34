#include "compiler/lowering/indexing/dot_general.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "base/error.h"
#include "compiler/lowering/indexing/indices.h"
#include "compiler/lowering/products/product.h"
#include "compiler/lowering/products/product_blocks.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/multiplied_formats.h"
#include "graph/precision.h"
#include "isa/instructions/nc_matmul_sparse.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Op;
using graph::OpKind;
using graph::Type;

// The dimensions of a value in the order batches, free, contracted.
struct Side {
  std::vector<std::int64_t> order;
  std::size_t free = 0;
};
Side side(std::int64_t rank, std::span<const std::int64_t> batches,
          std::span<const std::int64_t> contracted) {
  Side result{.order{batches.begin(), batches.end()}};
  const auto is_in = [](std::span<const std::int64_t> dims, std::int64_t dim) {
    return std::ranges::find(dims, dim) != dims.end();
  };
  for (std::int64_t dim = 0; dim < rank; ++dim) {
    if (is_in(batches, dim) || is_in(contracted, dim)) continue;
    result.order.push_back(dim);
    ++result.free;
  }
  result.order.insert(result.order.end(), contracted.begin(), contracted.end());
  return result;
}

// Both sides of a dot_general.
struct Sides {
  Side left, right;
  std::size_t batches = 0;

  Sides(const Op& dot, std::int64_t left_rank, std::int64_t right_rank)
      : left(side(left_rank, dot.integers("lhs_batching_dimensions"),
                  dot.integers("lhs_contracting_dimensions"))),
        right(side(right_rank, dot.integers("rhs_batching_dimensions"),
                   dot.integers("rhs_contracting_dimensions"))),
        batches(dot.integers("lhs_batching_dimensions").size()) {}
};

// Where an operand lies. An argument of 8-bit integers is cast block by block.
Strided operand_of(Lowerer& lowerer, const Op& op, std::size_t i) {
  Segment& segment = lowerer.segment();
  const NodeId id = lowerer.node(op.operands[i]);
  const Node& node = segment.node(id);
  if (node.kind == Node::Kind::elementwise && node.op->kind == OpKind::convert) {
    const Node& from = segment.node(node.inputs[0]);
    const bool is_argument =
        from.kind == Node::Kind::view &&
        segment.emitter().tensor(from.view.tensor).role == isa::TensorRole::input;
    if (is_argument && node.type.element == ElementType::bf16 &&
        array_format(from.view.dtype) != from.view.dtype)
      return from.view;
  }
  return segment.placed(id);
}

Product product_of(Lowerer& lowerer, const Op& op, const Sides& sides) {
  return {.left = permuted(operand_of(lowerer, op, 0), sides.left.order),
          .right = permuted(operand_of(lowerer, op, 1), sides.right.order),
          .batches = sides.batches,
          .rows = sides.left.free,
          .columns = sides.right.free,
          .layout = lowerer.layout_of(op)};
}

void define_product(Lowerer& lowerer, const Op& op, Product product) {
  if (product.is_plain()) sort_depth(product);
  lowerer.define(op.results[0], lowerer.segment().add({.kind = Node::Kind::product,
                                                       .type = lowerer.type(op.results[0]),
                                                       .location = op.location,
                                                       .product = std::move(product)}));
}

// --- MX ---

// The product that a composite is decomposed into.
const Op* product_in(const graph::Module& module, const Op& composite) {
  if (composite.find("decomposition") == nullptr) return nullptr;
  const graph::Function* const body = module.find(composite.symbol("decomposition"));
  if (body == nullptr) return nullptr;
  const auto found = std::ranges::find(body->body.ops, OpKind::dot_general, &Op::kind);
  return found == body->body.ops.end() ? nullptr : &*found;
}

constexpr std::int64_t block = 32;  // neighbours that share a scale

// Whole blocks of one dimension that is summed over, and, as nc_matmul_mx.c9 asks, an even number
// of elements beside them.
bool fits_blocks(const Type& type, const Side& side, std::size_t batches) {
  if (side.order.size() != batches + side.free + 1) return false;
  std::int64_t free = 1;
  for (std::size_t i = batches; i < batches + side.free; ++i)
    free *= type.shape[static_cast<std::size_t>(side.order[i])];
  return free > 0 && free % 2 == 0 &&
         type.shape[static_cast<std::size_t>(side.order.back())] % block == 0;
}

bool is_mx(ElementType type) {
  constexpr std::array all{ElementType::f8e4m3fn, ElementType::f8e5m2, ElementType::f4e2m1fn};
  return std::ranges::find(all, type) != all.end();
}

bool fits_scale(const Type& scale, const Type& type, const Side& side) {
  std::vector<std::int64_t> shape = type.shape;
  shape[static_cast<std::size_t>(side.order.back())] /= block;
  return is_mx(type.element) && scale.element == ElementType::f8e8m0fnu && scale.shape == shape;
}

// Weights that lie in memory as words of four: [depth / 4, columns], scales [depth / 32, columns].
std::optional<isa::DType> words_of(const Op& op) {
  if (op.operands.size() != 3) return std::nullopt;
  if (op.text("name") == "trainyard.mxfp4_weights") return isa::DType::float4_e2m1fn_x4;
  if (op.text("name") == "trainyard.mxfp8_weights") return isa::DType::float8_e4m3fn_x4;
  return std::nullopt;
}

bool is_quantised_by_blocks(const Op& op) {
  return op.text("name") == graph::mx_product_name && op.operands.size() == 2;
}
bool is_scaled_dot(const Op& op) {
  return op.text("name") == "xla.scaled_dot" && op.operands.size() == 4;
}

bool mx_weights(Lowerer& lowerer, const Op& op) {
  const std::optional<isa::DType> word = words_of(op);
  Segment& segment = lowerer.segment();
  if (!word || !segment.emitter().core().features.mx) return false;
  const Type &left = lowerer.type(op.operands[0]), &words = lowerer.type(op.operands[1]);
  const Type& scales = lowerer.type(op.operands[2]);
  const ElementType bits =
      numerics::size_in_bytes(*word) == 2 ? ElementType::u16 : ElementType::u32;
  const auto storage = storage_of(left.element);
  if (!storage || !graph::is_float(left.element) || numerics::size_in_bytes(*storage) < 2 ||
      left.rank() < 1 || left.elements() == 0 || words.rank() != 2 || words.element != bits ||
      scales.element != ElementType::u8 || left.shape.back() % block != 0 ||
      words.shape[0] != left.shape.back() / 4 || words.shape[1] == 0 ||
      scales.shape != std::vector<std::int64_t>{left.shape.back() / block, words.shape[1]})
    return false;
  const std::array<std::int64_t, 2> turned{1, 0};
  const auto stored = [&](std::size_t i) {
    return permuted(segment.stored_dense(lowerer.node(op.operands[i])), turned);
  };
  Product product{.left = segment.placed(lowerer.node(op.operands[0])),
                  .right = stored(1),
                  .rows = left.shape.size() - 1,
                  .columns = 1,
                  .in_blocks = true,
                  .right_scale = stored(2)};
  product.right.dtype = *word;
  define_product(lowerer, op, std::move(product));
  return true;
}

}  // namespace

bool dot_general(Lowerer& lowerer, const Op& op) {
  const Type &left = lowerer.type(op.operands[0]), &right = lowerer.type(op.operands[1]);
  const Type& result = lowerer.type(op.results[0]);
  if (left.elements() == 0 || right.elements() == 0 || !graph::is_float(result.element) ||
      !multiplies(*storage_of(left.element), *storage_of(right.element),
                  lowerer.segment().emitter().core()))
    return false;
  const Sides sides(op, left.rank(), right.rank());
  define_product(lowerer, op, product_of(lowerer, op, sides));
  return true;
}

bool chosen_product(Lowerer& lowerer, const Op& op) {
  Segment& segment = lowerer.segment();
  const Type& table = lowerer.type(op.operands[1]);
  const Indexing how{
      .collapsed = {0}, .indexed = {0}, .vector_dim = op.integer("index_vector_dim")};
  std::vector<std::int64_t> sizes = table.shape;
  sizes[0] = 1;
  const std::optional<Offsets> offsets =
      offsets_of(lowerer, how, op.operands[2], table, sizes, Outside::moved, op.location);
  base::check(offsets.has_value(), "indices of chosen matrices are 32-bit words");
  const Strided list = segment.stored(offsets->node);
  const Strided matrices = segment.stored(lowerer.node(op.operands[1]));
  Strided all = matrices;  // [indices..., matrix...]
  all.dims.erase(all.dims.begin());
  std::vector<Extent> counts;
  for (const Extent& dim : list.dims) counts.push_back({dim.size, 0});
  all.dims.insert(all.dims.begin(), counts.begin(), counts.end());

  Sides sides(op, lowerer.type(op.operands[0]).rank(), static_cast<std::int64_t>(all.dims.size()));
  Strided left = permuted(segment.placed(lowerer.node(op.operands[0])), sides.left.order);
  for (std::size_t i = sides.batches; i < list.dims.size(); ++i)
    left.dims.insert(left.dims.begin() + static_cast<std::ptrdiff_t>(i),
                     {all.dims[static_cast<std::size_t>(sides.right.order[i])].size, 0});
  const std::span<const std::int64_t> order(sides.right.order);
  define_product(lowerer, op,
                 {.left = std::move(left),
                  .right = permuted(all, order),
                  .batches = list.dims.size(),
                  .rows = sides.left.free,
                  .columns = sides.batches + sides.right.free - list.dims.size(),
                  .chosen = Chosen{.list = permuted(list, order.first(list.dims.size())),
                                   .last = table.shape[0] - 1,
                                   .step = matrices.dims[0].step}});
  return true;
}

bool mx_product(Lowerer& lowerer, const Op& op) {
  if (mx_weights(lowerer, op)) return true;
  const bool is_given = is_scaled_dot(op);
  const Op* const dot =
      is_given || is_quantised_by_blocks(op) ? product_in(lowerer.module(), op) : nullptr;
  if (dot == nullptr || !lowerer.segment().emitter().core().features.mx) return false;
  const Type &left = lowerer.type(op.operands[0]), &right = lowerer.type(op.operands[1]);
  const Sides sides(*dot, left.rank(), right.rank());
  if (!fits_blocks(left, sides.left, sides.batches) ||
      !fits_blocks(right, sides.right, sides.batches))
    return false;
  if (is_given && !(fits_scale(lowerer.type(op.operands[2]), left, sides.left) &&
                    fits_scale(lowerer.type(op.operands[3]), right, sides.right)))
    return false;
  Product product = product_of(lowerer, op, sides);
  product.in_blocks = true;
  if (is_given) {
    Segment& segment = lowerer.segment();
    product.left_scale = permuted(segment.placed(lowerer.node(op.operands[2])), sides.left.order);
    product.right_scale = permuted(segment.placed(lowerer.node(op.operands[3])), sides.right.order);
  }
  define_product(lowerer, op, std::move(product));
  return true;
}

namespace {

constexpr std::string_view composite_name = "trainyard.sparse_product_";

// The pattern that its name ends with.
std::optional<isa::IntPair> pattern_of(const Op& op) {
  std::string_view name = op.text("name");
  if (!name.starts_with(composite_name)) return std::nullopt;
  name.remove_prefix(composite_name.size());
  isa::IntPair pattern;
  pattern.count = 2;
  const char* const end = name.data() + name.size();
  const auto kept = std::from_chars(name.data(), end, pattern.items[0]);
  if (kept.ptr == end || *kept.ptr != '_') return std::nullopt;
  const auto of = std::from_chars(kept.ptr + 1, end, pattern.items[1]);
  if (of.ptr != end || !isa::sparse::is_published({pattern.items[0], pattern.items[1]}))
    return std::nullopt;
  return pattern;
}

// Whole groups and words of tags, and types that the array multiplies so.
bool fits(const Type& dense, const Type& values, const Type& tags, const isa::IntPair& pattern) {
  const std::int64_t kept = pattern.items[0], of = pattern.items[1];
  if (dense.rank() < 2 || values.rank() != 2 || tags.rank() != 2) return false;
  const std::int64_t depth = dense.shape.back(), stored = values.shape[0];
  const bool is_narrow =
      values.element == graph::ElementType::bf16 || values.element == graph::ElementType::f16;
  return is_narrow && dense.element == values.element && tags.element == graph::ElementType::u16 &&
         depth % of == 0 && stored == depth / of * kept &&
         values.shape[1] % isa::sparse::tags_per_word == 0 &&
         tags.shape ==
             std::vector<std::int64_t>{stored, values.shape[1] / isa::sparse::tags_per_word} &&
         dense.elements() > 0 && values.elements() > 0;
}

}  // namespace

bool sparse_product(Lowerer& lowerer, const Op& op) {
  const std::optional<isa::IntPair> pattern = pattern_of(op);
  Segment& segment = lowerer.segment();
  if (!pattern || op.operands.size() != 3 || !segment.emitter().core().features.structured_sparsity)
    return false;
  const Type& dense = lowerer.type(op.operands[0]);
  const Type& result = lowerer.type(op.results[0]);
  if (!graph::is_float(result.element) || !storage_of(result.element) ||
      !fits(dense, lowerer.type(op.operands[1]), lowerer.type(op.operands[2]), *pattern))
    return false;
  const std::array<std::int64_t, 2> turned{1, 0};
  const auto of = [&](std::size_t i) { return segment.placed(lowerer.node(op.operands[i])); };
  lowerer.define(
      op.results[0],
      segment.add({.kind = Node::Kind::product,
                   .type = result,
                   .location = op.location,
                   .product = {.left = of(0),
                               .right = permuted(of(1), turned),
                               .rows = dense.shape.size() - 1,
                               .columns = 1,
                               .sparsity = Sparsity{permuted(of(2), turned), *pattern}}}));
  return true;
}

}  // namespace trainyard::compiler

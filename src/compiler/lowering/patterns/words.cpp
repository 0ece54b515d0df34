#include "compiler/lowering/patterns/words.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "graph/values.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::ValueId;

// --- A rotated word: x << n | x >> (bits - n) ---

bool is_rotation(const Definitions& d, const Function& function, const Op& root) {
  if (root.kind != OpKind::or_) return false;
  const auto bits = graph::bits(function.type(root.results[0]).element);
  for (const std::size_t side : {0U, 1U}) {
    const Op* const left = d.of(root.operands[side], OpKind::shift_left);
    const Op* const right = d.of(root.operands[1 - side], OpKind::shift_right_logical);
    if (left == nullptr || right == nullptr) continue;
    const auto up = d.number(left->operands[1]), down = d.number(right->operands[1]);
    if (up && down && *up > 0 && *down > 0 && *up + *down == bits) return true;
  }
  return false;
}

// --- Places in a tensor, counted with 64 bits as random numbers are ---

// Whether the value is each element's place in row-major order: a sum of iota times a stride.
bool is_place(const Definitions& d, const Function& function, ValueId value) {
  const std::vector<std::int64_t>& shape = function.type(value).shape;
  std::vector<std::uint64_t> strides(shape.size(), 0);
  std::vector<ValueId> left{value};
  while (!left.empty()) {
    const Op* const op = d.of(left.back());
    left.pop_back();
    if (op == nullptr) return false;
    if (op->kind == OpKind::add) {
      left.insert(left.end(), op->operands.begin(), op->operands.end());
      continue;
    }
    std::uint64_t stride = 1;
    const Op* counter = op;
    if (op->kind == OpKind::multiply) {
      const auto first = d.word(op->operands[0]), second = d.word(op->operands[1]);
      if (!first && !second) return false;
      stride = first ? *first : *second;
      counter = d.of(op->operands[first ? 1 : 0]);
    }
    if (counter == nullptr || counter->kind != OpKind::iota) return false;
    strides.at(static_cast<std::size_t>(counter->integer("iota_dimension"))) += stride;
  }
  std::uint64_t step = 1;
  for (std::size_t i = shape.size(); i-- > 0; step *= static_cast<std::uint64_t>(shape[i])) {
    if (strides[i] != step && shape[i] != 1) return false;
  }
  return true;
}

// Casts that take the lower or the upper words of places, by their results; true: the upper ones.
using PlaceWords = std::map<ValueId, bool>;

void find_place_words(const Definitions& definitions, const Function& function,
                      const graph::Region& region, PlaceWords& words) {
  for (const Op& op : region.ops) {
    for (const graph::Region& nested : op.regions)
      find_place_words(definitions, function, nested, words);
    if (op.kind != OpKind::convert) continue;
    const graph::Type &from = function.type(op.operands[0]), &to = function.type(op.results[0]);
    constexpr std::int64_t most = std::int64_t{1} << 31;
    if (from.element != graph::ElementType::u64 || to.element != graph::ElementType::u32 ||
        to.elements() >= most)
      continue;
    const Op* const shift = definitions.of(op.operands[0], OpKind::shift_right_logical);
    const bool is_upper = shift != nullptr && definitions.word(shift->operands[1]) == 32U;
    if (is_place(definitions, function, is_upper ? shift->operands[0] : op.operands[0]))
      words[op.results[0]] = is_upper;
  }
}

// The cast becomes a counter of 32 bits, or zeros, in the shape of its result.
void count_in_words(Function& function, graph::Region& region, const PlaceWords& words) {
  std::vector<Op> ops;
  for (Op& op : region.ops) {
    for (graph::Region& nested : op.regions) count_in_words(function, nested, words);
    const auto found = op.kind == OpKind::convert ? words.find(op.results[0]) : words.end();
    if (found == words.end()) {
      ops.push_back(std::move(op));
      continue;
    }
    graph::Type flat = function.type(op.results[0]);
    flat.shape = {flat.elements()};
    const auto counted = static_cast<ValueId>(function.types.size());
    function.types.push_back(flat);
    Op counter{.kind = OpKind::iota,
               .results = {counted},
               .attributes = {{"iota_dimension", {std::int64_t{0}}}},
               .location = op.location};
    op.kind = OpKind::reshape;
    op.operands = {counted};
    op.attributes.clear();
    if (found->second) {
      function.types[counted].shape.clear();
      counter.kind = OpKind::constant;
      counter.attributes = {{"value", {graph::filled(function.types[counted], 0)}}};
      op.kind = OpKind::broadcast_in_dim;
      op.attributes = {{"broadcast_dimensions", {std::vector<std::int64_t>{}}}};
    }
    ops.push_back(std::move(counter));
    ops.push_back(std::move(op));
  }
  region.ops = std::move(ops);
}

void find_rotations(const Definitions& definitions, const Function& function,
                    const graph::Region& region, std::set<ValueId>& rotations) {
  for (const Op& op : region.ops) {
    for (const graph::Region& nested : op.regions)
      find_rotations(definitions, function, nested, rotations);
    if (op.results.size() == 1 && is_rotation(definitions, function, op))
      rotations.insert(op.results[0]);
  }
}

// Bits that do not meet: GpSimd adds words, only Vector has or.
void add_halves(graph::Region& region, const std::set<ValueId>& rotations) {
  for (Op& op : region.ops) {
    for (graph::Region& nested : op.regions) add_halves(nested, rotations);
    if (op.kind == OpKind::or_ && rotations.contains(op.results[0])) op.kind = OpKind::add;
  }
}

}  // namespace

void rewrite_words(Function& function) {
  PlaceWords words;
  find_place_words(Definitions(function), function, function.body, words);
  if (!words.empty()) count_in_words(function, function.body, words);
  std::set<ValueId> rotations;
  find_rotations(Definitions(function), function, function.body, rotations);
  if (!rotations.empty()) add_halves(function.body, rotations);
}

}  // namespace trainyard::compiler

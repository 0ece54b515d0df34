// Weights of structured sparsity.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "graph/class_formats.h"
#include "graph/evaluate/evaluator.h"

namespace trainyard::graph {

namespace {

constexpr std::size_t tags_per_word = 4, tag_bits = 4;

// Places of the largest magnitudes of a group, in their order; of equal ones the first remain.
std::vector<std::size_t> largest(std::span<const float> group, std::size_t kept) {
  const auto magnitude = [&](std::size_t at) {
    return std::isnan(group[at]) ? std::numeric_limits<float>::infinity() : std::abs(group[at]);
  };
  std::vector<std::size_t> places(group.size());
  std::iota(places.begin(), places.end(), 0U);
  std::ranges::stable_sort(places, std::greater<>{}, magnitude);
  places.resize(kept);
  std::ranges::sort(places);
  return places;
}

// Calls `action` with the place of the first element of each group along a dimension, the step
// between its elements, and the places within it that remain.
template <typename F>
void for_each_group(const std::vector<float>& all, const Shape& shape, std::size_t dimension,
                    const OperandFormat::Sparsity& sparsity, F&& action) {
  const auto step = static_cast<std::size_t>(row_major_steps(shape).at(dimension));
  const auto size = static_cast<std::size_t>(shape[dimension]) * step;
  const auto of = static_cast<std::size_t>(sparsity.of);
  std::vector<float> group(of);
  for (std::size_t outer = 0; outer < all.size(); outer += size) {
    for (std::size_t at = outer; at < outer + size; at += of * step) {
      for (std::size_t first = at; first < at + step; ++first) {
        for (std::size_t i = 0; i < of; ++i) group[i] = all[first + i * step];
        action(first, step, largest(group, static_cast<std::size_t>(sparsity.kept)));
      }
    }
  }
}

const OperandFormat::Sparsity& sparsity_of(const Evaluation& e, std::size_t dimension) {
  const OperandFormat::Sparsity& sparsity = operand_format(e.op.text("format")).sparsity;
  e.require(e.operand(0).shape().at(dimension) % sparsity.of == 0, "whole groups");
  return sparsity;
}

}  // namespace

Value pruned(const Evaluation& e) {
  const auto dimension = static_cast<std::size_t>(e.op.integer("dimension"));
  const OperandFormat::Sparsity& sparsity = sparsity_of(e, dimension);
  const std::vector<float> all = numbers<float>(e.operand(0));
  std::vector<float> left(all.size());
  for_each_group(all, e.operand(0).shape(), dimension, sparsity,
                 [&](std::size_t first, std::size_t step, const std::vector<std::size_t>& places) {
                   for (const std::size_t i : places)
                     left[first + i * step] = all[first + i * step];
                 });
  return tensor_of(e.result(), left);
}

std::vector<Value> sparse_elements(const Evaluation& e) {
  const OperandFormat::Sparsity& sparsity = sparsity_of(e, 0);
  const std::vector<float> all = numbers<float>(e.operand(0));
  const auto kept = static_cast<std::size_t>(sparsity.kept);
  const auto of = static_cast<std::size_t>(sparsity.of);
  const auto columns = static_cast<std::size_t>(e.operand(0).shape().at(1));
  e.require(columns % tags_per_word == 0, "columns in fours");
  std::vector<float> elements(all.size() / of * kept);
  std::vector<std::uint64_t> tags(elements.size() / tags_per_word);
  for_each_group(all, e.operand(0).shape(), 0, sparsity,
                 [&](std::size_t first, std::size_t step, const std::vector<std::size_t>& places) {
                   const std::size_t group = first / columns / of, column = first % columns;
                   for (std::size_t i = 0; i < kept; ++i) {
                     const std::size_t to = (group * kept + i) * columns + column;
                     elements[to] = all[first + places[i] * step];
                     tags[to / tags_per_word] |= std::uint64_t{places[i]}
                                                 << tag_bits * (to % tags_per_word);
                   }
                 });
  return {tensor_of(e.results.at(0), elements), tensor_of(e.results.at(1), tags)};
}

}  // namespace trainyard::graph

#include "isa/semantics/sparse.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/error.h"

namespace trainyard::isa::sparse {

namespace {

constexpr std::array<Pattern, 7> published{
    {{4, 16}, {4, 12}, {4, 8}, {2, 8}, {2, 4}, {1, 4}, {1, 2}}};

// Rows of a tile widened to fp32, one partition after the other.
std::vector<float> widened(const Tile& tile, Execution& execution,
                           std::vector<std::byte>& scratch) {
  const numerics::ConstRows rows = matmul::rows(tile, execution, scratch);
  const auto n = static_cast<std::size_t>(tile.free_elements());
  std::vector<float> values(n * tile.partitions);
  for (std::size_t p = 0; p < tile.partitions; ++p)
    numerics::widen(tile.dtype, rows.data + static_cast<std::ptrdiff_t>(p) * rows.stride,
                    values.data() + p * n, n);
  return values;
}

// Which positions of a group each column of stationary has used.
class Groups {
 public:
  Groups(const Pattern& pattern, std::size_t columns) : pattern_(pattern), used_(columns) {}

  void next_partition(std::int64_t k) {
    if (k % pattern_.kept == 0) std::fill(used_.begin(), used_.end(), 0u);
  }
  void use(std::int64_t k, std::size_t column, std::uint32_t tag, float weight) {
    const bool twice = weight != 0 && ((used_[column] >> tag) & 1u) != 0;
    if (tag >= pattern_.of || twice) {
      throw base::Fault(base::FaultCategory::undefined_behavior,
                        {"nc_matmul_sparse.tag",
                         "a tag is a position in its group, and no position is taken twice", "",
                         fmt::format("tag {} at partition {}, column {}, of pattern {}:{}", tag, k,
                                     column, pattern_.kept, pattern_.of),
                         "compress the matrix with trainyard.experimental.compress"});
    }
    if (weight != 0) used_[column] |= 1u << tag;
  }

 private:
  Pattern pattern_;
  std::vector<std::uint32_t> used_;
};

std::uint32_t tag_of(const std::uint32_t* words, std::size_t column) {
  const std::size_t shift = tag_bits * (column % tags_per_word);
  return (words[column / tags_per_word] >> shift) & ((1u << tag_bits) - 1u);
}

float canonical(float value) {
  return std::isnan(value) ? std::bit_cast<float>(numerics::tensor_engine_nan) : value;
}

}  // namespace

bool is_published(const Pattern& pattern) {
  return std::any_of(published.begin(), published.end(), [&](const Pattern& p) {
    return p.kept == pattern.kept && p.of == pattern.of;
  });
}

void multiply(const Tile& dst, const Operands& operands, const Pattern& pattern, bool accumulate,
              Execution& execution) {
  const std::int64_t K = operands.stationary.partitions, ratio = pattern.ratio();
  const auto M = static_cast<std::size_t>(dst.partitions);
  const auto N = static_cast<std::size_t>(dst.free_elements());
  const std::vector<float> weights = widened(operands.stationary, execution, execution.raw[0]);
  const std::vector<float> dense = widened(operands.moving, execution, execution.raw[1]);
  std::vector<std::uint32_t> words(static_cast<std::size_t>(operands.tags.free_elements()));
  std::vector<float> sums(M * N, 0.0f);
  Groups groups(pattern, M);
  for (std::int64_t k = 0; k < K; ++k) {
    load_patterns(operands.tags, execution, static_cast<int>(k), words.data());
    groups.next_partition(k);
    const std::int64_t group = k / pattern.kept * pattern.kept * ratio;  // its first dense row
    for (std::size_t m = 0; m < M; ++m) {
      const float weight = weights[static_cast<std::size_t>(k) * M + m];
      const std::uint32_t tag = tag_of(words.data(), m);
      groups.use(k, m, tag, weight);
      const float* row = dense.data() + static_cast<std::size_t>(group + tag) * N;
      float* out = sums.data() + m * N;
      for (std::size_t n = 0; n < N; ++n) out[n] = std::fma(weight, row[n], out[n]);
    }
  }
  matmul::Result result(dst, execution);
  std::vector<float> old(N);
  for (std::size_t m = 0; m < M; ++m) {
    std::byte* to = result.rows().data + static_cast<std::ptrdiff_t>(m) * result.rows().stride;
    numerics::widen(dst.dtype, to, old.data(), N);
    float* sum = sums.data() + m * N;
    for (std::size_t n = 0; n < N; ++n) sum[n] = canonical(accumulate ? old[n] + sum[n] : sum[n]);
    result.narrow(m, sum);
  }
  result.store();
}

}  // namespace trainyard::isa::sparse

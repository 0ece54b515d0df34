// fft: the four transforms, along the last one to three dimensions, by their definition (powers of
// two by halving). Computed in float64.
#include <array>
#include <cmath>
#include <numbers>

#include "graph/ops/all.h"

namespace trainyard::graph {

namespace {

void verify_fft(OpCheck& c) {
  constexpr std::array<std::string_view, 4> types{"FFT", "IFFT", "RFFT", "IRFFT"};
  c.one_of("fft_type", types, false);
  const Integers lengths = c.list("fft_length");
  const Type &from = c.operand(0), &to = c.result();
  const std::size_t rank = from.shape.size(), n = lengths.size();
  if (!c.require(n >= 1 && n <= 3 && n <= rank && to.shape.size() == rank,
                 "fft_length has one to three lengths, and the rank stays"))
    return;
  for (std::size_t d = 0; d < rank; ++d) {
    const bool is_last = d + 1 == rank;
    if (d + n < rank) {
      c.require(fits(from.shape[d], to.shape[d]), "the dimensions before keep their sizes");
      continue;
    }
    const std::int64_t length = lengths[d + n - rank];
    const std::int64_t half = length == 0 ? 0 : length / 2 + 1;
    const std::string_view type = c.text("fft_type");
    const std::int64_t in = is_last && type == "IRFFT" ? half : length,
                       out = is_last && type == "RFFT" ? half : length;
    c.require(fits(from.shape[d], in) && fits(to.shape[d], out),
              "transformed dimensions have the sizes of fft_length");
  }
}

using C = std::complex<double>;

C root(std::int64_t numerator, std::int64_t n) {
  const double angle =
      2 * std::numbers::pi * static_cast<double>(numerator) / static_cast<double>(n);
  return {std::cos(angle), std::sin(angle)};
}

// out[k] = sum over j of in[j * step] * root(sign * j * k), not scaled.
std::vector<C> transform(const C* in, std::size_t step, std::size_t n, int sign) {
  if (n % 2 == 0 && n > 1) {
    const std::vector<C> even = transform(in, 2 * step, n / 2, sign);
    const std::vector<C> odd = transform(in + step, 2 * step, n / 2, sign);
    std::vector<C> out(n);
    for (std::size_t k = 0; k < n / 2; ++k) {
      const auto turn = sign * static_cast<std::int64_t>(k);
      const C turned = root(turn, static_cast<std::int64_t>(n)) * odd[k];
      out[k] = even[k] + turned;
      out[k + n / 2] = even[k] - turned;
    }
    return out;
  }
  std::vector<C> out(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) {
      const auto turn = sign * static_cast<std::int64_t>(j * k % n);
      out[k] += in[j * step] * root(turn, static_cast<std::int64_t>(n));
    }
  }
  return out;
}

// Transforms every row along dimension `d`.
void transform_along(std::vector<C>& all, const Shape& shape, std::size_t d, int sign) {
  Shape outer = shape;
  outer[d] = 1;
  const Shape steps = row_major_steps(shape);
  const auto step = static_cast<std::size_t>(steps[d]), n = static_cast<std::size_t>(shape[d]);
  for_each_index(outer, [&](Index index) {
    const auto base = static_cast<std::size_t>(offset_of(index, steps));
    const std::vector<C> out = transform(&all[base], step, n, sign);
    for (std::size_t k = 0; k < n; ++k) all[base + k * step] = out[k];
  });
}

// Copies what fits between two shapes that differ in the last dimension.
std::vector<C> with_last(const std::vector<C>& all, std::size_t from, std::size_t to) {
  std::vector<C> made;
  for (std::size_t row = 0; from > 0 && row * from < all.size(); ++row) {
    for (std::size_t i = 0; i < to; ++i) made.push_back(i < from ? all[row * from + i] : C{});
  }
  return made;
}

// The half that a real signal's spectrum repeats, from the half that is given.
void mirror(std::vector<C>& all, const Shape& shape, std::size_t transformed) {
  const Shape steps = row_major_steps(shape);
  const std::size_t last = shape.size() - 1;
  const std::vector<C> given = all;
  for_each_index(shape, [&](Index index) {
    if (index[last] <= shape[last] / 2) return;
    Shape opposite(index.begin(), index.end());
    for (std::size_t d = shape.size() - transformed; d < shape.size(); ++d) {
      opposite[d] = (shape[d] - index[d]) % shape[d];
    }
    all[static_cast<std::size_t>(offset_of(index, steps))] =
        std::conj(given[static_cast<std::size_t>(offset_of(opposite, steps))]);
  });
}

Value evaluate_fft(const Evaluation& e) {
  const std::string& type = e.op.text("fft_type");
  const Shape lengths = e.list("fft_length");
  const std::size_t rank = e.operand(0).shape().size(), count = lengths.size();
  e.require(count >= 1 && count <= 3 && count <= rank, "fft_length has one to three lengths");
  if (e.result().elements() == 0) return tensor_of(e.result(), std::vector<C>{});
  Shape shape = e.operand(0).shape();
  std::vector<C> all = numbers<C>(e.operand(0));
  const int sign = type == "FFT" || type == "RFFT" ? -1 : 1;
  if (type == "IRFFT") {
    all = with_last(all, static_cast<std::size_t>(shape.back()),
                    static_cast<std::size_t>(lengths.back()));
    shape.back() = lengths.back();
    mirror(all, shape, count);
  }
  double size = 1;
  for (std::size_t d = rank - count; d < rank; ++d) {
    transform_along(all, shape, d, sign);
    size *= static_cast<double>(shape[d]);
  }
  if (type == "RFFT") {
    all = with_last(all, static_cast<std::size_t>(shape.back()),
                    static_cast<std::size_t>(e.result().shape.back()));
  }
  if (sign > 0) {
    for (C& value : all) value /= size;
  }
  return tensor_of(e.result(), all);
}

bool factors_of_fft(Making& make) {
  make.leading(make.op().integers("fft_length").size(), 1);
  return true;
}

constexpr auto fft_records = std::to_array<OpRecord>({
    {.kind = OpKind::fft,
     .name = "fft",
     .operands = {1, 1},
     .traits = {Trait::keeps_format},
     .vhlo = {"fft_length fft_type"},
     .verify = verify_fft,
     .evaluate = alone<evaluate_fft>,
     .factors = factors_of_fft},
});

}  // namespace

std::span<const OpRecord> fft_ops() { return fft_records; }

}  // namespace trainyard::graph

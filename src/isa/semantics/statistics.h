// Count, mean and variance in fp32, as the Vector engine's batch-norm instructions compute them.
// One addition after the other in index order, each step rounded (assumed).
#pragma once

#include <array>
#include <cstddef>

namespace trainyard::isa::statistics {

struct Moments {
  float count = 0;
  float mean = 0;
  float squares = 0;  // the sum of (x - mean)^2: variance * count, population form
};

// Of x[0], x[step], ...: `count` elements. All zero when there are none.
[[nodiscard]] Moments of(const float* x, std::size_t step, std::size_t count);
void store(const Moments& moments, float* out);

// Mean and variance of everything behind `parts` triples (count, mean, squares).
[[nodiscard]] std::array<float, 2> aggregate(const float* triples, std::size_t parts);

}  // namespace trainyard::isa::statistics

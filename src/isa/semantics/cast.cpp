#include "isa/semantics/cast.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "isa/semantics/rounding_seed.h"
#include "machine/core.h"
#include "numerics/prng.h"

namespace trainyard::isa {

namespace {

// Rounding never happens on a sequencer without a data path; a run in program order has no engine.
std::size_t engine_index(const Execution& e) {
  return e.engine == Engine::any ? 0 : static_cast<std::size_t>(e.engine);
}

numerics::Xorwow seeded(std::uint32_t seed, std::size_t engine, std::size_t lanes,
                        std::size_t lane) {
  return numerics::seeded_xorwow(seed, static_cast<std::uint32_t>(engine * lanes + lane));
}

// One word for each of n elements of `count` lanes from `first` on, lane by lane.
std::span<const std::uint32_t> random_words(std::size_t n, int first, std::size_t count,
                                            Execution& e) {
  auto& lanes = e.core.rounding_prng.at(engine_index(e));
  const auto seed = static_cast<std::uint32_t>(e.machine.policy.stochastic_rounding_seed);
  e.random.resize(n * count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t lane = static_cast<std::size_t>(first) + i;
    std::array<std::uint32_t, numerics::Xorwow::words>& words = lanes.at(lane);
    const bool fresh = std::all_of(words.begin(), words.end(), [](auto word) { return word == 0; });
    numerics::Xorwow state =
        fresh ? seeded(seed, engine_index(e), lanes.size(), lane) : numerics::load_xorwow(words);
    numerics::fill(state, e.random.data() + i * n, n);
    words = numerics::save(state);
  }
  return e.random;
}

// Integers as AWS's simulator cast them before NKI 0.6.
bool truncates(DType dtype, const Execution& e) {
  return numerics::is_integer(dtype) &&
         e.machine.policy.integer_rounding == machine::IntegerRounding::toward_zero;
}

bool rounds_at_random(DType dtype, const Execution& e) {
  return e.machine.policy.cast_rounding == machine::Rounding::stochastic &&
         !numerics::is_integer(dtype) && dtype != DType::float32 && dtype != DType::float8_e8m0fnu;
}

}  // namespace

void seed_rounding(state::Core& core, std::uint32_t seed) {
  for (std::size_t engine = 0; engine < core.rounding_prng.size(); ++engine) {
    auto& lanes = core.rounding_prng[engine];
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      lanes[lane] = numerics::save(seeded(seed, engine, lanes.size(), lane));
  }
}

numerics::Narrowing narrowing_of(DType dtype, const Execution& e) {
  numerics::Narrowing how;
  const bool legacy_fp8 = dtype == DType::float8_e4m3 || dtype == DType::float8_e5m2;
  if (legacy_fp8 && e.machine.policy.cast_overflow == machine::Saturation::saturate)
    how.overflow = numerics::Overflow::saturate;
  if (truncates(dtype, e) || rounds_at_random(dtype, e))
    how.rounding = numerics::RoundingMode::stochastic;
  return how;
}

numerics::PsumRounding psum_rounding(const Tile& dst, Execution& e) {
  if (dst.dtype == DType::float32 ||
      e.machine.policy.psum_rounding != machine::Rounding::stochastic)
    return {};
  const auto n = static_cast<std::size_t>(dst.free_elements());
  return {random_words(n, dst.partition_start, dst.partitions, e).data()};
}

std::span<const std::uint32_t> zero_words(std::size_t n, Execution& e) {
  e.random.assign(n, 0);
  return e.random;
}

namespace {

bool is_narrow_float(DType dtype) {
  switch (dtype) {
    case DType::float16:
    case DType::float8_e3m4:
    case DType::float8_e4m3:
    case DType::float8_e4m3fn:
    case DType::float8_e5m2: return true;
    default: return false;
  }
}

// The least and the greatest integer of a format of 16 or 32 bits.
std::optional<std::pair<double, double>> watched_range(DType dtype) {
  const auto of = [](auto number) {
    using Limits = std::numeric_limits<decltype(number)>;
    return std::pair<double, double>(Limits::min(), Limits::max());
  };
  switch (dtype) {
    case DType::int16: return of(std::int16_t{});
    case DType::uint16: return of(std::uint16_t{});
    case DType::int32: return of(std::int32_t{});
    case DType::uint32: return of(std::uint32_t{});
    default: return std::nullopt;
  }
}

}  // namespace

void count_overflows(DType dtype, const float* row, std::size_t n, int lane, Execution& e) {
  if (e.overflows == nullptr) return;
  using What = Overflows::What;
  if (is_narrow_float(dtype)) {
    const numerics::Narrowing how{.overflow = narrowing_of(dtype, e).overflow};
    constexpr float smallest_largest = 8;  // every format holds what lies below it
    for (std::size_t i = 0; i < n; ++i) {
      if (!(std::abs(row[i]) >= smallest_largest) || !std::isfinite(row[i])) continue;
      if (!std::isfinite(numerics::to_float(dtype, numerics::from_float(dtype, row[i], how))))
        e.overflows->add({What::infinite, dtype, row[i], lane, i});
    }
  } else if (const auto range = watched_range(dtype)) {
    for (std::size_t i = 0; i < n; ++i) {
      const double rounded = std::nearbyint(static_cast<double>(row[i]));
      if (rounded < range->first || rounded > range->second)
        e.overflows->add({What::saturated, dtype, row[i], lane, i});
    }
  }
}

void narrow_row(DType dtype, const float* row, std::byte* to, std::size_t n, int lane,
                Execution& e) {
  count_overflows(dtype, row, n, lane, e);
  const numerics::Narrowing how = narrowing_of(dtype, e);
  if (how.rounding == numerics::RoundingMode::nearest_even)
    return numerics::narrow(dtype, row, to, n, how);
  numerics::narrow(dtype, row, to, n, how,
                   truncates(dtype, e) ? zero_words(n, e) : random_words(n, lane, 1, e));
}

namespace {

void count_moved(DType from, const std::byte* row, DType dtype, std::size_t n, int lane,
                 Execution& e) {
  if (e.overflows == nullptr || from == dtype || numerics::is_packed(from)) return;
  std::vector<float> values(n);
  numerics::widen(from, row, values.data(), n);
  count_overflows(dtype, values.data(), n, lane, e);
}

}  // namespace

void convert_row(DType from, const std::byte* row, DType dtype, std::byte* to, std::size_t n,
                 int lane, Execution& e) {
  count_moved(from, row, dtype, n, lane, e);
  const numerics::Narrowing how = narrowing_of(dtype, e);
  if (from == dtype || how.rounding == numerics::RoundingMode::nearest_even)
    return numerics::convert(from, row, dtype, to, n, how);
  numerics::convert(from, row, dtype, to, n, how,
                    truncates(dtype, e) ? zero_words(n, e) : random_words(n, lane, 1, e));
}

void convert_moved(DType from, const std::byte* row, DType dtype, std::byte* to, std::size_t n,
                   Execution& e) {
  count_moved(from, row, dtype, n, 0, e);
  numerics::Narrowing how;
  if (from == dtype || !truncates(dtype, e)) return numerics::convert(from, row, dtype, to, n, how);
  how.rounding = numerics::RoundingMode::stochastic;
  numerics::convert(from, row, dtype, to, n, how, zero_words(n, e));
}

}  // namespace trainyard::isa

#include "isa/semantics/cast.h"

#include <algorithm>

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

void narrow_row(DType dtype, const float* row, std::byte* to, std::size_t n, int lane,
                Execution& e) {
  const numerics::Narrowing how = narrowing_of(dtype, e);
  if (how.rounding == numerics::RoundingMode::nearest_even)
    return numerics::narrow(dtype, row, to, n, how);
  numerics::narrow(dtype, row, to, n, how,
                   truncates(dtype, e) ? zero_words(n, e) : random_words(n, lane, 1, e));
}

void convert_row(DType from, const std::byte* row, DType dtype, std::byte* to, std::size_t n,
                 int lane, Execution& e) {
  const numerics::Narrowing how = narrowing_of(dtype, e);
  if (from == dtype || how.rounding == numerics::RoundingMode::nearest_even)
    return numerics::convert(from, row, dtype, to, n, how);
  numerics::convert(from, row, dtype, to, n, how,
                    truncates(dtype, e) ? zero_words(n, e) : random_words(n, lane, 1, e));
}

void convert_moved(DType from, const std::byte* row, DType dtype, std::byte* to, std::size_t n,
                   Execution& e) {
  numerics::Narrowing how;
  if (from == dtype || !truncates(dtype, e)) return numerics::convert(from, row, dtype, to, n, how);
  how.rounding = numerics::RoundingMode::stochastic;
  numerics::convert(from, row, dtype, to, n, how, zero_words(n, e));
}

}  // namespace trainyard::isa

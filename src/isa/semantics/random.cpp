#include "isa/semantics/random.h"

#include <algorithm>

#include "machine/core.h"
#include "numerics/prng.h"

namespace trainyard::isa::random {

namespace {

using numerics::Lfsr;
using numerics::Xorwow;
using numerics::XorwowLane;

bool never_seeded(std::span<const std::uint32_t> words) {
  return std::all_of(words.begin(), words.end(), [](std::uint32_t word) { return word == 0; });
}

template <typename State, std::size_t n>
void fill_from(State lane, std::span<std::uint32_t, n> state, std::span<std::uint32_t> words) {
  numerics::fill(lane, words.data(), words.size());
  const auto saved = numerics::save(lane);
  std::copy(saved.begin(), saved.end(), state.begin());
}

}  // namespace

void fill(Engine engine, int lane, std::span<std::uint32_t> words, Execution& e) {
  const auto l = static_cast<std::size_t>(lane);
  const auto index = static_cast<std::uint32_t>(lane);
  if (engine == Engine::gpsimd) {
    std::span<std::uint32_t, Xorwow::words> state = e.core.gpsimd_prng.at(l);
    fill_from(
        never_seeded(state) ? numerics::seeded_xorwow(0, index) : numerics::load_xorwow(state),
        state, words);
    return;
  }
  std::span<std::uint32_t, XorwowLane::words> state = e.core.vector_prng.at(l);
  if (e.machine.features.vector_xorwow) {
    fill_from(never_seeded(state) ? numerics::seeded(0, index) : numerics::load_xorwow_lane(state),
              state, words);
    return;
  }
  Lfsr lfsr = state[0] == 0 ? numerics::seeded_lfsr(0, index) : Lfsr{state[0]};
  numerics::fill(lfsr, words.data(), words.size());
  state[0] = lfsr.register_bits;
}

void seed(std::uint32_t seed, Execution& e) {
  for (std::size_t l = 0; l < e.core.vector_prng.size(); ++l) {
    const auto lane = static_cast<std::uint32_t>(l);
    auto& state = e.core.vector_prng[l];
    if (e.machine.features.vector_xorwow) {
      state = numerics::save(numerics::seeded(seed, lane));
    } else {
      state[0] = numerics::seeded_lfsr(seed, lane).register_bits;
    }
  }
}

std::span<std::uint32_t> state(Engine engine, int lane, Execution& e) {
  const auto l = static_cast<std::size_t>(lane);
  if (engine == Engine::gpsimd) return e.core.gpsimd_prng.at(l);
  return e.core.vector_prng.at(l);
}

}  // namespace trainyard::isa::random

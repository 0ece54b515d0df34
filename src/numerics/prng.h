// The machine's pseudo random number generators: XORWOW of GpSimd and of NeuronCore-v4's Vector
// engine, the LFSR of older Vector engines, and the mapping to uniform floats. State is plain data
// that instructions load and store.
//
// Published: XORWOW, 6 words a state, 4 states a lane on Vector v4 (24 words), 1 on GpSimd; 32
// random bits an element; rand2 gives float32 in [min, max] (NKI 0.6 rng, rand2, rand_set_state;
// trainium3_arch). All else is assumed:
// - Marsaglia's xorwow ("Xorshift RNGs", 2003) with state words in the order x, y, z, w, v, d.
// - The four states of a lane step together; element i of a row comes from state i mod 4; words
// beyond the row are dropped.
// - A seed expands by splitmix32 over (seed, lane), see seeded().
// - A word u becomes min + (max - min) * (float(u) * 2^-32), each step rounded in float32.
// - The LFSR is a 32-bit Galois register with the primitive polynomial x^32 + x^22 + x^2 + x + 1,
// shifted 32 times a word.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace trainyard::numerics {

struct Xorwow {
  static constexpr std::size_t words = 6;
  std::uint32_t x = 0, y = 0, z = 0, w = 0, v = 0, d = 0;

  std::uint32_t next();
  bool operator==(const Xorwow&) const = default;
};
[[nodiscard]] std::array<std::uint32_t, Xorwow::words> save(const Xorwow& state);
[[nodiscard]] Xorwow load_xorwow(std::span<const std::uint32_t, Xorwow::words> words);

// One compute lane of the Vector engine, v4.
struct XorwowLane {
  static constexpr std::size_t states = 4, words = states * Xorwow::words;
  std::array<Xorwow, states> state;

  bool operator==(const XorwowLane&) const = default;
};
[[nodiscard]] std::array<std::uint32_t, XorwowLane::words> save(const XorwowLane& lane);
[[nodiscard]] XorwowLane load_xorwow_lane(std::span<const std::uint32_t, XorwowLane::words> words);

// What set_rng_seed puts into a lane.
[[nodiscard]] XorwowLane seeded(std::uint32_t seed, std::uint32_t lane);
[[nodiscard]] Xorwow seeded_xorwow(std::uint32_t seed, std::uint32_t lane);

// Random words for one row.
void fill(XorwowLane& lane, std::uint32_t* out, std::size_t n);
void fill(Xorwow& state, std::uint32_t* out, std::size_t n);

// Vector engines before v4.
struct Lfsr {
  std::uint32_t register_bits = 1;  // never 0

  std::uint32_t next();
  bool operator==(const Lfsr&) const = default;
};
[[nodiscard]] Lfsr seeded_lfsr(std::uint32_t seed, std::uint32_t lane);
void fill(Lfsr& state, std::uint32_t* out, std::size_t n);

[[nodiscard]] float uniform(std::uint32_t word, float min, float max);
void uniform(const std::uint32_t* words, float min, float max, float* out, std::size_t n);

}  // namespace trainyard::numerics

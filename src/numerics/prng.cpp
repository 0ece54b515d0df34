#include "numerics/prng.h"

#include <algorithm>

#include "numerics/alu.h"
#include "numerics/convert.h"

namespace trainyard::numerics {

namespace {

// splitmix32: a Weyl sequence through the finaliser of MurmurHash3 (Appleby).
class SplitMix32 {
 public:
  explicit SplitMix32(std::uint32_t state) : state_(state) {}
  std::uint32_t next() { return mix(state_ += 0x9E3779B9u); }
  static std::uint32_t mix(std::uint32_t z) {
    z = (z ^ (z >> 16)) * 0x85EBCA6Bu;
    z = (z ^ (z >> 13)) * 0xC2B2AE35u;
    return z ^ (z >> 16);
  }

 private:
  std::uint32_t state_;
};

// Lanes start far apart in the sequence, and no two lanes of one seed at the same place, because
// mix is a bijection.
SplitMix32 words_of(std::uint32_t seed, std::uint32_t lane) {
  return SplitMix32(SplitMix32::mix(SplitMix32::mix(seed) + lane));
}

Xorwow next_state(SplitMix32& words) {
  Xorwow state{words.next(), words.next(), words.next(), words.next(), words.next(), words.next()};
  if ((state.x | state.y | state.z | state.w | state.v) == 0)
    state.x = 1;  // the one state that never leaves zero
  return state;
}

}  // namespace

std::uint32_t Xorwow::next() {
  const std::uint32_t t = x ^ (x >> 2);
  x = y;
  y = z;
  z = w;
  w = v;
  v = (v ^ (v << 4)) ^ (t ^ (t << 1));
  d += 362437;
  return d + v;
}

std::array<std::uint32_t, Xorwow::words> save(const Xorwow& s) {
  return {s.x, s.y, s.z, s.w, s.v, s.d};
}

Xorwow load_xorwow(std::span<const std::uint32_t, Xorwow::words> words) {
  return {words[0], words[1], words[2], words[3], words[4], words[5]};
}

std::array<std::uint32_t, XorwowLane::words> save(const XorwowLane& lane) {
  std::array<std::uint32_t, XorwowLane::words> words;
  for (std::size_t i = 0; i < XorwowLane::states; ++i) {
    std::ranges::copy(save(lane.state[i]),
                      words.begin() + static_cast<std::ptrdiff_t>(i * Xorwow::words));
  }
  return words;
}

XorwowLane load_xorwow_lane(std::span<const std::uint32_t, XorwowLane::words> words) {
  XorwowLane lane;
  for (std::size_t i = 0; i < XorwowLane::states; ++i) {
    lane.state[i] = load_xorwow(words.subspan(i * Xorwow::words).first<Xorwow::words>());
  }
  return lane;
}

Xorwow seeded_xorwow(std::uint32_t seed, std::uint32_t lane) {
  SplitMix32 words = words_of(seed, lane);
  return next_state(words);
}

XorwowLane seeded(std::uint32_t seed, std::uint32_t lane) {
  SplitMix32 words = words_of(seed, lane);
  XorwowLane result;
  for (Xorwow& state : result.state) state = next_state(words);
  return result;
}

void fill(XorwowLane& lane, std::uint32_t* out, std::size_t n) {
  for (std::size_t start = 0; start < n; start += XorwowLane::states) {
    for (std::size_t i = 0; i < XorwowLane::states; ++i) {
      const std::uint32_t word = lane.state[i].next();
      if (start + i < n) out[start + i] = word;
    }
  }
}

void fill(Xorwow& state, std::uint32_t* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = state.next();
}

namespace {

constexpr std::uint32_t shifted_word(std::uint32_t bits) {
  for (int i = 0; i < 32; ++i) bits = (bits >> 1) ^ ((bits & 1) != 0 ? 0x80200003u : 0u);
  return bits;
}

// 32 shifts are linear in the register's bits, so each byte contributes on its own.
constexpr auto shifted_bytes = [] {
  std::array<std::array<std::uint32_t, 256>, 4> table{};
  for (std::size_t byte = 0; byte < 4; ++byte) {
    for (std::uint32_t value = 1; value < 256; ++value) {
      const std::uint32_t lowest = value & (0u - value);
      table[byte][value] = value == lowest ? shifted_word(value << (8 * byte))
                                           : table[byte][lowest] ^ table[byte][value ^ lowest];
    }
  }
  return table;
}();

}  // namespace

std::uint32_t Lfsr::next() {
  const std::uint32_t bits = register_bits;
  register_bits = shifted_bytes[0][bits & 0xFF] ^ shifted_bytes[1][bits >> 8 & 0xFF] ^
                  shifted_bytes[2][bits >> 16 & 0xFF] ^ shifted_bytes[3][bits >> 24];
  return register_bits;
}

Lfsr seeded_lfsr(std::uint32_t seed, std::uint32_t lane) {
  const std::uint32_t bits = words_of(seed, lane).next();
  return {bits != 0 ? bits : 1};
}

void fill(Lfsr& state, std::uint32_t* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = state.next();
}

float uniform(std::uint32_t word, float min, float max) {
  return apply(AluOp::add, min, (max - min) * (static_cast<float>(word) * 0x1p-32f));
}

void uniform(const std::uint32_t* words, float min, float max, float* out, std::size_t n) {
  widen(DType::uint32, reinterpret_cast<const std::byte*>(words), out, n);
  apply_scalar(AluOp::multiply, out, 0x1p-32f, false, out, n);
  apply_scalar(AluOp::multiply, out, max - min, false, out, n);
  apply_scalar(AluOp::add, out, min, false, out, n);
}

}  // namespace trainyard::numerics

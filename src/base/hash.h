// Hashes that are the same on every host: FNV-1a of bytes, and one of numbers, 64 bit each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace trainyard::base {

inline constexpr std::uint64_t hash_seed = 0xCBF29CE484222325u;

[[nodiscard]] constexpr std::uint64_t hash_combine(std::uint64_t hash, std::uint64_t word) {
  for (int byte = 0; byte < 8; ++byte) {
    hash = (hash ^ (word & 0xFFu)) * 0x100000001B3u;
    word >>= 8;
  }
  return hash;
}

[[nodiscard]] constexpr std::uint64_t hash_bytes(std::span<const std::byte> bytes,
                                                 std::uint64_t hash = hash_seed) {
  for (const std::byte byte : bytes)
    hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001B3u;
  return hash;
}

// A hash of many numbers, a whole one at a step: those of MurmurHash64A.
class WordHash {
 public:
  void add(std::uint64_t word) {
    word *= factor;
    word ^= word >> 47;
    hash_ = (hash_ ^ word * factor) * factor;
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  static constexpr std::uint64_t factor = 0xC6A4A7935BD1E995u;
  std::uint64_t hash_ = hash_seed;
};

}  // namespace trainyard::base

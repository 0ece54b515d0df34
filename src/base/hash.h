// A byte hash that is the same on every host: FNV-1a, 64 bit.
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

}  // namespace trainyard::base

// The eight largest values of a row and where eight given values stand in it: max8, nc_find_index8
// and nc_match_replace8. Comparisons are those of fp32; a NaN is larger than everything and equals
// nothing (assumed).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace trainyard::isa::top8 {

inline constexpr std::size_t count = 8;
inline constexpr std::uint32_t absent = 0xFFFFFFFFu;  // "an all-ones sentinel" (nc_find_index8)

// The largest eight of x[0..n), n >= 8, descending.
[[nodiscard]] std::array<float, count> largest(const float* x, std::size_t n);

enum class Duplicates : std::uint8_t {
  ascending,   // equal values take successive occurrences from slot 0 on (nc_find_index8)
  descending,  // ... from slot 7 on (nc_match_replace8)
};
// For each value the index of its first occurrence that no equal value took; `absent` when there is
// none.
[[nodiscard]] std::array<std::uint32_t, count> find(const float* x, std::size_t n,
                                                    const float* values, Duplicates order);
// For each value the index of its first occurrence, 0 when there is none: what AWS's simulator did
// before NKI 0.6 (release notes).
[[nodiscard]] std::array<std::uint32_t, count> find_first_or_zero(const float* x, std::size_t n,
                                                                  const float* values);

}  // namespace trainyard::isa::top8

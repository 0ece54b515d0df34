// Rows of bit patterns in vector registers: elements of 1, 2 or 4 bytes widened to words, cut from
// words, and chosen by a mask. No arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>

namespace trainyard::numerics {

// `width` bytes an element; the elements have any alignment.
void widen_patterns(std::size_t width, const std::byte* elements, std::uint32_t* words,
                    std::size_t n);
void narrow_patterns(std::size_t width, const std::uint32_t* words, std::byte* elements,
                     std::size_t n);

// out[i] = word
void fill_words(std::uint32_t word, std::uint32_t* out, std::size_t n);

// out[i] = mask[i] != 0 ? yes[i] : no[i]; out may be any of them. A step of 0 repeats `no`.
void select_words(const std::uint32_t* mask, const std::uint32_t* yes, const std::uint32_t* no,
                  std::size_t no_step, std::uint32_t* out, std::size_t n);

// The same of elements of `width` bytes beside masks of `mask_width`, which is no larger; all have
// any alignment. out may be yes or no.
void select_patterns(std::size_t width, std::size_t mask_width, const std::byte* mask,
                     const std::byte* yes, const std::byte* no, std::byte* out, std::size_t n);

}  // namespace trainyard::numerics

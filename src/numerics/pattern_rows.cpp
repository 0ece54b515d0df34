// Compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/pattern_rows.cpp"
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>

#include "base/error.h"
#include "numerics/pattern_rows.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Words = hn::ScalableTag<std::uint32_t>;
using U = hn::Vec<Words>;
constexpr std::size_t lanes = hn::MaxLanes(Words());

template <typename T>
HWY_INLINE U load(const std::byte* elements, std::size_t i) {
  const hn::Rebind<T, Words> d;
  const auto stored = hn::LoadU(d, reinterpret_cast<const T*>(elements) + i);
  if constexpr (sizeof(T) == sizeof(std::uint32_t)) {
    return stored;
  } else {
    return hn::PromoteTo(Words(), stored);
  }
}
template <typename T>
HWY_INLINE void store(U words, std::byte* elements, std::size_t i) {
  const hn::Rebind<T, Words> d;
  if constexpr (sizeof(T) == sizeof(std::uint32_t)) {
    hn::StoreU(words, d, reinterpret_cast<T*>(elements) + i);
  } else {
    hn::StoreU(hn::TruncateTo(d, words), d, reinterpret_cast<T*>(elements) + i);
  }
}
template <typename T>
std::uint32_t load_one(const std::byte* elements, std::size_t i) {
  T word;
  std::memcpy(&word, elements + i * sizeof(T), sizeof(T));
  return word;
}
template <typename T>
void store_one(std::uint32_t word, std::byte* elements, std::size_t i) {
  const T cut = static_cast<T>(word);
  std::memcpy(elements + i * sizeof(T), &cut, sizeof(T));
}

template <typename T>
void widen(const std::byte* elements, std::uint32_t* words, std::size_t n) {
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(load<T>(elements, i), Words(), words + i);
  for (; i < n; ++i) words[i] = load_one<T>(elements, i);
}

template <typename T>
void narrow(const std::uint32_t* words, std::byte* elements, std::size_t n) {
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) store<T>(hn::LoadU(Words(), words + i), elements, i);
  for (; i < n; ++i) store_one<T>(words[i], elements, i);
}

void widen_vectors(std::size_t width, const std::byte* elements, std::uint32_t* words,
                   std::size_t n) {
  switch (width) {
    case 1: return widen<std::uint8_t>(elements, words, n);
    case 2: return widen<std::uint16_t>(elements, words, n);
    default: return widen<std::uint32_t>(elements, words, n);
  }
}

void narrow_vectors(std::size_t width, const std::uint32_t* words, std::byte* elements,
                    std::size_t n) {
  switch (width) {
    case 1: return narrow<std::uint8_t>(words, elements, n);
    case 2: return narrow<std::uint16_t>(words, elements, n);
    default: return narrow<std::uint32_t>(words, elements, n);
  }
}

void fill_vectors(std::uint32_t word, std::uint32_t* out, std::size_t n) {
  const U words = hn::Set(Words(), word);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(words, Words(), out + i);
  for (; i < n; ++i) out[i] = word;
}

void select_vectors(const std::uint32_t* mask, const std::uint32_t* yes, const std::uint32_t* no,
                    std::size_t no_step, std::uint32_t* out, std::size_t n) {
  const Words d;
  const U same = hn::Set(d, n == 0 ? 0 : *no);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto is_zero = hn::Eq(hn::LoadU(d, mask + i), hn::Zero(d));
    const U other = no_step == 0 ? same : hn::LoadU(d, no + i);
    hn::StoreU(hn::IfThenElse(is_zero, other, hn::LoadU(d, yes + i)), d, out + i);
  }
  for (; i < n; ++i) out[i] = mask[i] != 0 ? yes[i] : no[i * no_step];
}

template <typename T, typename M>
void select_stored(const std::byte* mask, const std::byte* yes, const std::byte* no, std::byte* out,
                   std::size_t n) {
  const hn::ScalableTag<T> d;
  const hn::Rebind<M, decltype(d)> narrow;
  const std::size_t at_once = hn::Lanes(d);
  const auto at = [](const std::byte* elements, std::size_t i) {
    return reinterpret_cast<const T*>(elements) + i;
  };
  std::size_t i = 0;
  for (; i + at_once <= n; i += at_once) {
    const auto stored = hn::LoadU(narrow, reinterpret_cast<const M*>(mask) + i);
    hn::Vec<decltype(d)> wide;
    if constexpr (sizeof(T) == sizeof(M)) {
      wide = stored;
    } else {
      wide = hn::PromoteTo(d, stored);
    }
    const auto is_zero = hn::Eq(wide, hn::Zero(d));
    hn::StoreU(hn::IfThenElse(is_zero, hn::LoadU(d, at(no, i)), hn::LoadU(d, at(yes, i))), d,
               reinterpret_cast<T*>(out) + i);
  }
  for (; i < n; ++i) store_one<T>(load_one<T>(load_one<M>(mask, i) != 0 ? yes : no, i), out, i);
}

template <typename T>
void select_beside(std::size_t mask_width, const std::byte* mask, const std::byte* yes,
                   const std::byte* no, std::byte* out, std::size_t n) {
  if (mask_width == 1) return select_stored<T, std::uint8_t>(mask, yes, no, out, n);
  if constexpr (sizeof(T) >= 2) {
    if (mask_width == 2) return select_stored<T, std::uint16_t>(mask, yes, no, out, n);
  }
  if constexpr (sizeof(T) >= 4) select_stored<T, std::uint32_t>(mask, yes, no, out, n);
}

void select_elements(std::size_t width, std::size_t mask_width, const std::byte* mask,
                     const std::byte* yes, const std::byte* no, std::byte* out, std::size_t n) {
  switch (width) {
    case 1: return select_beside<std::uint8_t>(mask_width, mask, yes, no, out, n);
    case 2: return select_beside<std::uint16_t>(mask_width, mask, yes, no, out, n);
    default: return select_beside<std::uint32_t>(mask_width, mask, yes, no, out, n);
  }
}

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trainyard::numerics {

HWY_EXPORT(widen_vectors);
HWY_EXPORT(narrow_vectors);
HWY_EXPORT(fill_vectors);
HWY_EXPORT(select_vectors);
HWY_EXPORT(select_elements);

namespace {

void expect_width(std::size_t width) {
  base::check(width == 1 || width == 2 || width == 4, "a pattern has 1, 2 or 4 bytes");
}

}  // namespace

void widen_patterns(std::size_t width, const std::byte* elements, std::uint32_t* words,
                    std::size_t n) {
  expect_width(width);
  HWY_DYNAMIC_DISPATCH(widen_vectors)(width, elements, words, n);
}

void narrow_patterns(std::size_t width, const std::uint32_t* words, std::byte* elements,
                     std::size_t n) {
  expect_width(width);
  HWY_DYNAMIC_DISPATCH(narrow_vectors)(width, words, elements, n);
}

void fill_words(std::uint32_t word, std::uint32_t* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(fill_vectors)(word, out, n);
}

void select_words(const std::uint32_t* mask, const std::uint32_t* yes, const std::uint32_t* no,
                  std::size_t no_step, std::uint32_t* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(select_vectors)(mask, yes, no, no_step, out, n);
}

void select_patterns(std::size_t width, std::size_t mask_width, const std::byte* mask,
                     const std::byte* yes, const std::byte* no, std::byte* out, std::size_t n) {
  expect_width(width);
  expect_width(mask_width);
  base::check(mask_width <= width, "a mask is no wider than what it chooses");
  HWY_DYNAMIC_DISPATCH(select_elements)(width, mask_width, mask, yes, no, out, n);
}

}  // namespace trainyard::numerics
#endif  // HWY_ONCE

#include "pjrt/element_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pjrt/error.h"

namespace trainyard::pjrt {

namespace {

struct Pair {
  BufferType buffer;
  graph::ElementType element;
};
using B = BufferType;
using E = graph::ElementType;
constexpr std::array pairs{
    Pair{B::pred, E::pred},
    Pair{B::s2, E::s2},
    Pair{B::s4, E::s4},
    Pair{B::s8, E::s8},
    Pair{B::s16, E::s16},
    Pair{B::s32, E::s32},
    Pair{B::s64, E::s64},
    Pair{B::u2, E::u2},
    Pair{B::u4, E::u4},
    Pair{B::u8, E::u8},
    Pair{B::u16, E::u16},
    Pair{B::u32, E::u32},
    Pair{B::u64, E::u64},
    Pair{B::f4e2m1fn, E::f4e2m1fn},
    Pair{B::f6e2m3fn, E::f6e2m3fn},
    Pair{B::f6e3m2fn, E::f6e3m2fn},
    Pair{B::f8e3m4, E::f8e3m4},
    Pair{B::f8e4m3, E::f8e4m3},
    Pair{B::f8e4m3b11fnuz, E::f8e4m3b11fnuz},
    Pair{B::f8e4m3fn, E::f8e4m3fn},
    Pair{B::f8e4m3fnuz, E::f8e4m3fnuz},
    Pair{B::f8e5m2, E::f8e5m2},
    Pair{B::f8e5m2fnuz, E::f8e5m2fnuz},
    Pair{B::f8e8m0fnu, E::f8e8m0fnu},
    Pair{B::bf16, E::bf16},
    Pair{B::f16, E::f16},
    Pair{B::f32, E::f32},
    Pair{B::f64, E::f64},
    Pair{B::c64, E::c64},
    Pair{B::c128, E::c128},
};

}  // namespace

graph::ElementType element_type(BufferType type) {
  const auto* const found = std::ranges::find(pairs, type, &Pair::buffer);
  if (found == pairs.end()) {
    throw Failure(ErrorCode::unimplemented,
                  fmt::format("no buffer holds elements of PJRT's type {}",
                              static_cast<std::uint32_t>(type)));
  }
  return found->element;
}

BufferType buffer_type(graph::ElementType type) {
  const auto* const found = std::ranges::find(pairs, type, &Pair::element);
  if (found == pairs.end()) {
    throw Failure(ErrorCode::unimplemented,
                  fmt::format("PJRT has no buffers of {}", graph::name(type)));
  }
  return found->buffer;
}

}  // namespace trainyard::pjrt

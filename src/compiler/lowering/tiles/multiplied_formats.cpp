#include "compiler/lowering/tiles/multiplied_formats.h"

#include <algorithm>
#include <array>

namespace trainyard::compiler {

bool multiplies(isa::DType left, isa::DType right, const machine::Core& core) {
  using isa::DType;
  constexpr std::array all{DType::float32,      DType::tfloat32,    DType::bfloat16,
                           DType::float16,      DType::float8_e4m3, DType::float8_e5m2,
                           DType::float8_e4m3fn};
  if (left == DType::float8_e4m3fn && !core.features.float8_e4m3fn) return false;
  return left == right && std::ranges::find(all, left) != all.end();
}

}  // namespace trainyard::compiler

#include "isa/core/operand.h"

namespace trainyard::isa {

namespace {
template <std::size_t n, typename Enum>
std::string_view pick(const std::array<std::string_view, n>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}
}  // namespace

std::string_view name(Engine engine) {
  return pick(
      std::array<std::string_view, 6>{"tensor", "vector", "scalar", "gpsimd", "sync", "any"},
      engine);
}
std::string_view name(ReduceCmd cmd) {
  return pick(
      std::array<std::string_view, 5>{"idle", "reset", "reduce", "reset_reduce", "load_reduce"},
      cmd);
}
std::string_view name(DgeMode mode) {
  return pick(std::array<std::string_view, 4>{"unknown", "swdge", "hwdge", "none"}, mode);
}
std::string_view name(OobMode mode) {
  return pick(std::array<std::string_view, 2>{"error", "skip"}, mode);
}
std::string_view name(MatmulPerfMode mode) {
  return pick(std::array<std::string_view, 2>{"none", "double_row"}, mode);
}
std::string_view name(Accumulate accumulate) {
  return pick(std::array<std::string_view, 3>{"overwrite", "add", "automatic"}, accumulate);
}
std::string_view name(LoopKind kind) {
  return pick(std::array<std::string_view, 2>{"counted", "while_nonzero"}, kind);
}
std::string_view name(DmaPath path) {
  return pick(std::array<std::string_view, 2>{"dma", "gpsimd_dma"}, path);
}

}  // namespace trainyard::isa

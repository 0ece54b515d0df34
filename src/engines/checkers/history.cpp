#include "engines/checkers/history.h"

#include <fmt/format.h>

namespace trainyard::engines {

std::string actor_of(const isa::Program& program, std::uint32_t instruction) {
  const isa::Instruction& one = program.instructions[instruction];
  if (program.info_at(instruction).kind == isa::Kind::dma)
    return "DMA queue " + isa::queue_name(one.queue);
  return fmt::format("{} engine", name(one.engine));
}

Side History::side(std::string_view role, std::uint32_t instruction) const {
  Side side{.role = std::string(role),
            .actor = actor_of(program_, instruction),
            .what = std::string(program_.info_at(instruction).mnemonic),
            .place = program_.place(instruction)};
  const Applied& applied = applied_[instruction];
  if (applied.time.value != 0) side.time = applied.time;
  if (applied.runs > 1) side.run = applied.runs;
  return side;
}

Side History::created(isa::TensorId tensor) const {
  const isa::Tensor& one = program_.tensors[tensor];
  return {.role = "created", .what = one.name, .place = program_.describe_location(one.location)};
}

namespace {

// The last instruction before `before` with a written tile for which `wanted(tile)` holds.
template <typename F>
std::optional<std::uint32_t> last_writer(const isa::Program& program, std::uint32_t before,
                                         F&& wanted) {
  for (std::uint32_t i = before; i-- > 0;) {
    bool found = false;
    program.for_each_tile(i,
                          [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access access) {
                            found = found || (isa::writes(access) && wanted(tile));
                          });
    if (found) return i;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint32_t> History::last_write(const isa::Tile& tile,
                                                 std::uint32_t before) const {
  const isa::Region wanted = isa::region_of(program_, tile);
  return last_writer(program_, before, [&](const isa::Tile& other) {
    return isa::region_of(program_, other).overlaps(wanted);
  });
}

std::optional<std::uint32_t> History::last_write(isa::TensorId tensor, std::uint32_t before) const {
  return last_writer(program_, before,
                     [&](const isa::Tile& other) { return other.tensor == tensor; });
}

}  // namespace trainyard::engines

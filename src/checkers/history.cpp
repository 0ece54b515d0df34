#include "checkers/history.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trainyard::checkers {

std::string actor_of(const isa::Program& program, std::uint32_t instruction) {
  const isa::Instruction& one = program.instructions[instruction];
  if (program.info_at(instruction).kind == isa::Kind::dma)
    return "DMA queue " + isa::queue_name(one.queue);
  return fmt::format("{} engine", name(one.engine));
}

Side side_at(const isa::Program& program, std::string_view role, std::uint32_t instruction,
             const History::Applied& when) {
  Side side{.role = std::string(role),
            .actor = actor_of(program, instruction),
            .what = std::string(program.info_at(instruction).mnemonic),
            .place = program.place(instruction)};
  if (when.time.value != 0) side.time = when.time;
  if (when.runs > 1) side.run = when.runs;
  return side;
}

Side History::side(std::string_view role, std::uint32_t instruction) const {
  return side_at(program_, role, instruction, applied_[instruction]);
}

std::string element_at(const isa::Tensor& tensor, std::int64_t byte) {
  std::int64_t rest = byte / numerics::size_in_bytes(tensor.dtype);
  std::vector<std::int64_t> index(tensor.shape.size());
  for (std::size_t d = index.size(); d-- > 0; rest /= tensor.shape[d])
    index[d] = rest % tensor.shape[d];
  return fmt::format("[{}]", fmt::join(index, ", "));
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

}  // namespace trainyard::checkers

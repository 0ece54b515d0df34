#include "isa/references.h"

#include <fmt/format.h>

#include <cstdlib>

namespace trainyard::isa {

namespace {

// a * b, or more than extent_max; both at least 0.
std::int64_t product(std::int64_t a, std::int64_t b) {
  if (a > extent_max || b > extent_max) return extent_max + 1;
  if (b != 0 && a > extent_max / b) return extent_max + 1;
  return a * b;
}

std::string outside(std::string_view what, std::uint64_t index, std::size_t count) {
  return index < count ? std::string{} : fmt::format("{} {} of {}", what, index, count);
}

bool is_small(std::int64_t value) { return value >= -extent_max && value <= extent_max; }

}  // namespace

std::string problem(const Tile& tile, const Program& program) {
  if (!tile) return {};
  if (tile.rank > rank_max) return fmt::format("a tile of {} free dimensions", tile.rank);
  std::int64_t elements = 1, reach = 0;
  for (const Dim& dim : tile.free()) {
    if (dim.count < 0) return fmt::format("a dimension of {} elements", dim.count);
    elements = product(elements, dim.count);
    reach += std::abs(std::int64_t{dim.step}) * dim.count;  // at most 2^62 more
    if (elements > extent_max || reach > extent_max) return "a tile beyond every memory";
  }
  if (!is_small(tile.offset)) return fmt::format("an offset of {} bytes", tile.offset);
  if (std::string wrong = outside("tensor", tile.tensor, program.tensors.size()); !wrong.empty())
    return wrong;
  return tile.dynamic == 0 ? std::string{}
                           : outside("dynamic", tile.dynamic - 1, program.dynamics.size());
}

std::string problem(const Tensor& tensor, const Program& program) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : tensor.shape) {
    if (extent < 0) return fmt::format("a dimension of {} elements", extent);
    elements = product(elements, extent);
    if (elements > extent_max) return "a tensor beyond every memory";
  }
  if (tensor.space == Space::none) return "a tensor in no memory";
  if (tensor.space != Space::hbm && tensor.shape.empty())
    return "an on-chip tensor without dimensions";
  if (!is_small(tensor.address)) return fmt::format("an address of {}", tensor.address);
  if (!tensor.constant.empty() &&
      static_cast<std::int64_t>(tensor.constant.size()) != tensor.bytes())
    return fmt::format("{} bytes of content for a tensor of {}", tensor.constant.size(),
                       tensor.bytes());
  return outside("location", tensor.location, program.locations.size());
}

std::string problem(const DynamicAddress& how, const Program& program) {
  if (how.index.dynamic != 0) return "an index tile that is indexed itself";
  if (how.limit < 0) return fmt::format("a limit of {}", how.limit);
  if (!is_small(how.stride) || !is_small(how.limit)) return "a stride or limit beyond every memory";
  return problem(how.index, program);
}

std::string problem(const Frame& frame, const Program& program) {
  if (frame.caller >= program.frames.size()) return fmt::format("caller {}", frame.caller);
  if (std::string wrong = outside("string", frame.file, program.strings.size()); !wrong.empty())
    return wrong;
  return outside("string", frame.function, program.strings.size());
}

std::string problem(const Location& location, const Program& program) {
  if (std::uint64_t{location.first_index} + location.index_count > program.loop_indices.size())
    return "loop indices that do not exist";
  return outside("frame", location.frame, program.frames.size());
}

std::string problem(const ScheduleEdge& edge, const Program& program) {
  return outside("instruction", std::max(edge.producer, edge.consumer),
                 program.instructions.size());
}

std::string problem(const StreamItem& item, const Program& program) {
  if (std::uint64_t{item.first_wait} + item.wait_count > program.waits.size())
    return "waits that do not exist";
  if (std::uint64_t{item.first_signal} + item.signal_count > program.signals.size())
    return "signals that do not exist";
  return outside("instruction", item.instruction, program.instructions.size());
}

std::string problem(const InstructionInfo& info, const void* record, std::uint32_t location,
                    const Program& program) {
  std::string wrong = outside("location", location, program.locations.size());
  for (const OperandInfo& operand : info.operands) {
    for_each_tile_of(operand, record, [&](const Tile& tile) {
      if (wrong.empty()) wrong = problem(tile, program);
    });
  }
  return wrong;
}

}  // namespace trainyard::isa

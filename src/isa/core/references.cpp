#include "isa/core/references.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/utf8.h"
#include "isa/core/operand_types.h"
#include "isa/core/visit.h"

namespace trainyard::isa {

namespace {

// a * b, or more than extent_max; both at least 0.
std::int64_t product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? extent_max + 1 : result;
}

Problem outside(std::string_view words, std::uint64_t index, std::size_t count) {
  if (index < count) return {};
  return {words, static_cast<std::int64_t>(index), static_cast<std::int64_t>(count)};
}

bool is_small(std::int64_t value) { return value >= -extent_max && value <= extent_max; }

bool is_text(std::string_view bytes) { return base::is_utf8(bytes); }

template <NamedEnum... Enums>
bool are_named(Enums... values) {
  return ((static_cast<int>(values) < enum_count<Enums>)&&...);
}

}  // namespace

std::string Problem::text() const { return fmt::format(fmt::runtime(words), found, most); }

Problem problem(const Tile& tile, const Program& program) {
  if (!tile) return {};
  if (!are_named(tile.space, tile.dtype)) return {"a tile of no memory or dtype"};
  if (tile.rank > rank_max) return {"a tile of {} free dimensions", tile.rank};
  std::int64_t elements = 1, reach = 0;
  for (const Dim& dim : tile.free()) {
    if (dim.count < 0) return {"a dimension of {} elements", dim.count};
    elements = product(elements, dim.count);
    reach += std::abs(std::int64_t{dim.step}) * dim.count;  // at most 2^62 more
    if (elements > extent_max || reach > extent_max) return {"a tile beyond every memory"};
  }
  if (!is_small(tile.offset)) return {"an offset of {} bytes", tile.offset};
  if (tile.tensor >= program.tensors.size())
    return outside("tensor {} of {}", tile.tensor, program.tensors.size());
  return tile.dynamic == 0 ? Problem{}
                           : outside("dynamic {} of {}", tile.dynamic - 1, program.dynamics.size());
}

Problem problem(const Tensor& tensor, const Program& program) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : tensor.shape) {
    if (extent < 0) return {"a dimension of {} elements", extent};
    elements = product(elements, extent);
    if (elements > extent_max) return {"a tensor beyond every memory"};
  }
  if (tensor.space == Space::none || !are_named(tensor.space, tensor.dtype, tensor.role))
    return {"a tensor in no memory"};
  if (!is_text(tensor.name)) return {"a name that is not UTF-8"};
  if (tensor.space != Space::hbm && tensor.shape.empty())
    return {"an on-chip tensor without dimensions"};
  if (!is_small(tensor.address)) return {"an address of {}", tensor.address};
  const auto content = static_cast<std::int64_t>(tensor.constant.size());
  if (content != 0 && content != tensor.bytes())
    return {"{} bytes of content for a tensor of {}", content, tensor.bytes()};
  return outside("location {} of {}", tensor.location, program.locations.size());
}

Problem problem(const DynamicAddress& how, const Program& program) {
  if (!are_named(how.kind)) return {"an address of no kind"};
  if (how.index.dynamic != 0) return {"an index tile that is indexed itself"};
  if (how.limit < 0) return {"a limit of {}", how.limit};
  if (!is_small(how.stride) || !is_small(how.limit))
    return {"a stride or limit beyond every memory"};
  return problem(how.index, program);
}

Problem problem(const Frame& frame, const Program& program) {
  if (frame.caller >= program.frames.size()) return {"caller {}", frame.caller};
  const std::size_t strings = program.strings.size();
  return outside("string {} of {}", frame.file >= strings ? frame.file : frame.function, strings);
}

Problem problem(const Location& location, const Program& program) {
  if (std::uint64_t{location.first_index} + location.index_count > program.loop_indices.size())
    return {"loop indices that do not exist"};
  return outside("frame {} of {}", location.frame, program.frames.size());
}

Problem problem(const ScheduleEdge& edge, const Program& program) {
  return outside("instruction {} of {}", std::max(edge.producer, edge.consumer),
                 program.instructions.size());
}

Problem problem(const StreamItem& item, const Program& program) {
  if (std::uint64_t{item.first_wait} + item.wait_count > program.waits.size())
    return {"waits that do not exist"};
  if (std::uint64_t{item.first_signal} + item.signal_count > program.signals.size())
    return {"signals that do not exist"};
  return outside("instruction {} of {}", item.instruction, program.instructions.size());
}

Problem problem(RankGroups groups, const Program& program) {
  return groups.id == 0 ? Problem{}
                        : outside("groups {} of {}", groups.id - 1, program.rank_groups.size());
}

Problem problem(const InstructionInfo& info, const void* record, std::uint32_t location,
                const Program& program) {
  if (location >= program.locations.size())
    return outside("location {} of {}", location, program.locations.size());
  for (const OperandInfo& operand : info.operands) {
    const Problem wrong =
        visit_operand(operand, record, [&](const auto& value) { return problem(value, program); });
    if (wrong) return wrong;
  }
  return {};
}

Problem problem(const Program& program, std::uint32_t i) {
  const Instruction& what = program.instructions[i];
  if (what.opcode >= opcode_count || !are_named(what.engine) || what.queue >= queue_count)
    return {"no opcode, engine or queue of the machine"};
  const InstructionInfo& kind = info(what.opcode);
  const std::size_t arena = program.arena().size();
  if (what.record % 16 != 0 || what.record > arena || arena - what.record < kind.record_bytes)
    return {"operands that are not in the program"};
  return problem(kind, program.record(i), what.location, program);
}

std::string problem(const Program& program) {
  std::string wrong = is_text(program.name) ? "" : "a name that is not UTF-8";
  const auto each = [&](std::string_view part, const auto& items, auto&& problem_at) {
    for (std::uint32_t i = 0; i < items.size() && wrong.empty(); ++i) {
      if (const Problem found = problem_at(items[i], i))
        wrong = fmt::format("{} {}: {}", part, i, found.text());
    }
  };
  const auto of_program = [&](const auto& item, std::uint32_t) { return problem(item, program); };
  each("string", program.strings, [&](const std::string& text, std::uint32_t) {
    return is_text(text) ? Problem{} : Problem{"a text that is not UTF-8"};
  });
  each("frame", program.frames, [&](const Frame& frame, std::uint32_t i) {
    return frame.caller != 0 && frame.caller >= i ? Problem{"a caller that comes later"}
                                                  : problem(frame, program);
  });
  each("loop index", program.loop_indices, [&](const LoopIndex& index, std::uint32_t) {
    return outside("string {} of {}", index.name, program.strings.size());
  });
  each("location", program.locations, of_program);
  each("tensor", program.tensors, of_program);
  each("run-time address", program.dynamics, of_program);
  std::uint32_t last = 0;
  each("instruction", program.instructions, [&](const Instruction&, std::uint32_t i) {
    last = i;
    return problem(program, i);
  });
  // Locations have been looked at.
  if (wrong.starts_with("instruction") &&
      program.instructions[last].location < program.locations.size())
    wrong += fmt::format(" ({})", program.place(last));
  each("edge", program.schedule_edges, of_program);
  return wrong;
}

}  // namespace trainyard::isa

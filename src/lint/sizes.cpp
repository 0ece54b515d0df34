#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "lint/lint.h"
#include "lint/report.h"

namespace trainyard::lint {

namespace {

constexpr std::int64_t repeated_min = 64;  // elements; repeating fewer costs next to nothing

// The largest operand of an instruction of the Vector, Scalar or GpSimd engine.
struct Size {
  std::int64_t elements = 0;  // in each partition
  std::int64_t partitions = 0;
};

Size size_of(const isa::Program& program, std::uint32_t i) {
  Size size;
  program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access) {
    if (!tile.on_chip()) return;
    size.elements = std::max(size.elements, tile.free_elements());
    size.partitions = std::max<std::int64_t>(size.partitions, tile.partitions);
  });
  return size;
}

bool streams(const isa::Program& program, std::uint32_t i) {
  const isa::Engine engine = program.instructions[i].engine;
  return program.info_at(i).kind == isa::Kind::compute &&
         (engine == isa::Engine::vector || engine == isa::Engine::scalar ||
          engine == isa::Engine::gpsimd);
}

// What an instruction writes, where all that it reads is one element of each partition again and
// again: the tensor, and its elements in a partition.
struct Repeated {
  isa::TensorId tensor = isa::no_tensor;
  std::int64_t elements = 0;
};

std::optional<Repeated> repeated_by(const isa::Program& program, std::uint32_t i) {
  Repeated result;
  bool reads = false, repeats = true;
  program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access access) {
    if (!tile.on_chip()) {
      repeats = false;
    } else if (access == isa::Access::write && result.elements == 0) {
      result = {tile.tensor, tile.free_elements()};
    } else if (access == isa::Access::read) {
      reads = true;
      repeats = repeats && tile.free_elements() > 1 &&
                std::ranges::all_of(tile.free(), [](const isa::Dim& dim) {
                  return dim.count == 1 || dim.step == 0;
                });
    } else {
      repeats = false;
    }
  });
  if (!reads || !repeats || result.elements < repeated_min) return std::nullopt;
  return result;
}

// Which of them are operands of elementwise instructions and of nothing else: those take a column
// as it is.
std::map<isa::TensorId, std::uint32_t> repeated_columns(const isa::Program& program) {
  std::map<isa::TensorId, std::uint32_t> found;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const auto repeated = streams(program, i) ? repeated_by(program, i) : std::nullopt;
    if (repeated) found.emplace(repeated->tensor, i);
  }
  for (std::uint32_t i = 0; i < program.instructions.size() && !found.empty(); ++i) {
    const bool is_elementwise = streams(program, i);
    program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access) {
      const auto one = found.find(tile.tensor);
      if (one != found.end() && !is_elementwise) found.erase(one);
    });
  }
  return found;
}

struct Group {
  std::uint32_t first = 0;  // instruction
  std::int64_t count = 0;
  std::int64_t fixed = 0;  // cycles besides those of the elements, of the first
  Size size;
};

// Instructions of one source line fewer than this are not worth a word.
constexpr std::int64_t count_min = 32;

void inspect_columns(const isa::Program& program, checkers::Findings& findings) {
  for (const auto& [tensor, i] : repeated_columns(program))
    report(findings, "perf.repeated_column", {"repeats", i}, std::nullopt, [&] {
      return fmt::format("{} writes one element of each partition {} times",
                         program.info_at(i).mnemonic, repeated_by(program, i)->elements);
    });
}

}  // namespace

void inspect_sizes(const isa::Program& program, const machine::Core& core,
                   checkers::Findings& findings) {
  inspect_columns(program, findings);
  std::map<std::uint32_t, Group> short_rows;  // by frame
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const isa::Instruction& instruction = program.instructions[i];
    const isa::InstructionInfo& info = program.info_at(i);
    if (!streams(program, i)) continue;
    const Size size = size_of(program, i);
    const std::int64_t cycles =
        info.cycles(program.record(i), instruction.engine, core).occupancy.value;
    const std::int64_t fixed = cycles - size.elements;
    if (size.elements < fixed) {
      Group& group = short_rows[program.locations[instruction.location].frame];
      if (group.count++ == 0) group = {i, 1, fixed, size};
    } else if (2 * size.partitions <= core.sbuf.partitions && size.elements > 4 * fixed) {
      report(findings, "perf.few_partitions", {"computes", i}, std::nullopt, [&] {
        return fmt::format("{} works on {} elements in each of {} partitions of {}", info.mnemonic,
                           size.elements, size.partitions, core.sbuf.partitions);
      });
    }
  }
  for (const auto& [frame, group] : short_rows) {
    if (group.count < count_min) continue;
    report(findings, "perf.short_rows", {"computes", group.first}, std::nullopt, [&] {
      return fmt::format(
          "{} instructions like this {} of {} elements in a row, which takes {} "
          "cycles more than its elements",
          group.count, program.info_at(group.first).mnemonic, group.size.elements, group.fixed);
    });
  }
}

}  // namespace trainyard::lint

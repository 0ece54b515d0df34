#include "engines/checkers/unwritten.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checks/registry.h"
#include "engines/checkers/runs.h"
#include "isa/instructions/dma_copy.h"

namespace trainyard::engines {

using isa::Space;
using isa::Tile;

UnwrittenCheck::UnwrittenCheck(const isa::Program& program, isa::Execution& execution,
                               const History& history, Findings& findings)
    : program_(program),
      execution_(execution),
      history_(history),
      findings_(findings),
      sbuf_(execution.core.sbuf.partitions(), execution.core.sbuf.bytes_per_partition()),
      psum_(execution.core.psum.partitions(), execution.core.psum.bytes_per_partition()),
      adopted_(program.tensors.size(), false),
      whole_written_(program.tensors.size(), false) {
  // What the host filled in before the run need not be looked at again.
  for (isa::TensorId t = 0; t < program.tensors.size(); ++t) {
    const isa::Tensor& tensor = program.tensors[t];
    if (tensor.space != Space::hbm) continue;
    whole_written_[t] =
        execution.core.hbm->written().all_written(execution.hbm_base[t], tensor.bytes());
  }
}

namespace {

// Kernels copy a tensor onto itself to make what follows wait. What it holds, or not, stays so.
bool copies_onto_itself(const isa::InstructionInfo& info, const void* record) {
  if (&info != &isa::info_of<isa::DmaCopy>()) return false;
  const auto& copy = *static_cast<const isa::DmaCopy*>(record);
  return copy.dst == copy.src;
}

}  // namespace

void UnwrittenCheck::apply(std::uint32_t instruction, const isa::InstructionInfo& info,
                           const void* record) {
  if (copies_onto_itself(info, record)) return;
  isa::for_each_tile(info, record, program_.dynamics,
                     [&](const isa::OperandInfo& operand, const Tile& tile, isa::Access access) {
                       adopt(tile);
                       if (isa::reads(access) && access != isa::Access::read_some)
                         read(instruction, operand, tile);
                     });
  isa::for_each_tile(info, record, program_.dynamics,
                     [&](const isa::OperandInfo&, const Tile& tile, isa::Access access) {
                       if (isa::writes(access)) write(tile);
                     });
}

void UnwrittenCheck::adopt(const Tile& tile) {
  if (adopted_[tile.tensor]) return;
  adopted_[tile.tensor] = true;
  const isa::Tensor& tensor = program_.tensors[tile.tensor];
  // An author who chooses addresses may lay tensors over one another on purpose.
  if (!tile.on_chip() || tensor.manual_address || tensor.address < 0) return;
  coverage(tile.space)
      .clear(tensor.partition_start, static_cast<int>(tensor.partitions()), tensor.address,
             tensor.address + tensor.bytes_per_partition());
}

void UnwrittenCheck::read(std::uint32_t instruction, const isa::OperandInfo& operand,
                          const Tile& tile) {
  // Which elements an index list picks is known to the instruction only; the list itself is an
  // operand of its own.
  if (tile.dynamic != 0) return;
  if (tile.on_chip()) {
    const std::optional<Coverage::Place> missing = coverage(tile.space).first_clear(tile);
    if (missing) {
      report(instruction, operand, tile,
             fmt::format("partition {}, byte {} of {}", missing->partition, missing->byte,
                         name(tile.space)));
    }
    return;
  }
  if (whole_written_[tile.tensor]) return;
  const std::int64_t base = execution_.hbm_base[tile.tensor];
  const isa::Tensor& tensor = program_.tensors[tile.tensor];
  const state::WrittenMap& written = execution_.core.hbm->written();
  for_each_run(tile, [&](std::int64_t first, std::int64_t bytes) {
    const std::int64_t missing = written.first_unwritten(base + first, bytes);
    if (missing == base + first + bytes) return true;
    report(instruction, operand, tile, fmt::format("byte {} of '{}'", missing - base, tensor.name));
    return false;
  });
}

void UnwrittenCheck::write(const Tile& tile) {
  if (tile.on_chip()) {
    if (tile.dynamic == 0) coverage(tile.space).mark(tile);
    return;
  }
  if (whole_written_[tile.tensor]) return;
  const std::int64_t base = execution_.hbm_base[tile.tensor];
  state::WrittenMap& written = execution_.core.hbm->written();
  if (tile.dynamic != 0) {
    // A scatter writes rows that only its index list knows; none of them may be called unwritten.
    written.mark(base, program_.tensors[tile.tensor].bytes());
    return;
  }
  for_each_run(tile, [&](std::int64_t first, std::int64_t bytes) {
    written.mark(base + first, bytes);
    return true;
  });
}

void UnwrittenCheck::report(std::uint32_t instruction, const isa::OperandInfo& operand,
                            const Tile& tile, const std::string& where) {
  const isa::Tensor& tensor = program_.tensors[tile.tensor];
  const auto details = [&] {
    const Side created = history_.created(tile.tensor);
    Findings::Details details{
        .found =
            fmt::format("{} of {} reads {}, which nothing has written; it belongs to '{}'{}",
                        operand.name, program_.info_at(instruction).mnemonic, where, tensor.name,
                        created.place.empty() ? "" : ", created at " + created.place),
        .sides = {history_.side("reads", instruction)},
        .category = base::FaultCategory::uninitialized_read};
    if (const auto writer = history_.last_write(tile.tensor, instruction))
      details.sides.push_back(history_.side("writes another part", *writer));
    details.sides.push_back(created);
    return details;
  };
  findings_.report(checks::find("memory.unwritten"), program_.instructions[instruction].location,
                   tensor.location, details);
}

namespace {

// "element [3, 0]" of a tensor in HBM.
std::string element_at(const isa::Tensor& tensor, std::int64_t byte) {
  std::int64_t rest = byte / numerics::size_in_bytes(tensor.dtype);
  std::vector<std::int64_t> index(tensor.shape.size());
  for (std::size_t d = index.size(); d-- > 0; rest /= tensor.shape[d])
    index[d] = rest % tensor.shape[d];
  return fmt::format("[{}]", fmt::join(index, ", "));
}

}  // namespace

void check_outputs(const isa::Program& program, std::span<const std::int64_t> hbm_base,
                   const state::Hbm& hbm, Findings& findings) {
  for (isa::TensorId t = 0; t < program.tensors.size(); ++t) {
    const isa::Tensor& tensor = program.tensors[t];
    if (tensor.space != Space::hbm || tensor.role != isa::TensorRole::output) continue;
    const std::int64_t end = hbm_base[t] + tensor.bytes();
    const std::int64_t missing = hbm.written().first_unwritten(hbm_base[t], tensor.bytes());
    if (missing == end) continue;
    findings.report(checks::find("memory.output"), tensor.location, 0, [&] {
      return Findings::Details{.found = fmt::format("nothing wrote '{}' at {}", tensor.name,
                                                    element_at(tensor, missing - hbm_base[t])),
                               .sides = {{.role = "created",
                                          .what = tensor.name,
                                          .place = program.describe_location(tensor.location)}},
                               .category = base::FaultCategory::uninitialized_read};
    });
  }
}

}  // namespace trainyard::engines

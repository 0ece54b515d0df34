#include "engines/repetition.h"

#include <algorithm>
#include <bit>
#include <set>

namespace trainyard::engines {

namespace {

// More is not copied to find out whether a loop ends.
constexpr std::int64_t compared_bytes_max = std::int64_t{4} << 20;

std::vector<std::int64_t> registers_of(const isa::Execution& execution) {
  const auto& files = execution.core.registers;
  if (execution.engine != isa::Engine::any)
    return files.at(static_cast<std::size_t>(execution.engine));
  std::vector<std::int64_t> all;
  for (const auto& file : files) all.insert(all.end(), file.begin(), file.end());
  return all;
}

template <typename Elements>
void append(const Elements& elements, std::vector<std::byte>& out) {
  const auto bytes = std::as_bytes(std::span(elements));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace

Repetition::Repetition(const isa::Program& program, std::span<const std::uint32_t> body, bool alone)
    : program_(&program) {
  std::set<std::uint32_t> written;
  for (const std::uint32_t i : body) {
    const isa::InstructionInfo& info = program.info_at(i);
    isa::for_each_operand_tile(
        info, program.record(i), [&](std::size_t, const isa::Tile& tile, isa::Access access) {
          if (isa::writes(access)) written.insert(tile.tensor);
          loads_registers_ =
              loads_registers_ || (info.kind == isa::Kind::control && isa::reads(access));
        });
  }
  if (!loads_registers_) return;
  std::int64_t bytes = 0;
  for (const std::uint32_t tensor : written) bytes += program.tensors[tensor].bytes();
  decidable_ = alone && bytes <= compared_bytes_max;
  written_.assign(written.begin(), written.end());
}

std::int64_t Repetition::earlier_turn_like(std::int64_t turn, isa::Execution& execution) {
  if (!decidable_ || (loads_registers_ && execution.stand_in != nullptr)) return 0;
  const auto since = static_cast<std::uint64_t>(turn - kept_turn_);
  const bool asked =
      kept_turn_ > 0 && (!loads_registers_ || since <= 8 || std::has_single_bit(since));
  if (asked && registers_of(execution) == kept_registers_ &&
      (!loads_registers_ || memory(execution) == kept_memory_))
    return kept_turn_;
  if (std::has_single_bit(static_cast<std::uint64_t>(turn))) keep(turn, execution);
  return 0;
}

void Repetition::keep(std::int64_t turn, isa::Execution& execution) {
  kept_turn_ = turn;
  kept_registers_ = registers_of(execution);
  if (loads_registers_) kept_memory_ = memory(execution);
}

// What the body can change and its instructions read: tensors, accumulators, generators.
std::vector<std::byte> Repetition::memory(isa::Execution& execution) const {
  state::Core& core = execution.core;
  std::vector<std::byte> all;
  for (const std::uint32_t id : written_) {
    const isa::Tensor& tensor = program_->tensors[id];
    const std::int64_t bytes = tensor.bytes_per_partition();
    for (std::int64_t p = 0; p < tensor.partitions(); ++p) {
      const std::byte* from = tensor.space == isa::Space::hbm
                                  ? core.hbm->at(execution.hbm_base[id])
                                  : (tensor.space == isa::Space::psum ? core.psum : core.sbuf)
                                            .row(tensor.partition_start + static_cast<int>(p)) +
                                        tensor.address;
      all.insert(all.end(), from, from + bytes);
    }
  }
  append(core.vector_accumulator, all);
  append(core.scalar_accumulator, all);
  append(core.vector_prng, all);
  append(core.gpsimd_prng, all);
  for (const auto& engine : core.rounding_prng) append(engine, all);
  return all;
}

}  // namespace trainyard::engines

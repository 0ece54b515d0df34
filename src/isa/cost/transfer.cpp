#include "isa/cost/transfer.h"

#include <algorithm>
#include <optional>

#include "base/error.h"

namespace trainyard::isa {

std::int32_t Transfer::pieces_max() const {
  return is_even() ? pieces.front() : *std::max_element(pieces.begin(), pieces.end());
}

std::int64_t Transfer::last_engine() const {
  for (std::size_t e = pieces.size(); e-- > 0;) {
    if (pieces[e] > 0) return static_cast<std::int64_t>(e);
  }
  return 0;
}

namespace {

// Bytes of one row (a partition, or one step of an HBM tile's outermost dimension) that lie side by
// side.
std::int64_t run_bytes(const Tile& tile, std::int64_t row_elements) {
  return std::min(tile.run_elements(), row_elements) * tile.element_bytes();
}

// Calls f(e, share) for the DMA engines in order, whose shares of `count` things follow each other:
// up to engine e they are count * (e + 1) / engines. Found without a division for each: this runs
// for every transfer.
template <typename F>
void for_each_share(std::int64_t count, const machine::Core& core, F&& f) {
  const std::int64_t engines = core.dma.engines;
  const std::int64_t each = count / engines, left = count % engines;
  if (left == 0) {
    for (std::int64_t e = 0; e < engines; ++e) f(static_cast<std::size_t>(e), each);
    return;
  }
  std::int64_t carry = 0;
  for (std::int64_t e = 0; e < engines; ++e) {
    carry += left;
    const bool one_more = carry >= engines;
    if (one_more) carry -= engines;
    f(static_cast<std::size_t>(e), each + (one_more ? 1 : 0));
  }
}

void share_by_partition(const Tile& tile, std::int64_t pieces_per_row, const machine::Core& core,
                        Transfer& transfer) {
  if (tile.partitions == core.sbuf.partitions) {
    return for_each_share(tile.partitions, core, [&](std::size_t e, std::int64_t count) {
      transfer.pieces[e] = static_cast<std::int32_t>(count * pieces_per_row);
    });
  }
  const std::int64_t end = tile.partition_start + tile.partitions;
  std::int64_t first = 0;  // of the partitions that an engine serves
  for_each_share(core.sbuf.partitions, core, [&](std::size_t e, std::int64_t count) {
    const std::int64_t low = std::max<std::int64_t>(first, tile.partition_start);
    first += count;
    transfer.pieces[e] = static_cast<std::int32_t>(
        std::max<std::int64_t>(0, std::min(first, end) - low) * pieces_per_row);
  });
}

void share_evenly(std::int64_t pieces, const machine::Core& core, Transfer& transfer) {
  for_each_share(pieces, core, [&](std::size_t e, std::int64_t count) {
    transfer.pieces[e] = static_cast<std::int32_t>(count);
  });
}

DgeMode mode_of(const InstructionInfo& info, const void* record) {
  const DgeMode* const mode = info.first<DgeMode>(record);
  return mode == nullptr ? DgeMode::unknown : *mode;
}

bool needs_software(const InstructionInfo& info, const void* record, DgeMode mode) {
  return mode == DgeMode::unknown ? !is_plain(info, record) : mode == DgeMode::swdge;
}

std::int32_t priority_of(const InstructionInfo& info, const void* record) {
  const OperandInfo* priority = info.with(Role::priority);
  return priority == nullptr ? no_integer : priority->in<std::int32_t>(record);
}

}  // namespace

Transfer transfer_of(const InstructionInfo& info, const void* record, const machine::Core& core) {
  base::check(core.dma.engines <= static_cast<std::int64_t>(dma_engines_max),
              "room for every DMA engine");
  Transfer transfer;
  const Tile* dst = nullptr;
  const Tile* src = nullptr;
  int sources = 0;
  bool update = false;
  transfer.priority = priority_of(info, record);
  for_each_operand_tile(info, record, [&](std::size_t, const Tile& tile, Access access) {
    if (writes(access)) {
      dst = &tile;
      update = update || reads(access);
      transfer.written += {tile.bytes()};
      // What the memory itself adds to is read beside it, not by the DMA engine.
      update = update && !info.adds_at_destination;
      if (reads(access) && !info.adds_at_destination) transfer.read += {tile.bytes()};
    } else {
      if (src == nullptr) src = &tile;
      ++sources;
      transfer.read += {tile.bytes()};
    }
  });
  base::check(dst != nullptr && src != nullptr, "a transfer has a source and a destination");
  transfer.from = src->space;
  transfer.to = dst->space;
  transfer.kind = info.transfer;
  if (sources > 1 || update) transfer.kind = TransferKind::compute;

  const Tile* on_chip = dst->on_chip() ? dst : src->on_chip() ? src : nullptr;
  const std::int64_t rows = on_chip != nullptr ? on_chip->partitions
                            : dst->rank == 0   ? 1
                                               : dst->dims[0].count;
  const std::int64_t row_elements =
      std::max<std::int64_t>(1, dst->elements() / std::max<std::int64_t>(1, rows));
  const std::int64_t row_bytes = row_elements * dst->element_bytes();
  // A transpose moves whole rows of its source; how much slower is the DMA engines' affair.
  std::int64_t piece = transfer.kind == TransferKind::transpose
                           ? run_bytes(*src, row_elements)
                           : std::min(run_bytes(*dst, row_elements), run_bytes(*src, row_elements));
  if (on_chip == nullptr) piece = std::min(piece, core.dma.packet_static.value);
  transfer.piece = {std::clamp<std::int64_t>(piece, 1, std::max<std::int64_t>(1, row_bytes))};
  const std::int64_t per_row = base::ceil_div(row_bytes, transfer.piece.value);
  if (on_chip != nullptr) {
    share_by_partition(*on_chip, per_row, core, transfer);
  } else {
    share_evenly(rows * per_row, core, transfer);
  }
  return transfer;
}

Transfer transfer_of_collective(const InstructionInfo& info, const void* record, base::Bytes read,
                                base::Bytes written, const machine::Core& core) {
  Transfer transfer;
  transfer.priority = priority_of(info, record);
  for (const OperandInfo& operand : info.operands) {
    if (!operand.is<Tile>() || operand.access != Access::read) continue;
    transfer.from = transfer.to = operand.in<Tile>(record).space;
    break;
  }
  transfer.read = read;
  transfer.written = written;
  transfer.piece = {base::ceil_div(written.value, core.dma.engines)};
  share_evenly(core.dma.engines, core, transfer);
  return transfer;
}

std::uint8_t address_words(const Program& program, std::uint32_t instruction) {
  if (program.info_at(instruction).kind != Kind::dma) return 0;
  std::uint8_t words = 0;
  program.for_each_tile(instruction, [&](const OperandInfo&, const Tile& tile, Access) {
    if (tile.dynamic != 0 &&
        program.dynamics[tile.dynamic - 1].kind == DynamicAddress::Kind::tile_offset)
      ++words;
  });
  return words;
}

// A load, two operations and a move for each: a profile of nki-moe-megakernel (v14a) counts 144 ALU
// operations for 80 such transfers.
base::Ticks address_time(std::int64_t words, Engine issuer, const machine::Core& core) {
  const machine::Sequencer& sequencer = core.engine(issuer).sequencer;
  return (sequencer.register_load_sbuf + sequencer.register_alu * 2 + sequencer.register_move) *
         words;
}

bool goes_into_sbuf(const InstructionInfo& info, const void* record) {
  bool into_sbuf = false;
  for_each_operand_tile(info, record, [&](std::size_t, const Tile& tile, Access access) {
    if (writes(access)) into_sbuf = tile.space == Space::sbuf;
  });
  return into_sbuf;
}

bool is_plain(const InstructionInfo& info, const void* record) {
  bool plain = true;
  std::optional<DType> dtype;
  for_each_operand_tile(info, record, [&](std::size_t, const Tile& tile, Access) {
    plain = plain && tile.dynamic == 0 && tile.dtype == dtype.value_or(tile.dtype);
    dtype = tile.dtype;
  });
  return plain;
}

// Hardware descriptors cannot cast, and unless told otherwise AWS's compiler leaves run-time
// addresses to software (nki-moe-megakernel, OPTIMIZATION_LOG_TRN3.md, v15a).
bool needs_software(const InstructionInfo& info, const void* record) {
  return needs_software(info, record, mode_of(info, record));
}

DescriptorMaker maker_of(Engine issuer, const machine::Core& core) {
  if (issuer == Engine::gpsimd) return DescriptorMaker::software;
  return core.features.hardware_dge ? DescriptorMaker::hardware : DescriptorMaker::fixed;
}

DescriptorMaker maker_of(const InstructionInfo& info, const void* record, Engine issuer,
                         const machine::Core& core) {
  if (info.encounter(record) == Encounter::collective) return DescriptorMaker::collective;
  const DgeMode mode = mode_of(info, record);
  if (mode == DgeMode::none) return DescriptorMaker::fixed;
  return needs_software(info, record, mode) ? DescriptorMaker::software : maker_of(issuer, core);
}

const machine::DescriptorCosts& descriptors_of(DescriptorMaker maker, const machine::Core& core) {
  switch (maker) {
    case DescriptorMaker::fixed:
    case DescriptorMaker::collective: return core.dma.fixed;
    case DescriptorMaker::hardware: return core.dma.hardware;
    case DescriptorMaker::software: return core.dma.software;
  }
  base::fail("unknown maker of descriptors");
}

base::Ticks trigger_time(DescriptorMaker maker, Engine issuer, const machine::Core& core) {
  const machine::Sequencer& sequencer = core.engine(issuer).sequencer;
  switch (maker) {
    case DescriptorMaker::fixed: return sequencer.dma_issue_static;
    case DescriptorMaker::hardware: return sequencer.dma_issue_hardware;
    case DescriptorMaker::software: return sequencer.dma_issue_software;
    // As long as that of a transfer of its own (assumed).
    case DescriptorMaker::collective: return trigger_time(maker_of(issuer, core), issuer, core);
  }
  base::fail("unknown maker of descriptors");
}

// GpSimd begins when it has the address; the first ones it prepares before the kernel begins
// (public Trn2 profiles: 339 ns behind the semaphore before it).
base::Ticks issue_time(DescriptorMaker maker, Engine issuer, bool behind_another,
                       const machine::Core& core) {
  const base::Ticks trigger = trigger_time(maker, issuer, core);
  if (maker != DescriptorMaker::software) return trigger;
  return trigger + (behind_another ? core.dma.software_prepare_next : core.dma.software_prepare);
}

base::Ticks piece_time(const Transfer& transfer, DescriptorMaker maker, const machine::Core& core,
                       base::Bytes write_granule) {
  const machine::DescriptorCosts& how = descriptors_of(maker, core);
  base::Bytes piece = transfer.piece;
  if (transfer.to == Space::hbm) piece = std::max(piece, write_granule);
  const base::Bytes slow = std::min(piece, core.dma.slow_start);
  base::Ticks bytes = core.dma.packet_rate(piece - slow) + core.dma.slow_start_rate(slow);
  double efficiency = 1;
  if (transfer.kind == TransferKind::compute) efficiency = core.dma.compute_efficiency.value;
  if (transfer.kind == TransferKind::transpose) {
    efficiency = transfer.from == Space::hbm ? core.dma.transpose_efficiency_hbm.value
                                             : core.dma.transpose_efficiency_sbuf.value;
  }
  if (efficiency != 1) {
    // In parts per thousand, so that no rounding of a host's floating point decides a tick.
    const auto permille = static_cast<std::int64_t>(efficiency * 1000 + 0.5);
    bytes = {base::ceil_div(bytes.value * 1000, permille)};
  }
  return std::max(how.packet_min, bytes + how.packet_overhead);
}

}  // namespace trainyard::isa

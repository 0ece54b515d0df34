// What a DMA instruction asks of the DMA engines: how many pieces of which size each of them moves,
// who makes their descriptors, and what that takes. Said once for the engines and for estimates. It
// moves nothing and knows no time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/units.h"
#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::isa {

inline constexpr std::size_t dma_engines_max = machine::Dma::engines_max;

struct Transfer {
  TransferKind kind = TransferKind::copy;
  Space from = Space::hbm, to = Space::sbuf;
  std::int32_t priority = no_integer;  // 0 is the highest; no_integer: the author left it open
  base::Bytes read, written;           // all of it
  // One descriptor moves one piece that lies side by side in both memories. Each engine moves its
  // own pieces: those of eight neighbouring partitions, or an even share of what has no partitions
  // (DMAOV).
  base::Bytes piece;
  std::array<std::int32_t, dma_engines_max> pieces{};

  // Whether all engines have as many, where a core has as many engines as there can be.
  [[nodiscard]] bool is_even() const {
    return std::equal(pieces.begin() + 1, pieces.end(), pieces.begin());
  }
  [[nodiscard]] std::int32_t pieces_max() const;
  // The highest engine that has a piece to move; 0 when there is none.
  [[nodiscard]] std::int64_t last_engine() const;
};

// Reads the shape off any instruction of Kind::dma: it writes one tile and reads one or more.
[[nodiscard]] Transfer transfer_of(const InstructionInfo& info, const void* record,
                                   const machine::Core& core);

// A share of the bytes of a collective on one core: one packet for each DMA engine.
[[nodiscard]] Transfer transfer_of_collective(const InstructionInfo& info, const void* record,
                                              base::Bytes read, base::Bytes written,
                                              const machine::Core& core);

[[nodiscard]] bool goes_into_sbuf(const InstructionInfo& info, const void* record);

// --- Descriptors ---

// Who makes them: the host when the program is loaded, a DGE block (hardware) or GpSimd (software).
// A collective's are the host's, too, and its own cores set them off.
enum class DescriptorMaker : std::uint8_t { fixed, hardware, software, collective };

// What those of a DGE mode can say. Source: DGE reference; nki.isa.dma_copy, NKI 0.6.
[[nodiscard]] constexpr bool can_cast(DgeMode mode) { return mode != DgeMode::hwdge; }
[[nodiscard]] constexpr bool can_gather(DgeMode mode) {
  return mode == DgeMode::swdge || mode == DgeMode::unknown;
}

// Whether a transfer, as it stands in the program, neither casts nor has an address that is
// computed at run time: everybody can make its descriptors.
[[nodiscard]] bool is_plain(const InstructionInfo& info, const void* record);
// Whether only GpSimd can, or does in AWS's compiler.
[[nodiscard]] bool needs_software(const InstructionInfo& info, const void* record);
// Who does when `issuer` triggers it.
[[nodiscard]] DescriptorMaker maker_of(const InstructionInfo& info, const void* record,
                                       Engine issuer, const machine::Core& core);
// The same of a plain one, whose author left it open.
[[nodiscard]] DescriptorMaker maker_of(Engine issuer, const machine::Core& core);

[[nodiscard]] const machine::DescriptorCosts& descriptors_of(DescriptorMaker maker,
                                                             const machine::Core& core);
// How long a DMA engine is busy with a piece. A smaller write to HBM takes as long as one of
// `write_granule`.
[[nodiscard]] base::Ticks piece_time(const Transfer& transfer, DescriptorMaker maker,
                                     const machine::Core& core, base::Bytes write_granule);

// --- Issue ---

// How long a trigger holds the sequencer that issues it.
[[nodiscard]] base::Ticks trigger_time(DescriptorMaker maker, Engine issuer,
                                       const machine::Core& core);
// The same with what GpSimd spends on software descriptors before: less right behind another
// trigger than from the start.
[[nodiscard]] base::Ticks issue_time(DescriptorMaker maker, Engine issuer, bool behind_another,
                                     const machine::Core& core);

// How many words in SBUF decide the addresses of a transfer, and how long its issuer computes with
// them before it triggers it. Of an instruction that is no transfer there are none.
[[nodiscard]] std::uint8_t address_words(const Program& program, std::uint32_t instruction);
[[nodiscard]] base::Ticks address_time(std::int64_t words, Engine issuer,
                                       const machine::Core& core);

}  // namespace trainyard::isa

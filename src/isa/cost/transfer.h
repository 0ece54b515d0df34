// What a DMA instruction asks of the DMA engines: how many pieces of which size each of them moves,
// who makes their descriptors, and what that takes. Said once for the engines and for estimates. It
// moves nothing and knows no time.
#pragma once

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
  DgeMode mode = DgeMode::unknown;     // as the author wrote it
  std::int32_t priority = no_integer;  // 0 is the highest; no_integer: the author left it open
  base::Bytes read, written;           // all of it
  // One descriptor moves one piece that lies side by side in both memories. Each engine moves its
  // own pieces: those of eight neighbouring partitions, or an even share of what has no partitions
  // (DMAOV).
  base::Bytes piece;
  std::array<std::int32_t, dma_engines_max> pieces{};

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

// How the descriptors come to be; decided by the author, the issuer and what the core has.
// A collective's are built when the program is loaded, and its own cores set them off.
enum class Generation : std::uint8_t { fixed, hardware, software, collective };
[[nodiscard]] DgeMode mode_of(const InstructionInfo& info, const void* record);  // as written
[[nodiscard]] Generation generation_of(DgeMode mode, Engine issuer, const machine::Core& core);

[[nodiscard]] const machine::DescriptorMode& descriptors_of(Generation generation,
                                                            const machine::Core& core);
// How long a DMA engine is busy with a piece. A smaller write to HBM takes as long as one of
// `write_granule`.
[[nodiscard]] base::Ticks piece_time(const Transfer& transfer, Generation generation,
                                     const machine::Core& core, base::Bytes write_granule);

// How long a trigger holds the sequencer that issues it.
[[nodiscard]] base::Ticks trigger_time(Generation generation, Engine issuer,
                                       const machine::Core& core);

// How many words in SBUF decide the addresses of a transfer, and how long its issuer computes with
// them before it triggers it. Of an instruction that is no transfer there are none.
[[nodiscard]] std::uint8_t address_words(const Program& program, std::uint32_t instruction);
[[nodiscard]] base::Ticks address_time(std::int64_t words, Engine issuer,
                                       const machine::Core& core);

}  // namespace trainyard::isa

// The messages by which an instruction stream and the DMA engines talk about a transfer.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "isa/cost/transfer.h"

namespace trainyard::memory {

// From an instruction stream to the DMA engines: the trigger is issued now. `token` comes back in
// the replies.
struct TransferRequest {
  isa::Transfer shape;
  isa::DescriptorMaker maker = isa::DescriptorMaker::fixed;
  isa::Engine issuer = isa::Engine::sync;
  std::uint8_t ring = 0;
  std::uint32_t instruction = 0;
  std::uint32_t iteration = 0;
  std::uint64_t token = 0;
  base::Ticks lead;  // just before, its sequencer was busy with this transfer's address for so long
};
// From the DMA engines to the instruction stream.
struct TransferReply {
  enum class What : std::uint8_t {
    accepted,  // the issuer may go on at `time`, which is now or later
    done,      // the last byte is written, now
  };
  What what = What::done;
  std::uint64_t token = 0;
  base::Ticks time;
};

}  // namespace trainyard::memory

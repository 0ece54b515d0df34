// How a timed core triggers transfers: those under way, each from its trigger until it has landed,
// and what it asks the DMA engines for.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engines/resolved_records.h"
#include "events/port.h"
#include "isa/core/program.h"
#include "machine/core.h"
#include "memory/transfer_port.h"

namespace trainyard::engines {

struct Flight {
  const isa::StreamItem* item = nullptr;
  const isa::InstructionInfo* info = nullptr;
  std::uint32_t position = 0;  // in the issuer's stream
  std::uint32_t slot = ResolvedRecords::in_program;
  std::uint32_t iteration = 0;
  isa::Engine issuer = isa::Engine::any;
  std::uint8_t words = 0;  // that its issuer reads to compute addresses

  // With other cores.
  [[nodiscard]] bool is_exchange() const { return info->meeting != nullptr; }
};

class DmaIssue {
 public:
  // Everything referred to must outlive this.
  DmaIssue(const isa::Program& program, const machine::Core& core, const ResolvedRecords& records)
      : spec_{program, core, records} {}
  void connect(events::Port<memory::TransferRequest>& dma) { dma_ = &dma; }
  [[nodiscard]] bool is_connected() const { return dma_ != nullptr; }

  // Its number, which is free again when it has landed.
  [[nodiscard]] std::uint32_t begin(const Flight& flight);
  void land(std::uint32_t id) {
    --state_.pending;
    state_.free.push_back(id);
  }
  [[nodiscard]] const Flight& operator[](std::uint64_t id) const { return state_.flights[id]; }
  [[nodiscard]] std::size_t pending() const { return state_.pending; }
  [[nodiscard]] const void* record(const Flight& flight) const {
    return spec_.records.at(flight.slot, flight.item->instruction);
  }

  // The transfer is triggered now.
  void move(std::uint32_t id);
  // Some bytes of a collective.
  void move_packets(std::uint32_t id, base::Bytes read, base::Bytes written);

 private:
  struct Spec {
    const isa::Program& program;
    const machine::Core& core;
    const ResolvedRecords& records;
  };
  struct State {
    std::vector<Flight> flights;
    std::vector<std::uint32_t> free;
    std::size_t pending = 0;
  };
  [[nodiscard]] memory::TransferRequest request_of(std::uint32_t id, const isa::Transfer& shape,
                                                   isa::Generation generation) const;

  Spec spec_;
  State state_;
  events::Port<memory::TransferRequest>* dma_ = nullptr;
};

}  // namespace trainyard::engines

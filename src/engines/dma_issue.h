// How a timed core triggers transfers: those under way, each from its trigger until it has landed,
// and what it asks the DMA engines for.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engines/steps.h"
#include "events/port.h"
#include "isa/core/program.h"
#include "machine/core.h"
#include "memory/transfer_port.h"

namespace trainyard::engines {

struct Flight {
  const isa::StreamItem* item = nullptr;
  const isa::InstructionInfo* info = nullptr;
  Issued issued{};
  std::uint32_t position = 0;  // in the issuer's stream
  std::uint32_t iteration = 0;
  std::uint8_t words = 0;  // that its issuer reads to compute addresses
  isa::DescriptorMaker maker{};
  bool is_exchange = false;  // with other cores
};

class DmaIssue {
 public:
  // Everything referred to must outlive this.
  DmaIssue(const Steps& steps, const machine::Core& core) : spec_{steps, core} {}
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
    return spec_.steps.record(flight.issued);
  }

  // The transfer is triggered now.
  void move(std::uint32_t id);
  // Some bytes of a collective.
  void move_packets(std::uint32_t id, base::Bytes read, base::Bytes written);

 private:
  struct Spec {
    const Steps& steps;
    const machine::Core& core;
  };
  struct State {
    std::vector<Flight> flights;
    std::vector<std::uint32_t> free;
    std::size_t pending = 0;
  };
  [[nodiscard]] memory::TransferRequest request_of(std::uint32_t id,
                                                   const isa::Transfer& shape) const;

  Spec spec_;
  State state_;
  events::Port<memory::TransferRequest>* dma_ = nullptr;
};

}  // namespace trainyard::engines

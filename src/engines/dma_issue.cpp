#include "engines/dma_issue.h"

namespace trainyard::engines {

std::uint32_t DmaIssue::begin(const Flight& flight) {
  ++state_.pending;
  if (state_.free.empty()) {
    state_.flights.push_back(flight);
    return static_cast<std::uint32_t>(state_.flights.size() - 1);
  }
  const std::uint32_t id = state_.free.back();
  state_.free.pop_back();
  state_.flights[id] = flight;
  return id;
}

memory::TransferRequest DmaIssue::request_of(std::uint32_t id, const isa::Transfer& shape) const {
  const Flight& flight = state_.flights[id];
  const std::uint32_t instruction = flight.issued.instruction;
  return {.shape = shape,
          .maker = flight.maker,
          .issuer = flight.issued.engine,
          .ring = spec_.steps.program().instructions[instruction].queue,
          .instruction = instruction,
          .iteration = flight.iteration,
          .token = id,
          .lead = isa::address_time(flight.words, flight.issued.engine, spec_.core)};
}

void DmaIssue::move(std::uint32_t id) {
  const Flight& flight = state_.flights[id];
  dma_->send(request_of(id, isa::transfer_of(*flight.info, record(flight), spec_.core)));
}

void DmaIssue::move_packets(std::uint32_t id, base::Bytes read, base::Bytes written) {
  const Flight& flight = state_.flights[id];
  dma_->send(request_of(
      id, isa::transfer_of_collective(*flight.info, record(flight), read, written, spec_.core)));
}

}  // namespace trainyard::engines

// A compiled program in the memory of a device. The program itself is a body that many loads share;
// a load adds where its HBM tensors lie. Inputs and outputs may be left open, to be bound to the
// caller's buffers at each run.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "isa/core/program.h"
#include "runtime/device.h"
#include "runtime/memory.h"

namespace trainyard::runtime {

using Body = std::shared_ptr<const isa::Program>;

// An HBM tensor of a program in a buffer of the device that runs it, from `offset` on.
struct Binding {
  isa::TensorId tensor = isa::no_tensor;
  BufferRef buffer{};
  std::int64_t offset = 0;
};

// Which HBM tensors get memory of their own at load, those that are bound then left out.
enum class Placement : std::uint8_t {
  all,
  internal,  // inputs and outputs are bound at each run
};

class LoadedProgram;
using ProgramRef = std::shared_ptr<const LoadedProgram>;
using Loaded = std::variant<ProgramRef, OutOfMemory>;

class LoadedProgram {
 public:
  // Constants are written at once. Throws InputError "run.binding".
  [[nodiscard]] static Loaded load(DeviceRef device, Body body,
                                   Placement placement = Placement::all,
                                   std::span<const Binding> bound = {});

  [[nodiscard]] const Body& body() const { return body_; }
  [[nodiscard]] const Device& device() const { return *device_; }
  // In the order in which the program declares them.
  [[nodiscard]] std::span<const isa::TensorId> inputs() const { return inputs_; }
  [[nodiscard]] std::span<const isa::TensorId> outputs() const { return outputs_; }
  // Where a tensor lies that has a place already; null otherwise.
  [[nodiscard]] BufferRef buffer(isa::TensorId tensor) const {
    return tensor < places_.size() ? places_[tensor].buffer : nullptr;
  }

  // By tensor: its address in the device's memory; -1 on chip, and where it has no place. Throws
  // InputError "run.binding".
  [[nodiscard]] std::vector<std::int64_t> addresses(std::span<const Binding> bindings = {}) const;
  // Throws InputError "run.binding" for an input or output without a place, and for two tensors in
  // the same bytes of which one may be written: the program keeps no order between them.
  void check_bound(std::span<const std::int64_t> addresses) const;

 private:
  LoadedProgram(DeviceRef device, Body body);

  Body body_;
  DeviceRef device_;
  std::vector<isa::TensorId> inputs_, outputs_;
  std::vector<Binding> places_;  // by tensor
};

// The program, or the InputError of the shortage.
[[nodiscard]] ProgramRef loaded(Loaded result);

}  // namespace trainyard::runtime

// A compiled program on a device. The program itself is a body that many loads share; a load adds
// where its HBM tensors lie: in buffers that the caller binds, or in memory of its own. One that is
// not placed has no memory: it is timed, or bound anew for each run with values.
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

class LoadedProgram;
using ProgramRef = std::shared_ptr<const LoadedProgram>;
using Loaded = std::variant<ProgramRef, OutOfMemory>;

class LoadedProgram {
 public:
  // Constants are written at once. Throws InputError "run.binding".
  [[nodiscard]] static Loaded load(DeviceRef device, Body body,
                                   std::span<const Binding> bound = {});

  // In no memory. Its tensors have addresses of which no two overlap, the same in all programs with
  // equal tensors.
  [[nodiscard]] static ProgramRef unplaced(DeviceRef device, Body body);
  // The same program with its HBM tensors there; all of them have a place now. Nothing is written.
  // Throws InputError "run.binding".
  [[nodiscard]] ProgramRef placed(DeviceRef device, std::span<const Binding> places) const;

  [[nodiscard]] const Body& body() const { return body_; }
  [[nodiscard]] const Device& device() const { return *device_; }
  // Where a tensor in HBM lies; null of others.
  [[nodiscard]] BufferRef buffer(isa::TensorId tensor) const {
    return tensor < places_.size() ? places_[tensor].buffer : nullptr;
  }

  [[nodiscard]] bool is_placed() const;

  // By tensor: its address in the device's memory; -1 on chip.
  [[nodiscard]] std::vector<std::int64_t> addresses() const;
  // Throws InputError "run.binding" for two tensors in the same bytes of which one may be written:
  // the program keeps no order between them.
  void check_apart(std::span<const std::int64_t> addresses) const;

 private:
  LoadedProgram(DeviceRef device, Body body);

  Body body_;
  DeviceRef device_;
  std::vector<Binding> places_;  // by tensor; without a buffer, the offset is the address
};

// The program, or the InputError of the shortage.
[[nodiscard]] ProgramRef loaded(Loaded result);

}  // namespace trainyard::runtime

// The part of a process that wants to know what a framework's programs take: it says how they are
// run, and hears of each run and of what crosses PCIe. Without one nothing is timed.
#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "machine/machine.h"
#include "session/devices_run.h"
#include "session/model.h"
#include "session/product_ways.h"

namespace trainyard::session {

class Host {
 public:
  virtual ~Host() = default;

  [[nodiscard]] virtual const machine::Machine& machine() const = 0;
  [[nodiscard]] virtual const compiler::Options& compiling() const = 0;
  // What fails in programs of several devices: fabric/faults.h.
  [[nodiscard]] virtual std::span<const std::string> faults() const = 0;
  // How a program runs the next time; `again`: it ran before, and nothing in it depends on data.
  [[nodiscard]] virtual Options running(bool again) = 0;

  // A program is ready to run; the number that it gets is what ran() is told.
  [[nodiscard]] virtual std::int64_t made(const Model& model) = 0;
  virtual void ran(std::int64_t program, ModelRun run) = 0;
  // A program ran on several devices, or what it takes was asked for; its bodies are what made()
  // and ran() told of, with these numbers.
  virtual void ran_together(const DevicesRun& run, const std::vector<std::int64_t>& programs) = 0;
  // A program was divided over several devices, and is about to be compiled.
  virtual void divided(DividedProgram program) = 0;
  // A program was refused or failed; the framework hears of it too, in words only.
  virtual void failed(std::exception_ptr error) noexcept = 0;
  // An array went from the host to a device, or back.
  virtual void copied_in(std::int64_t bytes) = 0;
  virtual void copied_out(std::int64_t bytes) = 0;
};

}  // namespace trainyard::session

// Micro-programs: a few instructions with streams and semaphores written by hand, run in time only
// on one machine. What they measure is the simulator; the numbers they are compared with are in the
// *_cases.cpp files.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "isa/core/program.h"
#include "machine/machine.h"
#include "system/run.h"

namespace trainyard::fidelity {

// One published number, how it was simulated, and where it stands.
struct Case {
  std::string id;  // of the published collection, or a name of ours
  std::string machine;
  std::string what;
  double published = 0;
  std::string unit;
  std::string source;
  std::function<double(const machine::Machine&)> simulate;  // in `unit`
};

class Rig {
 public:
  explicit Rig(const machine::Machine& machine) : machine_(machine) { program_.compiled = true; }

  // Fresh storage, and all of it as a tile. `stride` elements lie between neighbours on chip.
  [[nodiscard]] isa::Tile sbuf(std::int64_t partitions, std::int64_t columns, isa::DType dtype,
                               std::int32_t stride = 1);
  [[nodiscard]] isa::Tile psum(std::int64_t bank, std::int64_t partitions, std::int64_t columns,
                               isa::DType dtype);
  [[nodiscard]] isa::Tile hbm(std::int64_t rows, std::int64_t columns, isa::DType dtype);

  // The tile at an address that a register holds.
  [[nodiscard]] isa::Tile at_register(isa::Tile tile);

  struct Order {
    std::vector<isa::Wait> waits{};
    std::vector<isa::Signal> signals{};
    std::uint32_t depends_back = 0;
    std::uint8_t queue = 0;
  };
  // Appends an instruction to an engine's stream.
  template <typename Record>
  void add(isa::Engine engine, const Record& record, const Order& order = {}) {
    schedule(engine, program_.append(record), order);
  }

  [[nodiscard]] system::RunResult run(trace::Recorder* recorder = nullptr) const;
  // Length of the run.
  [[nodiscard]] double nanoseconds() const;
  [[nodiscard]] const machine::Machine& machine() const { return machine_; }
  [[nodiscard]] const isa::Program& program() const { return program_; }

 private:
  void schedule(isa::Engine engine, std::uint32_t instruction, const Order& order);
  isa::TensorId tensor(isa::Space space, std::int64_t rows, std::int64_t columns, isa::DType dtype,
                       std::int64_t address);

  const machine::Machine& machine_;
  isa::Program program_;
  std::int64_t next_sbuf_ = 0;
};

// Time between the starts of like instructions: the slope between runs of `few` and `many` of them.
// `add` appends one to the rig.
[[nodiscard]] double spacing(const machine::Machine& machine, int few, int many,
                             const std::function<void(Rig&, int i)>& add);

[[nodiscard]] std::vector<Case> tensor_cases();
[[nodiscard]] std::vector<Case> engine_cases();
[[nodiscard]] std::vector<Case> formula_cases();
[[nodiscard]] std::vector<Case> sequencer_cases();
[[nodiscard]] std::vector<Case> dma_cases();
[[nodiscard]] std::vector<Case> peak_cases();

}  // namespace trainyard::fidelity

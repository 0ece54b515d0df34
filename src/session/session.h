// One place where compiling and running meet: a machine with memory for each of its ranks, kernels
// compiled and loaded into it, and runs of them with their reports.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/compiler.h"
#include "economics/prices.h"
#include "isa/core/program.h"
#include "isa/views/view.h"
#include "machine/machine.h"
#include "report/report.h"
#include "runtime/run.h"
#include "session/program_cache.h"

namespace trainyard::session {

using Options = runtime::RunOptions;

// A compiled kernel with its tensors in the memory of a rank.
class Instance {
 public:
  Instance(runtime::ProgramRef loaded, ProgramCache::Body ordered, std::string_view schedule)
      : loaded_(std::move(loaded)),
        ordered_(std::move(ordered)),
        addresses_(loaded_->addresses()),
        schedule_(schedule) {}

  [[nodiscard]] const runtime::ProgramRef& loaded() const { return loaded_; }
  [[nodiscard]] const isa::Program& program() const { return *loaded_->body(); }
  [[nodiscard]] std::span<const std::int64_t> hbm_base() const { return addresses_; }
  // The logical core that it runs on.
  [[nodiscard]] std::int32_t rank() const { return loaded_->device().id(); }
  // The name of the schedule that was asked for, and what became of it.
  [[nodiscard]] std::string_view schedule() const { return schedule_; }
  [[nodiscard]] const Ordered& ordered() const { return *ordered_; }
  [[nodiscard]] const ProgramCache::Body& body() const { return ordered_; }

 private:
  runtime::ProgramRef loaded_;
  ProgramCache::Body ordered_;
  std::vector<std::int64_t> addresses_;
  std::string_view schedule_;
};

// What one run of an instance tells.
struct Run {
  std::uint64_t instructions = 0;             // executed
  std::vector<checkers::Finding> findings{};  // of the checks
  std::optional<report::Report> report{};     // of a timed run
  // All that a recorded run did, see session/recording.h; of several ranks, some are recorded.
  std::shared_ptr<const trace::Recorder> recording{};
  std::shared_ptr<const system::LinkRecord> links{};  // of a timed run on a system
  std::shared_ptr<const Instance> instance{};         // what ran
};

// The report of a timed run with the hash of its program. A large program takes longer to hash than
// to simulate, so a run that is not recorded leaves it out until somebody reads the whole report.
[[nodiscard]] const report::Report& whole_report(Run& run);

class Session {
 public:
  // `kept`: what another process has compiled already, or null.
  explicit Session(machine::Machine machine, std::shared_ptr<const CompiledCode> kept = {})
      : Session(std::make_shared<runtime::Devices>(std::move(machine)), std::move(kept)) {}
  // In memory that others use, too.
  explicit Session(std::shared_ptr<runtime::Devices> devices,
                   std::shared_ptr<const CompiledCode> kept = {})
      : devices_(std::move(devices)), programs_(std::move(kept)) {}

  // The first of its devices.
  [[nodiscard]] runtime::DeviceRef device() const { return devices_->device(0); }

  [[nodiscard]] const machine::Machine& machine() const { return devices_->machine(); }

  // Compiles the kernel and places its HBM tensors in the memory of a rank. The instances of one
  // grid are loaded one after the other: their shared tensors, matched by order, are the same
  // memory. Throws InputError.
  [[nodiscard]] std::shared_ptr<Instance> load(isa::Program kernel,
                                               const compiler::Options& options = {},
                                               std::int32_t rank = 0);
  // The programs of several grids, compiled side by side, where all of them find room.
  [[nodiscard]] std::variant<ProgramCache::Grids, compiler::Shortage> compile_grids(
      std::vector<std::vector<isa::Program>> grids, const compiler::Options& options);
  // The instances of a grid whose programs have equal tensors, in no memory.
  [[nodiscard]] std::vector<std::shared_ptr<Instance>> unplaced(
      std::span<const ProgramCache::Body> compiled, const compiler::Options& options) const;

  // Adds what it has compiled.
  void keep(CompiledCode& code) const { programs_.keep(code); }
  // Drops what was compiled and nobody holds.
  void forget_unused() { programs_.forget_unused(); }

  // Row-major content of an HBM tensor, in and out. Throws InputError "run.binding" for a tensor
  // that the instance has not, and for content of another size.
  void write(const Instance& instance, isa::TensorId tensor, std::span<const std::byte> content);
  void read(const Instance& instance, isa::TensorId tensor, std::span<std::byte> content) const;
  // The elements of a view of an HBM tensor in row-major order of the view.
  void read(const Instance& instance, const isa::View& view, std::span<std::byte> content);

  // Runs the instances of one grid for each rank, as runtime::run(). Results in the order of the
  // instances.
  [[nodiscard]] std::vector<Run> run(std::span<const std::shared_ptr<Instance>> instances,
                                     const Options& options);

 private:
  // A shared tensor of the grid, as the first instance made it.
  struct Shared {
    isa::Tensor tensor;
    runtime::BufferRef buffer;
  };

  [[nodiscard]] std::shared_ptr<Instance> load(const ProgramCache::Body& made,
                                               std::string_view schedule, std::int32_t rank,
                                               std::vector<Shared>& shared);

  std::shared_ptr<runtime::Devices> devices_;
  ProgramCache programs_;
  std::map<std::int32_t, std::vector<Shared>> shared_;  // by rank, in order of creation
  std::optional<economics::Prices> prices_;             // read for the first timed run
};

}  // namespace trainyard::session

// A tensor program made ready to run: by the evaluator on the host, or compiled and run on the
// simulated machine. Which of the two is chosen when it is made and is always said.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "graph/host_callback.h"
#include "graph/module.h"
#include "graph/precision.h"
#include "machine/machine.h"
#include "plan/processes.h"
#include "session/arguments.h"
#include "session/array.h"

namespace trainyard::session {

enum class Mode : std::uint8_t {
  reference,  // the evaluator's values; no time passes
  machine,    // the values, time and energy of the simulated machine
};
[[nodiscard]] std::string_view name(Mode mode);
[[nodiscard]] std::optional<Mode> mode_from_name(std::string_view name);

// What a run took on the simulated machine.
struct Spent {
  double cycles = 0;  // of the tensor engine's clock
  double seconds = 0;
  double joules = 0;
  std::optional<double> dollars{};  // where the price list has the machine
  // Of several devices: collectives, one after the other, and of the time what they add to it.
  std::optional<double> collective_seconds{}, exposed_seconds{};
  // Of an estimate: loops and branches that depend on values, counted once.
  std::int64_t counted_once = 0;
};

struct Execution {
  std::vector<ArrayRef> results;
};

class Executable {
 public:
  virtual ~Executable() = default;

  [[nodiscard]] virtual Mode mode() const = 0;
  // Of HBM, besides arguments and results, while it runs; 0 where it does not run in HBM.
  [[nodiscard]] virtual std::int64_t temporary_bytes() const { return 0; }
  // Of the larger core, loops unrolled, each loop that depends on data once; 0 where it was not
  // compiled for the machine.
  [[nodiscard]] virtual std::int64_t unrolled_instructions() const { return 0; }
  // What compiling it decided, for make_executable() in another process; empty where nothing was
  // compiled.
  [[nodiscard]] virtual std::string code() const { return {}; }
  // Of the program on the machine, without values.
  [[nodiscard]] virtual Spent estimate() const = 0;
  // One array for each argument, of the argument's type. Throws InputError, Fault.
  [[nodiscard]] virtual Execution execute(Arguments arguments) const = 0;
  // On several devices at once, with the arguments of each; null where another process has them,
  // and so are its results. Throws InputError "model.devices" where they cannot run together.
  [[nodiscard]] virtual std::vector<Execution> execute_together(
      std::vector<Arguments> arguments) const;
};

class Host;

// Who is outside: whoever wants to know of the runs of a simulated program, or null (it outlives
// the program), the functions that programs call, and the processes that compute the devices of a
// program of several.
struct Outside {
  Host* host = nullptr;
  graph::HostFunctions functions{};
  plan::Placement placement{};
};

// `precision`: the casts that its user allows. `cores`: of the device that runs it. `code`: what
// code() of an executable of the same module gave; used where this build made it, for the same
// machine and options, else the program is compiled. `devices`: that run it together, by
// partition; the module is of one of them.
// Throws InputError when the program is not well formed ("graph. ..."), or asks for what `mode`
// cannot do ("... .unsupported").
[[nodiscard]] std::unique_ptr<const Executable> make_executable(
    graph::Module module, Mode mode, const machine::Machine& machine,
    const graph::Precision& precision, Outside outside = {}, int cores = 1,
    std::string_view code = {}, const std::vector<std::int64_t>& devices = {});

}  // namespace trainyard::session

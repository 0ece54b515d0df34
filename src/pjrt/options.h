// What a client is made with: create-options of the framework first, then the environment.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/precision.h"
#include "machine/machine.h"
#include "pjrt/abi/common.h"
#include "session/compiler_flags.h"
#include "session/executable.h"
#include "session/host.h"

namespace trainyard::pjrt {

// Each device is described one by one; a cluster is for the planner.
inline constexpr std::int64_t chips_max = 4096;

struct Options {
  machine::Machine machine;
  session::Mode mode = session::Mode::machine;
  std::int64_t cores_per_device = 1;  // physical NeuronCores of a logical one (LNC)
  std::int64_t chips = 1;
  std::optional<std::int64_t> devices_used{};  // of those that there are; nothing: all
  graph::Precision precision{};                // of programs that do not ask for another one
  bool strict = false;                         // refuse what AWS's compiler refuses
  session::Permissions permissions{};          // of what it refuses, by its flags
  session::Outside outside{};                  // who wants to know of runs, in the same process
  // Of a framework's job of several processes: this one, how many there are, how many devices each
  // has (nothing: as many each), and by which address the others reach this one.
  int process_index = 0, process_count = 1;
  std::vector<std::int64_t> devices_of_processes{};
  std::string host_address = "127.0.0.1";

  [[nodiscard]] std::int64_t devices_per_chip() const {
    return machine.chip.cores / cores_per_device;
  }
  [[nodiscard]] std::int64_t device_count() const {
    return devices_used.value_or(chips * devices_per_chip());
  }
  // Of one device: its share of the chip's HBM.
  [[nodiscard]] std::int64_t hbm_bytes() const;
  // "NC_v4", as the Neuron runtime names them.
  [[nodiscard]] std::string device_kind() const;
};

// The value of an environment variable, or nothing.
using Environment = std::function<std::optional<std::string>(const char* name)>;
[[nodiscard]] std::optional<std::string> process_environment(const char* name);

// Create-options: machine, set ("key=value;key=value", figures of the machine), mode, chips,
// logical_nc_config, strict, compiler_flags (as neuronx-cc takes them), host (the address of a
// session::Host; of this library, so only trainyard._core passes it), host_functions (the address
// of a HostFunction), node_id and num_nodes (JAX's, after jax.distributed.initialize()),
// coordinator_address (where these meet), host_address (where others reach this one; else the
// address by which this one reaches their coordinator). Environment:
// TRAINYARD_MACHINE (NEURON_PLATFORM_TARGET_OVERRIDE), TRAINYARD_SET, TRAINYARD_MODE,
// TRAINYARD_CHIPS, NEURON_LOGICAL_NC_CONFIG (NEURON_RT_VIRTUAL_CORE_SIZE), TRAINYARD_STRICT,
// NEURON_RT_VISIBLE_CORES ("0-3", "0,2"; else NEURON_RT_NUM_CORES): how many devices there are,
// numbered from 0 in each process, as the Neuron runtime numbers them;
// NEURON_PJRT_PROCESSES_NUM_DEVICES ("4,4"): of each process; TRAINYARD_HOST_ADDRESS;
// NEURON_CC_FLAGS. Without a mode it is the machine's, which is said on stderr. Throws Failure or
// InputError that names what is unknown or wrong; unknown compiler flags are told on stderr, unless
// strict.
[[nodiscard]] Options read_options(std::span<const NamedValue> create_options,
                                   const Environment& environment);

}  // namespace trainyard::pjrt

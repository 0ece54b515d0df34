// The processes of one job, of which this may be one: who computes which devices, and the mesh by
// which they reach each other.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "graph/module.h"
#include "pjrt/abi/client.h"
#include "pjrt/options.h"
#include "plan/processes.h"
#include "transport/mesh.h"

namespace trainyard::pjrt {

struct Job {
  std::shared_ptr<transport::Mesh> mesh;
  std::vector<int> process_of{};  // each device, by its number
  // Every process runs the same script and sees all devices (a launcher started it); else the
  // framework divides them, and a process sees those of others but cannot put arrays there.
  bool is_whole = false;

  [[nodiscard]] int process_index() const { return is_whole ? 0 : mesh->rank(); }
  [[nodiscard]] int process_of_device(std::int64_t id) const {
    return is_whole ? 0 : process_of[static_cast<std::size_t>(id)];
  }
  // Of a program on those devices; each process takes an equal part of them where it is whole.
  [[nodiscard]] plan::Placement placement(const std::vector<std::int64_t>& devices,
                                          const graph::Module& module) const;
};

// By what the framework says (create-options node_id and num_nodes, and its key-value store: JAX
// after jax.distributed.initialize()), else by the launcher (transport::launched()). Null where
// this process is alone. Says on stderr what this process computes. Throws Failure, InputError
// "processes.
// ...".
[[nodiscard]] std::shared_ptr<const Job> join(const Options& options, const ClientCreateArgs& args);

}  // namespace trainyard::pjrt

// Which job of several processes this one belongs to, as its launcher says in the environment.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "transport/mesh.h"

namespace trainyard::transport {

struct Launch {
  int rank = 0, size = 1;
  Address meeting;   // where the process of rank 0 waits for the others
  std::string word;  // that only processes of the job know
};

// The value of an environment variable, or nothing.
using Variables = std::function<std::optional<std::string>(const char* name)>;

// TRAINYARD_PROCESS_ID, TRAINYARD_PROCESS_COUNT and TRAINYARD_COORDINATOR ("host:port") where they
// are set, with TRAINYARD_JOB_WORD; else what Open MPI's mpirun sets: OMPI_COMM_WORLD_RANK and
// OMPI_COMM_WORLD_SIZE, and, where there is no TRAINYARD_COORDINATOR, the launcher's address in
// OMPI_MCA_orte_hnp_uri with a port made of the job's name. Nothing where the process runs alone,
// or is told so (a count of 1). Throws InputError "processes.launch".
[[nodiscard]] std::optional<Launch> launched(const Variables& variables);

// All processes of a job, met by way of the first one.
[[nodiscard]] std::unique_ptr<Mesh> meet(const Launch& launch, Deadline deadline);

}  // namespace trainyard::transport

// What each product of matrices of a program for several devices takes alone, as it is divided and
// divided otherwise: arguments and results lie as they do in the program, so that what it costs to
// bring them there is in each time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/partition.h"
#include "graph/precision.h"
#include "machine/machine.h"
#include "session/executable.h"

namespace trainyard::session {

struct TimedWay {
  bool is_taken = false;                // as the partitioner divides it
  graph::ProductWay way{};              // nothing where it is taken
  double seconds = 0, collectives = 0;  // of these, of collectives, one after the other
};

struct TimedProduct {
  std::string place{}, operands{}, result{};  // "bf16[2048,8192], ..."; whole
  std::int64_t count = 0;                     // of the program, alike
  std::vector<TimedWay> ways{};               // the taken one first, then from the fastest on
};

// What a partitioned program is compiled for.
struct DividedProgram {
  graph::Module shell{};  // its functions are left out
  std::vector<graph::PlacedProduct> products{};
  machine::Machine machine{};
  graph::Precision precision{};
  int cores = 1;                        // of a device
  std::vector<std::int64_t> devices{};  // by partition
};

// `most`: that are simulated of each product besides the taken one, those that an estimate likes
// best. Products that lie on no mesh are left out.
[[nodiscard]] std::vector<TimedProduct> time_products(const DividedProgram& divided,
                                                      std::size_t most);

}  // namespace trainyard::session

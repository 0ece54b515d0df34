#include "graph/replicas.h"

#include <string>

#include "base/error.h"

namespace trainyard::graph {

namespace {

// With a channel these exchange between the partitions of a replica (StableHLO, process groups).
bool is_between_partitions(const Op& op) {
  switch (op.kind) {
    case OpKind::all_to_all:
    case OpKind::collective_broadcast:
    case OpKind::collective_permute: return op.integer("channel_id") > 0;
    default: return false;
  }
}

void rewrite(const Module& module, Region& region) {
  for (Op& op : region.ops) {
    if (is_between_partitions(op)) {
      throw base::InputError(
          {"graph.devices", "replicas of one partition exchange between replicas",
           module.describe(op.location),
           std::string(name(op.kind)) + " with a channel, which is between partitions",
           "leave its channel_handle out"});
    }
    if (op.kind == OpKind::replica_id) {
      op.kind = OpKind::partition_id;
    } else if (op.kind == OpKind::partition_id) {
      op.kind = OpKind::replica_id;
    }
    for (Region& each : op.regions) rewrite(module, each);
  }
}

}  // namespace

Module of_replicas(Module module) {
  for (Function& function : module.functions) rewrite(module, function.body);
  return module;
}

}  // namespace trainyard::graph

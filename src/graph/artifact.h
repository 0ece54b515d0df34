// Reads StableHLO portable artifacts: MLIR bytecode that holds VHLO of any version from 0.9
// to 1.20, mixed with Shardy and CHLO as JAX sends it. No MLIR is needed.
//
// On one device a sharding constraint is the value it constrains, and a manual computation is its
// body: both are gone from the result, meshes stand in Module::attributes as "sdy.mesh.<name>". An
// operation of CHLO becomes a composite named after it ("chlo.erf_inv") without a decomposition.
// The type "index" is read as i64.
#pragma once

#include <cstddef>
#include <span>

#include "graph/module.h"

namespace trainyard::graph {

// The newest version of StableHLO that the reader knows; what a plugin advertises.
struct ArtifactVersion {
  int major, minor, patch;
};
inline constexpr ArtifactVersion artifact_version_newest{1, 20, 0};

// Throws InputError "graph.artifact" with the byte offset when the bytes are no such program,
// "graph.verify" when it breaks StableHLO's rules.
[[nodiscard]] Module read_artifact(std::span<const std::byte> bytes);

[[nodiscard]] bool is_artifact(std::span<const std::byte> bytes);  // begins as MLIR bytecode does

}  // namespace trainyard::graph

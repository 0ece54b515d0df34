// A program that several devices of a machine run together: the pieces between collectives on their
// cores, the collectives on their links.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "session/executable.h"

namespace trainyard::session {

// `devices`: the device of each partition; `module`: of one partition (graph::partition()).
[[nodiscard]] std::unique_ptr<const Executable> evaluated_on(
    graph::Module module, const graph::Precision& precision, Outside outside,
    const std::vector<std::int64_t>& devices);
[[nodiscard]] std::unique_ptr<const Executable> simulated_on(
    graph::Module module, const machine::Machine& machine, const graph::Precision& precision,
    Outside outside, int cores, const std::vector<std::int64_t>& devices);

}  // namespace trainyard::session

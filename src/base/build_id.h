// Tells builds of this library apart, for what a build keeps outside of its process.
#pragma once

#include <string>

namespace trainyard::base {

// The linker's hash of the file that this function runs from (its note NT_GNU_BUILD_ID), in
// hexadecimal; empty where it was linked without one.
[[nodiscard]] std::string build_id();

}  // namespace trainyard::base

// What a framework asks of a compilation: the few fields of XLA's CompileOptionsProto that mean
// something here, read and written without protobuf.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/precision.h"

namespace trainyard::pjrt {

struct CompileOptions {
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  std::vector<std::int64_t> device_ids{};  // by replica, then partition; empty: the first devices
  bool portable = false;                   // runs on any device; the call names it
  std::map<std::string, std::string> overrides{};  // jax.jit(..., compiler_options={...})
};

// Throws Failure invalid_argument that names the field, also for an override that nobody knows.
[[nodiscard]] CompileOptions read_compile_options(std::string_view bytes);

// What the compiler may cast: `base`, unless the options say otherwise. Throws InputError.
[[nodiscard]] graph::Precision precision_of(const CompileOptions& options,
                                            const graph::Precision& base);

// XLA's DeviceAssignmentProto.
[[nodiscard]] std::string device_assignment(std::int64_t replicas, std::int64_t partitions,
                                            const std::vector<std::int64_t>& device_ids);

}  // namespace trainyard::pjrt

// A compiled program with all that a framework may ask of it; what Executable and LoadedExecutable
// share.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/module.h"
#include "pjrt/compile_options.h"
#include "pjrt/job.h"
#include "pjrt/named_values.h"
#include "pjrt/options.h"
#include "session/executable.h"

namespace trainyard::pjrt {

struct Compiled {
  std::string name;          // of the module: "jit_f"
  std::string artifact;      // as it came
  std::string option_bytes;  // as they came
  std::string hlo;           // how values lie on several devices; of one device there is none
  CompileOptions options;
  // Whether each replica's run is one of its own: they exchange nothing, and none asks which it is.
  bool runs_apart = false;
  std::string fingerprint;
  std::unique_ptr<const session::Executable> program;
  std::string largest;  // its largest values, in lines
  std::vector<graph::Type> arguments;
  std::vector<graph::Type> results;
  // Whether a run takes the memory of an argument for a result: donation.
  std::vector<bool> donated;

  // The results as the interface lists them.
  std::vector<BufferType> result_types;
  std::vector<std::int64_t> result_dims;  // of all results, one after the other
  std::vector<std::size_t> result_ranks;
  std::vector<const char*> result_memory_kinds, argument_memory_kinds;
  std::vector<std::size_t> result_memory_kind_sizes, argument_memory_kind_sizes;

  [[nodiscard]] std::int64_t argument_bytes() const;
  [[nodiscard]] std::int64_t result_bytes() const;
  [[nodiscard]] std::int64_t alias_bytes() const;
  // Bytes, and where time passes: cycles, seconds, joules, dollars of a run. The first call runs
  // the program without values.
  [[nodiscard]] std::span<const NamedValue> costs() const;

 private:
  mutable std::once_flag costs_once_;
  mutable NamedValues costs_;
};

// `job`: whose processes run it, or null. Throws Failure, InputError, Fault.
[[nodiscard]] std::shared_ptr<const Compiled> compile(const Options& options, const Job* job,
                                                      std::string_view artifact,
                                                      std::string_view compile_options,
                                                      std::string_view code = {});

// For a persistent cache: the program, its options and its code, which the same build reads.
[[nodiscard]] std::string serialize(const Compiled& compiled);
[[nodiscard]] std::shared_ptr<const Compiled> deserialize(
    const Options& options, const Job* job, std::string_view bytes,
    std::optional<std::string_view> overridden);

}  // namespace trainyard::pjrt

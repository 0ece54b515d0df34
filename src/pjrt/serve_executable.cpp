// The slots of executables, compilation included.
#include <fmt/format.h>

#include <algorithm>

#include "pjrt/error.h"
#include "pjrt/event.h"
#include "pjrt/executable.h"
#include "pjrt/serialized.h"
#include "pjrt/serve.h"

namespace trainyard::pjrt {

LoadedExecutable::LoadedExecutable(Client& client_, std::shared_ptr<const Compiled> compiled_)
    : client(client_), compiled(std::move(compiled_)) {
  const CompileOptions& options = compiled->options;
  for (std::int64_t i = 0; i < options.replicas * options.partitions; ++i) {
    const auto at = static_cast<std::size_t>(i);
    all.push_back(client.device(options.device_ids.empty() ? i : options.device_ids[at]));
    if (!all.back()->is_addressable) continue;
    mine.push_back(at);
    devices.push_back(all.back());
    logical_ids.push_back({static_cast<std::int32_t>(i / options.partitions),
                           static_cast<std::int32_t>(i % options.partitions)});
  }
  if (!devices.empty()) return;
  throw Failure(
      ErrorCode::invalid_argument,
      fmt::format("{} was compiled for devices of other processes: {} and others; this is "
                  "process {}",
                  compiled->name, all.front()->description->text, client.process_index()));
}

namespace {

const Compiled& checked(const Executable* executable) {
  require(executable, "executable");
  return *executable->compiled;
}

LoadedExecutable& checked(LoadedExecutable* executable) {
  require(executable, "executable");
  return *executable;
}

std::string_view artifact_of(const Program* program) {
  require(program, "program");
  require(program->code, "program.code");
  const std::string_view format(program->format == nullptr ? "" : program->format,
                                program->format == nullptr ? 0 : program->format_size);
  if (format != "mlir") {
    throw Failure(ErrorCode::unimplemented,
                  fmt::format("a program in the format \"{}\"; the plugin `neuron` reads \"mlir\" "
                              "(StableHLO portable artifacts), which torch_xla sends with "
                              "XLA_STABLEHLO_COMPILE=1",
                              format));
  }
  return {program->code, program->code_size};
}

std::string_view text_of(const char* bytes, std::size_t size) {
  if (size > 0) require(bytes, "compile_options");
  return {bytes, size};
}

LoadedExecutable* load(Client* client, std::shared_ptr<const Compiled> compiled) {
  require(client, "client");
  return std::make_unique<LoadedExecutable>(*client, std::move(compiled)).release();
}

}  // namespace

void serve(ClientCompileArgs& args) {
  require(args.client, "client");
  args.executable =
      load(args.client,
           compile(args.client->options(), args.client->job.get(), artifact_of(args.program),
                   text_of(args.compile_options, args.compile_options_size)));
}

void serve(CompileArgs& args) {
  require(args.topology, "topology");
  args.executable =
      std::make_unique<Executable>(
          Executable{compile(args.topology->options, nullptr, artifact_of(args.program),
                             text_of(args.compile_options, args.compile_options_size))})
          .release();
}

void serve(ClientLoadArgs& args) {
  require(args.client, "client");
  require(args.executable, "executable");
  std::shared_ptr<const Compiled> compiled = args.executable->compiled;
  if (args.client->job != nullptr) {  // whose processes the compilation did not know
    compiled = compile(args.client->options(), args.client->job.get(), compiled->artifact,
                       compiled->option_bytes, compiled->program->code());
  }
  args.loaded_executable = load(args.client, std::move(compiled));
}

void serve(ExecutableDestroyArgs& args) {
  const std::unique_ptr<Executable> owned(args.executable);
}

void serve(ExecutableNameArgs& args) {
  set_text(args.executable_name, args.executable_name_size, checked(args.executable).name);
}
void serve(ExecutableNumReplicasArgs& args) {
  args.num_replicas = static_cast<std::size_t>(checked(args.executable).options.replicas);
}
void serve(ExecutableNumPartitionsArgs& args) {
  args.num_partitions = static_cast<std::size_t>(checked(args.executable).options.partitions);
}
void serve(ExecutableNumOutputsArgs& args) {
  args.num_outputs = checked(args.executable).results.size();
}
void serve(ExecutableSizeOfGeneratedCodeInBytesArgs& args) {
  args.size_in_bytes = std::ssize(checked(args.executable).artifact);
}
void serve(ExecutableFingerprintArgs& args) {
  set_text(args.executable_fingerprint, args.executable_fingerprint_size,
           checked(args.executable).fingerprint);
}
void serve(ExecutableGetCostAnalysisArgs& args) {
  const auto values = checked(args.executable).costs();
  args.properties = values.data();
  args.num_properties = values.size();
}
void serve(ExecutableOutputElementTypesArgs& args) {
  args.output_types = checked(args.executable).result_types.data();
  args.num_output_types = args.executable->compiled->result_types.size();
}
void serve(ExecutableOutputDimensionsArgs& args) {
  const Compiled& compiled = checked(args.executable);
  args.num_outputs = compiled.results.size();
  args.dims = compiled.result_dims.data();
  args.dim_sizes = compiled.result_ranks.data();
}
void serve(ExecutableOutputMemoryKindsArgs& args) {
  const Compiled& compiled = checked(args.executable);
  args.num_outputs = compiled.results.size();
  args.memory_kinds = compiled.result_memory_kinds.data();
  args.memory_kind_sizes = compiled.result_memory_kind_sizes.data();
}
void serve(ExecutableParameterMemoryKindsArgs& args) {
  const Compiled& compiled = checked(args.executable);
  args.num_parameters = compiled.arguments.size();
  args.memory_kinds = compiled.argument_memory_kinds.data();
  args.memory_kind_sizes = compiled.argument_memory_kind_sizes.data();
}

// The program as it came: what the compiler makes of it is no StableHLO. Of several devices, how
// its values lie on them.
void serve(ExecutableOptimizedProgramArgs& args) {
  const Compiled& compiled = checked(args.executable);
  require(args.program, "program");
  const bool is_hlo = !compiled.hlo.empty();
  const std::string& code = is_hlo ? compiled.hlo : compiled.artifact;
  set_text(args.program->format, args.program->format_size, is_hlo ? "hlo_with_config" : "mlir");
  if (args.program->code != nullptr) {
    if (args.program->code_size < code.size()) {
      throw Failure(ErrorCode::invalid_argument,
                    fmt::format("the program has {} bytes, there is room for {}", code.size(),
                                args.program->code_size));
    }
    std::ranges::copy(code, args.program->code);
  }
  args.program->code_size = code.size();
}

void serve(ExecutableGetCompiledMemoryStatsArgs& args) {
  const Compiled& compiled = checked(args.executable);
  args = {.header = args.header, .executable = args.executable};  // callers leave the rest unset
  args.generated_code_size_in_bytes = std::ssize(compiled.artifact);
  args.argument_size_in_bytes = compiled.argument_bytes();
  args.output_size_in_bytes = compiled.result_bytes();
  args.alias_size_in_bytes = compiled.alias_bytes();
  args.temp_size_in_bytes = compiled.program->temporary_bytes();
  args.peak_memory_in_bytes = args.total_size_in_bytes = args.total_allocation_bytes =
      args.argument_size_in_bytes + args.output_size_in_bytes - args.alias_size_in_bytes +
      args.temp_size_in_bytes;
}

void serve(ExecutableSerializeArgs& args) {
  hand_out(serialize(checked(args.executable)), args.serialized_bytes, args.serialized_bytes_size,
           args.serialized_executable, args.serialized_executable_deleter);
}

void serve(ExecutableGetCompileOptionsArgs& args) {
  hand_out(checked(args.executable).option_bytes, args.serialized_bytes, args.serialized_bytes_size,
           args.serialized_compile_options, args.serialized_compile_options_deleter);
}

void serve(ExecutableDeserializeAndLoadArgs& args) {
  require(args.client, "client");
  require(args.serialized_executable, "serialized_executable");
  std::optional<std::string_view> overridden;
  if (args.overridden_serialized_compile_options != nullptr) {
    overridden.emplace(args.overridden_serialized_compile_options,
                       args.overridden_serialized_compile_options_size);
  }
  args.loaded_executable =
      load(args.client,
           deserialize(args.client->options(), args.client->job.get(),
                       {args.serialized_executable, args.serialized_executable_size}, overridden));
}

void serve(LoadedExecutableDestroyArgs& args) {
  const std::unique_ptr<LoadedExecutable> owned(args.executable);
}
void serve(LoadedExecutableGetExecutableArgs& args) {
  args.executable =
      std::make_unique<Executable>(Executable{checked(args.loaded_executable).compiled}).release();
}
void serve(LoadedExecutableAddressableDevicesArgs& args) {
  args.addressable_devices = checked(args.executable).devices.data();
  args.num_addressable_devices = args.executable->devices.size();
}
void serve(LoadedExecutableAddressableDeviceLogicalIdsArgs& args) {
  args.addressable_device_logical_ids = checked(args.executable).logical_ids.data();
  args.num_addressable_device_logical_ids = args.executable->logical_ids.size();
}
void serve(LoadedExecutableGetDeviceAssignmentArgs& args) {
  const LoadedExecutable& loaded = checked(args.executable);
  std::vector<std::int64_t> ids;
  for (const Device* device : loaded.all) ids.push_back(device->description->id);
  hand_out(device_assignment(loaded.compiled->options.replicas, loaded.compiled->options.partitions,
                             ids),
           args.serialized_bytes, args.serialized_bytes_size, args.serialized_device_assignment,
           args.serialized_device_assignment_deleter);
}
void serve(LoadedExecutableDeleteArgs& args) { checked(args.executable).is_deleted = true; }
void serve(LoadedExecutableIsDeletedArgs& args) {
  args.is_deleted = checked(args.executable).is_deleted;
}
void serve(LoadedExecutableFingerprintArgs& args) {
  set_text(args.executable_fingerprint, args.executable_fingerprint_size,
           checked(args.executable).compiled->fingerprint);
}

}  // namespace trainyard::pjrt

// Argument records of the slots of executables. See common.h.
#pragma once

#include "pjrt/abi/common.h"

namespace trainyard::pjrt {

struct ExecutableDestroyArgs {
  Header header{};
  Executable* executable{};
};

struct ExecutableNameArgs {
  Header header{};
  Executable* executable{};
  const char* executable_name{};
  std::size_t executable_name_size{};
};

struct ExecutableNumReplicasArgs {
  Header header{};
  Executable* executable{};
  std::size_t num_replicas{};
};

struct ExecutableNumPartitionsArgs {
  Header header{};
  Executable* executable{};
  std::size_t num_partitions{};
};

struct ExecutableNumOutputsArgs {
  Header header{};
  Executable* executable{};
  std::size_t num_outputs{};
};

struct ExecutableSizeOfGeneratedCodeInBytesArgs {
  Header header{};
  Executable* executable{};
  std::int64_t size_in_bytes{};
};

struct ExecutableGetCostAnalysisArgs {
  Header header{};
  Executable* executable{};
  std::size_t num_properties{};
  const NamedValue* properties{};
};

struct ExecutableOutputMemoryKindsArgs {
  Header header{};
  Executable* executable{};
  std::size_t num_outputs{};
  const char* const* memory_kinds{};
  const std::size_t* memory_kind_sizes{};
};

struct ExecutableOptimizedProgramArgs {
  Header header{};
  Executable* executable{};
  Program* program{};
};

struct ExecutableSerializeArgs {
  Header header{};
  Executable* executable{};
  const char* serialized_bytes{};
  std::size_t serialized_bytes_size{};
  SerializedBytes* serialized_executable{};
  BytesDeleter serialized_executable_deleter{};
};

struct ExecutableDeserializeAndLoadArgs {
  Header header{};
  Client* client{};
  const char* serialized_executable{};
  std::size_t serialized_executable_size{};
  LoadedExecutable* loaded_executable{};
  const char* overridden_serialized_compile_options{};
  std::size_t overridden_serialized_compile_options_size{};
  const void* load_options{};
};

struct ExecutableOutputElementTypesArgs {
  Header header{};
  Executable* executable{};
  const BufferType* output_types{};
  std::size_t num_output_types{};
};

struct ExecutableOutputDimensionsArgs {
  Header header{};
  Executable* executable{};
  std::size_t num_outputs{};
  const std::int64_t* dims{};
  const std::size_t* dim_sizes{};
};

struct ExecutableFingerprintArgs {
  Header header{};
  Executable* executable{};
  const char* executable_fingerprint{};
  std::size_t executable_fingerprint_size{};
};

struct ExecutableGetCompiledMemoryStatsArgs {
  Header header{};
  Executable* executable{};
  std::int64_t generated_code_size_in_bytes{};
  std::int64_t argument_size_in_bytes{};
  std::int64_t output_size_in_bytes{};
  std::int64_t alias_size_in_bytes{};
  std::int64_t temp_size_in_bytes{};
  std::int64_t host_generated_code_size_in_bytes{};
  std::int64_t host_argument_size_in_bytes{};
  std::int64_t host_output_size_in_bytes{};
  std::int64_t host_alias_size_in_bytes{};
  std::int64_t host_temp_size_in_bytes{};
  std::int64_t peak_memory_in_bytes{};
  std::int64_t total_size_in_bytes{};
  std::int64_t total_allocation_bytes{};
  std::int64_t indefinite_allocations{};
  std::int64_t peak_unpadded_heap_bytes{};
};

struct ExecutableGetCompileOptionsArgs {
  Header header{};
  Executable* executable{};
  const char* serialized_bytes{};
  std::size_t serialized_bytes_size{};
  SerializedBytes* serialized_compile_options{};
  BytesDeleter serialized_compile_options_deleter{};
};

struct ExecutableParameterMemoryKindsArgs {
  Header header{};
  Executable* executable{};
  std::size_t num_parameters{};
  const char* const* memory_kinds{};
  const std::size_t* memory_kind_sizes{};
};

struct LoadedExecutableDestroyArgs {
  Header header{};
  LoadedExecutable* executable{};
};

struct LoadedExecutableGetExecutableArgs {
  Header header{};
  LoadedExecutable* loaded_executable{};
  Executable* executable{};
};

struct LoadedExecutableAddressableDevicesArgs {
  Header header{};
  LoadedExecutable* executable{};
  Device* const* addressable_devices{};
  std::size_t num_addressable_devices{};
};

struct LoadedExecutableDeleteArgs {
  Header header{};
  LoadedExecutable* executable{};
};

struct LoadedExecutableIsDeletedArgs {
  Header header{};
  LoadedExecutable* executable{};
  bool is_deleted{};
};

struct ExecuteOptions {
  Header header{};
  void* send_callbacks{};
  void* recv_callbacks{};
  std::size_t num_send_ops{};
  std::size_t num_recv_ops{};
  std::int32_t launch_id{};
  const std::int64_t* non_donatable_input_indices{};
  std::size_t num_non_donatable_input_indices{};
  ExecuteContext* context{};
  const char* call_location{};
  std::size_t num_tasks{};
  const std::int32_t* task_ids{};
  const std::int64_t* incarnation_ids{};
  void* multi_slice_config{};
  bool use_major_to_minor_data_layout_for_callbacks{};
  void* hlo_output_callbacks{};
  std::size_t num_hlo_output_callbacks{};
};

struct LoadedExecutableExecuteArgs {
  Header header{};
  LoadedExecutable* executable{};
  ExecuteOptions* options{};
  Buffer* const* const* argument_lists{};
  std::size_t num_devices{};
  std::size_t num_args{};
  Buffer** const* output_lists{};
  Event** device_complete_events{};
  Device* execute_device{};
};

struct LoadedExecutableFingerprintArgs {
  Header header{};
  LoadedExecutable* executable{};
  const char* executable_fingerprint{};
  std::size_t executable_fingerprint_size{};
};

struct LoadedExecutableGetDeviceAssignmentArgs {
  Header header{};
  LoadedExecutable* executable{};
  const char* serialized_bytes{};
  std::size_t serialized_bytes_size{};
  SerializedBytes* serialized_device_assignment{};
  BytesDeleter serialized_device_assignment_deleter{};
};

struct LoadedExecutableAddressableDeviceLogicalIdsArgs {
  Header header{};
  LoadedExecutable* executable{};
  const LogicalDeviceIds* addressable_device_logical_ids{};
  std::size_t num_addressable_device_logical_ids{};
};

struct ExecuteContextCreateArgs {
  Header header{};
  ExecuteContext* context{};
};

struct ExecuteContextDestroyArgs {
  Header header{};
  ExecuteContext* context{};
};

}  // namespace trainyard::pjrt

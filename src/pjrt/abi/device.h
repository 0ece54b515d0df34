// Argument records of the slots of devices, their descriptions and memories. See common.h.
#pragma once

#include "pjrt/abi/common.h"

namespace trainyard::pjrt {

struct DeviceDescriptionIdArgs {
  Header header{};
  DeviceDescription* device_description{};
  std::int32_t id{};
};

struct DeviceDescriptionProcessIndexArgs {
  Header header{};
  DeviceDescription* device_description{};
  std::int32_t process_index{};
};

struct DeviceDescriptionAttributesArgs {
  Header header{};
  DeviceDescription* device_description{};
  std::size_t num_attributes{};
  const NamedValue* attributes{};
};

struct DeviceDescriptionKindArgs {
  Header header{};
  DeviceDescription* device_description{};
  const char* device_kind{};
  std::size_t device_kind_size{};
};

struct DeviceDescriptionDebugStringArgs {
  Header header{};
  DeviceDescription* device_description{};
  const char* debug_string{};
  std::size_t debug_string_size{};
};

struct DeviceDescriptionToStringArgs {
  Header header{};
  DeviceDescription* device_description{};
  const char* to_string{};
  std::size_t to_string_size{};
};

struct DeviceGetDescriptionArgs {
  Header header{};
  Device* device{};
  DeviceDescription* device_description{};
};

struct DeviceIsAddressableArgs {
  Header header{};
  Device* device{};
  bool is_addressable{};
};

struct DeviceLocalHardwareIdArgs {
  Header header{};
  Device* device{};
  std::int32_t local_hardware_id{};
};

struct DeviceAddressableMemoriesArgs {
  Header header{};
  Device* device{};
  Memory* const* memories{};
  std::size_t num_memories{};
};

struct DeviceDefaultMemoryArgs {
  Header header{};
  Device* device{};
  Memory* memory{};
};

struct DeviceMemoryStatsArgs {
  Header header{};
  Device* device{};
  std::int64_t bytes_in_use{};
  std::int64_t peak_bytes_in_use{};
  bool peak_bytes_in_use_is_set{};
  std::int64_t num_allocs{};
  bool num_allocs_is_set{};
  std::int64_t largest_alloc_size{};
  bool largest_alloc_size_is_set{};
  std::int64_t bytes_limit{};
  bool bytes_limit_is_set{};
  std::int64_t bytes_reserved{};
  bool bytes_reserved_is_set{};
  std::int64_t peak_bytes_reserved{};
  bool peak_bytes_reserved_is_set{};
  std::int64_t bytes_reservable_limit{};
  bool bytes_reservable_limit_is_set{};
  std::int64_t largest_free_block_bytes{};
  bool largest_free_block_bytes_is_set{};
  std::int64_t pool_bytes{};
  bool pool_bytes_is_set{};
  std::int64_t peak_pool_bytes{};
  bool peak_pool_bytes_is_set{};
  std::int64_t peak_allocated_bytes{};
  bool peak_allocated_bytes_is_set{};
};

struct DevicePoisonExecutionArgs {
  Header header{};
  Device* device{};
  std::int32_t launch_id{};
  ErrorCode error_code{};
  const char* error_message{};
  std::size_t error_message_size{};
  bool poisoned{};
  const NamedValue* payload{};
  std::size_t num_payload{};
};

struct DeviceCreateAsyncTrackingEventArgs {
  Header header{};
  Device* device{};
  const char* description{};
  std::size_t description_size{};
  AsyncTrackingEvent* event{};
};

struct DeviceGetAttributesArgs {
  Header header{};
  Device* device{};
  const NamedValue* attributes{};
  std::size_t num_attributes{};
  DeviceAttributes* device_attributes{};
  void (*attributes_deleter)(DeviceAttributes*) = nullptr;
};

struct DeviceClearMemoryStatsArgs {
  Header header{};
  Device* device{};
};

struct MemoryIdArgs {
  Header header{};
  Memory* memory{};
  std::int32_t id{};
};

struct MemoryKindArgs {
  Header header{};
  Memory* memory{};
  const char* kind{};
  std::size_t kind_size{};
};

struct MemoryDebugStringArgs {
  Header header{};
  Memory* memory{};
  const char* debug_string{};
  std::size_t debug_string_size{};
};

struct MemoryToStringArgs {
  Header header{};
  Memory* memory{};
  const char* to_string{};
  std::size_t to_string_size{};
};

struct MemoryAddressableByDevicesArgs {
  Header header{};
  Memory* memory{};
  Device* const* devices{};
  std::size_t num_devices{};
};

struct MemoryKindIdArgs {
  Header header{};
  Memory* memory{};
  std::int32_t kind_id{};
};

}  // namespace trainyard::pjrt

// Argument records of the slots of a client. See common.h.
#pragma once

#include "pjrt/abi/common.h"

namespace trainyard::pjrt {

struct ClientCreateArgs {
  Header header{};
  const NamedValue* create_options{};
  std::size_t num_options{};
  void* kv_get_callback{};
  void* kv_get_user_arg{};
  void* kv_put_callback{};
  void* kv_put_user_arg{};
  Client* client{};
  void* kv_try_get_callback{};
  void* kv_try_get_user_arg{};
};

struct ClientDestroyArgs {
  Header header{};
  Client* client{};
};

struct ClientPlatformNameArgs {
  Header header{};
  Client* client{};
  const char* platform_name{};
  std::size_t platform_name_size{};
};

struct ClientProcessIndexArgs {
  Header header{};
  Client* client{};
  std::int32_t process_index{};
};

struct ClientPlatformVersionArgs {
  Header header{};
  Client* client{};
  const char* platform_version{};
  std::size_t platform_version_size{};
};

struct ClientDevicesArgs {
  Header header{};
  Client* client{};
  Device* const* devices{};
  std::size_t num_devices{};
};

struct ClientAddressableDevicesArgs {
  Header header{};
  Client* client{};
  Device* const* addressable_devices{};
  std::size_t num_addressable_devices{};
};

struct ClientLookupDeviceArgs {
  Header header{};
  Client* client{};
  std::int32_t id{};
  Device* device{};
};

struct ClientLookupAddressableDeviceArgs {
  Header header{};
  Client* client{};
  std::int32_t local_hardware_id{};
  Device* addressable_device{};
};

struct ClientAddressableMemoriesArgs {
  Header header{};
  Client* client{};
  Memory* const* addressable_memories{};
  std::size_t num_addressable_memories{};
};

struct ClientCompileArgs {
  Header header{};
  Client* client{};
  Program* program{};
  const char* compile_options{};
  std::size_t compile_options_size{};
  LoadedExecutable* executable{};
};

struct ClientDefaultDeviceAssignmentArgs {
  Header header{};
  Client* client{};
  std::int32_t num_replicas{};
  std::int32_t num_partitions{};
  std::size_t default_assignment_size{};
  int* default_assignment{};
};

struct ClientBufferFromHostBufferArgs {
  Header header{};
  Client* client{};
  const void* data{};
  BufferType type{};
  const std::int64_t* dims{};
  std::size_t num_dims{};
  const std::int64_t* byte_strides{};
  std::size_t num_byte_strides{};
  HostBufferSemantics host_buffer_semantics{};
  Device* device{};
  Memory* memory{};
  const MemoryLayout* device_layout{};
  Event* done_with_host_buffer{};
  Buffer* buffer{};
};

struct ClientCreateViewOfDeviceBufferArgs {
  Header header{};
  Client* client{};
  void* device_buffer_ptr{};
  const std::int64_t* dims{};
  std::size_t num_dims{};
  BufferType element_type{};
  const MemoryLayout* layout{};
  Device* device{};
  void* on_delete_callback{};
  void* on_delete_callback_arg{};
  std::int64_t stream{};
  Buffer* buffer{};
  Memory* memory{};
};

struct ClientTopologyDescriptionArgs {
  Header header{};
  Client* client{};
  TopologyDescription* topology{};
};

struct ClientCreateBuffersForAsyncHostToDeviceArgs {
  Header header{};
  Client* client{};
  const ShapeSpec* shape_specs{};
  std::size_t num_shape_specs{};
  const MemoryLayout* const* device_layouts{};
  std::size_t num_device_layouts{};
  Memory* memory{};
  TransferManager* transfer_manager{};
};

struct ClientDmaMapArgs {
  Header header{};
  Client* client{};
  const void* data{};
  std::size_t size{};
};

struct ClientDmaUnmapArgs {
  Header header{};
  Client* client{};
  const void* data{};
};

struct ClientCreateUninitializedBufferArgs {
  Header header{};
  Client* client{};
  const std::int64_t* shape_dims{};
  std::size_t shape_num_dims{};
  BufferType shape_element_type{};
  const MemoryLayout* shape_layout{};
  Device* device{};
  Memory* memory{};
  Buffer* buffer{};
};

struct ClientUpdateGlobalProcessInfoArgs {
  Header header{};
  Client* client{};
  const void* process_infos{};
  std::size_t num_process_infos{};
};

struct ClientCreateAliasBufferArgs {
  Header header{};
  Client* client{};
  Memory* memory{};
  const std::int64_t* shape_dims{};
  std::size_t shape_num_dims{};
  BufferType shape_element_type{};
  const MemoryLayout* shape_layout{};
  Buffer* alias_buffer{};
  FulfillAlias* fulfill_alias_buffer_cb{};
};

struct ClientFulfillAliasBufferArgs {
  Header header{};
  Client* client{};
  Buffer* buffer{};
  ErrorCode status_code{};
  const char* error_message{};
  std::size_t error_message_size{};
  FulfillAlias* fulfill_alias_buffer_cb{};
};

struct ClientCreateErrorBufferArgs {
  Header header{};
  Client* client{};
  ErrorCode error_code{};
  const char* error_message{};
  std::size_t error_message_size{};
  const std::int64_t* shape_dims{};
  std::size_t shape_num_dims{};
  BufferType shape_element_type{};
  const MemoryLayout* shape_layout{};
  Memory* memory{};
  Buffer* buffer{};
  const NamedValue* payload{};
  std::size_t num_payload{};
};

struct ClientLoadArgs {
  Header header{};
  Client* client{};
  Executable* executable{};
  const char* compile_options{};
  std::size_t compile_options_size{};
  LoadedExecutable* loaded_executable{};
};

}  // namespace trainyard::pjrt

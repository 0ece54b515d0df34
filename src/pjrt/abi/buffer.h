// Argument records of the slots of buffers. See common.h.
#pragma once

#include "pjrt/abi/common.h"

namespace trainyard::pjrt {

struct BufferDestroyArgs {
  Header header{};
  Buffer* buffer{};
};

struct BufferElementTypeArgs {
  Header header{};
  Buffer* buffer{};
  BufferType type{};
};

struct BufferDimensionsArgs {
  Header header{};
  Buffer* buffer{};
  const std::int64_t* dims{};
  std::size_t num_dims{};
};

struct BufferUnpaddedDimensionsArgs {
  Header header{};
  Buffer* buffer{};
  const std::int64_t* unpadded_dims{};
  std::size_t num_dims{};
};

struct BufferDynamicDimensionIndicesArgs {
  Header header{};
  Buffer* buffer{};
  const std::size_t* dynamic_dim_indices{};
  std::size_t num_dynamic_dims{};
};

struct BufferGetMemoryLayoutArgs {
  Header header{};
  Buffer* buffer{};
  MemoryLayout layout{};
};

struct BufferOnDeviceSizeInBytesArgs {
  Header header{};
  Buffer* buffer{};
  std::size_t on_device_size_in_bytes{};
};

struct BufferDeviceArgs {
  Header header{};
  Buffer* buffer{};
  Device* device{};
};

struct BufferMemoryArgs {
  Header header{};
  Buffer* buffer{};
  Memory* memory{};
};

struct BufferDeleteArgs {
  Header header{};
  Buffer* buffer{};
};

struct BufferIsDeletedArgs {
  Header header{};
  Buffer* buffer{};
  bool is_deleted{};
};

struct BufferCopyToDeviceArgs {
  Header header{};
  Buffer* buffer{};
  Device* dst_device{};
  Buffer* dst_buffer{};
};

struct BufferToHostBufferArgs {
  Header header{};
  Buffer* src{};
  const MemoryLayout* host_layout{};
  void* dst{};
  std::size_t dst_size{};
  Event* event{};
};

struct BufferIsOnCpuArgs {
  Header header{};
  Buffer* buffer{};
  bool is_on_cpu{};
};

struct BufferReadyEventArgs {
  Header header{};
  Buffer* buffer{};
  Event* event{};
};

struct BufferUnsafePointerArgs {
  Header header{};
  Buffer* buffer{};
  std::size_t buffer_pointer{};
};

struct BufferIncreaseExternalReferenceCountArgs {
  Header header{};
  Buffer* buffer{};
};

struct BufferDecreaseExternalReferenceCountArgs {
  Header header{};
  Buffer* buffer{};
};

struct BufferOpaqueDeviceMemoryDataPointerArgs {
  Header header{};
  Buffer* buffer{};
  void* device_memory_ptr{};
};

struct BufferCopyToMemoryArgs {
  Header header{};
  Buffer* buffer{};
  Memory* dst_memory{};
  Buffer* dst_buffer{};
};

struct BufferCopyRawToHostArgs {
  Header header{};
  Buffer* buffer{};
  void* dst{};
  std::int64_t offset{};
  std::int64_t transfer_size{};
  Event* event{};
};

struct BufferCopyRawToHostFutureArgs {
  Header header{};
  Buffer* buffer{};
  std::int64_t offset{};
  std::int64_t transfer_size{};
  Event* event{};
  void* callback_data{};
  void* future_ready_callback{};
};

struct BufferDonateWithControlDependencyArgs {
  Header header{};
  Buffer* buffer{};
  void* callback_data{};
  void* dependency_ready_callback{};
  Buffer* out_buffer{};
};

struct BufferBitcastArgs {
  Header header{};
  Buffer* buffer{};
  BufferType element_type{};
  const std::int64_t* dims{};
  std::size_t num_dims{};
  const MemoryLayout* device_layout{};
  Buffer* out_buffer{};
};

}  // namespace trainyard::pjrt

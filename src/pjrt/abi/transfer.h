// Argument records of the slots of transfers in parts. See common.h.
#pragma once

#include "pjrt/abi/common.h"

namespace trainyard::pjrt {

struct CopyToDeviceStreamDestroyArgs {
  Header header{};
  CopyToDeviceStream* stream{};
};

struct CopyToDeviceStreamAddChunkArgs {
  Header header{};
  CopyToDeviceStream* stream{};
  Chunk* chunk{};
  Event* transfer_complete{};
};

struct CopyToDeviceStreamTotalBytesArgs {
  Header header{};
  CopyToDeviceStream* stream{};
  std::int64_t total_bytes{};
};

struct CopyToDeviceStreamGranuleSizeArgs {
  Header header{};
  CopyToDeviceStream* stream{};
  std::int64_t granule_size_in_bytes{};
};

struct CopyToDeviceStreamCurrentBytesArgs {
  Header header{};
  CopyToDeviceStream* stream{};
  std::int64_t current_bytes{};
};

struct TransferManagerDestroyArgs {
  Header header{};
  TransferManager* transfer_manager{};
};

struct TransferManagerTransferDataArgs {
  Header header{};
  TransferManager* transfer_manager{};
  std::int32_t buffer_index{};
  const void* data{};
  std::int64_t offset{};
  std::int64_t transfer_size{};
  bool is_last_transfer{};
  Event* done_with_h2d_transfer{};
};

struct TransferManagerRetrieveBufferArgs {
  Header header{};
  TransferManager* transfer_manager{};
  std::int32_t buffer_index{};
  Buffer* buffer_out{};
};

struct TransferManagerDeviceArgs {
  Header header{};
  TransferManager* transfer_manager{};
  Device* device_out{};
};

struct TransferManagerBufferCountArgs {
  Header header{};
  TransferManager* transfer_manager{};
  std::size_t buffer_count{};
};

struct TransferManagerBufferSizeArgs {
  Header header{};
  TransferManager* transfer_manager{};
  std::int32_t buffer_index{};
  std::size_t buffer_size{};
};

struct TransferManagerSetBufferErrorArgs {
  Header header{};
  TransferManager* transfer_manager{};
  std::int32_t buffer_index{};
  ErrorCode error_code{};
  const char* error_message{};
  std::size_t error_message_size{};
};

struct TransferManagerAddMetadataArgs {
  Header header{};
  TransferManager* transfer_manager{};
  const NamedValue* transfer_metadata{};
  std::size_t num_metadata{};
};

struct TransferManagerTransferLiteralArgs {
  Header header{};
  TransferManager* transfer_manager{};
  std::int32_t buffer_index{};
  const void* data{};
  const std::int64_t* shape_dims{};
  std::size_t shape_num_dims{};
  BufferType shape_element_type{};
  const MemoryLayout* shape_layout{};
  Event* done_with_h2d_transfer{};
};

}  // namespace trainyard::pjrt

// Arrays that arrive in parts: memory is taken first, bytes follow, and the buffer is ready with
// the last of them.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "pjrt/buffer.h"
#include "pjrt/error.h"
#include "pjrt/serve.h"

namespace trainyard::pjrt {

struct TransferManager {
  struct Part {
    graph::Type type;
    std::vector<std::byte> content;
    bool is_whole = false;
    bool is_retrieved = false;
  };
  Memory& memory;
  std::vector<Part> parts;
};

namespace {

TransferManager& checked(TransferManager* manager) {
  require(manager, "transfer_manager");
  return *manager;
}

TransferManager::Part& part(TransferManager* manager, std::int32_t index) {
  std::vector<TransferManager::Part>& parts = checked(manager).parts;
  if (index < 0 || index >= std::ssize(parts)) {
    throw Failure(ErrorCode::out_of_range,
                  fmt::format("buffer {} of a transfer of {}", index, parts.size()));
  }
  return parts[static_cast<std::size_t>(index)];
}

}  // namespace

void serve(ClientCreateBuffersForAsyncHostToDeviceArgs& args) {
  require(args.memory, "memory");
  if (args.num_shape_specs > 0) require(args.shape_specs, "shape_specs");
  auto manager = std::make_unique<TransferManager>(TransferManager{*args.memory, {}});
  for (const ShapeSpec& spec : std::span(args.shape_specs, args.num_shape_specs)) {
    TransferManager::Part& added = manager->parts.emplace_back();
    added.type = tensor_type(spec.element_type, spec.dims, spec.num_dims);
    added.content.resize(static_cast<std::size_t>(added.type.bytes()));
  }
  args.transfer_manager = manager.release();
}

void serve(TransferManagerDestroyArgs& args) {
  const std::unique_ptr<TransferManager> owned(args.transfer_manager);
}

void serve(TransferManagerTransferDataArgs& args) {
  TransferManager::Part& target = part(args.transfer_manager, args.buffer_index);
  const std::int64_t size = std::ssize(target.content);
  if (args.offset < 0 || args.transfer_size < 0 || args.offset > size - args.transfer_size) {
    throw Failure(ErrorCode::out_of_range,
                  fmt::format("bytes {} to {} are transferred into a buffer of {} bytes",
                              args.offset, args.offset + args.transfer_size, size));
  }
  if (target.is_retrieved)
    throw Failure(ErrorCode::failed_precondition, "the buffer was retrieved before its last part");
  if (args.transfer_size > 0) {
    require(args.data, "data");
    std::memcpy(target.content.data() + args.offset, args.data,
                static_cast<std::size_t>(args.transfer_size));
    tell_copied_in(args.transfer_manager->memory, args.transfer_size);
  }
  target.is_whole = target.is_whole || args.is_last_transfer;
  args.done_with_h2d_transfer = ready_event();
}

void serve(TransferManagerRetrieveBufferArgs& args) {
  TransferManager::Part& source = part(args.transfer_manager, args.buffer_index);
  if (!source.is_whole || source.is_retrieved) {
    throw Failure(ErrorCode::failed_precondition,
                  fmt::format("buffer {} was retrieved {}", args.buffer_index,
                              source.is_retrieved ? "before" : "before its last part came"));
  }
  source.is_retrieved = true;
  args.buffer_out =
      std::make_unique<Buffer>(args.transfer_manager->memory,
                               std::make_shared<const session::Array>(graph::Literal{
                                   .type = source.type, .content = std::move(source.content)}))
          .release();
}

void serve(TransferManagerDeviceArgs& args) {
  args.device_out = checked(args.transfer_manager).memory.device;
}
void serve(TransferManagerBufferCountArgs& args) {
  args.buffer_count = checked(args.transfer_manager).parts.size();
}
void serve(TransferManagerBufferSizeArgs& args) {
  args.buffer_size =
      static_cast<std::size_t>(part(args.transfer_manager, args.buffer_index).type.bytes());
}

}  // namespace trainyard::pjrt

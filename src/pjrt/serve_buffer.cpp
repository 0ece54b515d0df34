// The slots of buffers.
#include <fmt/format.h>

#include <cstring>

#include "pjrt/buffer.h"
#include "pjrt/element_types.h"
#include "pjrt/error.h"
#include "pjrt/serve.h"

namespace trainyard::pjrt {

namespace {

Buffer& checked(Buffer* buffer) {
  require(buffer, "buffer");
  return *buffer;
}

Memory& destination(Memory* memory, Device* device) {
  if (memory != nullptr) return *memory;
  require(device, "device");
  return *device->hbm;
}

// Buffers are row-major on the device.
void check_device_layout(const MemoryLayout* layout, const graph::Type& type) {
  const std::int64_t element = graph::size_in_bytes(type.element);
  if (strides_of(layout, type.shape, element) == row_major_strides(type.shape, element)) return;
  throw Failure(ErrorCode::unimplemented,
                fmt::format("a layout other than row-major was asked for on the device for {}",
                            graph::to_string(type)));
}

Buffer* make_buffer(Memory& memory, session::ArrayRef array) {
  return std::make_unique<Buffer>(memory, std::move(array)).release();
}

Buffer* make_buffer(Memory& memory, graph::Literal content) {
  return make_buffer(memory, std::make_shared<const session::Array>(std::move(content)));
}

void copy_range(const session::Array& array, std::int64_t offset, std::int64_t size, void* to) {
  const std::int64_t bytes = array.type().bytes();
  if (offset < 0 || size < 0 || offset > bytes - size) {
    throw Failure(ErrorCode::out_of_range,
                  fmt::format("bytes {} to {} of a buffer of {} bytes are asked for", offset,
                              offset + size, bytes));
  }
  if (size == 0) return;
  require(to, "dst");
  array.read({static_cast<std::byte*>(to), static_cast<std::size_t>(size)}, offset);
}

}  // namespace

void serve(ClientBufferFromHostBufferArgs& args) {
  graph::Type type = tensor_type(args.type, args.dims, args.num_dims);
  Memory& memory = destination(args.memory, args.device);
  check_device_layout(args.device_layout, type);
  const std::int64_t element = graph::size_in_bytes(type.element);
  if (args.num_byte_strides != 0 && args.num_byte_strides != args.num_dims) {
    throw Failure(ErrorCode::invalid_argument, fmt::format("{} strides for {} dimensions",
                                                           args.num_byte_strides, args.num_dims));
  }
  const Strides strides = args.num_byte_strides > 0
                              ? Strides(args.byte_strides, args.byte_strides + args.num_dims)
                              : row_major_strides(type.shape, element);
  args.buffer = make_buffer(memory, array_from_host(std::move(type), args.data, strides));
  tell_copied_in(memory, args.buffer->bytes());
  args.done_with_host_buffer = ready_event();
}

void serve(ClientCreateUninitializedBufferArgs& args) {
  graph::Type type = tensor_type(args.shape_element_type, args.shape_dims, args.shape_num_dims);
  check_device_layout(args.shape_layout, type);
  const auto element = static_cast<std::size_t>(graph::size_in_bytes(type.element));
  args.buffer = make_buffer(
      destination(args.memory, args.device),
      graph::Literal{
          .type = std::move(type), .content = std::vector<std::byte>(element), .splat = true});
}

void serve(ClientCreateErrorBufferArgs& args) {
  require(args.memory, "memory");
  graph::Type type = tensor_type(args.shape_element_type, args.shape_dims, args.shape_num_dims);
  std::string message;
  if (args.error_message != nullptr) message.assign(args.error_message, args.error_message_size);
  if (args.error_code == ErrorCode::ok)
    throw Failure(ErrorCode::invalid_argument, "an error buffer needs an error code");
  args.buffer =
      std::make_unique<Buffer>(*args.memory, std::move(type), ready(args.error_code, message))
          .release();
}

void serve(BufferDestroyArgs& args) { const std::unique_ptr<Buffer> owned(args.buffer); }
void serve(BufferDeleteArgs& args) { checked(args.buffer).remove(); }
void serve(BufferIsDeletedArgs& args) { args.is_deleted = checked(args.buffer).is_deleted(); }

void serve(BufferElementTypeArgs& args) {
  args.type = buffer_type(checked(args.buffer).type.element);
}
void serve(BufferDimensionsArgs& args) {
  args.dims = checked(args.buffer).type.shape.data();
  args.num_dims = args.buffer->type.shape.size();
}
void serve(BufferUnpaddedDimensionsArgs& args) {
  args.unpadded_dims = checked(args.buffer).type.shape.data();
  args.num_dims = args.buffer->type.shape.size();
}
void serve(BufferDynamicDimensionIndicesArgs& args) {
  args.dynamic_dim_indices = nullptr;
  args.num_dynamic_dims = 0;
}
void serve(BufferGetMemoryLayoutArgs& args) {
  const Buffer& buffer = checked(args.buffer);
  args.layout = {.header = {sizeof(MemoryLayout), nullptr},
                 .tiled = {.header = {sizeof(TiledLayout), nullptr},
                           .minor_to_major = buffer.minor_to_major.data(),
                           .minor_to_major_size = buffer.minor_to_major.size(),
                           .tile_dims = nullptr,
                           .tile_dim_sizes = nullptr,
                           .num_tiles = 0},
                 .type = LayoutType::tiled};
}
void serve(BufferOnDeviceSizeInBytesArgs& args) {
  args.on_device_size_in_bytes = static_cast<std::size_t>(checked(args.buffer).bytes());
}
void serve(BufferDeviceArgs& args) { args.device = checked(args.buffer).memory.device; }
void serve(BufferMemoryArgs& args) { args.memory = &checked(args.buffer).memory; }
void serve(BufferIsOnCpuArgs& args) { args.is_on_cpu = false; }
void serve(BufferReadyEventArgs& args) { args.event = make_event(checked(args.buffer).ready); }

void serve(BufferCopyToDeviceArgs& args) {
  require(args.dst_device, "dst_device");
  args.dst_buffer = make_buffer(*args.dst_device->hbm, *checked(args.buffer).array()->content());
}
void serve(BufferCopyToMemoryArgs& args) {
  require(args.dst_memory, "dst_memory");
  args.dst_buffer = make_buffer(*args.dst_memory, *checked(args.buffer).array()->content());
}

void serve(BufferToHostBufferArgs& args) {
  const Buffer& buffer = checked(args.src);
  if (buffer.type.kind == graph::Type::Kind::token)
    throw Failure(ErrorCode::invalid_argument,
                  "Cannot convert a token-shape buffer to a numpy array.");  // XLA's words
  const session::ArrayRef array = buffer.array();
  const auto size = static_cast<std::size_t>(buffer.bytes());
  if (args.dst == nullptr) {  // a question for the size
    args.dst_size = size;
    args.event = nullptr;
    return;
  }
  if (args.dst_size < size) {
    throw Failure(ErrorCode::invalid_argument,
                  fmt::format("the host buffer has {} bytes, {} needs {}", args.dst_size,
                              graph::to_string(buffer.type), size));
  }
  const std::int64_t element = graph::size_in_bytes(buffer.type.element);
  const Strides to = strides_of(args.host_layout, buffer.type.shape, element);
  const Strides from = row_major_strides(buffer.type.shape, element);
  if (from == to) {
    copy_range(*array, 0, buffer.bytes(), args.dst);
  } else {
    const std::shared_ptr<const graph::Literal> content = array->content();
    const std::vector<std::byte> repeated =
        content->splat ? content->expanded() : std::vector<std::byte>();
    copy_elements(content->splat ? repeated.data() : content->content.data(), from,
                  static_cast<std::byte*>(args.dst), to, buffer.type.shape, element);
  }
  tell_copied_out(buffer.memory, buffer.bytes());
  args.event = ready_event();
}

void serve(BufferCopyRawToHostArgs& args) {
  copy_range(*checked(args.buffer).array(), args.offset, args.transfer_size, args.dst);
  tell_copied_out(args.buffer->memory, args.transfer_size);
  args.event = ready_event();
}

void serve(BufferBitcastArgs& args) {
  const Buffer& buffer = checked(args.buffer);
  graph::Type type = tensor_type(args.element_type, args.dims, args.num_dims);
  check_device_layout(args.device_layout, type);
  if (type.bytes() != buffer.bytes()) {
    throw Failure(ErrorCode::invalid_argument,
                  fmt::format("{} cannot be seen as {}: their sizes differ",
                              graph::to_string(buffer.type), graph::to_string(type)));
  }
  args.out_buffer = make_buffer(
      buffer.memory,
      graph::Literal{.type = std::move(type), .content = buffer.array()->content()->expanded()});
}

// Where the device's memory lies in the host's: a pointer to compare and to read, not an address of
// the device.
void serve(BufferUnsafePointerArgs& args) {
  const Buffer& buffer = checked(args.buffer);
  const runtime::BufferRef place = buffer.array()->in(*buffer.memory.device->simulated->memory());
  args.buffer_pointer = reinterpret_cast<std::size_t>(place->data());
}

}  // namespace trainyard::pjrt

#include "pjrt/buffer.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <utility>

#include "pjrt/element_types.h"
#include "pjrt/error.h"

namespace trainyard::pjrt {

namespace {

std::vector<std::int64_t> reversed_dimensions(std::size_t rank) {
  std::vector<std::int64_t> result(rank);
  for (std::size_t i = 0; i < rank; ++i) result[i] = static_cast<std::int64_t>(rank - 1 - i);
  return result;
}

}  // namespace

Buffer::Buffer(Memory& memory_, session::ArrayRef array)
    : memory(memory_),
      type(array->type()),
      minor_to_major(reversed_dimensions(type.shape.size())),
      ready(pjrt::ready()),
      held_(std::make_shared<const Held>(Held{
          std::move(array), std::make_shared<const Allocation>(memory.account, type.bytes())})) {}

Buffer::Buffer(Memory& memory_, graph::Type type_, runtime::Event failed)
    : memory(memory_),
      type(std::move(type_)),
      minor_to_major(reversed_dimensions(type.shape.size())),
      ready(std::move(failed)) {}

session::ArrayRef Buffer::array() const {
  const std::lock_guard lock(mutex_);
  if (deleted_) {
    throw Failure(
        ErrorCode::invalid_argument,
        fmt::format("a buffer of {} is used that was deleted or donated", graph::to_string(type)));
  }
  if (held_ == nullptr) std::rethrow_exception(ready.error());
  return {held_, held_->array.get()};
}

bool Buffer::is_deleted() const {
  const std::lock_guard lock(mutex_);
  return deleted_;
}

void Buffer::remove() {
  const std::lock_guard lock(mutex_);
  deleted_ = true;
  held_.reset();
}

namespace {

session::Host* host_of(const Memory& memory) {
  return memory.kind == MemoryKind::device ? memory.device->client->options().outside.host
                                           : nullptr;
}

}  // namespace

void tell_copied_in(const Memory& memory, std::int64_t bytes) {
  if (session::Host* const host = host_of(memory)) host->copied_in(bytes);
}
void tell_copied_out(const Memory& memory, std::int64_t bytes) {
  if (session::Host* const host = host_of(memory)) host->copied_out(bytes);
}

graph::Type tensor_type(BufferType element, const std::int64_t* dims, std::size_t rank) {
  if (rank > 0) require(dims, "dims");
  graph::Type type{.element = element_type(element), .shape = {dims, dims + rank}};
  std::int64_t bytes = graph::size_in_bytes(type.element);
  for (const std::int64_t extent : type.shape) {
    if (extent < 0 || __builtin_mul_overflow(bytes, extent, &bytes)) {
      throw Failure(ErrorCode::invalid_argument,
                    fmt::format("{} is not a shape of a buffer", graph::to_string(type)));
    }
  }
  return type;
}

session::ArrayRef array_from_host(graph::Type type, const void* data, const Strides& strides) {
  graph::Literal content;
  const std::int64_t element = graph::size_in_bytes(type.element);
  content.content.resize(static_cast<std::size_t>(type.bytes()));
  if (!content.content.empty()) {
    require(data, "data");
    copy_elements(static_cast<const std::byte*>(data), strides, content.content.data(),
                  row_major_strides(type.shape, element), type.shape, element);
  }
  content.type = std::move(type);
  return std::make_shared<const session::Array>(std::move(content));
}

}  // namespace trainyard::pjrt

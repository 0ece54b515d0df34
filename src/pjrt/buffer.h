// An array on a device. Its content never changes; what ends it is deletion or donation.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "graph/attribute.h"
#include "pjrt/client.h"
#include "pjrt/event.h"
#include "pjrt/strides.h"
#include "session/executable.h"

namespace trainyard::pjrt {

struct Buffer {
  // Throws Failure resource_exhausted when the memory is full.
  // Nobody else has the array.
  Buffer(Memory& memory, session::ArrayRef array);
  // An array that will never have content: why not.
  Buffer(Memory& memory, graph::Type type, runtime::Event failed);

  Memory& memory;
  const graph::Type type;
  const std::vector<std::int64_t> minor_to_major;
  const runtime::Event ready;

  // Throws Failure: deleted, or without content.
  [[nodiscard]] session::ArrayRef array() const;
  [[nodiscard]] bool is_deleted() const;
  // Frees the memory once nobody reads the content any more.
  void remove();
  [[nodiscard]] std::int64_t bytes() const { return type.bytes(); }

 private:
  struct Held {
    session::ArrayRef array;
    std::shared_ptr<const Allocation> allocation;
  };
  mutable std::mutex mutex_;
  std::shared_ptr<const Held> held_;
  bool deleted_ = false;
};

// An array of this type whose elements lie in host memory with these strides.
[[nodiscard]] session::ArrayRef array_from_host(graph::Type type, const void* data,
                                                const Strides& strides);
// The type of a buffer as the interface describes it. Throws Failure for negative extents.
[[nodiscard]] graph::Type tensor_type(BufferType element, const std::int64_t* dims,
                                      std::size_t rank);

// For the host that counts them: bytes went between its memory and that of a device.
void tell_copied_in(const Memory& memory, std::int64_t bytes);
void tell_copied_out(const Memory& memory, std::int64_t bytes);

}  // namespace trainyard::pjrt

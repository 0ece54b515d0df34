// An array that tensor programs take and give. It lies on the host until a program of a device
// reads it, and from then on in that device's memory: programs find it there, and their results
// stay there, without a copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "graph/attribute.h"
#include "runtime/memory.h"

namespace trainyard::session {

// Its content never changes; what ends it is that a program overwrites its memory. Threads may use
// one at the same time.
class Array {
 public:
  explicit Array(std::shared_ptr<const graph::Literal> content)
      : type_(content->type), content_(std::move(content)) {}
  explicit Array(graph::Literal content)
      : Array(std::make_shared<const graph::Literal>(std::move(content))) {}
  // The first bytes of the buffer.
  Array(graph::Type type, runtime::BufferRef buffer)
      : type_(std::move(type)), buffer_(std::move(buffer)) {}

  [[nodiscard]] const graph::Type& type() const { return type_; }
  [[nodiscard]] bool is_gone() const;

  // On the host: what lies there, or what is read from the device. All of these throw InputError
  // "model.donated" for an array that is gone.
  [[nodiscard]] std::shared_ptr<const graph::Literal> content() const;
  // Its place in the HBM of the device that has it.
  [[nodiscard]] std::optional<std::int64_t> address() const;
  // Whether its bytes are these; not of an array that is gone.
  [[nodiscard]] bool holds(std::span<const std::byte> bytes) const;
  // Its bytes from `offset` on, which it has.
  void read(std::span<std::byte> to, std::int64_t offset) const;
  // In a device's memory, to which it moves if it lies elsewhere. Throws NoRoom "hbm.capacity".
  [[nodiscard]] runtime::BufferRef in(runtime::Memory& memory) const;
  // Memory with its content that a program may overwrite: its own, and it is gone, or that of a
  // copy where others read it, too.
  [[nodiscard]] runtime::BufferRef take(runtime::Memory& memory) const;
  [[nodiscard]] runtime::BufferRef copy(runtime::Memory& memory) const;

 private:
  [[noreturn]] void refuse() const;
  void move_to(runtime::Memory& memory) const;  // both: locked
  [[nodiscard]] std::shared_ptr<const graph::Literal> on_host() const;

  graph::Type type_;
  mutable std::mutex mutex_{};
  mutable std::shared_ptr<const graph::Literal> content_{};  // one of the two, or none
  mutable runtime::BufferRef buffer_{};
};
using ArrayRef = std::shared_ptr<const Array>;

// All zeros, in the memory of one element.
[[nodiscard]] ArrayRef zeros(const graph::Type& type);

}  // namespace trainyard::session

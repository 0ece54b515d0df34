// The HBM of one device as a host sees it: buffers that it allocates, fills, reads and frees, and
// how much of it is in use. That there is no room is an answer, not an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "base/error.h"
#include "base/no_room.h"
#include "engines/float32_shadow.h"
#include "machine/machine.h"
#include "runtime/allocator.h"
#include "state/hbm.h"

namespace trainyard::runtime {

// Why an allocation got nothing.
struct OutOfMemory {
  std::int64_t wanted = 0;
  std::int64_t free = 0;          // bytes, in gaps
  std::int64_t largest_free = 0;  // the largest gap
  std::int64_t limit = 0;
};
// The error "hbm.capacity" that says so, for those who cannot go on.
[[nodiscard]] base::NoRoom error_of(const OutOfMemory& shortage);

class Memory;

// Some bytes of a device's memory, which are free again when nobody refers to them any more. Their
// content is unwritten at first: a checked run reports who reads it.
class Buffer {
 public:
  Buffer(std::shared_ptr<Memory> memory, std::int64_t address, std::int64_t bytes)
      : memory_(std::move(memory)), address_(address), bytes_(bytes) {}
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  [[nodiscard]] const std::shared_ptr<Memory>& memory() const { return memory_; }
  [[nodiscard]] std::int64_t address() const { return address_; }
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  // Between the host and the bytes from `offset` on. Throw InputError "buffer.bounds".
  void write(std::span<const std::byte> content, std::int64_t offset = 0) const;
  void read(std::span<std::byte> content, std::int64_t offset = 0) const;
  // Where its bytes lie in the host's memory, as long as it lives.
  [[nodiscard]] const std::byte* data() const;
  // Its first `bytes` become those of another buffer of the memory.
  void copy(const Buffer& from, std::int64_t bytes) const;
  // What checks know of its bytes: nothing is written there, or all of it.
  void forget() const;
  void mark_written() const;

 private:
  void check_bounds(std::int64_t offset, std::size_t bytes) const;

  std::shared_ptr<Memory> memory_;
  std::int64_t address_;
  std::int64_t bytes_;
};
using BufferRef = std::shared_ptr<const Buffer>;
using Allocated = std::variant<BufferRef, OutOfMemory>;
// The buffer, or the error of the shortage.
[[nodiscard]] BufferRef allocated(Allocated result);

// Threads may allocate and free at the same time.
class Memory : public std::enable_shared_from_this<Memory> {
 public:
  // Of a logical core: its share of the stack that its cores are on.
  [[nodiscard]] static std::shared_ptr<Memory> of_device(const machine::Machine& machine);
  [[nodiscard]] static std::int64_t bytes_of_device(const machine::Machine& machine);

  [[nodiscard]] Allocated allocate(std::int64_t bytes);
  [[nodiscard]] std::int64_t bytes_in_use();

  [[nodiscard]] const std::shared_ptr<state::Hbm>& stack() const { return stack_; }
  // The values beside it, where the machine keeps them.
  [[nodiscard]] const engines::Float32Shadow::Stacks& float32() const { return float32_; }

 private:
  friend class Buffer;
  explicit Memory(const machine::Machine& machine);
  void free(std::int64_t address);
  void write(std::int64_t address, std::span<const std::byte> content);
  void copy(std::int64_t from, std::int64_t to, std::int64_t bytes);
  void forget(std::int64_t address, std::int64_t bytes);
  // The values beside these bytes are no longer in use.
  void forget_values_beside(std::int64_t address, std::int64_t bytes);

  std::shared_ptr<state::Hbm> stack_;
  Allocator allocator_;  // of the stack, which is smaller than the machine's where the host is
  engines::Float32Shadow::Stacks float32_{};
  std::mutex mutex_;
};

}  // namespace trainyard::runtime

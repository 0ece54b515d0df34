// Host memory that costs nothing until it is touched, and a bit for each of its bytes that says
// whether it was written.
#pragma once

#include <cstddef>
#include <cstdint>

namespace trainyard::state {

// A zero-filled range of address space, backed page by page on first touch.
class Pages {
 public:
  explicit Pages(std::int64_t bytes);
  ~Pages();
  Pages(Pages&& other) noexcept;
  Pages& operator=(Pages&& other) noexcept;
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  [[nodiscard]] std::byte* data() { return data_; }
  [[nodiscard]] const std::byte* data() const { return data_; }
  [[nodiscard]] std::int64_t size() const { return size_; }
  // Gives the memory back; everything reads as zero again.
  void clear();
  // Bytes that the host really holds for this range.
  [[nodiscard]] std::int64_t resident_bytes() const;

 private:
  std::byte* data_ = nullptr;
  std::int64_t size_ = 0;
};

// One bit a byte: was it ever written? Threads may mark and ask at the same time.
class WrittenMap {
 public:
  explicit WrittenMap(std::int64_t bytes);

  void mark(std::int64_t first, std::int64_t count);
  void forget(std::int64_t first, std::int64_t count);
  [[nodiscard]] bool all_written(std::int64_t first, std::int64_t count) const;
  // The first byte of [first, first + count) that was never written, or that was; or first + count.
  [[nodiscard]] std::int64_t first_unwritten(std::int64_t first, std::int64_t count) const;
  [[nodiscard]] std::int64_t first_written(std::int64_t first, std::int64_t count) const;
  void clear() { bits_.clear(); }

 private:
  [[nodiscard]] std::uint64_t* words() const {
    return reinterpret_cast<std::uint64_t*>(bits_.data());
  }
  [[nodiscard]] std::int64_t find(std::int64_t first, std::int64_t count, bool written) const;
  mutable Pages bits_;  // std::atomic_ref reads through a pointer to non-const
};

}  // namespace trainyard::state

// Bytes that grow at their end. What std::vector would copy to larger memory each time, the host
// moves there page by page (realloc): hundreds of MiB are written once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <utility>

namespace trainyard::base {

class GrowingBytes {
 public:
  GrowingBytes() = default;
  GrowingBytes(const GrowingBytes& other) {
    if (other.size_ > 0) std::memcpy(append(other.size_), other.data(), other.size_);
  }
  GrowingBytes(GrowingBytes&& other) noexcept
      : bytes_(std::move(other.bytes_)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  GrowingBytes& operator=(GrowingBytes other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~GrowingBytes() = default;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::byte* data() { return bytes_.get(); }
  [[nodiscard]] const std::byte* data() const { return bytes_.get(); }
  [[nodiscard]] std::span<const std::byte> span() const { return {data(), size_}; }

  // The first of so many more bytes, whose values are not set.
  std::byte* append(std::size_t count) {
    if (count > capacity_ - size_) grow(size_ + count);
    return data() + std::exchange(size_, size_ + count);
  }

 private:
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };

  void grow(std::size_t needed) {
    const std::size_t capacity = std::max(needed, 2 * capacity_);
    void* const larger = std::realloc(data(), capacity);
    if (larger == nullptr) throw std::bad_alloc();
    static_cast<void>(bytes_.release());  // realloc freed it
    bytes_.reset(static_cast<std::byte*>(larger));
    capacity_ = capacity;
  }

  std::unique_ptr<std::byte[], Free> bytes_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace trainyard::base

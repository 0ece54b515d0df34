// Which bytes of a device's memory are in use: allocations at the lowest place with room, and the
// gaps between them. It holds no content.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace trainyard::runtime {

class Allocator {
 public:
  static constexpr std::int64_t alignment = 4096;  // bytes

  explicit Allocator(std::int64_t bytes);

  // The lowest address with `bytes` free bytes, aligned; nothing where there is no room.
  [[nodiscard]] std::optional<std::int64_t> allocate(std::int64_t bytes);
  // Ends an allocation; returns how many bytes it took.
  std::int64_t free(std::int64_t address);

  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::int64_t in_use() const { return in_use_; }
  [[nodiscard]] std::int64_t in_use_peak() const { return in_use_peak_; }
  void forget_peak() { in_use_peak_ = in_use_; }
  [[nodiscard]] std::int64_t largest_free() const;  // in one piece

 private:
  std::int64_t size_;
  std::map<std::int64_t, std::int64_t> used_;  // bytes by address
  std::map<std::int64_t, std::int64_t> gaps_;  // likewise; no two touch
  std::int64_t in_use_ = 0, in_use_peak_ = 0;
};

}  // namespace trainyard::runtime

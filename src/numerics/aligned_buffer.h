// A buffer that only grows and starts on a cache line, so that whole-line vector loads never
// straddle two.
#pragma once

#include <cstddef>
#include <vector>

namespace trainyard::numerics {

template <typename T>
class AlignedBuffer {
 public:
  // Makes room for n elements. Old contents survive; new elements are zero.
  void grow(std::size_t n) {
    const std::size_t lines = (n + per_line - 1) / per_line;
    if (lines_.size() < lines) lines_.resize(lines);
  }
  [[nodiscard]] T* data() { return lines_.empty() ? nullptr : lines_.front().elements; }
  [[nodiscard]] const T* data() const { return lines_.empty() ? nullptr : lines_.front().elements; }
  [[nodiscard]] T& operator[](std::size_t i) { return data()[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return data()[i]; }

 private:
  static constexpr std::size_t line_bytes = 64, per_line = line_bytes / sizeof(T);
  struct alignas(line_bytes) Line {
    T elements[per_line];
  };
  std::vector<Line> lines_;
};

}  // namespace trainyard::numerics

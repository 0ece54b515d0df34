// A bounded first-in first-out channel. Who pushes must look whether there is room; what happens
// when there is none (waiting, refusing) is the sender's affair.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/error.h"

namespace trainyard::events {

template <typename T>
class Channel {
 public:
  explicit Channel(std::size_t capacity) : capacity_(capacity) {
    base::check(capacity > 0, "a channel holds something");
  }

  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t room() const { return capacity_ - size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] bool full() const { return size_ == capacity_; }

  void push(T item) {
    base::check(!full(), "a push into a full channel");
    if (size_ == slots_.size()) grow();
    slots_[wrap(first_ + size_)] = std::move(item);
    ++size_;
  }
  // The oldest item; the channel must not be empty.
  [[nodiscard]] T& front() {
    base::check(!empty(), "a look into an empty channel");
    return slots_[first_];
  }
  [[nodiscard]] const T& front() const {
    base::check(!empty(), "a look into an empty channel");
    return slots_[first_];
  }
  // The item `i` places behind the oldest one.
  [[nodiscard]] const T& at(std::size_t i) const {
    base::check(i < size_, "a look behind the end of a channel");
    return slots_[wrap(first_ + i)];
  }
  T pop() {
    T item = std::move(front());
    first_ = wrap(first_ + 1);
    --size_;
    return item;
  }

 private:
  // Channels are copied, and most of them hold little at any time.
  void grow() {
    std::vector<T> slots(std::min(capacity_, std::max<std::size_t>(4, 2 * slots_.size())));
    for (std::size_t i = 0; i < size_; ++i) slots[i] = std::move(slots_[wrap(first_ + i)]);
    slots_ = std::move(slots);
    first_ = 0;
  }
  [[nodiscard]] std::size_t wrap(std::size_t at) const {
    return at >= slots_.size() ? at - slots_.size() : at;
  }

  std::size_t capacity_;
  std::vector<T> slots_{};  // as many as were ever needed at once, or more
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace trainyard::events

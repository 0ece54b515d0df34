// A bounded first-in first-out channel. Who pushes must look whether there is room; what happens
// when there is none (waiting, refusing) is the sender's affair.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/error.h"

namespace trainyard::events {

template <typename T>
class Channel {
 public:
  explicit Channel(std::size_t capacity) : slots_(capacity) {
    base::check(capacity > 0, "a channel holds something");
  }

  [[nodiscard]] std::size_t capacity() const { return slots_.size(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t room() const { return slots_.size() - size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] bool full() const { return size_ == slots_.size(); }

  void push(T item) {
    base::check(!full(), "a push into a full channel");
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
  [[nodiscard]] std::size_t wrap(std::size_t at) const {
    return at >= slots_.size() ? at - slots_.size() : at;
  }

  std::vector<T> slots_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace trainyard::events

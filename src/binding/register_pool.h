// Which sequencer registers are in use while a kernel is traced. A register is used again once
// nothing in Python refers to it any more, but never inside a hardware loop that it was taken
// outside of: the next iteration may still need its value.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace trainyard::binding {

class RegisterPool {
 public:
  explicit RegisterPool(int count)
      : free_(static_cast<std::size_t>(count), true), set_(free_.size(), false), waiting_(1) {}

  // The lowest free register, without a value, or nothing.
  [[nodiscard]] std::optional<std::uint8_t> take();
  // `depth`: the number of hardware loops around the place where it was taken.
  void give_back(std::uint8_t index, std::size_t depth);

  // An instruction has written it; until then it holds what an earlier use of it left.
  void set(std::uint8_t index) { set_[index] = true; }
  [[nodiscard]] bool is_set(std::uint8_t index) const { return set_[index]; }

  void enter_loop() { waiting_.emplace_back(); }
  void leave_loop();
  [[nodiscard]] std::size_t depth() const { return waiting_.size() - 1; }

 private:
  std::vector<bool> free_, set_;
  std::vector<std::vector<std::uint8_t>> waiting_;  // by depth: given back inside a deeper loop
};

// A register that is in use for as long as this lives.
class RegisterLease {
 public:
  RegisterLease(std::shared_ptr<RegisterPool> pool, std::uint8_t index)
      : pool_(std::move(pool)), depth_(pool_->depth()), index_(index) {}
  ~RegisterLease() { pool_->give_back(index_, depth_); }
  RegisterLease(const RegisterLease&) = delete;
  RegisterLease& operator=(const RegisterLease&) = delete;
  [[nodiscard]] std::uint8_t index() const { return index_; }

 private:
  std::shared_ptr<RegisterPool> pool_;
  std::size_t depth_;
  std::uint8_t index_;
};

}  // namespace trainyard::binding

// Which sequencer registers are in use while a program is built. A register is used again once its
// lease has ended, but never inside a hardware loop that it was taken outside of: the next
// iteration may still need its value.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "isa/core/operand.h"

namespace trainyard::isa {

class RegisterPool {
 public:
  explicit RegisterPool(std::int64_t count)
      : free_(static_cast<std::size_t>(count), true), set_(free_.size(), false), waiting_(1) {}

  // The lowest free register, without a value, or nothing.
  [[nodiscard]] std::optional<std::uint8_t> take();
  void take(std::uint8_t index);  // a free one
  // The free one behind the one that this returned before; the first register is left out.
  [[nodiscard]] Register in_turn();
  [[nodiscard]] std::size_t count_free() const;
  // `depth`: the number of hardware loops around the place where it was taken.
  void give_back(std::uint8_t index, std::size_t depth);

  // An instruction has written it; until then it holds what an earlier use of it left.
  void set(Register reg) { set_.at(reg.index) = true; }
  // False for one that the machine does not have.
  [[nodiscard]] bool is_set(Register reg) const {
    return reg.index < set_.size() && set_[reg.index];
  }

  void enter_loop() { waiting_.emplace_back(); }
  void leave_loop();
  [[nodiscard]] std::size_t depth() const { return waiting_.size() - 1; }

 private:
  std::vector<bool> free_, set_;
  std::size_t turn_ = 0;                            // the register that in_turn() returned last
  std::vector<std::vector<std::uint8_t>> waiting_;  // by depth: given back inside a deeper loop
};

// A register that is in use for as long as this lives. It may outlive the builder it came from.
class RegisterLease {
 public:
  RegisterLease(std::shared_ptr<RegisterPool> pool, std::uint8_t index)
      : pool_(std::move(pool)), depth_(pool_->depth()), index_(index) {}
  ~RegisterLease() { pool_->give_back(index_, depth_); }
  RegisterLease(const RegisterLease&) = delete;
  RegisterLease& operator=(const RegisterLease&) = delete;
  [[nodiscard]] Register reg() const { return {index_}; }

 private:
  std::shared_ptr<RegisterPool> pool_;
  std::size_t depth_;
  std::uint8_t index_;
};

}  // namespace trainyard::isa

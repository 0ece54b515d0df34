// The room in SBUF and PSUM while instructions are issued in another order than the author's.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

// How far ahead of the first instruction not yet issued the scheduler looks. Bounds its work.
inline constexpr std::uint32_t schedule_lookahead = 512;

// Which instructions may be issued, by the room in one memory. A part of it belongs to the window:
// the instructions up to where the tensors in use, and all that begin before in the author's order,
// fill it. So the next instruction in the author's order always finds room, but for fragmentation.
// The rest is for tensors that begin behind the window, as far as the author's order leaves it
// until the window reaches them.
class MemoryWindow {
 public:
  MemoryWindow(const isa::Program& program, isa::Space space, std::int64_t alignment,
               std::int64_t capacity, std::int64_t window, std::int64_t ahead,
               bool written_in_parts);

  // Moves the window, while `oldest` is the first instruction not issued.
  void follow(std::uint32_t oldest);

  [[nodiscard]] bool may_issue(std::uint32_t i) const {
    if (written_in_parts_) {
      const std::int64_t begun = begun_by(i);
      return begun == 0 || ahead_ + begun <= ahead_max_;
    }
    return begins_[i] == 0 || next_ == order_.size() || i < order_[next_].first ||
           ahead_ + begins_[i] <= ahead_max_;
  }

  void issue(std::uint32_t i) {
    for_each(i, [&](isa::TensorId t) {
      Use& use = tensors_[t];
      std::int64_t& pool = use.in_window ? window_ : ahead_;
      if (!use.live && !use.in_window) ahead_ += size(t);
      use.live = --use.uses_left > 0;
      if (!use.live) pool -= size(t);
    });
  }

 private:
  struct Use {
    std::int64_t size = 0;
    std::uint32_t uses_left = 0;
    bool live = false, in_window = false;
  };

  // What the author's order has live at once from each instruction on, as far as the scheduler
  // looks.
  void find_needs(std::size_t instructions);

  // Bytes of the tensors behind the window that would begin with this instruction.
  [[nodiscard]] std::int64_t begun_by(std::uint32_t i) const {
    std::int64_t bytes = 0;
    for_each(i, [&](isa::TensorId t) {
      if (!tensors_[t].live && !tensors_[t].in_window) bytes += size(t);
    });
    return bytes;
  }

  template <typename F>
  void for_each(std::uint32_t i, F&& f) const {
    for (std::uint32_t at = first_[i]; at < first_[i + 1]; ++at) f(touched_[at]);
  }
  [[nodiscard]] std::int64_t size(isa::TensorId t) const { return tensors_[t].size; }

  std::int64_t capacity_, window_max_, ahead_most_;
  std::int64_t ahead_max_;  // of those, what the author's order leaves
  bool written_in_parts_;
  std::int64_t window_ = 0, ahead_ = 0;  // bytes of a partition
  std::vector<Use> tensors_;
  std::vector<std::uint32_t> first_;  // the tensors of i are [first_[i], first_[i + 1])
  std::vector<isa::TensorId> touched_;
  std::vector<std::int64_t> begins_;                            // bytes, by instruction
  std::vector<std::pair<std::uint32_t, isa::TensorId>> order_;  // of the first uses
  std::size_t next_ = 0;                                        // the first one behind the window
  std::vector<std::int64_t> needs_;                             // by instruction, if any goes ahead
};

// The room in SBUF and in PSUM. Sums in PSUM are many and short: a part of it is kept for those of
// a later stage, which would otherwise wait behind every sum of the present one.
class Memories {
 public:
  Memories(const isa::Program& program, const machine::Core& core, std::int64_t sbuf_percent,
           bool written_in_parts)
      : sbuf_(program, isa::Space::sbuf, core.sbuf.alignment.value, core.sbuf.usable().value,
              core.sbuf.usable().value * sbuf_percent / 100, 0, written_in_parts),
        psum_(program, isa::Space::psum, core.psum.bank_size.value,
              core.psum.partition_size().value, core.psum.partition_size().value - ahead(core),
              ahead(core), written_in_parts) {}

  void follow(std::uint32_t oldest) {
    sbuf_.follow(oldest);
    psum_.follow(oldest);
  }
  [[nodiscard]] bool may_issue(std::uint32_t i) const {
    return sbuf_.may_issue(i) && psum_.may_issue(i);
  }
  void issue(std::uint32_t i) {
    sbuf_.issue(i);
    psum_.issue(i);
  }

 private:
  static std::int64_t ahead(const machine::Core& core) {
    return core.psum.bank_size.value * (core.psum.banks * 3 / 8);
  }

  MemoryWindow sbuf_, psum_;
};

}  // namespace trainyard::compiler

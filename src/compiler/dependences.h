// Which instructions must wait for which, because they touch the same bytes and one of them writes.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/owners.h"
#include "compiler/region_parts.h"
#include "isa/core/program.h"
#include "isa/core/region.h"

namespace trainyard::compiler {

enum class Hazard : std::uint8_t { read_after_write, write_after_read, write_after_write, ordered };

struct Dependence {
  std::uint32_t producer = 0;  // an earlier instruction
  Hazard hazard = Hazard::ordered;
};

// What completes in order: an engine, or a DMA queue. DMA transfers complete on their queue, not on
// the engine that issued them.
struct Actor {
  std::uint8_t index = 0;
  friend bool operator==(Actor, Actor) = default;
};
inline constexpr int dma_queue_count = isa::queue_count;
inline constexpr int actor_count = isa::engine_count + dma_queue_count;
[[nodiscard]] Actor actor_of(const isa::Program& program, std::uint32_t instruction);

struct RegionAccess;
class AccessList;

// Walks a program in order and reports, for one instruction after the other, the earlier ones it
// depends on. Keeps only accesses that later ones can still depend on directly.
class DependenceTracker {
 public:
  // `actors_in_order`: each actor will run its instructions in the program's order, so that its
  // last read of a region stands for the earlier ones. A pass that reorders must say no.
  explicit DependenceTracker(const isa::Program& program, bool actors_in_order = true);
  // Walks these instructions, where one may stand more than once; what it is told and tells are
  // places in this list, which must outlive it.
  DependenceTracker(const isa::Program& program, const std::vector<std::uint32_t>& order);
  ~DependenceTracker();
  DependenceTracker(const DependenceTracker&) = delete;
  DependenceTracker& operator=(const DependenceTracker&) = delete;

  // The dependences of instruction `i`; call with increasing i. Valid until the next call. One
  // entry per producer and hazard.
  [[nodiscard]] const std::vector<Dependence>& next(std::uint32_t i);
  // Forgets everything: all earlier instructions are known to be complete.
  void barrier();

 private:
  struct History;
  struct Touch;
  DependenceTracker(const isa::Program& program, bool actors_in_order,
                    const std::vector<std::uint32_t>* order);
  [[nodiscard]] std::uint32_t instruction_at(std::uint32_t i) const {
    return order_ == nullptr ? i : (*order_)[i];
  }
  [[nodiscard]] bool is_followed(const isa::Tile& tile) const;
  [[nodiscard]] RegionAccess access_of(std::uint32_t i, const isa::Tile& tile) const;
  [[nodiscard]] History& history_of(isa::TensorId tensor);
  // Of a tensor that has one.
  [[nodiscard]] History& known(isa::TensorId tensor);
  void forget(isa::TensorId tensor);
  // Whether others may use its memory behind it, which then wait for its last accesses.
  [[nodiscard]] bool hands_over(isa::TensorId tensor) const;
  void forget_unused(std::uint32_t i, const isa::Region& region);
  void read(const Touch& now);
  void write(const Touch& now);
  void note_read(const RegionAccess& now);
  void note(const Dependence& dependence);
  void adopt(isa::TensorId tensor);
  static void place(isa::Region& region, const isa::Tensor& tensor);
  void hand_over(AccessList& from, AccessList& to, const isa::Region& whole);
  void follow(AccessList& earlier, const Touch& touch, Hazard hazard);

  const isa::Program& program_;
  bool actors_in_order_;
  const std::vector<std::uint32_t>* order_;  // null: the program's
  std::vector<History> histories_;           // of the tensors that have one
  std::vector<std::uint32_t> free_histories_;
  std::vector<std::uint32_t> history_of_;  // by tensor: its place in histories_, or none
  std::vector<std::uint32_t> last_use_;    // by tensor: the last instruction that touches it
  // By tensor: the last instruction that writes it, or none; nothing waits for later reads.
  std::vector<std::uint32_t> last_write_;
  std::vector<bool> seen_;  // tensors whose memory has been taken over from earlier ones
  std::vector<Dependence> found_;
  std::vector<std::uint32_t> found_at_;  // by producer: its place in found_, if it is there
  std::vector<Touch> touches_;           // of the instruction at hand
  std::vector<DenseRuns> runs_;          // of those that are not solid
  std::vector<RegionAccess> pieces_;
  Owners owners_;  // on-chip tensors with a history
};

}  // namespace trainyard::compiler

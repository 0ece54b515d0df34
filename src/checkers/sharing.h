// Checks of what the cores of a grid do to HBM tensors that they share, with the addresses and
// values that only a run knows: one reads what another one writes, or two leave different values,
// and no core_barrier lies between. What a core has written itself, with the same value, it may
// read. The cores that watch together run on one thread of the host.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "checkers/history.h"
#include "isa/semantics/execution.h"

namespace trainyard::checkers {

class SharingCheck {
 public:
  // A tensor that is worth watching: its place in the stack.
  struct Watched {
    std::int64_t first = 0, bytes = 0;
  };
  explicit SharingCheck(std::span<const Watched> tensors);

  // One core that takes part. `check` null: nobody watches.
  struct Seat {
    SharingCheck* check = nullptr;
    std::size_t core = 0;
  };
  // A seat for one more core, before the run.
  [[nodiscard]] Seat join();

  // An instruction that a core runs.
  struct Doing {
    std::size_t core;
    std::uint32_t instruction;
    History::Applied when;
    isa::Execution& execution;
  };

  // Just before an instruction of a core is applied, and just after. `record` has its run-time
  // addresses resolved.
  void apply(std::size_t core, const isa::InstructionInfo& info, const void* record,
             isa::Execution& execution);
  void applied(const Doing& doing, const isa::InstructionInfo& info, const void* record,
               Findings& findings);
  // All cores have ended. `findings`: of the first one.
  void finish(Findings& findings) const;

 private:
  struct Interval {
    std::int64_t first = 0, end = 0;  // bytes of the tensor
  };
  using Intervals = std::vector<Interval>;  // ascending and apart
  // An instruction's access of one tensor.
  struct Event {
    std::size_t core = 0;
    const isa::Program* program = nullptr;
    isa::TensorId tensor = isa::no_tensor;
    std::uint32_t instruction = 0;
    History::Applied when{};
    // Barriers on a part of the tensor that the access touches: those it comes before, and behind.
    std::vector<std::uint32_t> before{}, behind{};
  };
  struct Span {
    std::int64_t end = 0;
    std::shared_ptr<Event> event{};
    // Written: what was left there. Read: what the reader had left there itself; empty: nothing.
    std::vector<std::byte> bytes{};
  };
  using Spans = std::map<std::int64_t, Span>;  // by first byte; apart
  // What a core did to a tensor since the last barrier on all of it: the latest of each byte.
  struct Deeds {
    Spans written{}, read{};
  };
  struct Shared {
    Watched place{};
    std::vector<Deeds> by_core{};
    std::vector<std::pair<std::uint32_t, Intervals>> partial{};  // barriers on parts of it
  };

  [[nodiscard]] Shared* find(const isa::Tile& tile, const isa::Execution& execution);
  [[nodiscard]] static Intervals intervals_of(const isa::Tile& tile, isa::Execution& execution);
  [[nodiscard]] static bool ordered(const Event& a, const Event& b);
  static void put(Spans& spans, std::int64_t first, Span span);
  template <typename F>
  static void for_each_overlap(const Spans& spans, Interval where, F&& f);
  [[nodiscard]] static std::span<const std::byte> part_of(const Spans::value_type& span,
                                                          Interval where);

  [[nodiscard]] static bool touch(const Intervals& a, const Intervals& b);
  [[nodiscard]] static std::shared_ptr<Event> event_of(const Shared& shared, const Doing& doing,
                                                       const isa::Tile& tile,
                                                       const Intervals& where);
  template <typename F>
  void for_each_watched(const isa::InstructionInfo& info, const void* record,
                        const isa::Execution& execution, F&& f);
  static void read(Shared& shared, const std::shared_ptr<Event>& event, Interval where,
                   Findings& findings);
  static void write(Shared& shared, const std::shared_ptr<Event>& event, Interval where,
                    const std::byte* bytes, Findings& findings);
  void fence(std::size_t core, const isa::InstructionInfo& info, const void* record,
             isa::Execution& execution, Findings& findings);
  static void compare(const Shared& shared, Findings& findings);
  static void report_conflict(const Event& read, const Event& write, const Event& now,
                              std::int64_t byte, Findings& findings);
  static void report_overwrite(const Event& a, const Event& b, std::int64_t byte,
                               Findings& findings);
  [[nodiscard]] static Side side_of(const Event& event, std::string_view role);

  std::vector<Shared> tensors_;
  // Barriers that a core has passed, by the way it came to them: the first core's passage orders.
  std::vector<std::map<std::pair<int, int>, std::uint32_t>> passed_;
  std::map<std::pair<int, int>, std::uint32_t> fences_;
  std::uint32_t partial_fences_ = 0;
  // By core: what its instruction may leave as it was.
  std::vector<std::vector<std::byte>> old_;
};

}  // namespace trainyard::checkers

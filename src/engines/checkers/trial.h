// How bytes move, found by trial: an instruction is run on other values in the place of those that
// nothing determined, and what comes out differently depends on them. Exact for instructions that
// move bytes, choose between them or combine them bit by bit. The core's state stays as it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/execution.h"

namespace trainyard::engines {

class Trial {
 public:
  // Neighbouring bytes of the host, and where they are: from byte `first` of a partition, or of the
  // HBM stack.
  struct Bytes {
    std::byte* at = nullptr;
    std::int64_t count = 0;
    isa::Space space = isa::Space::none;
    int partition = 0;
    std::int64_t first = 0;
  };

  // What is undetermined of that which the instruction looks at, and all that it may write.
  void vary(const Bytes& bytes) { varied_.push_back(bytes); }
  void watch(const Bytes& bytes) { watched_.push_back(bytes); }

  void run(const isa::InstructionInfo& info, const void* record, isa::Execution& execution);
  // Which bytes of what an instruction sends to other cores depend on the varied ones.
  [[nodiscard]] std::vector<bool> run_outgoing(const isa::InstructionInfo& info, const void* record,
                                               isa::Execution& execution) const;

  // Calls f(bytes, differs) for the watched bytes, cut where one run of outcomes ends.
  template <typename F>
  void for_each_outcome(F&& f) const {
    std::size_t i = 0;
    for (const Bytes& all : watched_) {
      for (std::int64_t from = 0, to = 0; from < all.count; from = to) {
        const bool differs = differs_[i];
        for (to = from; to < all.count && differs_[i] == differs; ++to) ++i;
        f(Bytes{all.at + from, to - from, all.space, all.partition, all.first + from}, differs);
      }
    }
  }
  // Whether the engines' accumulators depend on undetermined bytes.
  [[nodiscard]] bool accumulators_differ() const { return accumulators_differ_; }

 private:
  std::vector<Bytes> varied_, watched_;
  std::vector<bool> differs_;  // by watched byte
  bool accumulators_differ_ = false;
};

}  // namespace trainyard::engines

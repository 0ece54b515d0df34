// How bytes move, found by trial: an instruction is run on other values in the place of those that
// nothing determined, and what comes out differently depends on them. Exact for instructions that
// move bytes, choose between them or combine them bit by bit. The core's state stays as it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/semantics/execution.h"

namespace trainyard::checkers {

class Trial {
 public:
  // Neighbouring bytes of the host, and where they are: from byte `first` of a partition, or of the
  // HBM stack.
  struct Piece {
    std::byte* at = nullptr;
    std::int64_t count = 0;
    isa::TensorId tensor = isa::no_tensor;
    isa::Space space = isa::Space::none;
    int partition = 0;
    std::int64_t first = 0;
  };

  // What is undetermined of that which the instruction looks at, and whether it may write it, too.
  void vary(const Piece& bytes, bool written) { (written ? own_ : varied_).push_back(bytes); }
  // All that it may write.
  void watch(const Piece& bytes) { watched_.push_back(bytes); }

  void run(const isa::InstructionInfo& info, const void* record, isa::Execution& execution);
  // Which bytes of what an instruction sends to other cores depend on the varied ones.
  [[nodiscard]] std::vector<bool> run_outgoing(const isa::InstructionInfo& info, const void* record,
                                               isa::Execution& execution) const;
  // The first varied byte that any of it depends on, there being one.
  [[nodiscard]] Piece first_sent(const isa::InstructionInfo& info, const void* record,
                                 isa::Execution& execution) const;

  // What became of a byte. `kept`: it was undetermined, and the instruction leaves it as it was.
  enum class Outcome : std::uint8_t { determined, undetermined, kept };

  // Calls f(bytes, outcome) for the watched bytes, cut where one run of outcomes ends.
  template <typename F>
  void for_each_outcome(F&& f) const {
    std::size_t i = 0;
    for (const Piece& all : watched_) {
      for (std::int64_t from = 0, to = 0; from < all.count; from = to) {
        const Outcome outcome = outcomes_[i];
        for (to = from; to < all.count && outcomes_[i] == outcome; ++to) ++i;
        f(Piece{all.at + from, to - from, all.tensor, all.space, all.partition, all.first + from},
          outcome);
      }
    }
  }
  // Whether the engines' accumulators depend on undetermined bytes.
  [[nodiscard]] bool accumulators_differ() const { return accumulators_differ_; }

 private:
  void fill_with(std::size_t round) const;

  std::vector<Piece> varied_, own_, watched_;
  std::vector<Outcome> outcomes_;  // by watched byte
  bool accumulators_differ_ = false;
};

}  // namespace trainyard::checkers

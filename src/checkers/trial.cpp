#include "checkers/trial.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <span>

#include "base/error.h"

namespace trainyard::checkers {

namespace {

// What stands for undetermined bytes that are only read, and for those that may also be written:
// zero, all bits (NaN, -1) and a large number of every format. For each kind, and for what `and`,
// `or`, `xor` and a choice make of both, two of the fills differ in each bit.
struct Fill {
  unsigned char read, written;
};
constexpr std::array<Fill, 4> fills{{{0x00, 0xFF}, {0xFF, 0xFF}, {0x7B, 0x00}, {0x00, 0x00}}};

std::vector<std::byte> copy_of(std::span<const Trial::Piece> places) {
  std::vector<std::byte> all;
  for (const Trial::Piece& one : places) all.insert(all.end(), one.at, one.at + one.count);
  return all;
}

void put_back(std::span<const Trial::Piece> places, const std::vector<std::byte>& content) {
  const std::byte* from = content.data();
  for (const Trial::Piece& one : places) {
    std::memcpy(one.at, from, static_cast<std::size_t>(one.count));
    from += one.count;
  }
}

// What an instruction may change besides memory.
struct Hidden {
  explicit Hidden(const state::Core& core)
      : vector_accumulator(core.vector_accumulator),
        scalar_accumulator(core.scalar_accumulator),
        vector_prng(core.vector_prng),
        gpsimd_prng(core.gpsimd_prng),
        rounding_prng(core.rounding_prng) {}
  void put_back(state::Core& core) const {
    core.vector_accumulator = vector_accumulator;
    core.scalar_accumulator = scalar_accumulator;
    core.vector_prng = vector_prng;
    core.gpsimd_prng = gpsimd_prng;
    core.rounding_prng = rounding_prng;
  }

  decltype(state::Core::vector_accumulator) vector_accumulator;
  decltype(state::Core::scalar_accumulator) scalar_accumulator;
  decltype(state::Core::vector_prng) vector_prng;
  decltype(state::Core::gpsimd_prng) gpsimd_prng;
  decltype(state::Core::rounding_prng) rounding_prng;
};

void fill_with(unsigned char value, std::span<const Trial::Piece> places) {
  for (const Trial::Piece& one : places)
    std::memset(one.at, value, static_cast<std::size_t>(one.count));
}

// What other cores sent is varied, too, where it is undetermined.
void fill_with(unsigned char value, std::vector<isa::Message>& messages) {
  for (isa::Message& message : messages) {
    for (std::size_t i = 0; i < message.undetermined.size(); ++i) {
      if (message.undetermined[i]) message.bytes[i] = std::byte{value};
    }
  }
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

}  // namespace

void Trial::fill_with(std::size_t round) const {
  checkers::fill_with(fills[round].read, varied_);
  checkers::fill_with(fills[round].written, own_);
}

void Trial::run(const isa::InstructionInfo& info, const void* record, isa::Execution& execution) {
  state::Core& core = execution.core;
  const std::vector<std::byte> inputs = copy_of(varied_), old = copy_of(own_),
                               outputs = copy_of(watched_);
  const Hidden before(core);
  const std::span<const isa::Message> really_received = execution.received;
  isa::SharedSum* const really_shared = execution.shared_sum;
  std::vector<isa::Message> received;
  if (info.encounter(record) != isa::Encounter::none) {  // else it is what was sent long ago
    received.assign(really_received.begin(), really_received.end());
    execution.received = received;
    execution.shared_sum = nullptr;
  }
  std::vector<std::byte> first;
  Hidden after_first = before;
  std::vector<bool> differs(outputs.size(), false), changes(outputs.size(), false);
  for (std::size_t round = 0; round < fills.size(); ++round) {
    put_back(watched_, outputs);
    before.put_back(core);
    fill_with(round);
    checkers::fill_with(fills[round].read, received);
    const std::vector<std::byte> filled = copy_of(watched_);
    // Of what was sent, float32 values count where the run keeps them; its own stay as they are.
    if (info.encounter(record) == isa::Encounter::none) {
      info.execute(record, execution);
    } else {
      isa::execute(info, record, execution);
    }
    const std::vector<std::byte> now = copy_of(watched_);
    if (round == 0) {
      first = now;
      after_first = Hidden(core);
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i] != first[i]) differs[i] = true;
      if (now[i] != filled[i]) changes[i] = true;
    }
    accumulators_differ_ = accumulators_differ_ ||
                           !same_bits(core.vector_accumulator, after_first.vector_accumulator) ||
                           !same_bits(core.scalar_accumulator, after_first.scalar_accumulator);
  }
  outcomes_.assign(outputs.size(), Outcome::determined);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (differs[i]) outcomes_[i] = changes[i] ? Outcome::undetermined : Outcome::kept;
  }
  put_back(watched_, outputs);
  put_back(varied_, inputs);
  put_back(own_, old);
  before.put_back(core);
  execution.received = really_received;
  execution.shared_sum = really_shared;
}

std::vector<bool> Trial::run_outgoing(const isa::InstructionInfo& info, const void* record,
                                      isa::Execution& execution) const {
  const std::vector<std::byte> inputs = copy_of(varied_), old = copy_of(own_);
  std::vector<std::byte> first;
  std::vector<bool> differs;
  for (std::size_t round = 0; round < fills.size(); ++round) {
    fill_with(round);
    const std::vector<std::byte> now = isa::outgoing(info, record, execution);
    if (round == 0) {
      first = now;
      differs.assign(now.size(), false);
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i] != first[i]) differs[i] = true;
    }
  }
  put_back(varied_, inputs);
  put_back(own_, old);
  return differs;
}

Trial::Piece Trial::first_sent(const isa::InstructionInfo& info, const void* record,
                               isa::Execution& execution) const {
  for (const Piece& run : varied_) {
    const auto matter = [&](std::int64_t count) {
      Trial some;
      some.vary({run.at, count, run.tensor, run.space, run.partition, run.first}, false);
      return std::ranges::any_of(some.run_outgoing(info, record, execution), std::identity{});
    };
    if (!matter(run.count)) continue;
    std::int64_t none = 0, any = run.count;  // so many of the first ones matter
    while (any - none > 1) {
      const std::int64_t middle = (none + any) / 2;
      (matter(middle) ? any : none) = middle;
    }
    return {run.at + none, 1, run.tensor, run.space, run.partition, run.first + none};
  }
  base::fail("something that was sent depends on a varied byte");
}

}  // namespace trainyard::checkers

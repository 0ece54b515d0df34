#include "trace/instruction_ticks.h"

#include "trace/bytes.h"

namespace trainyard::trace {
namespace {

constexpr std::uint64_t key_of(std::uint32_t instruction, std::uint32_t tag) {
  return (std::uint64_t{tag} << 32) | instruction;
}

template <typename F>
void for_each_side_and_reason(F f) {
  for (const Side side : {Side::engine, Side::service}) {
    for (const Reason reason : all_reasons()) f(side, reason);
  }
}

}  // namespace

void InstructionTicks::spill(std::uint32_t instruction, std::uint32_t tag, std::int64_t ticks) {
  spilled_[key_of(instruction, tag)] += ticks;
}

base::Ticks InstructionTicks::get(std::uint32_t instruction, Side side, Reason reason) const {
  const std::uint32_t tag = tag_of(side, reason);
  base::Ticks ticks;
  for (const std::uint32_t slot : slots_[instruction]) {
    if (slot >> ticks_bits == tag) ticks.value = slot & ticks_mask;
  }
  if (spilled_.empty()) return ticks;
  const auto found = spilled_.find(key_of(instruction, tag));
  return found == spilled_.end() ? ticks : ticks + base::Ticks{found->second};
}

std::array<std::int64_t, reason_count> InstructionTicks::get(std::uint32_t instruction,
                                                             Side side) const {
  std::array<std::int64_t, reason_count> ticks{};
  const std::uint32_t first = tag_of(side, Reason{});
  for (const std::uint32_t slot : slots_[instruction]) {
    const std::uint32_t reason = (slot >> ticks_bits) - first;
    if (reason < reason_count) ticks[reason] = slot & ticks_mask;
  }
  if (spilled_.empty()) return ticks;
  for (std::uint32_t reason = 0; reason < reason_count; ++reason) {
    const auto found = spilled_.find(key_of(instruction, first + reason));
    if (found != spilled_.end()) ticks[reason] += found->second;
  }
  return ticks;
}

void InstructionTicks::encode(std::string& out) const {
  for_each_side_and_reason([&](Side side, Reason reason) {
    std::uint64_t count = 0;
    std::uint32_t before = 0;
    std::string entries;
    for (std::uint32_t i = 0; i < size(); ++i) {
      const base::Ticks ticks = get(i, side, reason);
      if (ticks == base::Ticks{0}) continue;
      ++count;
      put_varint(entries, i - before);
      put_varint(entries, static_cast<std::uint64_t>(ticks.value));
      before = i;
    }
    put_varint(out, count);
    out += entries;
  });
}

InstructionTicks InstructionTicks::decode(ByteReader& reader, std::size_t instructions) {
  InstructionTicks result(instructions);
  for_each_side_and_reason([&](Side side, Reason reason) {
    std::size_t at = 0;
    for (std::size_t left = reader.count(2, "values"); left > 0; --left) {
      at += static_cast<std::size_t>(reader.varint_at_most(instructions, "a position"));
      if (at >= instructions) reader.malformed("a value lies beyond the program");
      const auto ticks = static_cast<std::int64_t>(reader.varint_at_most(INT64_MAX / 2, "a total"));
      if (result.get(static_cast<std::uint32_t>(at), side, reason) != base::Ticks{0}) {
        reader.malformed("an instruction's total is written twice");
      }
      result.add(static_cast<std::uint32_t>(at), side, reason, ticks);
    }
  });
  return result;
}

bool operator==(const InstructionTicks& a, const InstructionTicks& b) {
  if (a.size() != b.size()) return false;
  bool equal = true;
  for_each_side_and_reason([&](Side side, Reason reason) {
    for (std::uint32_t i = 0; equal && i < a.size(); ++i)
      equal = a.get(i, side, reason) == b.get(i, side, reason);
  });
  return equal;
}

}  // namespace trainyard::trace

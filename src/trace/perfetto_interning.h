// The interned data of a Perfetto export: each name, string, source line and call stack is sent
// once, in the packet that first needs it, and known by a number afterwards.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "trace/labels.h"
#include "trace/protobuf.h"
#include "trace/reason.h"
#include "trace/track.h"

namespace trainyard::trace {

// The arguments that a slice carries. Their interned names come first; names of loop variables
// follow.
enum class Argument : std::uint8_t {
  instruction = 1,
  iteration,
  operands,
  stack,
  loops,
  reason,
  ticks,
  waits_for
};
inline constexpr std::uint64_t argument_count = 9;

class PerfettoInterning {
 public:
  explicit PerfettoInterning(const Labels& labels) : labels_(labels) {}

  // Each returns the entry's number ("iid").
  std::uint64_t category(Reason reason);
  std::uint64_t event_name(Reason reason);
  std::uint64_t event_name(std::uint32_t label_string);
  std::uint64_t argument(Argument argument);
  std::uint64_t argument_of_loop(std::uint32_t label_string);
  // String values of arguments: a string of the labels, a whole call stack on one line, the prose
  // of a reason, and the name of a track.
  std::uint64_t value(std::uint32_t label_string);
  std::uint64_t value_of_stack(std::uint32_t frame);
  std::uint64_t value_of_reason(Reason reason);
  std::uint64_t value_of_track(TrackId track, std::string_view name);
  std::uint64_t source_location(std::uint32_t frame);
  std::uint64_t callstack(std::uint32_t frame);

  // What has been added since the last call: the InternedData of the next packet.
  [[nodiscard]] ProtoMessage take();

 private:
  bool is_new(std::uint32_t field, std::uint64_t iid);
  std::uint64_t add(std::uint32_t field, std::uint64_t iid, const ProtoMessage& entry);
  std::uint64_t add_text(std::uint32_t field, std::uint64_t iid, std::string_view text);
  std::uint64_t text_once(std::uint32_t field, std::uint64_t iid, std::string_view text);
  std::uint64_t frame(std::uint32_t frame);
  [[nodiscard]] std::vector<std::uint32_t> outermost_first(std::uint32_t frame) const;
  [[nodiscard]] std::string stack_text(std::uint32_t frame) const;

  const Labels& labels_;
  std::unordered_set<std::uint64_t> known_;  // look-up only; never walked
  ProtoMessage data_;
};

}  // namespace trainyard::trace

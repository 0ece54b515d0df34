// What the instruction ids of a trace mean: mnemonic, operands, source line with call stack, and
// loop indices. Strings and frames are stored once. A table of names for readers of a trace, not a
// program.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trace/bytes.h"

namespace trainyard::trace {

inline constexpr std::uint32_t no_frame = 0xFFFFFFFFu;

// One level of a call stack. Strings are indices into Labels::string.
struct Frame {
  std::uint32_t parent = no_frame;  // the caller; its index is lower
  std::uint32_t file = 0;
  std::uint32_t line = 0;
  std::uint32_t function = 0;

  friend bool operator==(const Frame&, const Frame&) = default;
};

// One loop around an instruction. A loop that was unrolled has one trip, and `first` is its index.
struct Loop {
  std::uint32_t name = 0;  // of the loop variable
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::uint32_t trips = 1;  // 0: not known before the run; only the outermost rolled loop may be so

  friend bool operator==(const Loop&, const Loop&) = default;
};

struct LoopIndex {
  std::string_view name;
  std::int64_t value = 0;

  friend bool operator==(const LoopIndex&, const LoopIndex&) = default;
};

struct Label {
  std::uint32_t mnemonic = 0;
  std::uint32_t operands = 0;
  std::uint32_t frame = no_frame;
  std::uint32_t nest = 0;  // the loops around it; 0 is none

  friend bool operator==(const Label&, const Label&) = default;
};

class Labels {
 public:
  Labels();

  // The index of a string, a frame or a nest of loops (outermost first); equal strings and frames
  // share one.
  std::uint32_t add_string(std::string_view text);
  std::uint32_t add_frame(const Frame& frame);
  std::uint32_t add_nest(std::span<const Loop> loops);
  // The label of the next instruction.
  void add(const Label& label) { labels_.push_back(label); }

  [[nodiscard]] std::size_t size() const { return labels_.size(); }
  [[nodiscard]] const Label& operator[](std::uint32_t instruction) const {
    return labels_[instruction];
  }
  [[nodiscard]] std::string_view string(std::uint32_t id) const { return strings_[id]; }
  [[nodiscard]] std::size_t string_count() const { return strings_.size(); }
  [[nodiscard]] std::size_t frame_count() const { return frames_.size(); }
  [[nodiscard]] const Frame& frame(std::uint32_t id) const { return frames_[id]; }
  [[nodiscard]] std::size_t nest_count() const { return nest_ends_.size(); }
  [[nodiscard]] std::span<const Loop> nest(std::uint32_t id) const;
  // "kernel.py:12", or "" where the source is not known.
  [[nodiscard]] std::string place(std::uint32_t instruction) const;
  // The loop indices of one run of an instruction, outermost first.
  [[nodiscard]] std::vector<LoopIndex> indices(std::uint32_t instruction,
                                               std::uint32_t iteration) const;

  void encode(std::string& out) const;
  // Throws InputError "trace.file".
  [[nodiscard]] static Labels decode(ByteReader& reader);

  friend bool operator==(const Labels& a, const Labels& b) {
    return a.strings_ == b.strings_ && a.frames_ == b.frames_ && a.nest_ends_ == b.nest_ends_ &&
           a.loops_ == b.loops_ && a.labels_ == b.labels_;
  }

 private:
  struct FrameHash {
    std::size_t operator()(const Frame& frame) const;
  };

  std::vector<std::string> strings_;
  std::vector<Frame> frames_;
  std::vector<std::size_t> nest_ends_;  // where the loops of each nest end in loops_
  std::vector<Loop> loops_;
  std::vector<Label> labels_;
  std::unordered_map<std::string, std::uint32_t> string_ids_;  // look-up only; never walked
  std::unordered_map<Frame, std::uint32_t, FrameHash> frame_ids_;
};

}  // namespace trainyard::trace

// The places in the author's source that a program names: texts, call stack frames and locations,
// each stored once. It adds to the tables of one program, which outlives it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "isa/core/program.h"

namespace trainyard::isa {

class SourceTable {
 public:
  explicit SourceTable(Program& program) : program_(program) {}

  // The index of a text in Program::strings.
  [[nodiscard]] std::uint32_t string(std::string_view text);
  // The index of a frame in Program::frames, whose caller was added before it; 0: it has none.
  [[nodiscard]] std::uint32_t frame(const Frame& frame);
  // The index in Program::locations of a new location that has the last `index_count` entries of
  // Program::loop_indices; those it shares with the location before are dropped.
  [[nodiscard]] std::uint32_t location(std::uint32_t frame, std::size_t index_count);

 private:
  struct FrameHash {
    std::size_t operator()(const Frame& frame) const;
  };

  Program& program_;
  std::unordered_map<std::string, std::uint32_t> strings_{{"", 0}};
  std::unordered_map<Frame, std::uint32_t, FrameHash> frames_{};
};

}  // namespace trainyard::isa

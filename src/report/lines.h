// Engine time folded by line of the user's source, operation of the model and mnemonic.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "isa/core/program.h"
#include "report/report.h"
#include "trace/summary.h"

namespace trainyard::report {

// The slack of each instruction, or an empty list.
using Slacks = std::span<const std::optional<base::Ticks>>;

// Where the instructions come from: as a program says, or as the labels of its trace do.
struct Origins {
  struct Frame {
    std::string_view file{}, function{};
    std::uint32_t line = 0;
    std::uint32_t caller = 0;  // 0: none
  };
  struct Origin {
    std::uint32_t frame = 0;
    std::uint32_t kind = 0;  // equal for equal mnemonics
    std::string_view mnemonic{};
    std::size_t engine = isa::engine_count;  // or this: none, or several
  };
  std::vector<Frame> frames;  // the first one is of what has no place
  std::function<Origin(std::uint32_t)> of;
};

struct Lines {
  std::vector<Line> lines;
  // By the model's name of the operation, of a program that a tensor program was compiled to
  // ("jit(f)/ dense/dot_general", in `function`); empty for others.
  std::vector<Line> operations;
  std::vector<Line> mnemonics;
};

// Most engine time first. Instructions that never ran are left out.
[[nodiscard]] Lines lines_of(const Origins& origins, const trace::Summary& summary,
                             Slacks slacks = {});
[[nodiscard]] Lines lines_of(const isa::Program& program, const trace::Summary& summary,
                             Slacks slacks = {});

}  // namespace trainyard::report

// What makes a program well formed: that what its parts point to exists, that sizes are small
// enough for address arithmetic not to overflow, and that names are text. Readers check it part by
// part. Whether a program is legal is validate()'s question.
#pragma once

#include <string>

#include "isa/core/program.h"

namespace trainyard::isa {

// Nothing in a program is larger than this many elements or bytes.
inline constexpr std::int64_t extent_max = std::int64_t{1} << 48;

// What is wrong, in words; empty when all is well. `program` holds the parts read so far.
[[nodiscard]] std::string problem(const Tile& tile, const Program& program);
[[nodiscard]] std::string problem(const Tensor& tensor, const Program& program);
[[nodiscard]] std::string problem(const DynamicAddress& how, const Program& program);
[[nodiscard]] std::string problem(const Frame& frame, const Program& program);
[[nodiscard]] std::string problem(const Location& location, const Program& program);
[[nodiscard]] std::string problem(const ScheduleEdge& edge, const Program& program);
[[nodiscard]] std::string problem(const StreamItem& item, const Program& program);
// The tiles and the place of an instruction that is about to be appended.
[[nodiscard]] std::string problem(const InstructionInfo& info, const void* record,
                                  std::uint32_t location, const Program& program);
// Of an instruction, and of the first part of a whole program, whoever made it; streams aside.
[[nodiscard]] std::string problem(const Program& program, std::uint32_t instruction);
[[nodiscard]] std::string problem(const Program& program);

}  // namespace trainyard::isa

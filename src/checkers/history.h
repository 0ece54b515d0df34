// When each instruction was applied, and who wrote a place last: what a finding says of its sides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checkers/finding.h"
#include "isa/core/program.h"
#include "isa/core/region.h"

namespace trainyard::checkers {

class History {
 public:
  explicit History(const isa::Program& program)
      : program_(program), applied_(program.instructions.size()) {}

  // When an instruction was applied last, and how often.
  struct Applied {
    base::Ticks time;
    std::uint32_t runs = 0;
  };

  // Just before an instruction is applied; `time` is zero in an untimed run.
  void apply(std::uint32_t instruction, base::Ticks time) {
    ++applied_[instruction].runs;
    applied_[instruction].time = time;
  }

  [[nodiscard]] Applied latest(std::uint32_t instruction) const { return applied_[instruction]; }
  // The latest run of an instruction as a side of a finding.
  [[nodiscard]] Side side(std::string_view role, std::uint32_t instruction) const;
  // A tensor as a side: where it was created.
  [[nodiscard]] Side created(isa::TensorId tensor) const;
  // The last instruction before this one, in the author's order, that writes some of what the tile
  // touches, or some of a tensor.
  [[nodiscard]] std::optional<std::uint32_t> last_write(const isa::Tile& tile,
                                                        std::uint32_t before) const;
  [[nodiscard]] std::optional<std::uint32_t> last_write(isa::TensorId tensor,
                                                        std::uint32_t before) const;

 private:
  const isa::Program& program_;
  std::vector<Applied> applied_;  // by instruction
};

// One run of an instruction as a side of a finding.
[[nodiscard]] Side side_at(const isa::Program& program, std::string_view role,
                           std::uint32_t instruction, const History::Applied& when);

// "[3, 0]": the element of an HBM tensor that a byte belongs to.
[[nodiscard]] std::string element_at(const isa::Tensor& tensor, std::int64_t byte);

// "vector engine", "DMA queue sync loads".
[[nodiscard]] std::string actor_of(const isa::Program& program, std::uint32_t instruction);

}  // namespace trainyard::checkers

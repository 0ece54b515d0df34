// Which elements of a tile are undetermined: their value depends on bytes that nothing ever wrote.
// A matrix of flags, and how they get from a tile that is read to one that is written. It knows
// neither memory nor instructions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/core/definition.h"

namespace trainyard::checkers {

class Taint {
 public:
  Taint() = default;
  Taint(int partitions, std::int64_t elements)
      : partitions_(partitions),
        elements_(elements),
        flags_(static_cast<std::size_t>(elements * partitions), 0) {}

  [[nodiscard]] int partitions() const { return partitions_; }
  [[nodiscard]] std::int64_t elements() const { return elements_; }
  // Element `i` of all partitions.
  [[nodiscard]] std::uint8_t* of(std::int64_t i) { return flags_.data() + i * partitions_; }
  [[nodiscard]] const std::uint8_t* of(std::int64_t i) const {
    return flags_.data() + i * partitions_;
  }
  [[nodiscard]] bool any() const;

 private:
  int partitions_ = 0;
  std::int64_t elements_ = 0;  // of a partition
  std::vector<std::uint8_t> flags_;
};

// Adds to `to` what depends on `from`, an operand of a role. The rule is not `moves`.
void spread(isa::Spread rule, isa::Role role, const Taint& from, Taint& to);

}  // namespace trainyard::checkers

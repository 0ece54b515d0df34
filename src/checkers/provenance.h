// Where undetermined values came from: which instruction looked at them where, and which passed
// them on. From it a finding says who read unwritten bytes first, and what came of it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checkers/history.h"

namespace trainyard::checkers {

class Provenance {
 public:
  // A tile that an instruction looks at, and an undetermined byte of it: of a partition, or of an
  // HBM tensor.
  struct Look {
    const isa::OperandInfo* operand = nullptr;
    isa::Tile tile{};
    int partition = 0;
    std::int64_t byte = 0;
    std::string sent{};   // not empty: another core sent it, which had it from there
    std::string unset{};  // not empty: no tile but this, which nothing has set
  };
  // How an undetermined value becomes visible: a role, and the same in a sentence.
  struct End {
    std::string_view role;  // "stores"
    std::string sentence;   // "stores the result in 'out'"
  };

  Provenance(const isa::Program& program, const History& history, Findings& findings)
      : program_(program), history_(history), findings_(findings) {}

  void looked(std::uint32_t instruction, const Look& look) {
    looks_.insert_or_assign(instruction, look);
  }
  void passed_on(std::uint32_t instruction) { carriers_.insert(instruction); }
  // The same for what `from` has looked at, where it got there by no tile.
  void passes_on_from(std::uint32_t from, std::uint32_t instruction) {
    const auto look = looks_.find(from);
    if (look != looks_.end()) looks_.try_emplace(instruction, look->second);
    passed_on(instruction);
  }

  // Who read first what an instruction looks at, in words.
  [[nodiscard]] std::string origin(std::uint32_t instruction) const;
  // memory.unwritten: an instruction that has looked at undetermined bytes makes them visible.
  void report(std::uint32_t instruction, const End& end) const;

 private:
  // The instruction that stored what another one looked at; nothing: nobody has written it.
  [[nodiscard]] std::optional<std::uint32_t> carrier_before(std::uint32_t instruction) const;
  // From the first reader to `instruction`.
  [[nodiscard]] std::vector<std::uint32_t> way_to(std::uint32_t instruction) const;
  [[nodiscard]] std::string describe(const Look& look, std::uint32_t reader) const;

  const isa::Program& program_;
  const History& history_;
  Findings& findings_;
  std::map<std::uint32_t, Look> looks_;  // by instruction: its latest one
  std::set<std::uint32_t> carriers_;     // instructions that stored undetermined values
};

}  // namespace trainyard::checkers

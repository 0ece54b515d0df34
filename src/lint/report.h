// How the inspections put a finding: an instruction, perhaps another one, and what was found.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "checkers/history.h"
#include "checks/registry.h"

namespace trainyard::lint {

struct Party {
  std::string_view role;
  std::uint32_t instruction = 0;
};

// `found()` gives the text, asked for only when the finding is new.
template <typename F>
void report(checkers::Findings& findings, std::string_view id, const Party& one,
            const std::optional<Party>& other, F&& found) {
  const isa::Program& program = findings.program();
  const auto location = [&](const Party& party) {
    return program.instructions[party.instruction].location;
  };
  const auto side = [&](const Party& party) {
    return checkers::Side{.role = std::string(party.role),
                          .actor = checkers::actor_of(program, party.instruction),
                          .what = std::string(program.info_at(party.instruction).mnemonic),
                          .place = program.place(party.instruction)};
  };
  findings.report(checks::find(id), location(one), other ? location(*other) : 0, [&] {
    checkers::Findings::Details details{.found = found(), .sides = {side(one)}};
    if (other) details.sides.push_back(side(*other));
    return details;
  });
}

}  // namespace trainyard::lint

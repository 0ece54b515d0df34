#include "checkers/psum_groups.h"

#include <fmt/format.h>

#include "checks/registry.h"
#include "machine/core.h"

namespace trainyard::checkers {

using isa::Tile;

PsumGroupCheck::PsumGroupCheck(const isa::Program& program, const isa::Execution& execution,
                               const History& history, Findings& findings)
    : program_(program),
      history_(history),
      findings_(findings),
      any_writer_(execution.machine.features.accumulate_on_any_write),
      begun_(program, execution.core),
      narrow_(program, execution.core),
      unread_(program, execution.core),
      consumed_(program, execution.core) {}

void PsumGroupCheck::apply(std::uint32_t instruction, isa::Engine engine,
                           const isa::InstructionInfo& info, const void* record) {
  isa::for_each_tile(info, record, program_.dynamics,
                     [&](const isa::OperandInfo&, const Tile& tile, isa::Access access) {
                       if (tile.space != isa::Space::psum || tile.dynamic != 0) return;
                       if (engine != isa::Engine::tensor) {
                         if (isa::reads(access)) read(tile);
                         if (isa::writes(access)) overwritten_by_another(tile);
                         return;
                       }
                       if (!isa::writes(access)) return;
                       isa::reads(access) ? add(instruction, tile) : begin(instruction, tile);
                     });
}

void PsumGroupCheck::begin(std::uint32_t instruction, const Tile& tile) {
  // Of a tile that is not full, authors read what they need.
  const bool all_unread = !unread_.of(tile).first_clear(tile);
  if (const auto lost = unread_.of(tile).first_marked(tile); lost && all_unread) {
    report("psum.lost_sum", instruction, "overwrites", "added last", tile, *lost,
           "overwrites a sum that nothing has read");
  }
  begun_.of(tile).mark(tile);
  unread_.of(tile).mark(tile);
  consumed_.of(tile).clear(tile);
  set_width(tile);
}

void PsumGroupCheck::add(std::uint32_t instruction, const Tile& tile) {
  if (const auto missing = begun_.of(tile).first_clear(tile)) {
    report("psum.group", instruction, "adds", "wrote last", tile, *missing,
           any_writer_ ? "adds where no sum was begun"
                       : "adds where no matmul has begun a sum, or another engine wrote since");
    return;
  }
  const bool narrow = tile.element_bytes() < 4;
  if (const auto other =
          narrow ? narrow_.of(tile).first_clear(tile) : narrow_.of(tile).first_marked(tile)) {
    report("psum.format", instruction, "adds", "wrote last", tile, *other,
           narrow ? "adds 16-bit sums where a 32-bit sum was begun"
                  : "adds 32-bit sums where a 16-bit sum was begun");
  }
  if (const auto early = consumed_.of(tile).first_marked(tile)) {
    report("psum.split_sum", instruction, "adds", "added before", tile, *early,
           "adds to a sum that was read already");
  }
  unread_.of(tile).mark(tile);
  consumed_.of(tile).clear(tile);
}

void PsumGroupCheck::read(const Tile& tile) {
  unread_.of(tile).clear(tile);
  consumed_.of(tile).mark(tile);
}

void PsumGroupCheck::overwritten_by_another(const Tile& tile) {
  any_writer_ ? begun_.of(tile).mark(tile) : begun_.of(tile).clear(tile);
  unread_.of(tile).clear(tile);
  consumed_.of(tile).clear(tile);
  set_width(tile);
}

void PsumGroupCheck::set_width(const Tile& tile) {
  tile.element_bytes() < 4 ? narrow_.of(tile).mark(tile) : narrow_.of(tile).clear(tile);
}

void PsumGroupCheck::report(std::string_view id, std::uint32_t instruction, std::string_view role,
                            std::string_view other_role, const Tile& tile, Coverage::Place place,
                            std::string_view found) {
  const std::optional<std::uint32_t> writer = history_.last_write(tile, instruction);
  const isa::Tensor& tensor = program_.tensors[tile.tensor];
  const auto location = [&](std::uint32_t i) { return program_.instructions[i].location; };
  findings_.report(
      checks::find(id), location(instruction), writer ? location(*writer) : tensor.location, [&] {
        Findings::Details details{
            .found = fmt::format("{} {}: partition {}, byte {} of psum, which belongs to '{}'",
                                 program_.info_at(instruction).mnemonic, found, place.partition,
                                 place.byte, tensor.name),
            .sides = {history_.side(role, instruction)}};
        if (writer) {
          details.sides.push_back(history_.side(other_role, *writer));
          details.found += fmt::format("; {} by {} at {}", other_role,
                                       program_.info_at(*writer).mnemonic, program_.place(*writer));
        }
        details.sides.push_back(history_.created(tile.tensor));
        return details;
      });
}

}  // namespace trainyard::checkers

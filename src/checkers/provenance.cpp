#include "checkers/provenance.h"

#include <fmt/format.h>

#include <algorithm>

#include "checks/registry.h"

namespace trainyard::checkers {

using isa::Tile;

namespace {

constexpr std::size_t shown_max = 8;  // instructions between the first and the last

bool writes_there(const isa::Program& program, std::uint32_t instruction, const Tile& tile) {
  const isa::Region wanted = isa::region_of(program, tile);
  bool found = false;
  program.for_each_tile(instruction, [&](const isa::OperandInfo&, const Tile& other,
                                         isa::Access access) {
    const bool may_share = other.tensor == tile.tensor ||
                           program.tensors[tile.tensor].manual_address ||
                           program.tensors[other.tensor].manual_address;
    found = found ||
            (isa::writes(access) && may_share && isa::region_of(program, other).overlaps(wanted));
  });
  return found;
}

}  // namespace

std::optional<std::uint32_t> Provenance::carrier_before(std::uint32_t instruction) const {
  const Look& look = looks_.at(instruction);
  if (!look.sent.empty() || !look.unset.empty()) return std::nullopt;
  const Tile& tile = look.tile;
  // In the author's order the nearest one before; in a loop it may also stand behind.
  const auto own = carriers_.lower_bound(instruction);
  for (auto i = own; i != carriers_.begin();) {
    if (writes_there(program_, *--i, tile)) return *i;
  }
  for (auto i = own; i != carriers_.end(); ++i) {
    if (*i != instruction && writes_there(program_, *i, tile)) return *i;
  }
  return std::nullopt;
}

std::vector<std::uint32_t> Provenance::way_to(std::uint32_t instruction) const {
  std::vector<std::uint32_t> way{instruction};
  while (const auto from = carrier_before(way.back())) {
    if (!looks_.contains(*from) || std::ranges::find(way, *from) != way.end()) break;
    way.push_back(*from);
  }
  std::ranges::reverse(way);
  return way;
}

std::string Provenance::describe(const Look& look, std::uint32_t reader) const {
  if (!look.unset.empty())
    return fmt::format(
        "{} continues from {}, which nothing has set; reduce_cmd.reset_reduce sets it",
        program_.info_at(reader).mnemonic, look.unset);
  const isa::Tensor& tensor = program_.tensors[look.tile.tensor];
  if (!look.sent.empty())
    return fmt::format("{} of {} receives '{}' from another core, where {}", look.operand->name,
                       program_.info_at(reader).mnemonic, tensor.name, look.sent);
  const std::string where = look.tile.on_chip()
                                ? fmt::format("partition {}, byte {} of {}", look.partition,
                                              look.byte, name(look.tile.space))
                                : fmt::format("byte {} of '{}'", look.byte, tensor.name);
  const Side created = history_.created(look.tile.tensor);
  return fmt::format("{} of {} reads {}, which nothing has written; it belongs to '{}'{}",
                     look.operand->name, program_.info_at(reader).mnemonic, where, tensor.name,
                     created.place.empty() ? "" : ", created at " + created.place);
}

std::string Provenance::origin(std::uint32_t instruction) const {
  const std::uint32_t reader = way_to(instruction).front();
  return fmt::format("{} (read at {})", describe(looks_.at(reader), reader),
                     program_.place(reader));
}

void Provenance::report(std::uint32_t instruction, const End& end) const {
  const std::vector<std::uint32_t> way = way_to(instruction);
  const std::uint32_t reader = way.front();
  const Look& look = looks_.at(reader);
  const auto location = [&](std::uint32_t i) { return program_.instructions[i].location; };
  const auto details = [&] {
    Findings::Details details{
        .found = describe(look, reader),
        .sides = {history_.side(look.sent.empty() ? "reads" : "receives", reader)},
        .category = base::FaultCategory::uninitialized_read};
    for (std::size_t k = 1; k + 1 < way.size() && k <= shown_max; ++k)
      details.sides.push_back(history_.side("passes on", way[k]));
    if (reader != instruction) {
      details.found += fmt::format("; {} {} at {}", program_.info_at(instruction).mnemonic,
                                   end.sentence, program_.place(instruction));
      details.sides.push_back(history_.side(end.role, instruction));
    }
    if (!look.unset.empty()) return details;
    const auto writer = history_.last_write(look.tile.tensor, reader);
    if (writer && look.sent.empty())
      details.sides.push_back(history_.side("writes another part", *writer));
    details.sides.push_back(history_.created(look.tile.tensor));
    return details;
  };
  const std::uint32_t created =
      look.unset.empty() ? program_.tensors[look.tile.tensor].location : 0;
  findings_.report(checks::find("memory.unwritten"), location(reader), created, details,
                   location(instruction));
}

}  // namespace trainyard::checkers

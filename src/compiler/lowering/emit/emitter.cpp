#include "compiler/lowering/emit/emitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/lowering/emit/both_memories.h"
#include "graph/users_line.h"
#include "isa/instructions/register_alu.h"
#include "isa/instructions/register_move.h"

namespace trainyard::compiler {

Emitter::Emitter(const graph::Module& module, const machine::Core& core, std::string name,
                 int cores)
    : module_(module), builder_(std::move(name), core, isa::Validation::later), cores_(cores) {}

void Emitter::at(graph::LocationId location) {
  if (location == 0) return builder_.stand_at(0);
  const auto [entry, is_new] = locations_.try_emplace(location);
  if (is_new) entry->second = add_place(module_.locations.at(location));
  builder_.stand_at(entry->second);
}

// The first frame, the user's, names the operation: "jit(f)/dense/dot_general" says more than the
// function. The library that the user's line calls comes second.
std::uint32_t Emitter::add_place(const graph::Location& where) {
  isa::SourceTable& sources = builder_.sources();
  std::uint32_t frame = 0;
  const std::vector<graph::SourceLine> frames = graph::users_line(where).frames;
  for (std::size_t i = frames.size(); i-- > 0;) {
    const graph::SourceLine& line = frames[i];
    const std::string& function = i == 0 && !where.scope.empty() ? where.scope : line.function;
    frame = sources.frame({sources.string(line.file), sources.string(function),
                           static_cast<std::uint32_t>(line.line), frame});
  }
  if (where.frames.empty())
    frame = sources.frame({sources.string(module_.name), sources.string(where.scope), 0, 0});
  return sources.location(frame, 0);
}

void Emitter::explain(std::vector<graph::LocationId> operations, std::string how) {
  std::vector<WayTime> ways = std::exchange(way_times_, {});
  for (const graph::LocationId operation : operations) {
    if (const auto told = told_later_.find(operation); ways.empty() && told != told_later_.end())
      ways = told->second;
  }
  notes_.push_back({.locations = {},
                    .how = std::move(how),
                    .operations = std::move(operations),
                    .ways = std::move(ways)});
}

std::vector<FusionGroup> Emitter::groups() const {
  std::vector<FusionGroup> all = notes_;
  for (const auto& [operation, ways] : told_later_) {  // of which nobody said how it is computed
    if (std::ranges::none_of(notes_, [&](const FusionGroup& note) {
          return std::ranges::find(note.operations, operation) != note.operations.end();
        }))
      all.push_back({.locations = {}, .how = {}, .operations = {operation}, .ways = ways});
  }
  for (FusionGroup& group : all) {
    for (const graph::LocationId operation : group.operations) {
      if (const auto found = locations_.find(operation); found != locations_.end())
        group.locations.push_back(found->second);
    }
  }
  all.insert(all.end(), told_layouts_.begin(), told_layouts_.end());
  return all;
}

isa::TensorId Emitter::hbm(isa::DType dtype, std::span<const std::int64_t> shape,
                           isa::TensorRole role) {
  return declare(dtype, shape, role, {});
}

isa::TensorId Emitter::constant(isa::DType dtype, std::span<const std::int64_t> shape,
                                std::vector<std::byte> content) {
  return declare(dtype, shape, isa::TensorRole::constant, std::move(content));
}

isa::TensorId Emitter::declare(isa::DType dtype, std::span<const std::int64_t> shape,
                               isa::TensorRole role, std::vector<std::byte> content) {
  isa::TensorSpec spec{.name = fmt::format("h{}", tensors()),
                       .shape = {shape.begin(), shape.end()},
                       .dtype = dtype,
                       .space = isa::Space::hbm,
                       .role = role,
                       .constant = std::move(content)};
  if (spec.shape.empty()) spec.shape = {1};
  return builder_.declare(std::move(spec));
}

isa::Tile Emitter::on_chip(isa::Space space, isa::DType dtype, std::int64_t partitions,
                           std::int64_t elements) {
  isa::Tile tile{.space = space, .dtype = dtype, .rank = 1};
  tile.partitions = static_cast<std::uint16_t>(partitions);
  tile.tensor = builder_.declare({.shape = {partitions, elements}, .dtype = dtype, .space = space});
  tile.dims[0] = {1, static_cast<std::int32_t>(elements)};
  return tile;
}

isa::Tile Emitter::sbuf(isa::DType dtype, std::int64_t partitions, std::int64_t elements) {
  return on_chip(isa::Space::sbuf, dtype, partitions, elements);
}

isa::Tile Emitter::psum(isa::DType dtype, std::int64_t partitions, std::int64_t elements) {
  return on_chip(isa::Space::psum, dtype, partitions, elements);
}

isa::RegisterRef Emitter::keep_register() {
  constexpr std::size_t others = 16;  // in turn, for addresses
  if (builder_.registers_free() <= others) throw NotInHardware{};
  return builder_.take_register(fresh_register());
}

isa::Register Emitter::register_of(const Counted& number) {
  if (number.constant == 0 && number.terms.size() == 1 && number.terms[0].scale == 1)
    return number.terms[0].counter;
  const isa::Register sum = fresh_register();
  emit(isa::RegisterMove{sum, {.constant = number.constant}});
  for (const Counted::Term& term : number.terms) {
    const isa::Register part = fresh_register();
    emit(isa::RegisterAlu{
        part, {.reg = term.counter}, numerics::AluOp::multiply, {.constant = term.scale}});
    emit(isa::RegisterAlu{sum, {.reg = sum}, numerics::AluOp::add, {.reg = part}});
  }
  return sum;
}

void Emitter::begin_loop(const isa::LoopBegin& loop) {
  const bool is_known = loop.kind == isa::LoopKind::counted && loop.stop.reg == isa::Register{};
  const bool both_turn = is_known && !in_half_ && cores() > 1;
  if (both_turn || !builder_.is_in_loop()) ++share_.section;
  const Share own = std::exchange(share_, {both_turn ? Share::both : share_.core, share_.section});
  emit(loop);
  share_ = own;
  loops_.push_back(both_turn);
  if (both_turn) ++share_.section;
}

void Emitter::end_loop() {
  const bool both_turned = loops_.back();
  loops_.pop_back();
  if (both_turned) ++share_.section;
  shares_.push_back({both_turned ? Share::both : share_.core, share_.section});
  builder_.end_loop();
  if (both_turned || !builder_.is_in_loop()) ++share_.section;
}

isa::TensorId Emitter::moved(isa::TensorId tensor, Counted by) {
  if (is_moved(tensor)) {
    by = sum(by, moved_.at(tensor - first_moved).by);
    tensor = origin(tensor);
  }
  moved_.push_back({tensor, std::move(by)});
  return first_moved + static_cast<isa::TensorId>(moved_.size() - 1);
}

void Emitter::address(const isa::InstructionInfo& info, void* record) {
  isa::for_each_operand_tile(info, record, [&](std::size_t, isa::Tile& tile, isa::Access) {
    if (tile.space != isa::Space::hbm || !is_moved(tile.tensor)) return;
    if (tile.dynamic != 0) throw NotInHardware{};
    const Moved from = moved_.at(tile.tensor - first_moved);
    isa::DynamicAddress dynamic{.kind = isa::DynamicAddress::Kind::register_offset};
    if (from.by.terms.size() == 1) {
      dynamic.reg = from.by.terms[0].counter;
      dynamic.stride = from.by.terms[0].scale;
    } else {
      // From the lowest place on: counters that run backwards would make the register negative.
      Counted varying = from.by;
      varying.constant = 0;
      const std::int64_t lowest = varying.low();
      varying.constant = -lowest;
      dynamic.reg = register_of(varying);
      tile.offset += lowest * tile.element_bytes();
    }
    tile.tensor = from.tensor;
    tile.offset += from.by.constant * tile.element_bytes();
    tile.dynamic = add(dynamic);
  });
}

void Emitter::spread_from(std::size_t first, std::size_t tensor, std::span<const isa::Tile> results,
                          EngineLoads& loads) {
  if (!variation_.spreads) return;
  const auto begin = static_cast<std::uint32_t>(first);
  isa::Program& program = builder_.program();
  spread_pairs(program, begin, core(), loads);
  // Those of earlier tiles are not looked at again.
  std::vector<isa::TensorId> kept = std::exchange(kept_, {});
  for (const isa::Tile& result : results) kept.push_back(result.tensor);
  use_both_memories(program, begin, static_cast<isa::TensorId>(tensor), kept, core());
  spread_engines(program, begin, core(), loads);
  loads = spread_transfers(program, begin, core(), loads);
}

void Emitter::spread_transfers_from(std::size_t first) {
  if (variation_.spreads)
    spread_transfers(builder_.program(), static_cast<std::uint32_t>(first), core());
}

void Emitter::spread_engines_from(std::size_t first) {
  if (variation_.spreads)
    spread_engines(builder_.program(), static_cast<std::uint32_t>(first), core());
}

std::uint32_t Emitter::add(const isa::DynamicAddress& dynamic) {
  std::vector<isa::DynamicAddress>& all = builder_.program().dynamics;
  all.push_back(dynamic);
  return static_cast<std::uint32_t>(all.size());
}

isa::Tile part(const isa::Tile& tile, std::int64_t partition, std::int64_t partitions,
               std::int64_t element, std::int64_t elements) {
  isa::Tile result = tile;
  result.partition_start = static_cast<std::uint16_t>(tile.partition_start + partition);
  result.partitions = static_cast<std::uint16_t>(partitions);
  if (elements == tile.free_elements()) return result;
  base::check(tile.rank == 1, "a part of a tile is one of a run of elements");
  result.offset += element * tile.dims[0].step * tile.element_bytes();
  result.dims[0].count = static_cast<std::int32_t>(elements);
  return result;
}

isa::Tile repeated(const isa::Tile& column, std::int64_t elements) {
  isa::Tile result = column;
  result.dims[0] = {0, static_cast<std::int32_t>(elements)};
  return result;
}

}  // namespace trainyard::compiler

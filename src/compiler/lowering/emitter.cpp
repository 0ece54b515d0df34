#include "compiler/lowering/emitter.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/lowering/tiles/both_memories.h"
#include "graph/users_line.h"
#include "isa/instructions/loop_end.h"
#include "isa/instructions/register_alu.h"
#include "isa/instructions/register_move.h"

namespace trainyard::compiler {

Emitter::Emitter(const graph::Module& module, const machine::Core& core, std::string name,
                 int cores)
    : module_(module), core_(core), cores_(cores) {
  program_.name = std::move(name);
  program_.generation = 2 + static_cast<int>(core.generation);
}

std::uint32_t Emitter::string(std::string_view text) {
  if (text.empty()) return 0;
  const auto found = strings_.find(text);
  if (found != strings_.end()) return found->second;
  const auto id = static_cast<std::uint32_t>(program_.strings.size());
  program_.strings.emplace_back(text);
  strings_.emplace(text, id);
  return id;
}

// The first frame, the user's, names the operation: "jit(f)/dense/dot_general" says more than the
// function. The library that the user's line calls comes second.
void Emitter::at(graph::LocationId location) {
  if (location == 0) {
    location_ = 0;
    return;
  }
  const auto [entry, is_new] =
      locations_.try_emplace(location, static_cast<std::uint32_t>(program_.locations.size()));
  location_ = entry->second;
  if (!is_new) return;
  const graph::Location& where = module_.locations.at(location);
  std::uint32_t caller = 0;
  const std::vector<graph::SourceLine> frames = graph::users_line(where).frames;
  for (std::size_t i = frames.size(); i-- > 0;) {
    const graph::SourceLine& line = frames[i];
    program_.frames.push_back({string(line.file),
                               string(i == 0 && !where.scope.empty() ? where.scope : line.function),
                               static_cast<std::uint32_t>(line.line), caller});
    caller = static_cast<std::uint32_t>(program_.frames.size() - 1);
  }
  if (where.frames.empty()) {
    program_.frames.push_back({string(module_.name), string(where.scope), 0, 0});
    caller = static_cast<std::uint32_t>(program_.frames.size() - 1);
  }
  program_.locations.push_back({.frame = caller});
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
  isa::Tensor tensor;
  const auto id = static_cast<isa::TensorId>(program_.tensors.size());
  tensor.name = fmt::format("h{}", id);
  tensor.shape.assign(shape.begin(), shape.end());
  if (tensor.shape.empty()) tensor.shape = {1};
  tensor.dtype = dtype;
  tensor.space = isa::Space::hbm;
  tensor.role = role;
  tensor.location = location_;
  tensor.created = static_cast<std::uint32_t>(program_.instructions.size());
  program_.tensors.push_back(std::move(tensor));
  return id;
}

isa::TensorId Emitter::constant(isa::DType dtype, std::span<const std::int64_t> shape,
                                std::vector<std::byte> content) {
  const isa::TensorId id = hbm(dtype, shape, isa::TensorRole::constant);
  program_.tensors[id].constant = std::move(content);
  return id;
}

isa::Tile Emitter::on_chip(isa::Space space, isa::DType dtype, std::int64_t partitions,
                           std::int64_t elements) {
  const std::array<std::int64_t, 2> shape{partitions, elements};
  const isa::TensorId id = hbm(dtype, shape);
  program_.tensors[id].space = space;
  program_.tensors[id].name = fmt::format("t{}", id);
  isa::Tile tile{.space = space, .dtype = dtype, .rank = 1};
  tile.partitions = static_cast<std::uint16_t>(partitions);
  tile.tensor = id;
  tile.dims[0] = {1, static_cast<std::int32_t>(elements)};
  return tile;
}

isa::Tile Emitter::sbuf(isa::DType dtype, std::int64_t partitions, std::int64_t elements) {
  return on_chip(isa::Space::sbuf, dtype, partitions, elements);
}

isa::Tile Emitter::psum(isa::DType dtype, std::int64_t partitions, std::int64_t elements) {
  return on_chip(isa::Space::psum, dtype, partitions, elements);
}

// Registers are taken in turn; an order between a new use and an old one is the compiler's.
isa::Register Emitter::fresh_register() {
  isa::Register fresh;
  do {
    fresh.index = next_register_;
    next_register_ =
        static_cast<std::uint8_t>(next_register_ + 1 < core_.registers ? next_register_ + 1 : 1);
  } while (kept_.test(fresh.index));
  return fresh;
}

isa::Register Emitter::keep_register() {
  constexpr std::size_t others = 16;  // in turn, for addresses
  if (kept_.count() + others >= static_cast<std::size_t>(core_.registers)) throw NotInHardware{};
  const isa::Register reg = fresh_register();
  kept_.set(reg.index);
  return reg;
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

std::uint32_t Emitter::begin_loop(const isa::LoopBegin& loop) {
  if (loops_++ == 0) ++share_.section;
  return emit(loop);
}

void Emitter::end_loop(std::uint32_t begin) {
  emit(isa::LoopEnd{.begin = static_cast<std::int32_t>(begin)});
  if (--loops_ == 0) ++share_.section;
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
      Counted varying = from.by;
      varying.constant = 0;
      dynamic.reg = register_of(varying);
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
  spread_pairs(program_, begin, core_, loads);
  use_both_memories(program_, begin, static_cast<isa::TensorId>(tensor), results, core_);
  spread_engines(program_, begin, core_, loads);
  loads = spread_transfers(program_, begin, core_, loads);
}

void Emitter::spread_transfers_from(std::size_t first) {
  if (variation_.spreads) spread_transfers(program_, static_cast<std::uint32_t>(first), core_);
}

void Emitter::spread_engines_from(std::size_t first) {
  if (variation_.spreads) spread_engines(program_, static_cast<std::uint32_t>(first), core_);
}

std::uint32_t Emitter::add(const isa::DynamicAddress& dynamic) {
  program_.dynamics.push_back(dynamic);
  return static_cast<std::uint32_t>(program_.dynamics.size());
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

#include "isa/rules/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "isa/core/run_time_index.h"
#include "isa/forms/text.h"
#include "machine/core.h"

namespace trainyard::isa {

namespace {

enum Rule : std::size_t {
  partitions,
  partition_start,
  bounds,
  rank,
  steps,
  elements,
  engine_kind,
  engine_psum,
  whole_tensor,
  dims,
  dynamic,
  vector_offset,
  indirect_machine,
  indirect_operand,
  indirect_index,
  indirect_count,
  indirect_start,
  scatter_start,
  scatter_psum,
  given,
};

constexpr std::array<GeneralRule, 20> rule_table{{
    {"tile.partitions",
     "an on-chip tile has at least 1 partition and at most as many as the memory",
     "split the tile along the partition dimension"},
    {"tile.partition_start",
     "a tile of more than 64 partitions starts at partition 0, of 33 to 64 at 0 or 64, of at most "
     "32 at a multiple of 32",
     "move the tile, or copy it with dma_copy, which has no such rule"},
    {"tile.bounds", "a tile lies inside its tensor", "check the slice or the access pattern"},
    {"tile.rank", "an instruction's pattern has no more free dimensions than the hardware walks",
     "merge contiguous dimensions or split the instruction"},
    {"tile.step", "a pattern's steps fit the hardware's step field", "use a smaller stride"},
    {"tile.elements",
     "an instruction streams at most 64 Ki elements per partition from or to SBUF and 4 Ki (gen4: "
     "8 Ki) "
     "from or to PSUM, in dimensions of at most 65535",
     "work on pieces"},
    {"engine.kind", "the instruction can run on the chosen engine",
     "choose another engine, or leave it open"},
    {"engine.psum", "GpSimd does not reach PSUM", "use the Vector or Scalar engine"},
    {"tile.tensor", "a tile points into a tensor of the program, in the memory that holds it",
     "declare the tensor in the program, and name it by its index"},
    {"tile.count", "every dimension of a tile has at least one element", "drop the empty slice"},
    {"tile.dynamic",
     "a run-time address comes from a register of the sequencer or from integers in SBUF",
     "load the index into an integer SBUF tile or a register first"},
    {"tile.vector_offset",
     "vector_offset addresses the rows of an HBM region in a DMA instruction, with an index for "
     "each",
     "gather with dma_copy, or on chip with .indirect()"},
    {"tile.indirect_machine", "the core has tensor indirection (.indirect(), gen4)",
     "gather with dma_copy"},
    {"tile.indirect_operand", "the operand may be an .indirect() view",
     "copy the operand with tensor_copy first"},
    {"tile.indirect_index",
     "the index of an .indirect() view has as many partitions as the view and starts on a quadrant "
     "of partitions",
     "move the index tile to a multiple of 32 partitions"},
    {"tile.indirect_count",
     "the index of an .indirect() view holds every offset: number i stands in row i mod 16 "
     "(Tensor: "
     "32) of each group of as many partitions, in column i div 16",
     "pass num_elem, or a wider index tile"},
    {"tile.indirect_start", "a gathered operand starts on the same partition as its index",
     "place the operand and its index on the same partitions"},
    {"tile.scatter_start",
     "the index of a scattered dst starts where the source in SBUF starts, or the index of a "
     "gathered source in PSUM",
     "place the index of dst on the partitions of the source"},
    {"tile.scatter_psum", "the Scalar engine does not scatter into PSUM",
     "scatter into SBUF, or on the Vector engine"},
    {"tile.given", "a tile that has no default is given", "pass a tile"},
}};

// The tile that a message is about. Put into words only when a rule is broken: this runs for every
// operand of every instruction that is traced.
struct Subject {
  std::string_view before, name;
  const Tile& tile;
  [[nodiscard]] std::string text() const {
    return fmt::format("{}{}: {}", before, name, describe(tile));
  }
};

class Checker {
 public:
  Checker(const InstructionInfo& info, const void* record, Engine engine, const Program& program,
          const machine::Core& core, const std::optional<LogicalCore>& runner)
      : info_(info),
        record_(record),
        engine_(engine),
        program_(program),
        core_(core),
        runner_(runner) {}

  std::vector<base::Violation> run() {
    check_given();
    for_each_operand_tile([&](std::size_t k, const Tile& tile) {
      is_out_of_reach_ = is_out_of_reach_ || (info_.kind == Kind::compute && !tile.on_chip());
      check_references(tile);
      check_not_empty({"", info_.operands[k].name, tile});
    });
    // The rules below follow the references and divide by sizes.
    if (!found_.empty()) return std::move(found_);
    check_constraints();
    // What engines cannot reach has no partitions: every further rule would speak of that again.
    if (is_out_of_reach_ && !found_.empty()) return {std::move(found_.front())};
    if (engine_ != Engine::any && !info_.engines.contains(engine_)) {
      std::string others;
      for (int e = 0; e < engine_count; ++e) {
        const auto other = static_cast<Engine>(e);
        if (info_.engines.contains(other))
          others += fmt::format("{}{}", others.empty() ? "" : ", ", name(other));
      }
      broken(engine_kind, fmt::format("{} on the {} engine; it runs on {}", info_.mnemonic,
                                      name(engine_), others));
    }
    for_each_operand_tile([&](std::size_t k, const Tile& tile) {
      check_tile(info_.operands[k], tile);
      if (tile.dynamic != 0) check_dynamic(k, tile);
    });
    check_scatter();
    return std::move(found_);
  }

 private:
  template <typename F>
  void for_each_operand_tile(F&& f) {
    for (const std::uint8_t k : info_.tiled)
      for_each_tile_of(info_.operands[k], record_, [&](const Tile& tile) { f(k, tile); });
  }

  void check_constraints() {
    const Site site{program_, engine_, runner_};
    for (std::size_t c = 0; c < info_.constraints.size(); ++c) {
      if (info_.holds(c, record_, core_, site)) continue;
      const ConstraintInfo& broken = info_.constraints[c];
      add(broken.label, broken.rule, describe_operands(program_, info_, record_) + run_by(),
          broken.fix);
    }
    breaks_own_ = !found_.empty();
  }

  // Of a collective: who runs it.
  [[nodiscard]] std::string run_by() const {
    if (!runner_ || info_.encounter(record_) != Encounter::collective) return {};
    std::string text = fmt::format("; run by rank {}", runner_->rank);
    if (runner_->ranks > 0) text += fmt::format(" of {}", runner_->ranks);
    if (runner_->cores > 0) text += fmt::format(" at LNC {}", runner_->cores);
    return text;
  }

  void check_given() {
    for (const std::uint8_t k : info_.tiled) {
      const OperandInfo& operand = info_.operands[k];
      if (!operand.is<Tile>() || !operand.default_value.empty() || operand.may_be_none ||
          operand.in<Tile>(record_))
        continue;
      broken(given, fmt::format("{} without {}", info_.mnemonic, operand.name));
    }
  }

  void check_references(const Tile& tile) {
    if (!exists(tile)) return broken(whole_tensor, describe(tile));
    if (tile.dynamic == 0) return;
    if (tile.dynamic > program_.dynamics.size()) return broken(dynamic, describe(tile));
    const DynamicAddress& how = dynamics_of(tile);
    const bool by_register = how.kind == DynamicAddress::Kind::register_offset;
    const bool good = by_register ? how.reg.index < core_.registers
                                  : how.index.space == Space::sbuf && exists(how.index) &&
                                        numerics::is_integer(how.index.dtype);
    if (!good)
      broken(dynamic, fmt::format("{} indexed by {}", describe(tile), describe(how.index)));
  }

  void check_not_empty(const Subject& what) {
    if (what.tile.on_chip() && what.tile.partitions < 1) return broken(partitions, what.text());
    for (const Dim& dim : what.tile.free()) {
      if (dim.count < 1) return broken(dims, what.text());
    }
  }

  [[nodiscard]] bool exists(const Tile& tile) const {
    return tile.tensor < program_.tensors.size() &&
           program_.tensors[tile.tensor].space == tile.space;
  }

  [[nodiscard]] const DynamicAddress& dynamics_of(const Tile& tile) const {
    return program_.dynamics[tile.dynamic - 1];
  }

  void check_dynamic(std::size_t k, const Tile& tile) {
    const OperandInfo& operand = info_.operands[k];
    const DynamicAddress& how = dynamics_of(tile);
    if (how.index) check_bounds(how.index, {"the index of ", operand.name, how.index});
    const std::string what =
        fmt::format("{}: {} indexed by {}", operand.name, describe(tile), describe(how.index));
    if (how.kind == DynamicAddress::Kind::vector_offset) {
      if (info_.kind != Kind::dma || tile.space != Space::hbm || tile.rank == 0 ||
          how.index.elements() < tile.dims[0].count)
        broken(vector_offset, what);
    }
    if (how.kind != DynamicAddress::Kind::indirect) return;
    if (!core_.features.indirection) broken(indirect_machine, what);
    if (!operand.indirect || !tile.on_chip()) return broken(indirect_operand, what);
    if ((how.index.partitions != tile.partitions && !operand.own_start_rule) ||
        absolute_start(how.index) % core_.sbuf.quadrant != 0) {
      broken(indirect_index, what);
    }
    if (!holds_offsets(how.index, tile.free_elements())) broken(indirect_count, what);
    if (operand.access == Access::read && !operand.own_start_rule &&
        absolute_start(tile) != absolute_start(how.index))
      broken(indirect_start, what);
  }

  [[nodiscard]] bool holds_offsets(const Tile& index, std::int64_t count) const {
    const std::int64_t group = info_.engines.contains(Engine::tensor)
                                   ? core_.access.indirect_group_tensor
                                   : core_.access.indirect_group;
    const std::int64_t cut = index.partitions % group;  // rows of a last group that is cut short
    return count <= group * index.free_elements() && (cut == 0 || count <= cut);
  }

  // The rules that tie a scattered dst to the first operand that may be gathered. The matrix
  // instructions have rules of their own.
  void check_scatter() {
    if (info_.engines.contains(Engine::tensor)) return;
    const Tile* source = nullptr;
    const Tile* dst = nullptr;
    for (const std::uint8_t k : info_.tiled) {
      if (!info_.operands[k].indirect) continue;
      const Tile& tile = info_.operands[k].in<Tile>(record_);
      const Tile*& role = writes(info_.access(record_, k)) ? dst : source;
      if (role == nullptr && tile) role = &tile;
    }
    if (dst == nullptr || !is_indirect(*dst)) return;
    const Engine engine = engine_ == Engine::any ? info_.choose(record_, core_) : engine_;
    if (engine == Engine::scalar && dst->space == Space::psum) broken(scatter_psum, describe(*dst));
    if (source == nullptr) return;
    const Tile* anchor = source->space == Space::sbuf ? source
                         : is_indirect(*source)       ? &dynamics_of(*source).index
                                                      : nullptr;
    const Tile& index = dynamics_of(*dst).index;
    if (anchor != nullptr && absolute_start(*anchor) != absolute_start(index)) {
      broken(scatter_start, fmt::format("the index at partition {}, the source at partition {}",
                                        absolute_start(index), absolute_start(*anchor)));
    }
  }

  [[nodiscard]] bool is_indirect(const Tile& tile) const {
    return tile.dynamic != 0 && dynamics_of(tile).kind == DynamicAddress::Kind::indirect;
  }

  void check_tile(const OperandInfo& operand, const Tile& tile) {
    const Subject what{"", operand.name, tile};
    if (tile.on_chip()) check_on_chip(operand, tile, what);
    if (tile.space == Space::psum && info_.kind == Kind::compute && !breaks_own_ &&
        (engine_ == Engine::any ? info_.choose(record_, core_) : engine_) == Engine::gpsimd) {
      broken(engine_psum, what.text());
    }
    check_bounds(tile, what);
  }

  void check_on_chip(const OperandInfo& operand, const Tile& tile, const Subject& what) {
    const std::int64_t all =
        tile.space == Space::sbuf ? core_.sbuf.partitions : core_.psum.partitions;
    if (tile.partitions > all) return broken(partitions, what.text());
    if (info_.kind != Kind::compute) return;
    const int start = absolute_start(tile);
    const auto quadrant = static_cast<int>(core_.sbuf.quadrant);
    const int multiple = tile.partitions > 2 * quadrant ? 4 * quadrant
                         : tile.partitions > quadrant   ? 2 * quadrant
                                                        : quadrant;
    if (start % multiple != 0 && !operand.own_start_rule) broken(partition_start, what.text());
    // The limit of PSUM is what a partition of it holds; repeating an element takes no more of it
    // (layernorm_tkg of nki-library streams 192 elements 48 times).
    const bool psum = tile.space == Space::psum;
    std::int64_t streamed = 1;
    for (const Dim& dim : tile.free()) streamed *= psum && dim.step == 0 ? 1 : dim.count;
    const std::int64_t most =
        psum ? core_.access.psum_elements_max : core_.access.sbuf_elements_max;
    const bool is_walked = can_be_walked(tile, what);
    if (streamed > most || !is_walked) broken(elements, what.text());
  }

  // Whether no dimension is too long; tells of too many dimensions, and of steps.
  bool can_be_walked(const Tile& tile, const Subject& what) {
    const auto is_too_far = [&](const Dim& dim) {
      return std::abs(dim.step) > core_.access.stride_max;
    };
    // Simplified, it has no more dimensions and no other steps.
    if (tile.rank < core_.access.dimensions && std::ranges::none_of(tile.free(), is_too_far))
      return true;
    const Tile walked = simplified(tile);
    if (walked.rank > core_.access.dimensions) broken(rank, what.text());
    for (const Dim& dim : walked.free()) {
      if (is_too_far(dim)) broken(steps, what.text());
    }
    // A longer dimension is walked as two, as long as the hardware has another one.
    return walked.rank < core_.access.dimensions ||
           std::ranges::none_of(walked.free(),
                                [&](const Dim& dim) { return dim.count > core_.access.size_max; });
  }

  // Before compilation tiles are relative to their tensor; afterwards they are absolute.
  [[nodiscard]] int absolute_start(const Tile& tile) const {
    return tile.partition_start +
           (program_.compiled ? 0 : program_.tensors[tile.tensor].partition_start);
  }

  void check_bounds(const Tile& whole, const Subject& what) {
    // Run-time indices are checked when they are used.
    std::optional<Tile> part;
    if (whole.dynamic != 0) part = indexed_part(whole, dynamics_of(whole));
    const Tile& tile = part ? *part : whole;
    const Tensor& tensor = program_.tensors[tile.tensor];
    const std::int64_t first = first_byte(tile, program_);
    const std::int64_t first_partition = program_.compiled ? tensor.partition_start : 0;
    const bool inside =
        tile.low_byte() >= first && tile.high_byte() <= first + tensor.bytes_per_partition();
    const bool inside_partitions = !tile.on_chip() || (tile.partition_start >= first_partition &&
                                                       tile.partition_start + tile.partitions <=
                                                           first_partition + tensor.partitions());
    if (inside && inside_partitions) return;
    broken(bounds, fmt::format("{} touches bytes [{}, {}) of {} in tensor '{}'", what.text(),
                               tile.low_byte() - first, tile.high_byte() - first,
                               tensor.bytes_per_partition(), tensor.name));
  }

  void broken(Rule rule, std::string what) {
    add(rule_table[rule].label, rule_table[rule].rule, std::move(what), rule_table[rule].fix);
  }
  void add(std::string_view label, std::string_view rule, std::string what, std::string_view fix) {
    found_.push_back(
        {std::string(label), std::string(rule), {}, std::move(what), std::string(fix)});
  }

  const InstructionInfo& info_;
  const void* record_;
  Engine engine_;
  const Program& program_;
  const machine::Core& core_;
  const std::optional<LogicalCore>& runner_;
  std::vector<base::Violation> found_;
  bool is_out_of_reach_ = false;  // an operand of a compute instruction is in HBM
  bool breaks_own_ = false;       // one of the instruction's own rules, which may be about PSUM
};

}  // namespace

std::span<const GeneralRule> general_rules() { return rule_table; }

std::vector<base::Violation> violations(const InstructionInfo& info, const void* record,
                                        Engine engine, const Program& program,
                                        const machine::Core& core,
                                        const std::optional<LogicalCore>& runner) {
  return Checker(info, record, engine, program, core, runner).run();
}

std::vector<base::Violation> violations_at(const Program& program, std::uint32_t i,
                                           const machine::Core& core,
                                           const std::optional<LogicalCore>& runner) {
  std::vector<base::Violation> found = violations(
      program.info_at(i), program.record(i), program.instructions[i].engine, program, core, runner);
  for (base::Violation& violation : found) {
    violation.place = program.place(i);
    violation.sides = sides_of(program, program.info_at(i), program.record(i), violation.place);
  }
  return found;
}

base::Side created(const Program& program, TensorId tensor) {
  const Tensor& one = program.tensors[tensor];
  return {.role = "created", .what = one.name, .place = program.describe_location(one.location)};
}

std::vector<base::Side> sides_of(const Program& program, const InstructionInfo& info,
                                 const void* record, const std::string& place) {
  std::vector<base::Side> sides{
      {.role = "issues", .what = std::string(info.mnemonic), .place = place}};
  std::vector<TensorId> named;
  for (const OperandInfo& operand : info.operands) {
    for_each_tile_of(operand, record, [&](const Tile& tile) {
      if (std::ranges::find(named, tile.tensor) != named.end()) return;
      named.push_back(tile.tensor);
      sides.push_back(created(program, tile.tensor));
    });
  }
  return sides;
}

void validate(const Program& program, std::uint32_t i, const machine::Core& core) {
  std::vector<base::Violation> found = violations_at(program, i, core);
  if (!found.empty()) refuse(program.info_at(i), std::move(found));
}

void validate_for(const LogicalCore& runner, const Program& program, const machine::Core& core) {
  if (program.rank_groups.empty()) return;
  std::vector<base::Violation> found;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (program.info_at(i).encounter(program.record(i)) != Encounter::collective) continue;
    for (base::Violation& violation : violations_at(program, i, core, runner))
      found.push_back(std::move(violation));
  }
  if (!found.empty()) throw base::InputError(std::move(found));
}

void refuse(const InstructionInfo& info, std::vector<base::Violation> broken) {
  for (const base::Violation& violation : broken) {
    const bool unpublished = std::ranges::any_of(info.constraints, [&](const ConstraintInfo& rule) {
      return rule.unpublished && rule.label == violation.label;
    });
    if (unpublished) throw base::Fault(base::FaultCategory::missing_specification, violation);
  }
  throw base::InputError(std::move(broken));
}

std::string describe_operands(const Program& program, const InstructionInfo& info,
                              const void* record) {
  std::string text;
  for (const OperandInfo& operand : info.operands) {
    const std::string value = describe_operand(program, info, operand, record);
    if (value.empty()) continue;
    if (!text.empty()) text += "; ";
    text += fmt::format("{}: {}", operand.name, value);
  }
  return text;
}

}  // namespace trainyard::isa

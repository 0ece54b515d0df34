#include "checkers/unwritten.h"

#include <fmt/format.h>

#include <algorithm>

#include "checkers/reach.h"
#include "checks/registry.h"
#include "isa/core/runs.h"

namespace trainyard::checkers {

using isa::Access;
using isa::OperandInfo;
using isa::Space;
using isa::Tile;

UnwrittenCheck::UnwrittenCheck(const isa::Program& program, isa::Execution& execution,
                               const History& history, Findings& findings)
    : program_(program),
      execution_(execution),
      provenance_(program, history, findings),
      written_(program, execution.core),
      whole_written_(program.tensors.size(), false),
      vector_sums_(execution.core.vector_accumulator.size()),
      scalar_sums_(execution.core.scalar_accumulator.size()) {
  // What the host filled in before the run need not be looked at again.
  for (isa::TensorId t = 0; t < program.tensors.size(); ++t) {
    const isa::Tensor& tensor = program.tensors[t];
    if (tensor.space != Space::hbm) continue;
    whole_written_[t] =
        execution.core.hbm->written().all_written(execution.hbm_base[t], tensor.bytes());
  }
}

namespace {

bool all_determined(std::span<const isa::Message> received) {
  return std::ranges::all_of(
      received, [](const isa::Message& message) { return message.undetermined.empty(); });
}

// Whether what a tile held before may be part of the result.
bool uses_content(Access access) {
  return (isa::reads(access) && access != Access::read_some) || access == Access::write_some;
}

}  // namespace

bool UnwrittenCheck::apply(std::uint32_t instruction, isa::Engine engine,
                           const isa::InstructionInfo& info, const void* record) {
  if (copies_onto_itself(info, record)) return true;
  const Step step{instruction, info, record};
  if (record != program_.record(instruction)) check_indices(step);
  // What an instruction that meets others sends comes back in what it receives.
  const bool meets = info.encounter(record) != isa::Encounter::none;
  bool determined = !meets || all_determined(execution_.received);
  isa::for_each_operand_piece(
      info, record, [&](const OperandInfo&, const Tile&, const Tile& piece, Access access) {
        const bool matters = meets ? access == Access::write_some : uses_content(access);
        if (determined && matters) determined = is_determined(piece);
      });
  const std::optional<Sums> sums = sums_of(step);
  if (determined && !(sums && sums->what.continues() && sums->undetermined())) {
    write_all(step);
    accumulate(step, false);
    return true;
  }
  execution_.engine = engine;
  meets ? receive(step) : follow(step);
  return false;
}

// Positions come from tiles that the resolved record may no longer name.
void UnwrittenCheck::check_indices(const Step& step) {
  isa::for_each_index(step.info, program_.record(step.instruction), program_.dynamics,
                      [&](const OperandInfo& operand, const Tile& tile, const Tile&) {
                        for_each_index_entry(tile, program_, [&](const Tile& entries) {
                          decide_by(step, operand, entries);
                        });
                      });
}

// What decides something is reported at once where it is undetermined; then it counts as
// determined.
void UnwrittenCheck::decide_by(const Step& step, const OperandInfo& operand, const Tile& tile) {
  const auto place = first_undetermined(tile);
  if (!place) return;
  provenance_.looked(step.instruction, {&operand, tile, place->partition, place->byte});
  provenance_.report(step.instruction, {"uses as an index", "uses the result as an index"});
}

std::optional<Coverage::Place> UnwrittenCheck::first_undetermined(const Tile& tile) {
  if (!tile.on_chip() && whole_written_[tile.tensor]) return std::nullopt;
  if (tile.dynamic != 0) return first_undetermined_part(tile);
  if (tile.on_chip()) return written_.of(tile).first_clear(tile);
  const std::int64_t base = execution_.hbm_base[tile.tensor];
  const state::WrittenMap& written = execution_.core.hbm->written();
  std::optional<Coverage::Place> place;
  isa::for_each_run(tile, [&](std::int64_t first, std::int64_t bytes) {
    const std::int64_t missing = written.first_unwritten(base + first, bytes);
    if (missing == base + first + bytes) return true;
    place = {0, missing - base};
    return false;
  });
  return place;
}

std::optional<Coverage::Place> UnwrittenCheck::first_undetermined_part(const Tile& tile) {
  const std::optional<Tile> all = picked_from(tile, program_);
  if (all && !written_.of(tile).first_clear(*all)) return std::nullopt;
  std::optional<Coverage::Place> place;
  for_each_part(tile, execution_, [&](const Part& part) {
    if (!place) place = first_undetermined(part.tile);
  });
  return place;
}

bool UnwrittenCheck::is_determined(const Tile& tile) { return !first_undetermined(tile); }

void UnwrittenCheck::write_all(const Step& step) {
  isa::for_each_operand_piece(
      step.info, step.record,
      [&](const OperandInfo&, const Tile&, const Tile& piece, Access access) {
        if (isa::writes(access)) write(piece);
      });
}

void UnwrittenCheck::write(const Tile& tile) {
  if (!tile.on_chip() && whole_written_[tile.tensor]) return;
  if (tile.dynamic != 0)
    return for_each_part(tile, execution_, [&](const Part& part) { write(part.tile); });
  if (tile.on_chip()) return written_.of(tile).mark(tile);
  const std::int64_t base = execution_.hbm_base[tile.tensor];
  isa::for_each_run(tile, [&](std::int64_t first, std::int64_t bytes) {
    execution_.core.hbm->written().mark(base + first, bytes);
    return true;
  });
}

void UnwrittenCheck::follow(const Step& step) {
  const bool undetermined = looks_at_undetermined(step);
  if (step.info.spread(step.record) == isa::Spread::moves) return spread_by_trial(step);
  spread_by_lanes(step);
  accumulate(step, undetermined);
}

void UnwrittenCheck::sends(std::uint32_t instruction, const isa::InstructionInfo& info,
                           const void* record, isa::Message& message) {
  if (info.outgoing == nullptr) return;
  bool found = false;
  const Step step{instruction, info, record};
  isa::for_each_operand_piece(
      info, record, [&](const OperandInfo& operand, const Tile&, const Tile& piece, Access access) {
        if (!isa::reads(access)) return;
        if (operand.decides) return decide_by(step, operand, piece);
        found = found || !is_determined(piece);
      });
  if (!found) return;
  const Trial trial = trial_of(step);
  message.undetermined = trial.run_outgoing(info, record, execution_);
  if (std::ranges::find(message.undetermined, true) == message.undetermined.end())
    return message.undetermined.clear();
  looks_at(step, trial.first_sent(info, record, execution_));
  message.origin = provenance_.origin(instruction);
}

// Notes that it reads this byte.
void UnwrittenCheck::looks_at(const Step& step, const Trial::Piece& byte) {
  isa::for_each_operand_piece(
      step.info, step.record,
      [&](const OperandInfo& operand, const Tile&, const Tile& piece, Access access) {
        if (!isa::reads(access) || operand.decides || piece.space != byte.space) return;
        const int partition = byte.partition - piece.partition_start;
        const std::int64_t at =
            piece.on_chip() ? byte.first : byte.first - execution_.hbm_base[piece.tensor];
        const bool there = at >= piece.low_byte() && at < piece.high_byte() &&
                           (!piece.on_chip() || (partition >= 0 && partition < piece.partitions));
        if (there) provenance_.looked(step.instruction, {&operand, piece, byte.partition, at});
      });
}

void UnwrittenCheck::receive(const Step& step) {
  const auto from = std::ranges::find_if(execution_.received, [](const isa::Message& message) {
    return !message.undetermined.empty();
  });
  bool looked = from == execution_.received.end();  // only its own destination is undetermined
  isa::for_each_operand_piece(
      step.info, step.record,
      [&](const OperandInfo& operand, const Tile&, const Tile& piece, Access access) {
        if (looked || !isa::writes(access)) return;
        provenance_.looked(step.instruction,
                           {.operand = &operand, .tile = piece, .sent = from->origin});
        looked = true;
      });
  spread_by_trial(step);
}

// Notes what it looks at.
bool UnwrittenCheck::looks_at_undetermined(const Step& step) {
  bool found = false, writes = false;
  isa::for_each_operand_piece(
      step.info, step.record,
      [&](const OperandInfo& operand, const Tile&, const Tile& piece, Access access) {
        writes = writes || isa::writes(access);
        if (!uses_content(access)) return;
        if (operand.decides) return decide_by(step, operand, piece);
        if (found) return;
        const auto place = first_undetermined(piece);
        if (!place) return;
        provenance_.looked(step.instruction, {&operand, piece, place->partition, place->byte});
        found = true;
      });
  if (found && !writes)
    provenance_.report(step.instruction, {"depends on it", "depends on the result"});
  return found;
}

namespace {

// One tile operand as a whole, and which of its elements are undetermined.
struct Operand {
  const OperandInfo* info = nullptr;
  const Tile* tile = nullptr;
  Taint taint;
};

Operand& operand_of(std::vector<Operand>& list, const OperandInfo& info, const Tile& tile) {
  if (list.empty() || list.back().tile != &tile)
    list.push_back({&info, &tile, Taint(tile.partitions, tile.free_elements())});
  return list.back();
}

Corner corner_in(const Tile& tile, const Tile& piece, const Part& part) {
  return {piece.partition_start - tile.partition_start + part.row, part.element};
}

}  // namespace

void UnwrittenCheck::spread_by_lanes(const Step& step) {
  std::vector<Operand> sources;
  isa::for_each_operand_piece(
      step.info, step.record,
      [&](const OperandInfo& operand, const Tile& tile, const Tile& piece, Access access) {
        if (!uses_content(access) || !tile.on_chip() || operand.decides || is_determined(piece))
          return;
        Taint& taint = operand_of(sources, operand, tile).taint;
        for_each_part(piece, execution_, [&](const Part& part) {
          written_.of(tile).flag_clear(part.tile, taint, corner_in(tile, piece, part));
        });
      });
  const isa::Spread rule = step.info.spread(step.record);
  std::vector<Operand> results;
  isa::for_each_operand_piece(
      step.info, step.record,
      [&](const OperandInfo& operand, const Tile& tile, const Tile& piece, Access access) {
        if (!isa::writes(access)) return;
        if (!tile.on_chip()) return write(piece);
        const bool is_new = results.empty() || results.back().tile != &tile;
        Taint& taint = operand_of(results, operand, tile).taint;
        if (is_new) {
          for (const Operand& source : sources)
            spread(rule, source.info->role, source.taint, taint);
        }
        if (taint.any()) provenance_.passed_on(step.instruction);
        for_each_part(piece, execution_, [&](const Part& part) {
          written_.of(tile).clear_flagged(part.tile, taint, corner_in(tile, piece, part));
        });
      });
}

// Calls f(Trial::Piece) for the host's memory behind a tile, piece by piece.
template <typename F>
void UnwrittenCheck::for_each_bytes(const Tile& tile, F&& f) {
  if (tile.dynamic != 0)
    return for_each_part(tile, execution_, [&](const Part& part) { for_each_bytes(part.tile, f); });
  if (tile.on_chip()) {
    state::Scratchpad& pad =
        tile.space == Space::sbuf ? execution_.core.sbuf : execution_.core.psum;
    for (int p = tile.partition_start; p < tile.partition_start + tile.partitions; ++p) {
      isa::for_each_run(tile, [&](std::int64_t first, std::int64_t bytes) {
        f(Trial::Piece{pad.row(p) + first, bytes, tile.tensor, tile.space, p, first});
        return true;
      });
    }
    return;
  }
  const std::int64_t base = execution_.hbm_base[tile.tensor];
  isa::for_each_run(tile, [&](std::int64_t first, std::int64_t bytes) {
    f(Trial::Piece{execution_.core.hbm->at(base + first), bytes, tile.tensor, Space::hbm, 0,
                   base + first});
    return true;
  });
}

Trial UnwrittenCheck::trial_of(const Step& step) {
  Trial trial;
  const auto vary = [&](const Trial::Piece& bytes, bool written) {
    const state::WrittenMap& hbm = execution_.core.hbm->written();
    const auto next = [&](std::int64_t first, bool determined) {
      const std::int64_t left = bytes.first + bytes.count - first;
      if (bytes.space != Space::hbm)
        return written_.of(bytes.tensor).next(bytes.partition, first, first + left, determined);
      return determined ? hbm.first_written(first, left) : hbm.first_unwritten(first, left);
    };
    const std::int64_t end = bytes.first + bytes.count;
    for (std::int64_t at = next(bytes.first, false); at < end;) {
      const std::int64_t stop = next(at, true);
      trial.vary({bytes.at + (at - bytes.first), stop - at, bytes.tensor, bytes.space,
                  bytes.partition, at},
                 written);
      at = stop < end ? next(stop, false) : end;
    }
  };
  isa::for_each_operand_piece(
      step.info, step.record,
      [&](const OperandInfo& operand, const Tile&, const Tile& piece, Access access) {
        if (access == Access::none || access == Access::fence || operand.decides) return;
        const bool written = isa::writes(access);
        if (piece.on_chip() || !whole_written_[piece.tensor])
          for_each_bytes(piece, [&](const Trial::Piece& bytes) { vary(bytes, written); });
        if (written) for_each_bytes(piece, [&](const Trial::Piece& bytes) { trial.watch(bytes); });
      });
  return trial;
}

void UnwrittenCheck::spread_by_trial(const Step& step) {
  Trial trial = trial_of(step);
  trial.run(step.info, step.record, execution_);
  land(step, trial);
  accumulate(step, trial.accumulators_differ());
}

// What came out the same each time is determined, the rest is not.
void UnwrittenCheck::land(const Step& step, const Trial& trial) {
  state::WrittenMap& written = execution_.core.hbm->written();
  std::vector<Trial::Piece> stored;  // undetermined, in HBM
  bool passed_on = false;
  trial.for_each_outcome([&](const Trial::Piece& bytes, Trial::Outcome outcome) {
    const bool determined = outcome == Trial::Outcome::determined;
    passed_on = passed_on || outcome == Trial::Outcome::undetermined;
    const std::int64_t end = bytes.first + bytes.count;
    if (bytes.space != Space::hbm)
      return written_.of(bytes.tensor).set(bytes.partition, bytes.first, end, determined);
    determined ? written.mark(bytes.first, bytes.count) : written.forget(bytes.first, bytes.count);
    if (outcome == Trial::Outcome::undetermined) stored.push_back(bytes);
  });
  if (!passed_on) return;
  provenance_.passed_on(step.instruction);
  isa::for_each_operand_piece(
      step.info, step.record,
      [&](const OperandInfo&, const Tile&, const Tile& piece, Access access) {
        if (isa::writes(access) && piece.space == Space::hbm) store(step, piece.tensor, stored);
      });
}

// An undetermined value in a tensor that the caller sees is reported, and counts as written.
void UnwrittenCheck::store(const Step& step, isa::TensorId tensor,
                           std::span<const Trial::Piece> stored) {
  if (!is_seen(tensor)) return;
  const std::int64_t first = execution_.hbm_base[tensor];
  const std::int64_t end = first + program_.tensors[tensor].bytes();
  bool found = false;
  for (const Trial::Piece& bytes : stored) {
    if (bytes.first < first || bytes.first >= end) continue;
    execution_.core.hbm->written().mark(bytes.first, bytes.count);
    found = true;
  }
  if (!found) return;
  provenance_.report(step.instruction, {"stores", fmt::format("stores the result in '{}'",
                                                              program_.tensors[tensor].name)});
}

bool UnwrittenCheck::is_seen(isa::TensorId tensor) const {
  const isa::TensorRole role = program_.tensors[tensor].role;
  return role == isa::TensorRole::output || role == isa::TensorRole::input;
}

void check_outputs(const isa::Program& program, std::span<const std::int64_t> hbm_base,
                   const state::Hbm& hbm, Findings& findings) {
  for (isa::TensorId t = 0; t < program.tensors.size(); ++t) {
    const isa::Tensor& tensor = program.tensors[t];
    if (tensor.space != Space::hbm || tensor.role != isa::TensorRole::output) continue;
    const std::int64_t end = hbm_base[t] + tensor.bytes();
    const std::int64_t missing = hbm.written().first_unwritten(hbm_base[t], tensor.bytes());
    if (missing == end) continue;
    findings.report(checks::find("memory.output"), tensor.location, 0, [&] {
      return Findings::Details{.found = fmt::format("nothing wrote '{}' at {}", tensor.name,
                                                    element_at(tensor, missing - hbm_base[t])),
                               .sides = {{.role = "created",
                                          .what = tensor.name,
                                          .place = program.describe_location(tensor.location)}},
                               .category = base::FaultCategory::uninitialized_read};
    });
  }
}

}  // namespace trainyard::checkers

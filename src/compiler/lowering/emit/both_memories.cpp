#include "compiler/lowering/emit/both_memories.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "isa/forms/record_defaults.h"

namespace trainyard::compiler {

namespace {

using isa::Engine;
using isa::Program;
using isa::TensorId;
using isa::Tile;

// The tensors of two tiles of one size that Vector reads, where it is faster when one of them comes
// from PSUM.
std::optional<std::array<TensorId, 2>> pair_of(const Program& program, std::uint32_t i,
                                               const machine::Core& core) {
  const isa::InstructionInfo& info = program.info_at(i);
  isa::RecordBuffer record(info);
  std::memcpy(record.data(), program.record(i), info.record_bytes);
  std::vector<Tile*> sources;
  for (const std::uint8_t k : info.tiled) {
    const isa::OperandInfo& operand = info.operands[k];
    if (!operand.is<Tile>() || info.access(record.data(), k) != isa::Access::read) continue;
    if (auto& tile = operand.in<Tile>(record.data())) sources.push_back(&tile);
  }
  if (sources.size() != 2 || sources[0]->elements() != sources[1]->elements()) return std::nullopt;
  const auto cycles = [&](isa::Space one) {
    sources[0]->space = one;
    sources[1]->space = isa::Space::sbuf;
    return info.cycles(record.data(), Engine::vector, core).occupancy;
  };
  if (cycles(isa::Space::psum) >= cycles(isa::Space::sbuf)) return std::nullopt;
  return std::array{sources[0]->tensor, sources[1]->tensor};
}

class Mover {
 public:
  Mover(Program& program, std::uint32_t first, TensorId tensor, const machine::Core& core)
      : program_(program), first_(first), tensor_(tensor), core_(core) {
    values_.resize(program.tensors.size() - tensor);
    for (std::uint32_t i = first; i < end(); ++i) look(i);
  }

  void move_all(std::span<const TensorId> kept) {
    for (TensorId t = tensor_; t < program_.tensors.size(); ++t) {
      Value& value = values_[t - tensor_];
      const bool is_kept = std::ranges::find(kept, t) != kept.end();
      value.moves = !is_kept && may_move(t) && has_room(value, bytes(t));
    }
    for (std::uint32_t i = first_; i < end(); ++i) {
      program_.for_each_tile_mutable(i, [&](Tile& tile) {
        if (moves(tile.tensor)) tile.space = isa::Space::psum;
      });
    }
    for (TensorId t = tensor_; t < program_.tensors.size(); ++t) {
      if (moves(t)) program_.tensors[t].space = isa::Space::psum;
    }
  }

 private:
  struct Value {
    bool is_near = true;  // only Vector and Scalar use it
    bool moves = false;
    std::uint32_t writers = 0, writer = 0, last = 0;
    std::vector<TensorId> beside;  // in each pair that it is of
  };

  [[nodiscard]] std::uint32_t end() const {
    return static_cast<std::uint32_t>(program_.instructions.size());
  }
  [[nodiscard]] bool is_own(TensorId t) const {
    return t != isa::no_tensor && t >= tensor_ && t < program_.tensors.size();
  }
  [[nodiscard]] bool moves(TensorId t) const { return is_own(t) && values_[t - tensor_].moves; }
  [[nodiscard]] std::int64_t bytes(TensorId t) const {
    return program_.tensors[t].bytes_per_partition();
  }

  void look(std::uint32_t i) {
    const isa::InstructionInfo& info = program_.info_at(i);
    Engine engine = program_.instructions[i].engine;
    const bool computes = info.kind != isa::Kind::dma && info.kind != isa::Kind::control;
    if (engine == Engine::any && computes) engine = info.choose(program_.record(i), core_);
    const bool is_near = computes && (engine == Engine::vector || engine == Engine::scalar);
    program_.for_each_tile(i, [&](const isa::OperandInfo&, const Tile& tile, isa::Access how) {
      if (!is_own(tile.tensor)) return;
      Value& value = values_[tile.tensor - tensor_];
      value.is_near = value.is_near && is_near && tile.dynamic == 0;
      if (isa::writes(how)) {
        ++value.writers;
        value.writer = i;
        const bool is_whole = tile.elements() == program_.tensors[tile.tensor].elements();
        value.is_near = value.is_near && is_whole && !isa::reads(how);
      }
      value.last = i;
    });
    const auto pair = engine == Engine::vector ? pair_of(program_, i, core_) : std::nullopt;
    if (!pair) return;
    for (const std::size_t k : {0U, 1U}) {
      if (is_own((*pair)[k])) values_[(*pair)[k] - tensor_].beside.push_back((*pair)[1 - k]);
    }
  }

  // A memory gives one of a pair.
  [[nodiscard]] bool may_move(TensorId t) const {
    const Value& value = values_[t - tensor_];
    const isa::Tensor& tensor = program_.tensors[t];
    constexpr std::int64_t bytes_min = 512;
    return value.is_near && value.writers == 1 && tensor.space == isa::Space::sbuf &&
           tensor.dtype == isa::DType::float32 && bytes(t) >= bytes_min && !value.beside.empty() &&
           std::ranges::none_of(value.beside, [&](TensorId other) {
             return other == t || moves(other) || program_.tensors[other].space == isa::Space::psum;
           });
  }

  // Tiles follow each other: half of PSUM is for the next one.
  [[nodiscard]] bool has_room(const Value& value, std::int64_t bytes) const {
    const std::int64_t most = core_.psum.partition_size().value / 2;
    for (std::uint32_t at = value.writer; at <= value.last; ++at) {
      std::int64_t taken = bytes;
      for (TensorId t = tensor_; t < program_.tensors.size(); ++t) {
        const Value& other = values_[t - tensor_];
        if (other.moves && other.writer <= at && at <= other.last) taken += this->bytes(t);
      }
      if (taken > most) return false;
    }
    return true;
  }

  Program& program_;
  std::uint32_t first_;
  TensorId tensor_;
  const machine::Core& core_;
  std::vector<Value> values_;
};

}  // namespace

void use_both_memories(Program& program, std::uint32_t first, TensorId tensor,
                       std::span<const TensorId> kept, const machine::Core& core) {
  if (tensor < program.tensors.size()) Mover(program, first, tensor, core).move_all(kept);
}

}  // namespace trainyard::compiler

// Short names for the instructions that elementwise operations are made of, on tiles of one shape.
#pragma once

#include <cstdint>

#include "compiler/lowering/emit/emitter.h"
#include "numerics/operators.h"

namespace trainyard::compiler {

// Integers of 32 bits, which no engine but GpSimd adds exactly.
[[nodiscard]] inline bool is_word(isa::DType dtype) {
  return dtype == isa::DType::int32 || dtype == isa::DType::uint32;
}

class TileMath {
 public:
  using AluOp = numerics::AluOp;
  using Function = numerics::ActivationFunction;

  TileMath(Emitter& emitter, std::int64_t partitions, std::int64_t elements)
      : emitter_(emitter), partitions_(partitions), elements_(elements) {}

  [[nodiscard]] isa::Tile fresh(isa::DType dtype) const {
    return emitter_.sbuf(dtype, partitions_, elements_);
  }
  // One number on every element.
  [[nodiscard]] isa::Tile filled(isa::DType dtype, double number) const;

  // dst = a op b; returns dst, as all of these do.
  isa::Tile tensor(isa::Tile dst, const isa::Tile& a, AluOp op, const isa::Tile& b,
                   isa::Engine engine = isa::Engine::any) const;
  // dst = a op number, or number op a.
  isa::Tile scalar(isa::Tile dst, const isa::Tile& a, AluOp op, double number,
                   bool reverse = false) const;
  // dst = a op column, or column op a: one float32 a partition, given on any number of elements.
  isa::Tile column(isa::Tile dst, const isa::Tile& a, AluOp op, const isa::Tile& column,
                   bool reverse = false) const;
  // dst = (a op0 first) op1 second.
  isa::Tile scalar2(isa::Tile dst, const isa::Tile& a, AluOp op0, double first, AluOp op1,
                    double second) const;
  // dst = function(a * scale).
  isa::Tile apply(isa::Tile dst, Function function, const isa::Tile& a, double scale = 1) const;
  // Casts where the formats differ.
  isa::Tile copy(isa::Tile dst, const isa::Tile& a, isa::Engine engine = isa::Engine::any) const;
  isa::Tile reciprocal(isa::Tile dst, const isa::Tile& a) const;
  // dst = a where mask is not 0; dst must hold the other values already.
  isa::Tile put(isa::Tile dst, const isa::Tile& a, const isa::Tile& mask) const;
  // dst = a where mask is not 0 (`reverse`: is 0), else the number.
  isa::Tile put(isa::Tile dst, const isa::Tile& a, const isa::Tile& mask, double elsewhere,
                bool reverse = false) const;
  // The bits of float32 as a whole number that is ordered as IEEE's totalOrder: of negative numbers
  // all bits but the sign are turned.
  [[nodiscard]] isa::Tile total_order(const isa::Tile& a) const;

  // In float32: the nearest integers, halves to even; a where it has no fraction.
  [[nodiscard]] isa::Tile rounded(const isa::Tile& a) const;
  // Towards zero, towards minus and plus infinity.
  [[nodiscard]] isa::Tile truncated(const isa::Tile& a) const;
  [[nodiscard]] isa::Tile floor(const isa::Tile& a) const;
  [[nodiscard]] isa::Tile ceil(const isa::Tile& a) const;
  [[nodiscard]] isa::Tile exponential_minus_one(const isa::Tile& a) const;
  [[nodiscard]] isa::Tile log_plus_one(const isa::Tile& a) const;

 private:
  [[nodiscard]] isa::Tile f32() const { return fresh(isa::DType::float32); }

  Emitter& emitter_;
  std::int64_t partitions_, elements_;
};

}  // namespace trainyard::compiler

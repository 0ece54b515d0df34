// dropout: elements replaced by zero at random.
#pragma once

#include <cmath>
#include <cstring>

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/random.h"

namespace trainyard::isa {

struct Dropout {
  Tile dst, data;
  Scalar prob;
};

template <>
struct Definition<Dropout> {
  static constexpr std::string_view mnemonic = "dropout";
  static constexpr std::string_view summary =
      "dst = data, each element replaced by 0 with probability prob; survivors are not scaled";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr Traits<Dropout> traits{
      .hidden = HiddenState::vector_random,
      .moves_values = true,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &Dropout::dst, "SBUF or PSUM tile, [P, F]"),
      reads("data", &Dropout::data, "SBUF or PSUM tile, [P, F]"),
      reads("prob", &Dropout::prob, "number or [P, 1] tile: the probability of a zero"),
  };
  static constexpr auto constraints = std::to_array<Constraint<Dropout>>({
      {"dropout.c1", "dst and data are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.data); },
       "load HBM data with dma_copy first"},
      {"dropout.c2", "dst and data have the same number of partitions and elements per partition",
       [](const auto& op, const auto&) { return rules::same_shape(op.dst, op.data); },
       fixes::same_sizes},
      {"dropout.c3", "dst has the dtype of data",
       [](const auto& op, const auto&) { return op.dst.dtype == op.data.dtype; },
       "cast with tensor_copy"},
      {"dropout.c4", "prob is a number or a [P, 1] on-chip tile",
       [](const auto& op, const auto&) {
         return rules::scalar_or_column(op.prob, op.data.partitions);
       },
       fixes::number_or_column},
      {"dropout.c5", "a prob tile is float32 for integer data, and a float otherwise",
       [](const auto& op, const auto&) {
         return rules::floats(op.prob.tile) &&
                (!rules::integers(op.data) || rules::float32(op.prob.tile));
       },
       "cast prob with tensor_copy first: to float32 for integer data"},
      {"dropout.c6", "dst and data have dtypes that engines compute on",
       [](const auto& op, const auto&) { return rules::computable(op.dst, op.data); },
       fixes::computable},
      {"dropout.c7", "a number as prob is a probability, 0 to 1",
       [](const auto& op, const auto&) {
         return op.prob.is_tile() || (op.prob.constant >= 0 && op.prob.constant <= 1);
       },
       "pass a number from 0 to 1"},
  });
  static constexpr Source source = {
      "nki.isa.dropout, NKI 0.6; an element is dropped when its random word is below prob * 2^32: "
      "assumed",
      Fidelity::assumed};

  static Timing cycles(const Dropout& op, Engine, const machine::Core& core) {
    return cost::vector(op.dst, op.data, core.vector_rates.other, core);
  }
  static Activity activity(const Dropout& op) { return {.elements = op.dst.elements()}; }
  static void execute(const Dropout& op, Execution& e) {
    const auto n = static_cast<std::size_t>(op.data.free_elements());
    const auto width = static_cast<std::size_t>(op.data.element_bytes());
    std::vector<std::uint32_t> words(n);
    std::vector<std::byte>& row = e.raw[0];
    for (int p = 0; p < op.data.partitions; ++p) {
      random::fill(Engine::vector, op.data.partition_start + p, words, e);
      const double limit = static_cast<double>(value(op.prob, e, p)) * 0x1p32;  // exact
      row.resize(n * width);
      load_bits(op.data, e, p, row.data());
      for (std::size_t i = 0; i < n; ++i) {
        if (static_cast<double>(words[i]) < limit) std::memset(row.data() + i * width, 0, width);
      }
      store_bits(op.dst, e, p, row.data());
    }
  }
};

}  // namespace trainyard::isa

// topk: the K largest of the elements that each group of 16 partitions holds together.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/gather.h"
#include "isa/semantics/top_k.h"

namespace trainyard::isa {

struct Topk {
  Tile val_dst, idx_dst, src;
  std::int32_t n = 0;
  bool sorted = false;
};

template <>
struct Definition<Topk> {
  static constexpr std::string_view mnemonic = "topk";
  static constexpr std::string_view summary =
      "val_dst = the K largest of the first n elements of each 16-partition group, ascending; "
      "idx_dst = where they stand; element e, and result e, is in row e mod 16, column e div 16";
  static constexpr EngineSet engines{Engine::gpsimd};
  static constexpr Engine engine = Engine::gpsimd;
  static constexpr Traits<Topk> traits{
      .spread = Spread::whole,
  };
  static constexpr auto operands = std::tuple{
      writes_some(
          "val_dst", &Topk::val_dst,
          "bfloat16 SBUF tile, [P, K], of which columns from ceil(K / 16) on keep their content"),
      writes_some("idx_dst", &Topk::idx_dst, "uint32 SBUF tile, [P, K], written as val_dst is"),
      reads("src", &Topk::src, "bfloat16 SBUF tile, [P, at least n / 16]"),
      immediate("n", &Topk::n, "elements of each group: 8 to 65535"),
      immediate("sorted", &Topk::sorted, "ask for an order; results are ascending anyway", "False"),
  };
  static constexpr auto constraints = std::to_array<Constraint<Topk>>({
      {"topk.c1", "val_dst, idx_dst and src are in SBUF",
       [](const auto& op, const auto&) { return rules::in_sbuf(op.val_dst, op.idx_dst, op.src); },
       fixes::to_sbuf},
      {"topk.c2", "val_dst and src are bfloat16, idx_dst is uint32",
       [](const auto& op, const auto&) {
         return rules::dtype_in(op.val_dst, {DType::bfloat16}) &&
                rules::dtype_in(op.src, {DType::bfloat16}) &&
                rules::dtype_in(op.idx_dst, {DType::uint32});
       },
       "cast src with tensor_copy first, declare val_dst as bfloat16 and idx_dst as uint32"},
      {"topk.c3", "all tiles have the same number of partitions, a multiple of 16",
       [](const auto& op, const auto& core) {
         return rules::same_partitions(op.val_dst, op.src) &&
                rules::same_partitions(op.idx_dst, op.src) &&
                op.src.partitions % gather::group(core) == 0;
       },
       fixes::whole_groups},
      {"topk.c4", "val_dst and idx_dst have the same number of elements per partition",
       [](const auto& op, const auto&) { return rules::same_elements(op.val_dst, op.idx_dst); },
       "declare val_dst and idx_dst with the same shape"},
      {"topk.c5", "8 <= n < 65536",
       [](const auto& op, const auto&) { return op.n >= 8 && op.n < 65536; },
       "pass an n from 8 to 65535"},
      {"topk.c6", "1 <= K < 32768 and K <= n",
       [](const auto& op, const auto&) {
         const std::int64_t k = op.val_dst.free_elements();
         return k < 32768 && k <= op.n;
       },
       "declare val_dst and idx_dst with K elements per partition, fewer than 32768 and at most n"},
      {"topk.c7", "src has at least n / 16 elements per partition",
       [](const auto& op, const auto& core) {
         return op.src.free_elements() * gather::group(core) >= op.n;
       },
       "pass a smaller n, or a wider src"},
  });
  static constexpr Source source = {
      "nki.isa.topk, NKI 0.7 (0.6: ascending); the order that `sorted` asks for is not published; "
      "equal values keep the lower index: assumed",
      Fidelity::assumed};

  static Timing cycles(const Topk& op, Engine, const machine::Core& core) {
    return cost::topk(op.val_dst, op.n, core);
  }
  static Activity activity(const Topk& op) { return {.elements = op.src.elements()}; }
  static void execute(const Topk& op, Execution& e) {
    top_k::groups(op.val_dst, op.idx_dst, op.src, op.n, gather::group(e.machine), e);
  }
};

}  // namespace trainyard::isa

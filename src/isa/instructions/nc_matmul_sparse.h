// nc_matmul_sparse: the Tensor engine's product with a stationary matrix of M:N structured
// sparsity. NeuronCore-v3 and v4 have it, AWS's API does not (yet): trainyard.experimental.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/matmul.h"
#include "isa/semantics/sparse.h"

namespace trainyard::isa {

struct NcMatmulSparse {
  Tile dst{}, stationary{}, tags{}, moving{};
  IntPair pattern{};
  Accumulate accumulate = Accumulate::automatic;

  [[nodiscard]] sparse::Pattern sparsity() const { return {pattern.items[0], pattern.items[1]}; }
  [[nodiscard]] bool known() const {
    return pattern.count == 2 && sparse::is_published(sparsity());
  }
};

template <>
struct Definition<NcMatmulSparse> {
  static constexpr std::string_view mnemonic = "nc_matmul_sparse";
  static constexpr std::string_view summary =
      "dst (+)= transpose(stationary, with its zeros) x moving; K is N/M x partitions";
  static constexpr EngineSet engines{Engine::tensor};
  static constexpr Engine engine = Engine::tensor;
  static constexpr auto operands = std::tuple{
      as(Role::sum,
         writes("dst", &NcMatmulSparse::dst, "PSUM tile of float32, or on gen4 bfloat16, [M, N]")),
      as(Role::stationary,
         reads("stationary", &NcMatmulSparse::stationary, "SBUF tile, compressed, [P, M]")),
      reads("tags", &NcMatmulSparse::tags,
            "SBUF tile of uint16, [P, M / 4]: for each element its place among the N of its group, "
            "in 4 bits"),
      as(Role::moving,
         reads("moving", &NcMatmulSparse::moving,
               "SBUF tile, [P, N/M of the pattern, columns]: dense row p x N/M + s in slice s of "
               "partition p")),
      immediate("pattern", &NcMatmulSparse::pattern,
                "(M, N): at most M of every N elements along the contraction are not zero"),
      immediate("accumulate", &NcMatmulSparse::accumulate,
                "True adds to dst, False overwrites it, None adds where an earlier instruction of "
                "the program has written",
                "None"),
  };

 private:
  static bool is_format(DType d) {
    return d == DType::bfloat16 || d == DType::float16 || d == DType::tfloat32;
  }

 public:
  static constexpr auto constraints = std::to_array<Constraint<NcMatmulSparse>>({
      {"nc_matmul_sparse.c1", "the core has structured sparsity (gen3 and later)",
       [](const auto&, const auto& core) { return core.features.structured_sparsity; },
       "use nc_matmul"},
      {"nc_matmul_sparse.c2", "the operands are in SBUF and dst is in PSUM",
       [](const auto& op, const auto&) {
         return rules::in_sbuf(op.stationary, op.tags, op.moving) && op.dst.space == Space::psum;
       },
       "copy the operands to SBUF first, and allocate dst with buffer=nl.psum"},
      {"nc_matmul_sparse.c3", "pattern is 4:16, 4:12, 4:8, 2:8, 2:4, 1:4 or 1:2",
       [](const auto& op, const auto&) { return op.known(); }, "take the next denser pattern"},
      {"nc_matmul_sparse.c4", "stationary and moving are bfloat16, float16 or tfloat32",
       [](const auto& op, const auto&) {
         return is_format(op.stationary.dtype) && is_format(op.moving.dtype);
       },
       "cast the operands with tensor_copy first"},
      {"nc_matmul_sparse.c5", "tfloat32 meets only tfloat32",
       [](const auto& op, const auto&) {
         return (op.stationary.dtype == DType::tfloat32) == (op.moving.dtype == DType::tfloat32);
       },
       "cast one operand with tensor_copy"},
      {"nc_matmul_sparse.c6",
       "stationary, tags and moving have the same number of partitions, in whole groups and at "
       "most as many as the array has rows",
       [](const auto& op, const auto& core) {
         return rules::same_partitions(op.stationary, op.moving) &&
                rules::same_partitions(op.stationary, op.tags) &&
                op.stationary.partitions <= core.array.rows &&
                (!op.known() || op.stationary.partitions % op.sparsity().kept == 0);
       },
       "pad with zeros"},
      {"nc_matmul_sparse.c7",
       "stationary has at most as many columns as the array, and dst a partition for each",
       [](const auto& op, const auto& core) {
         return op.stationary.free_elements() <= core.array.stationary_free_max &&
                op.dst.partitions == op.stationary.free_elements();
       },
       "split the columns over several instructions, and declare dst with a partition for each"},
      {"nc_matmul_sparse.c8", "tags is uint16 with one word for every four columns of stationary",
       [](const auto& op, const auto&) {
         return op.tags.dtype == DType::uint16 &&
                op.tags.free_elements() * sparse::tags_per_word == op.stationary.free_elements();
       },
       "compress the matrix with trainyard.experimental.compress"},
      {"nc_matmul_sparse.c9", "the first free dimension of moving is N/M of the pattern",
       [](const auto& op, const auto&) {
         return !op.known() ||
                (op.moving.rank >= 1 && op.moving.dims[0].count == op.sparsity().ratio());
       },
       "shape moving [P, N/M, columns]"},
      {"nc_matmul_sparse.c10",
       "dst has one element in each partition for each column of moving, at most a bank's worth",
       [](const auto& op, const auto& core) {
         const std::int64_t columns = op.dst.free_elements();
         return (!op.known() || columns * op.sparsity().ratio() == op.moving.free_elements()) &&
                columns * op.dst.element_bytes() <= core.psum.bank_size.value;
       },
       "split the columns over several matmuls"},
      {"nc_matmul_sparse.c11", "dst is float32, or on gen4 bfloat16",
       [](const auto& op, const auto& core) {
         return op.dst.dtype == DType::float32 ||
                (op.dst.dtype == DType::bfloat16 && core.features.psum_bf16);
       },
       fixes::float32_sum},
  });
  static constexpr Source source = {
      "neuron-core-v4 page, structured sparsity; Trainium2 architecture guide, page source",
      Fidelity::assumed};

  // One stored weight and one output column a cycle, whatever the pattern: 4:16 does four times the
  // work of a dense product of the same length.
  static Passes passes(const NcMatmulSparse& op, const machine::Core& core) {
    return cost::passes(op.stationary.free_elements(), op.dst.free_elements(), 1,
                        core.array.macs_bf16, 1, core);
  }
  static Timing cycles(const NcMatmulSparse& op, Engine, const machine::Core& core) {
    return cost::matmul(passes(op, core), core);
  }
  static Activity activity(const NcMatmulSparse& op) {
    return {.mac_format = op.stationary.dtype,
            .macs = op.stationary.elements() * op.dst.free_elements()};
  }
  static Access access(const NcMatmulSparse& op, std::size_t operand) {
    if (operand != 0) return Access::read;
    return op.accumulate == Accumulate::overwrite ? Access::write : Access::update;
  }
  static void execute(const NcMatmulSparse& op, Execution& e) {
    base::check(op.accumulate != Accumulate::automatic, "accumulation is resolved before it runs");
    sparse::multiply(op.dst, {op.stationary, op.tags, op.moving}, op.sparsity(),
                     op.accumulate == Accumulate::add, e);
  }

  static constexpr Traits<NcMatmulSparse> traits{
      .interface = Interface::experimental,
      .spread = Spread::products,
      .access = access,
      .passes = passes,
  };
};

}  // namespace trainyard::isa

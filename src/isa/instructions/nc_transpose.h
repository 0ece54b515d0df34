// nc_transpose: partitions and free elements of a tile swapped, on the Tensor or the Vector engine.
#pragma once

#include <algorithm>
#include <numeric>

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/matmul.h"

namespace trainyard::isa {

struct NcTranspose {
  Tile dst{}, data{};
};

template <>
struct Definition<NcTranspose> {
  static constexpr std::string_view mnemonic = "nc_transpose";
  static constexpr std::string_view summary =
      "dst[f, p] = data[p, f]; the free dimensions count as one";
  static constexpr EngineSet engines{Engine::tensor, Engine::vector};
  static constexpr Engine engine = Engine::tensor;
  static constexpr auto operands = std::tuple{
      writes("dst", &NcTranspose::dst,
             "[F, P] tile: PSUM on the Tensor engine, SBUF or PSUM on Vector"),
      reads("data", &NcTranspose::data,
            "[P, F] tile: SBUF on the Tensor engine, SBUF or PSUM on Vector"),
  };

 private:
  static bool fits_tensor(const NcTranspose& op, const machine::Core& core) {
    return op.data.space == Space::sbuf && op.dst.space == Space::psum &&
           op.data.partitions <= core.array.rows && op.data.free_elements() <= core.array.columns;
  }
  static bool fits_vector(const NcTranspose& op, const machine::Core& core) {
    return op.data.partitions <= core.sbuf.quadrant &&
           op.data.free_elements() <= core.sbuf.quadrant;
  }

 public:
  // Vector keeps small transposes between SBUF tiles; everything else needs the array.
  static Engine choose(const NcTranspose& op, const machine::Core& core) {
    return fits_tensor(op, core) ? Engine::tensor : Engine::vector;
  }

  static constexpr auto constraints = std::to_array<Constraint<NcTranspose>>({
      {"nc_transpose.c1", "dst and data are on chip",
       [](const auto& op, const auto&) { return op.dst.on_chip() && op.data.on_chip(); },
       "use dma_transpose to reach HBM"},
      {"nc_transpose.c2", "dst has data's dtype",
       [](const auto& op, const auto&) { return op.dst.dtype == op.data.dtype; },
       "allocate dst with data's dtype and cast afterwards"},
      {"nc_transpose.c3", "dst has a partition for each free element of data",
       [](const auto& op, const auto&) { return op.dst.partitions == op.data.free_elements(); },
       fixes::other_way_round},
      {"nc_transpose.c4", "dst has a free element for each partition of data",
       [](const auto& op, const auto&) { return op.dst.free_elements() == op.data.partitions; },
       fixes::other_way_round},
      {"nc_transpose.c5", "on the Tensor engine data is in SBUF, dst in PSUM, both at most 128x128",
       [](const auto& op, const auto& core, const Site& site) {
         return site.engine != Engine::tensor || fits_tensor(op, core);
       },
       "leave the engine out, or allocate dst with buffer=nl.psum"},
      {"nc_transpose.c6", "on the Vector engine data is at most 32x32",
       [](const auto& op, const auto& core, const Site& site) {
         return site.engine != Engine::vector || fits_vector(op, core);
       },
       "use the Tensor engine, or transpose 32x32 blocks"},
      {"nc_transpose.c7", "data is at most 32x32, or at most 128x128 and goes from SBUF to PSUM",
       [](const auto& op, const auto& core, const Site& site) {
         return site.engine != Engine::any || fits_tensor(op, core) || fits_vector(op, core);
       },
       "allocate dst with buffer=nl.psum, or use dma_transpose"},
      {"nc_transpose.c8",
       "a Tensor engine transpose of 8-bit data writes 16-bit cells: dst has a step of 2",
       [](const auto& op, const auto& core, const Site& site) {
         const bool tensor =
             (site.engine == Engine::any ? choose(op, core) : site.engine) == Engine::tensor;
         return !tensor || op.dst.element_bytes() != 1 || op.dst.free_elements() == 1 ||
                op.dst.inner_stride_bytes() == 2;
       },
       "allocate dst as [.., 2] and pass [.., 0]"},
  });
  static constexpr Source source = {
      "nki.isa.nc_transpose, NKI 0.6; Trainium2 architecture guide, built-in transpose"};

  static Passes passes(const NcTranspose& op, const machine::Core& core) {
    const machine::PeArray& array = core.array;
    const bool wide = op.data.element_bytes() == 4;
    Passes result = cost::passes(op.data.free_elements(), op.data.partitions, 1,
                                 wide ? array.macs_fp32_transpose : array.macs_bf16,
                                 wide ? array.fp32_transpose_passes : 1, core);
    result.transposes = true;
    return result;
  }
  static Timing cycles(const NcTranspose& op, Engine engine, const machine::Core& core) {
    return engine == Engine::vector ? cost::transpose(op.dst, op.data, core)
                                    : cost::matmul(passes(op, core), core);
  }
  // The array moves bits; it multiplies nothing that counts.
  static Activity activity(const NcTranspose& op) { return {.elements = op.data.elements()}; }

  static void execute(const NcTranspose& op, Execution& e) {
    const Engine who = e.engine == Engine::any ? choose(op, e.machine) : e.engine;
    if (who == Engine::tensor && !e.machine.features.tensor_transpose_exact)
      return multiply_by_identity(op, e);
    std::vector<std::int32_t> from(op.data.partitions);
    std::iota(from.begin(), from.end(), 0);
    matmul::transpose(op.dst, op.data, from, e);
  }

  static constexpr Traits<NcTranspose> traits{
      .earlier = {"engine", "honoured(engine)"},
      .spread = Spread::moves,
      .moves_values = true,
      .choose = choose,
      .passes = passes,
  };

 private:
  // Before v3: every element is multiplied with 1 or 0 and summed in fp32, so that NaN and infinity
  // spread.
  static void multiply_by_identity(const NcTranspose& op, Execution& e) {
    const std::size_t K = op.data.partitions;
    const auto M = static_cast<std::size_t>(op.data.free_elements());
    std::vector<float> left(K * M), identity(K * K), sums(M * K);
    for (std::size_t k = 0; k < K; ++k) {
      const float* row = floats(op.data, e, static_cast<int>(k), e.rows[0]);
      std::copy_n(row, M, left.begin() + static_cast<std::ptrdiff_t>(k * M));
      identity[k * K + k] = 1;
    }
    numerics::matmul(left.data(), M, identity.data(), K, sums.data(), K, K, M, K, false);
    for (std::size_t m = 0; m < M; ++m)
      store_floats(op.dst, e, static_cast<int>(m), sums.data() + m * K);
  }
};

}  // namespace trainyard::isa

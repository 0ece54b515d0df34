// How a cluster of operations over rows is computed on one band of rows (as many as there are
// partitions): in which passes over its elements, on which engines, and in which stages, of which
// several bands are under way at a time. It places nothing and emits nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "compiler/lowering/values/segment.h"
#include "compiler/variation.h"
#include "graph/module.h"
#include "numerics/activation.h"
#include "numerics/operators.h"

namespace trainyard::compiler {

using RowValueId = std::uint32_t;

// A value on one band: [partitions, columns], or one element a partition.
struct RowValue {
  bool is_full = false;
  bool is_column_sum = false;  // one element a column, known behind the last band
  isa::DType dtype = isa::DType::float32;
  std::optional<NodeId> input{};           // from outside the cluster
  std::optional<graph::ValueId> result{};  // for outside the cluster
  bool is_alike = false;                   // an input that is the same in all rows
  bool is_product = false;                 // an input that comes in parts, in PSUM
  bool is_early = false;                   // made where inputs are loaded
  int uses = 0;
  // Stages of its definition and of its last use.
  int first = 0, last = 0;
  bool is_reduced = false;  // depends on a reduction of its stage
};

// A number or a value.
struct RowOperand {
  std::optional<double> number{};
  RowValueId value = 0;
  friend bool operator==(const RowOperand&, const RowOperand&) = default;
};
struct RowOperator {
  numerics::AluOp op{};
  RowOperand operand{};  // a number or one element a row
  bool reverse = false;  // operand op data
  friend bool operator==(const RowOperator&, const RowOperator&) = default;
};

// An engine's part of a pass: so many columns behind those of the parts before.
struct RowPart {
  isa::Engine engine = isa::Engine::any;
  std::int64_t columns = 0;
};

// One pass over a band's elements.
struct RowStep {
  enum class Kind : std::uint8_t {
    operators,  // one or two operators with scalars; none: a copy
    combine,    // data op other
    activate,   // function(data with up to two operators): multiply, then add or subtract
    reciprocal,
    reduce,      // along the row
    moments,     // of a row: the sum, and as `sum` that of the squared distances from the mean
    column_sum,  // down the rows; with an operator, of products with one number a row
    blend,       // (data + second * an operand), then operators: the array adds
    across,      // of the shares of a row, the sum of what each has
    rescale,     // sums of exponentials of a row's pieces, each less its own maximum, as one sum
    other,       // any operation, as elementwise.h has it
  };
  Kind kind = Kind::other;
  const graph::Op* op = nullptr;
  RowValueId result = 0;
  RowValueId data = 0, second = 0;
  numerics::AluOp how{};    // of combine and reduce
  int index = 0;            // of a column sum: its number
  std::int64_t shares = 1;  // of a sum across: how many
  numerics::ActivationFunction function{};
  std::vector<RowOperator> operators{};
  std::optional<RowValueId> sum{};     // of an activation's results along the row; of moments
  std::vector<RowOperand> operands{};  // of `other`; of a blend: one number a row
  std::vector<graph::Type> types{};    // likewise, as of lowers_elementwise
  std::vector<RowPart> parts{};        // of its columns
  bool is_divisible = false;           // else it has one part
  bool is_local = false;  // an exponential less the maximum of its piece, which `second` reduces
  int times = 1;          // of a row, in how many pieces and sweeps
  int stage = 0;
  bool is_early = false;  // takes a product's parts as they come
  bool is_apart = false;  // of rows that share a partition, each is computed by itself
};

// One sweep over the pieces of a row: what is done with each piece, and behind the last one.
struct RowSweep {
  std::vector<std::size_t> before, steps, behind;
  std::vector<RowValueId> inputs;   // full ones
  std::vector<RowValueId> carried;  // of an earlier sweep, likewise
};

struct RowPlan {
  std::vector<RowValue> values;
  std::vector<RowStep> steps;
  int stages = 1;
  int column_sums = 0;
  std::int64_t stacked = 1;                 // rows that share a partition
  std::int64_t shares = 1;                  // partitions that share a row
  isa::Engine casts = isa::Engine::vector;  // who casts one element a row
  base::Ticks time{};                       // of all bands, one after the other, as far as is known
  // Bands that are under way at once beyond one: whether stages overlap, and how many bands ahead
  // inputs are loaded; of rows in pieces: how many pieces.
  bool overlaps = true;
  int ahead = 2;
  bool minds_bus = false;  // of Vector and GpSimd, in the choice of engines
  // Nothing overlaps the end of the last band, which therefore goes through the divisible passes of
  // the last stage in so many slices of its columns.
  int last_slices = 1;
  // Of rows in pieces: a sweep for each stage, and of how many pieces what several sweeps read
  // stays on chip between them.
  std::vector<RowSweep> sweeps{};
  std::int64_t pieces_kept = 0;
  std::int64_t piece = 0;  // columns
  bool carries = false;    // from sweep to sweep what one has computed: nothing is computed again
  [[nodiscard]] bool is_swept() const { return !sweeps.empty(); }
  // Whether the step may read a part of a row at a time.
  [[nodiscard]] bool reads_parts(const RowStep& step) const;
  // Whether the value's columns are computed in slices.
  [[nodiscard]] bool is_sliced(RowValueId value) const;
};

// What a value from outside the cluster is.
struct RowInput {
  std::optional<double> number{};
  NodeId node = 0;
  isa::DType dtype = isa::DType::float32;
  bool is_full = false;   // else one element a row
  bool is_alike = false;  // in all rows
  bool is_product = false;
};

// Nothing where one band's values need more than `bytes` of a partition.
[[nodiscard]] std::optional<RowPlan> plan_rows(const graph::Function& function,
                                               const graph::Op& cluster, const machine::Core& core,
                                               std::int64_t bytes,
                                               const std::function<RowInput(graph::ValueId)>& input,
                                               const Variation& variation);

}  // namespace trainyard::compiler

// The files of records, in the order of their names.
#pragma once

#include <span>

#include "graph/ops/record.h"

namespace trainyard::graph {

[[nodiscard]] std::span<const OpRecord> batch_norms_ops();
[[nodiscard]] std::span<const OpRecord> binary_ops();
[[nodiscard]] std::span<const OpRecord> branches_ops();
[[nodiscard]] std::span<const OpRecord> broadcasts_ops();
[[nodiscard]] std::span<const OpRecord> calls_ops();
[[nodiscard]] std::span<const OpRecord> cholesky_ops();
[[nodiscard]] std::span<const OpRecord> collectives_ops();
[[nodiscard]] std::span<const OpRecord> comparisons_ops();
[[nodiscard]] std::span<const OpRecord> complex_parts_ops();
[[nodiscard]] std::span<const OpRecord> concatenate_ops();
[[nodiscard]] std::span<const OpRecord> constants_ops();
[[nodiscard]] std::span<const OpRecord> conversions_ops();
[[nodiscard]] std::span<const OpRecord> convolutions_ops();
[[nodiscard]] std::span<const OpRecord> dimension_sizes_ops();
[[nodiscard]] std::span<const OpRecord> dot_ops();
[[nodiscard]] std::span<const OpRecord> fft_ops();
[[nodiscard]] std::span<const OpRecord> gather_ops();
[[nodiscard]] std::span<const OpRecord> host_transfers_ops();
[[nodiscard]] std::span<const OpRecord> map_ops();
[[nodiscard]] std::span<const OpRecord> pad_ops();
[[nodiscard]] std::span<const OpRecord> random_ops();
[[nodiscard]] std::span<const OpRecord> reduce_ops();
[[nodiscard]] std::span<const OpRecord> reshapes_ops();
[[nodiscard]] std::span<const OpRecord> reverse_ops();
[[nodiscard]] std::span<const OpRecord> scatter_ops();
[[nodiscard]] std::span<const OpRecord> selections_ops();
[[nodiscard]] std::span<const OpRecord> slices_ops();
[[nodiscard]] std::span<const OpRecord> sort_ops();
[[nodiscard]] std::span<const OpRecord> transpose_ops();
[[nodiscard]] std::span<const OpRecord> triangular_solve_ops();
[[nodiscard]] std::span<const OpRecord> tuples_ops();
[[nodiscard]] std::span<const OpRecord> unary_ops();
[[nodiscard]] std::span<const OpRecord> updates_ops();
[[nodiscard]] std::span<const OpRecord> while_ops();
[[nodiscard]] std::span<const OpRecord> windows_ops();

}  // namespace trainyard::graph

// Finds operations over the same rows that one pass over memory can compute: reductions along the
// last dimensions, sums down the rows, the elementwise operations around them, and the values of a
// row that are broadcast along it (softmax, norms, their gradients); and elementwise operations of
// several results (an optimiser's update). It chooses no instructions.
#pragma once

#include <cstdint>
#include <optional>

#include "graph/module.h"
#include "machine/core.h"

namespace trainyard::compiler {

// Of SBUF, what the values of one band of rows may take at once: several bands are under way.
inline constexpr std::int64_t row_cluster_percent = 35;
// The composite that stands for a cluster: its region is the operations, which read values from
// around it and return the results; "row_dims" and "shape" say what a row is, "parts" in how many
// parts it is computed where nothing is reduced, "piece" how many columns of a row that is too long
// for SBUF are on chip at a time, "share_dims" which of its dimensions tell shares of it apart,
// "kept_dims" which of those of rows its sums down the rows keep.
inline constexpr std::string_view row_cluster_name = "trainyard.rows";
[[nodiscard]] bool is_row_cluster(const graph::Op& op);

// The rows of a cluster: values have that shape, or one element for each row.
struct RowSpace {
  std::vector<std::int64_t> shape{};
  std::size_t row_dims = 0;  // the first dimensions count rows
  std::int64_t parts = 1;    // of a row, of equal width, computed one after the other
  std::int64_t piece = 0;    // columns of a row that is swept in pieces, perhaps several times
  // Dimensions behind the first ones that count rows, too: those that share a partition. What is
  // called a row then has the columns of them all.
  std::size_t stack_dims = 0;
  // The first dimensions of a row's columns that tell apart shares of it, which have numbers of
  // their own, as the channels of a group have: each lies in a partition of its own.
  std::size_t share_dims = 0;
  // Of the dimensions that count rows the first ones, which sums down the rows keep: each run of
  // rows, such as an image, has sums of its own.
  std::size_t kept_dims = 0;
  [[nodiscard]] std::int64_t rows() const;
  [[nodiscard]] std::int64_t columns() const;
  [[nodiscard]] std::int64_t width() const { return piece > 0 ? piece : share_columns() / parts; }
  [[nodiscard]] std::int64_t pieces() const;
  [[nodiscard]] std::int64_t stacked() const;  // rows that share a partition
  [[nodiscard]] std::int64_t shares() const;   // of a row
  [[nodiscard]] std::int64_t runs() const;     // of rows that are summed
  // How many bands of so many rows there are; none has rows of two runs.
  [[nodiscard]] std::int64_t bands(std::int64_t rows_max) const;
  [[nodiscard]] std::int64_t share_columns() const { return columns() / shares(); }
};
[[nodiscard]] RowSpace row_space_of(const graph::Op& cluster);
// Whether a cluster's operations may be faster one after the other, as far as its rows tell.
[[nodiscard]] bool may_be_faster_apart(const RowSpace& space);

// The module with each cluster as one composite. Nothing where it has none.
[[nodiscard]] std::optional<graph::Module> with_row_clusters(const graph::Module& module,
                                                             const machine::Core& core);

}  // namespace trainyard::compiler

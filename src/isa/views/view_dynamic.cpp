// Views whose address is only known at run time.
#include "isa/views/view.h"
#include "isa/views/view_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard::isa {

using namespace view_rules;

namespace {

void only_one_dynamic(const View& view) {
  if (view.dynamic != 0)
    refuse_view("view.indirect_once", "a view has at most one run-time index", words_of(view));
}

void one_element_index(const View& index) {
  if (index.space != Space::sbuf || index.size() != 1) {
    refuse_view("view.index_tensor", "a run-time index is one integer in SBUF, or a register",
                words_of(index),
                "several rows are chosen by vector_select(0, indices) of an HBM tensor");
  }
}

std::uint32_t add(Program& program, const DynamicAddress& how) {
  program.dynamics.push_back(how);
  return static_cast<std::uint32_t>(program.dynamics.size());
}

std::uint32_t add_scalar(Program& program, std::int64_t stride, std::int64_t limit,
                         const RuntimeIndex& at) {
  DynamicAddress how;
  how.kind = at.tensor == nullptr ? DynamicAddress::Kind::register_offset
                                  : DynamicAddress::Kind::tile_offset;
  how.reg = at.reg;
  how.stride = stride;
  how.limit = limit;
  if (at.tensor != nullptr) {
    one_element_index(*at.tensor);
    how.index = tile_of(*at.tensor);
  }
  return add(program, how);
}

// Dimension `dim` of `base`, its stride counted in elements of `dtype`.
ViewDim dim_as(const View& base, std::size_t dim, DType dtype) {
  ViewDim result = base.dims[dim];
  const std::int64_t bytes = result.stride * numerics::size_in_bytes(base.dtype);
  if (bytes % numerics::size_in_bytes(dtype) != 0) {
    refuse_view("view.reinterpret", "a run-time index moves by whole elements of the new dtype",
                fmt::format("{} bytes as {}", bytes, numerics::name(dtype)));
  }
  result.stride = bytes / numerics::size_in_bytes(dtype);
  return result;
}

// How many steps along dimension `dim` stay inside: a dimension of one element has the stride of
// its neighbour, whose elements an offset reaches as well.
std::int64_t steps_along(const View& base, std::size_t dim) {
  std::int64_t steps = base.dims[dim].size;
  if (steps > 1) return steps;
  for (const ViewDim& other : base.dims) {
    if (other.stride == base.dims[dim].stride) steps = std::max(steps, other.size);
  }
  return steps;
}

// The dimension that `dim` of an indexed view has become in the result.
std::int64_t place_in_result(const View& view, std::span<const Index> known, std::size_t dim) {
  std::int64_t place = 0;
  for (std::size_t d = 0; d < dim; ++d) {
    const bool kept = known[d].kind != Index::Kind::element || (view.on_chip() && d == 0);
    place += kept ? 1 : 0;
  }
  return place;
}

}  // namespace

View index(Program& program, const View& view, std::span<const Index> known,
           std::span<const RuntimeEntry> chosen) {
  if (chosen.size() > 1) {
    refuse_view("view.indirect_once", "at most one entry of an index is known only at run time",
                "a second register or tensor", "copy the first selection to a tile of its own");
  }
  const View result = index(view, known);
  if (chosen.empty()) return result;
  const auto& [at, dim, count] = chosen.front();
  const std::int64_t place = place_in_result(view, known, dim);
  return count ? slice_dynamic(program, result, place, at, *count)
               : select_dynamic(program, result, place, at);
}

View moved(Program& program, const View& pattern, const View& base, const PatternOffset& by) {
  if (by.scalar && by.vector != nullptr) {
    refuse_view("view.indirect_once", "at most one of scalar_offset and vector_offset is given",
                "both");
  }
  if (by.scalar) return with_scalar_offset(program, pattern, base, by.dim, *by.scalar);
  if (by.vector == nullptr) return pattern;
  if (by.dim != 0) {
    refuse_view("view.indirect_dim", "vector_offset chooses along dimension 0",
                fmt::format("indirect_dim={}", by.dim));
  }
  return with_vector_offset(program, pattern, base, 0, *by.vector);
}

View with_scalar_offset(Program& program, const View& pattern, const View& base, std::int64_t dim,
                        RuntimeIndex at) {
  only_one_dynamic(base);
  const std::size_t d = checked_dim(base, dim);
  keep_partition_dim(base, d, "a run-time offset");
  const ViewDim along = dim_as(base, d, pattern.dtype);
  View result = pattern;
  result.dynamic = add_scalar(program, along.stride, steps_along(base, d), at);
  return result;
}

View select_dynamic(Program& program, const View& view, std::int64_t dim, RuntimeIndex at) {
  only_one_dynamic(view);
  const std::size_t d = checked_dim(view, dim);
  keep_partition_dim(view, d, "a run-time select");
  const ViewDim chosen = view.dims[d];
  View result = select(view, dim, 0);
  result.dynamic = add_scalar(program, chosen.stride, chosen.size, at);
  return result;
}

View slice_dynamic(Program& program, const View& view, std::int64_t dim, RuntimeIndex at,
                   std::int64_t size) {
  only_one_dynamic(view);
  const std::size_t d = checked_dim(view, dim);
  keep_partition_dim(view, d, "a run-time slice");
  const ViewDim along = view.dims[d];
  View result = slice(view, dim, 0, size, 1);
  result.dynamic = add_scalar(program, along.stride, along.size - size + 1, at);
  result.dynamic_dim = static_cast<int>(d);
  return result;
}

namespace {

View choose_rows(Program& program, const View& pattern, const View& index, const ViewDim& rows) {
  if (pattern.space != Space::hbm) {
    refuse_view("view.vector_select", "vector_select selects rows of an HBM tensor",
                words_of(pattern), "use indirect() for on-chip gathers");
  }
  if (index.space != Space::sbuf)
    refuse_view("view.index_tensor", "row indices are an SBUF tensor", words_of(index));
  DynamicAddress how;
  how.kind = DynamicAddress::Kind::vector_offset;
  how.index = tile_of(index);
  how.stride = rows.stride;
  how.limit = rows.size;
  View result = pattern;
  result.dynamic = add(program, how);
  result.dynamic_dim = 0;
  return result;
}

}  // namespace

View vector_select(Program& program, const View& view, std::int64_t dim, const View& index) {
  if (dim != 0) {
    refuse_view("view.vector_select", "rows are chosen along dimension 0",
                fmt::format("dimension {}", dim));
  }
  only_one_dynamic(view);
  if (index.size() != index.dims[0].size) {
    refuse_view("view.index_tensor", "the indices of a vector_select have the shape (rows, 1)",
                words_of(index));
  }
  View result = choose_rows(program, view, index, view.dims.at(0));
  result.dims[0].size = index.dims[0].size;
  return result;
}

View with_vector_offset(Program& program, const View& pattern, const View& base, std::int64_t dim,
                        const View& index) {
  only_one_dynamic(base);
  const std::size_t d = checked_dim(base, dim);
  // dma_transpose takes a longer list; dma_copy and dma_compute have their own rules.
  if (index.size() < pattern.dims.at(0).size) {
    refuse_view("view.index_tensor", "there is a row index for each row of the pattern",
                fmt::format("{} indices for {} rows", index.size(), pattern.dims[0].size));
  }
  return choose_rows(program, pattern, index, dim_as(base, d, pattern.dtype));
}

View indirect(Program& program, const View& view, const View& index, std::int64_t elements) {
  only_one_dynamic(view);
  if (!view.on_chip() || index.space != Space::sbuf || index.dims[0].size != view.dims[0].size) {
    refuse_view("view.indirect",
                "an on-chip tensor is gathered by an SBUF index with as many partitions",
                fmt::format("{} by {}", words_of(view), words_of(index)));
  }
  DynamicAddress how;
  how.kind = DynamicAddress::Kind::indirect;
  how.index = tile_of(index);
  how.stride = 0;
  how.limit = view.size() / view.dims[0].size;
  View result = view;
  result.dims = {view.dims[0], {elements, 1}};
  result.dynamic = add(program, how);
  result.dynamic_dim = 1;
  return result;
}

}  // namespace trainyard::isa

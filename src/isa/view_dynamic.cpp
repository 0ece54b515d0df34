// Views whose address is only known at run time.
#include "isa/view.h"
#include "isa/view_rules.h"

#include <fmt/format.h>

namespace trainyard::isa {

using namespace view_rules;

namespace {

void only_one_dynamic(const View& view) {
  if (view.dynamic != 0)
    refuse("view.indirect_once", "a view has at most one run-time index", words(view));
}

void one_element_index(const View& index) {
  if (index.space != Space::sbuf || index.size() != 1) {
    refuse("view.index_tensor", "a run-time index is one integer in SBUF, or a register",
           words(index));
  }
}

std::uint32_t add(Program& program, const DynamicAddress& how) {
  program.dynamics.push_back(how);
  return static_cast<std::uint32_t>(program.dynamics.size());
}

std::uint32_t add_scalar(Program& program, std::int64_t stride, std::int64_t limit, Register reg,
                         const View* index) {
  DynamicAddress how;
  how.kind =
      index == nullptr ? DynamicAddress::Kind::register_offset : DynamicAddress::Kind::tile_offset;
  how.reg = reg;
  how.stride = stride;
  how.limit = limit;
  if (index != nullptr) {
    one_element_index(*index);
    how.index = tile_of(*index);
  }
  return add(program, how);
}

}  // namespace

View with_scalar_offset(Program& program, const View& view, std::int64_t dim, Register reg,
                        const View* index) {
  only_one_dynamic(view);
  const auto rank = static_cast<std::int64_t>(view.base_shape.size());
  if (dim < 0 || dim >= rank || (view.on_chip() && dim == 0)) {
    refuse("view.indirect_dim",
           "a run-time offset moves along an existing dimension, on chip a free one",
           fmt::format("dimension {} of {}", dim, words(view)));
  }
  const std::int64_t stride =
      product(std::span(view.base_shape).subspan(static_cast<std::size_t>(dim) + 1));
  View result = view;
  result.dynamic =
      add_scalar(program, stride, view.base_shape[static_cast<std::size_t>(dim)], reg, index);
  return result;
}

View select_dynamic(Program& program, const View& view, std::int64_t dim, Register reg,
                    const View* index) {
  only_one_dynamic(view);
  const std::size_t d = checked_dim(view, dim);
  keep_partition_dim(view, d, "a run-time select");
  const ViewDim chosen = view.dims[d];
  View result = select(view, dim, 0);
  result.dynamic = add_scalar(program, chosen.stride, chosen.size, reg, index);
  return result;
}

namespace {

View choose_rows(Program& program, const View& view, const View& index, std::int64_t stride,
                 std::int64_t rows) {
  only_one_dynamic(view);
  if (view.space != Space::hbm) {
    refuse("view.vector_select", "rows chosen one by one are rows of an HBM tensor", words(view),
           "use indirect() for on-chip gathers");
  }
  if (index.space != Space::sbuf || index.size() != index.dims[0].size) {
    refuse("view.index_tensor", "row indices are an SBUF tensor of shape (rows, 1)", words(index));
  }
  DynamicAddress how;
  how.kind = DynamicAddress::Kind::vector_offset;
  how.index = tile_of(index);
  how.stride = stride;
  how.limit = rows;
  View result = view;
  result.dynamic = add(program, how);
  result.dynamic_dim = 0;
  return result;
}

}  // namespace

View vector_select(Program& program, const View& view, const View& index) {
  View result = choose_rows(program, view, index, view.dims.at(0).stride, view.dims.at(0).size);
  result.dims[0].size = index.dims[0].size;
  return result;
}

View with_vector_offset(Program& program, const View& view, const View& index) {
  const std::int64_t stride = product(std::span(view.base_shape).subspan(1));
  return choose_rows(program, view, index, stride, view.base_shape.at(0));
}

View indirect(Program& program, const View& view, const View& index, std::int64_t elements) {
  only_one_dynamic(view);
  if (!view.on_chip() || index.space != Space::sbuf || index.dims[0].size != view.dims[0].size) {
    refuse("view.indirect",
           "an on-chip tensor is gathered by an SBUF index with as many partitions",
           fmt::format("{} by {}", words(view), words(index)));
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

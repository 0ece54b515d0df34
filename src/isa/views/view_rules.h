// What the view operations share: refusing, naming and the arithmetic of shapes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/views/view.h"

namespace trainyard::isa::view_rules {

[[noreturn]] void refuse_view(std::string_view label, std::string_view rule, std::string found,
                              std::string_view fix = {});
// "sbuf float32 (128, 512)": the view in words.
[[nodiscard]] std::string words_of(const View& view);
// `dim` as an index, counted from the end when negative. Throws InputError "view.dim".
[[nodiscard]] std::size_t checked_dim(const View& view, std::int64_t dim);
void keep_partition_dim(const View& view, std::size_t dim, std::string_view what);
// On chip a view has at least two dimensions, in HBM one. (NKI language guide, Tensor Values)
[[nodiscard]] std::size_t least_rank(const View& view);
void not_the_dynamic_dim(const View& view, std::size_t dim);
// Row-major strides of `shape`, the last dimension having `stride`.
[[nodiscard]] std::vector<ViewDim> row_major(std::span<const std::int64_t> shape,
                                             std::int64_t stride);
[[nodiscard]] std::int64_t product(std::span<const std::int64_t> values);
// `shape` with its one -1 replaced, so that it has `total` elements.
[[nodiscard]] std::vector<std::int64_t> inferred(std::span<const std::int64_t> shape,
                                                 std::int64_t total, const View& view);

}  // namespace trainyard::isa::view_rules

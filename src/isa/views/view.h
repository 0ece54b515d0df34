// A strided view of a tensor, and the operations that make one view from another without moving
// data: the address algebra behind nki.language.NkiTensor. Every operation checks its rules and
// throws InputError with a "view.*" label. Source: NkiTensor in nki.language, NKI language guide
// "Tensor Values" and "Tensor Indexing", NKI 0.6.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isa/core/program.h"
#include "isa/core/tile.h"

namespace trainyard::isa {

struct ViewDim {
  std::int64_t size = 1;
  std::int64_t stride = 1;  // elements
  friend bool operator==(const ViewDim&, const ViewDim&) = default;
};

// Element (i0, i1, ...) lies at offset + sum(stride_k * i_k) elements of the flattened storage. On
// chip, dimension 0 is the partition dimension and its stride is the storage's free element count.
struct View {
  TensorId tensor = no_tensor;
  Space space = Space::none;
  DType dtype = DType::float32;
  std::vector<ViewDim> dims;
  std::int64_t offset = 0;
  // On chip: elements of `dtype` in one partition of the storage.
  std::int64_t partition_elements = 0;
  std::uint32_t dynamic = 0;  // 1 + index into Program::dynamics
  // The dimension a run-time index chooses, which can no longer be sliced; -1: none is left.
  int dynamic_dim = -1;

  [[nodiscard]] bool on_chip() const { return space == Space::sbuf || space == Space::psum; }
  [[nodiscard]] std::size_t rank() const { return dims.size(); }
  [[nodiscard]] std::int64_t size() const;
  // Row-major order of the free dimensions without gaps; the partition dimension does not count.
  [[nodiscard]] bool is_contiguous() const;
};

// The whole of a tensor.
[[nodiscard]] View view_of(const Program& program, TensorId tensor);

// What an instruction gets. Throws InputError when no pattern of at most rank_max dimensions
// describes the view ("view.rank"), its partitions are apart ("view.partition_step"), or it is
// larger than a pattern can say ("view.extent").
[[nodiscard]] Tile tile_of(const View& view);
// The bytes of an on-chip tensor as elements of a dtype, in one dimension.
[[nodiscard]] Tile bytes_of(const Program& program, TensorId tensor, DType dtype);

// One entry of an index expression, as the author wrote it.
struct Index {
  enum class Kind : std::uint8_t { all, range, element } kind = Kind::all;
  std::int64_t start = 0;
  std::optional<std::int64_t> stop{};  // of a range: exclusive; absent: the dimension's end
  std::int64_t step = 1;
  bool from_end = false;  // negative numbers count from the dimension's end
};
// view[...]: missing entries mean all. On chip an element index keeps dimension 0 and at least two
// dimensions.
[[nodiscard]] View index(const View& view, std::span<const Index> indices);
[[nodiscard]] View slice(const View& view, std::int64_t dim, std::int64_t start, std::int64_t end,
                         std::int64_t step);
[[nodiscard]] View select(const View& view, std::int64_t dim, std::int64_t at);
[[nodiscard]] View permute(const View& view, std::span<const std::int64_t> order);
[[nodiscard]] View broadcast(const View& view, std::int64_t dim, std::int64_t size);
[[nodiscard]] View expand_dim(const View& view, std::int64_t dim);
[[nodiscard]] View squeeze_dim(const View& view, std::int64_t dim);
[[nodiscard]] View reshape_dim(const View& view, std::int64_t dim,
                               std::span<const std::int64_t> shape);
[[nodiscard]] View flatten_dims(const View& view, std::int64_t first, std::int64_t last);
[[nodiscard]] View reshape(const View& view, std::span<const std::int64_t> shape);
[[nodiscard]] View reinterpret(const View& view, DType dtype);
// The raw pattern on the storage. `offset` in elements of `dtype`, added to the view's own; absent:
// the view's own. (Source: the stub of NkiTensor.ap, NKI 0.6. The language guide says that an
// explicit offset replaces the view's own; on a whole tensor both are the same.)
[[nodiscard]] View ap(const View& view, std::span<const ViewDim> pattern,
                      std::optional<std::int64_t> offset, DType dtype);

// A value that is only known at run time: a register, or else the one integer of an SBUF view.
struct RuntimeIndex {
  Register reg{};
  const View* tensor = nullptr;
};

// An entry of an index expression that is only known at run time.
struct RuntimeEntry {
  RuntimeIndex at{};
  std::size_t dim = 0;                  // of the view
  std::optional<std::int64_t> count{};  // elements from there on; absent: one
};

// Views whose address is only known at run time; they add an entry to `program`.
// The same where at most one entry is only known at run time; `known` is Kind::all there.
[[nodiscard]] View index(Program& program, const View& view, std::span<const Index> known,
                         std::span<const RuntimeEntry> chosen);
// What moves a pattern at run time: at most one of the two.
struct PatternOffset {
  std::optional<RuntimeIndex> scalar{};
  const View* vector = nullptr;
  std::int64_t dim = 0;  // of the view; 0 of a vector
};
// `pattern`, an ap() of `base`, moved so.
[[nodiscard]] View moved(Program& program, const View& pattern, const View& base,
                         const PatternOffset& by);
// `pattern`, an ap() of `base`, moved by the index along dimension `dim` of `base`.
[[nodiscard]] View with_scalar_offset(Program& program, const View& pattern, const View& base,
                                      std::int64_t dim, RuntimeIndex at);
// Row p of `pattern`, an ap() of the HBM view `base`, is moved by index[p] along dimension `dim` of
// `base`; a step of its own along the pattern's first dimension has no effect.
[[nodiscard]] View with_vector_offset(Program& program, const View& pattern, const View& base,
                                      std::int64_t dim, const View& index);
// select() with a run-time index: the dimension is removed, where select() would remove it.
[[nodiscard]] View select_dynamic(Program& program, const View& view, std::int64_t dim,
                                  RuntimeIndex at);
// `size` elements of a dimension from a run-time index on: nl.ds(register, size).
[[nodiscard]] View slice_dynamic(Program& program, const View& view, std::int64_t dim,
                                 RuntimeIndex at, std::int64_t size);
// Row p of the result is row index[p] of the HBM view, whose rows are dimension 0.
[[nodiscard]] View vector_select(Program& program, const View& view, std::int64_t dim,
                                 const View& index);
// Element i of the free dimension is at index[i mod G, i div G]; G is filled in by the
// instruction's engine (16, or 32 on Tensor).
[[nodiscard]] View indirect(Program& program, const View& view, const View& index,
                            std::int64_t elements);

}  // namespace trainyard::isa

// A tensor value seen as a matrix whose rows go to partitions, and what is loaded and stored of it
// at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "compiler/lowering/emit/emitter.h"
#include "compiler/lowering/emit/strided.h"
#include "compiler/lowering/tiles/elementwise.h"

namespace trainyard::compiler {

// The first dimensions of a value count its rows, the others its columns.
struct Matrix {
  isa::TensorId tensor = isa::no_tensor;
  isa::DType dtype = isa::DType::float32;
  std::int64_t offset = 0;  // elements
  std::vector<Extent> rows, columns;
};
[[nodiscard]] Matrix matrix_of(const Strided& value, std::size_t row_dims);

struct Window {
  std::int64_t row = 0, rows = 0, column = 0, columns = 0;
};
// The windows of a matrix, column by column within each band of rows.
[[nodiscard]] std::vector<Window> windows(std::int64_t rows, std::int64_t columns,
                                          std::int64_t rows_max, std::int64_t columns_max);

// A tile's elements by another walk over its columns, from one of them on.
[[nodiscard]] isa::Tile walked(const isa::Tile& tile, std::span<const Extent> dims,
                               std::int64_t first);

// Who issues loads of a tensor: what the program itself writes is waited for by another engine than
// the one that brings arguments ahead of their use.
[[nodiscard]] isa::Engine issuer_of_load(Emitter& emitter, isa::TensorId tensor);

// Moves a window between HBM and an SBUF tile [rows, columns].
void load(Emitter& emitter, const Matrix& from, const Window& window, const isa::Tile& to);
void store(Emitter& emitter, const isa::Tile& from, const Matrix& to, const Window& window,
           isa::Engine issuer = isa::Engine::any);

class Residents;

// Gives windows of matrices on chip: those of residents where they lie, others by loads of each
// distinct part. Elements that repeat are loaded once and read again; short runs that leave little
// out are loaded with what lies between them. What is the same in every row is loaded once for all
// bands of rows, anything else once for a band. Single elements that many rows repeat are put next
// to each other in HBM first.
class Loader {
 public:
  // `tall`: rows of a band, where they are not as many as there are partitions.
  Loader(Emitter& emitter, Residents& residents, std::int64_t tall = 0)
      : emitter_(emitter),
        residents_(residents),
        tall_(tall > 0 ? tall : std::int64_t{emitter.core().sbuf.partitions}) {}
  [[nodiscard]] isa::Tile load(const Matrix& from, const Window& window);

 private:
  // Tensor, offset, columns, rows, first column, columns.
  using Key = std::tuple<isa::TensorId, std::int64_t, std::vector<Extent>, std::vector<Extent>,
                         std::int64_t, std::int64_t>;
  [[nodiscard]] isa::Tile loaded(const Matrix& from, const Window& window);
  // The same elements in an order in which they come in runs.
  [[nodiscard]] Matrix in_runs(const Matrix& from);
  // Of one column its elements for a band of rows.
  [[nodiscard]] isa::Tile one_column(const Matrix& from, const Window& window, const Key& key);
  // The same from a tile that has those of many bands; nothing where they are few.
  [[nodiscard]] std::optional<isa::Tile> of_many_bands(const Matrix& from, const Window& window,
                                                       const Key& key);

  Emitter& emitter_;
  Residents& residents_;
  std::int64_t tall_;
  std::map<Key, isa::Tile> alike_;  // rows that are alike, of so many bytes a partition
  std::int64_t alike_bytes_ = 0;
  std::map<Key, isa::Tile> band_;                           // of the rows from band_row_ on
  std::map<std::pair<std::int64_t, Key>, isa::Tile> ones_;  // by row: one column
  std::map<std::pair<std::int64_t, Key>, isa::Tile> many_;  // of as many bands as turn at once
  std::int64_t band_row_ = -1;
  std::map<Key, Matrix> in_runs_;
};

}  // namespace trainyard::compiler

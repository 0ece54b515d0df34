// A fused group: elementwise operations computed tile by tile from values on chip or in HBM,
// without their intermediate results ever lying in memory.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "compiler/lowering/values/layout.h"
#include "compiler/lowering/values/segment.h"
#include "compiler/lowering/values/window.h"

namespace trainyard::compiler {

// How the root's value is seen as a matrix: values of the group are views of its shape.
using Adapt = std::function<std::optional<Strided>(const Strided&)>;
// Of the walk over all `total` elements the ones from `begin` on, as `count` rows of `width`.
[[nodiscard]] Adapt cut_of_walk(std::int64_t total, std::int64_t begin, std::int64_t count,
                                std::int64_t width);

class Group {
 public:
  // The operations that `root` is computed from; views, numbers and products end them. A product
  // is a leaf whose tiles are given to `tile`. Values joined on the way are computed before, unless
  // the group `may_join`.
  Group(Segment& segment, NodeId root, bool may_join = false);
  // The same of several roots of one shape; products are computed before.
  Group(Segment& segment, std::vector<NodeId> roots);

  [[nodiscard]] bool has_product() const { return product_.has_value(); }
  [[nodiscard]] NodeId product() const { return *product_; }
  // Whether it is the root, with no operation behind it.
  [[nodiscard]] bool is_product() const { return product_ == roots_[0]; }
  // Whether only sums, products and limits read it, which engines compute in float32.
  [[nodiscard]] bool reads_sums() const;
  // The views.
  [[nodiscard]] std::vector<Strided> views() const;
  // Values that are joined in tiles.
  [[nodiscard]] std::span<const NodeId> joins() const { return joins_; }
  // Where its operations come from.
  [[nodiscard]] std::vector<graph::LocationId> locations() const { return locations_; }

  // Sees all values as matrices of `row_dims` dimensions of rows. False, and nothing changed, where
  // one of them cannot be adapted.
  [[nodiscard]] bool adapt(const Adapt& adapt, std::size_t row_dims);
  void adapt(const Layout& layout);

  // How often its widest element fits into a word, twice at most: tiles of narrow ones may be so
  // much wider, which makes their transfers as long.
  [[nodiscard]] std::int64_t narrowness() const;
  // What its values take at once, of one element of each.
  [[nodiscard]] std::int64_t bytes_at_once() const;

  // The root's elements in a window. `given`: the product's. `into`: where the result is wanted;
  // of a product alone and of a value as it lies, it is not put there.
  [[nodiscard]] isa::Tile tile(const Window& window, const isa::Tile* given = nullptr,
                               const isa::Tile* into = nullptr);
  // The elements of all roots.
  [[nodiscard]] std::vector<isa::Tile> tiles(const Window& window);

 private:
  // `into`: where the result is wanted.
  [[nodiscard]] Operand evaluate(NodeId id, const Window& window, const isa::Tile* given,
                                 const isa::Tile* into = nullptr);
  [[nodiscard]] isa::Tile computed(const Node& node, const Window& window, const isa::Tile* given,
                                   const isa::Tile* into);
  [[nodiscard]] std::optional<isa::Tile> scaled_pair(const Node& node, const Window& window,
                                                     const isa::Tile* given, const isa::Tile* into);
  [[nodiscard]] std::optional<isa::Tile> limited(const Node& node, const Window& window,
                                                 const isa::Tile* given, const isa::Tile* into);
  [[nodiscard]] std::optional<isa::Tile> narrowed(const Node& node, const Window& window,
                                                  const isa::Tile* given, const isa::Tile* into);
  [[nodiscard]] std::optional<isa::Tile> chosen(const Node& node, const Window& window,
                                                const isa::Tile* given, const isa::Tile* into);
  [[nodiscard]] isa::Tile joined(const Node& node, const Window& window, const isa::Tile* into);
  [[nodiscard]] Operand widened(Operand operand);
  // A number for each row, repeated, as float32.
  [[nodiscard]] isa::Tile wide_column(const isa::Tile& column);
  void collect(NodeId id);
  [[nodiscard]] bool is_root(NodeId id) const;
  // As a tile: a number on every element.
  [[nodiscard]] isa::Tile filled(NodeId root, const Operand& operand, const Window& window);

  Segment& segment_;
  std::vector<NodeId> roots_;
  bool may_join_;
  std::optional<NodeId> product_;
  std::vector<NodeId> joins_;
  Layout layout_;
  std::set<NodeId> collected_;
  std::vector<NodeId> leaves_;
  std::vector<graph::LocationId> locations_;
  std::map<NodeId, Matrix> matrices_;  // of the views
  Loader loader_;
  std::map<std::tuple<isa::TensorId, std::int64_t, int, int>, isa::Tile> columns_;  // as float32
  std::map<NodeId, Operand> done_;  // in this window
};

// Bytes of a value from which on two cores compute it faster than one, though it goes to HBM.
inline constexpr std::int64_t divided_bytes_min = std::int64_t{4} << 20;

// Where the tiles of a value go: they stay on chip, or are stored in HBM.
class Sink {
 public:
  // Into a place of the value's shape in HBM.
  Sink(Segment& segment, const Strided& place, const Layout& layout);
  // A tensor of its own in that layout, on chip where it may stay there and there is room. `value`:
  // of the tensor program, which it is to hold.
  Sink(Segment& segment, isa::DType dtype, std::span<const std::int64_t> shape,
       const Layout& layout, bool may_stay = true, std::optional<graph::ValueId> value = {});

  // Of a place that nothing else reads or writes. `bands`: how many tiles its rows are put in, if
  // not in as few as hold them.
  void keep_on_chip(std::optional<graph::ValueId> value, std::int64_t bands = 0);

  [[nodiscard]] const Strided& place() const { return place_; }
  // Whether it is in HBM.
  [[nodiscard]] bool is_stored() const { return !stays_; }
  [[nodiscard]] std::int64_t rows() const { return compiler::product(matrix_.rows); }
  [[nodiscard]] std::int64_t columns() const { return compiler::product(matrix_.columns); }
  // `issuer`: of the store, where there is one.
  void put(const isa::Tile& tile, const Window& window, isa::Engine issuer = isa::Engine::any);

 private:
  Segment& segment_;
  Strided place_;
  Matrix matrix_;
  bool stays_ = false;
};

}  // namespace trainyard::compiler

// Which dimensions of a product's value go to partitions.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

#include "base/stable_sort.h"

#include "compiler/lowering/products/product.h"
#include "compiler/lowering/products/small_products.h"

namespace trainyard::compiler {

void sort_depth(Product& product) {
  Strided &left = product.left, &right = product.right;
  const std::size_t left_depth = product.batches + product.rows;
  const std::size_t right_depth = product.batches + product.columns;
  const bool left_decides = left.elements() >= right.elements();
  struct Both {
    Extent left, right;
  };
  std::vector<Both> depths;
  for (std::size_t i = left_depth; i < left.dims.size(); ++i)
    depths.push_back({left.dims[i], right.dims[i - left_depth + right_depth]});
  base::stable_sort(depths, std::ranges::greater(), [&](const Both& each) {
    return std::abs((left_decides ? each.left : each.right).step);
  });
  for (std::size_t i = 0; i < depths.size(); ++i) {
    left.dims[left_depth + i] = depths[i].left;
    right.dims[right_depth + i] = depths[i].right;
  }
}

// The same product with its sides exchanged, and where each dimension of its value has gone.
std::pair<Node, std::vector<std::int64_t>> exchanged_product(const Node& node) {
  Node other = node;
  Product& product = other.product;
  std::swap(product.left, product.right);
  std::swap(product.left_scale, product.right_scale);
  std::swap(product.rows, product.columns);
  std::vector<std::int64_t> places(node.type.shape.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::size_t place = i;
    if (i >= product.batches + product.columns) {
      place = i - product.columns;
    } else if (i >= product.batches) {
      place = i + product.rows;
    }
    places[i] = static_cast<std::int64_t>(place);
    other.type.shape[place] = node.type.shape[i];
  }
  return {std::move(other), std::move(places)};
}

namespace {

bool is_turned(const Node& node, const machine::Core& core) {
  const Product& product = node.product;
  return product.layout.is_turned && product.is_plain() && !are_small(product, core) &&
         !are_small(exchanged_product(node).first.product, core);
}

}  // namespace

Node product_as_computed(Segment& segment, NodeId id) {
  const Node& node = segment.node(id);
  if (!is_turned(node, segment.emitter().core())) return node;
  return exchanged_product(node).first;
}

Layout product_layout(Segment& segment, const Group& group) {
  const Node& node = segment.node(group.product());
  const Product& product = node.product;
  const auto rank = node.type.shape.size();
  Layout layout = in_order(rank, product.batches + product.rows);
  const auto begin = layout.order.begin();
  if (product.slides) {
    layout.order = product.slides->order;
    layout.row_dims = 1;
  } else if (is_turned(node, segment.emitter().core())) {
    const auto rows = begin + static_cast<long>(product.batches);
    std::rotate(rows, rows + static_cast<long>(product.rows), layout.order.end());
    layout.row_dims = product.batches + product.columns;
  } else if (product.sparsity) {  // its columns first
    std::rotate(begin, begin + static_cast<long>(product.rows), layout.order.end());
    layout.row_dims = product.columns;
  } else if (are_small(product, segment.emitter().core())) {
    std::rotate(begin, begin + static_cast<long>(product.batches),
                begin + static_cast<long>(product.batches + product.rows));
    layout.row_dims = product.rows;
  }
  return layout;
}

}  // namespace trainyard::compiler

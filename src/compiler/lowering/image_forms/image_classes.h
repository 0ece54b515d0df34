// Which values of a function are images that may be turned together: elementwise operations, pools
// and paddings join them, sums over all but one dimension tell where the channels are.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "graph/module.h"

namespace trainyard::compiler {

class ImageClasses {
 public:
  explicit ImageClasses(const graph::Function& function);

  // The dimension that comes first; nothing where the value stays as it is.
  [[nodiscard]] std::optional<std::size_t> channels(graph::ValueId value) const;
  [[nodiscard]] bool any() const { return !channels_.empty(); }

 private:
  struct Image {
    std::set<std::size_t> channels;    // that sums leave over
    std::set<std::int64_t> elsewhere;  // dimensions of other sums
    std::int64_t sums = 0, borders = 0;
    bool is_convolved = false, stays = false;
  };

  [[nodiscard]] graph::ValueId root(graph::ValueId value) const;
  void unite(graph::ValueId a, graph::ValueId b);
  [[nodiscard]] Image& image(graph::ValueId value) { return images_[root(value)]; }
  void join(const graph::Op& op);
  void look(const graph::Op& op);
  void look_at_sum(const graph::Op& op);

  const graph::Function& function_;
  std::vector<graph::ValueId> parents_;
  std::map<graph::ValueId, Image> images_;
  std::map<graph::ValueId, std::size_t> channels_;  // by root
};

// What becomes of an operation whose operands or result are turned.
enum class Turning {
  none,         // it has no say in it: it reads and gives values as they were
  elementwise,  // all alike
  window,       // its attributes tell something of each dimension
  numbers,      // of a convolution
  sum,
  spread,    // broadcast_in_dim
  constant,  // one number
};
[[nodiscard]] Turning turning_of(const graph::Function& function, const graph::Op& op);

}  // namespace trainyard::compiler

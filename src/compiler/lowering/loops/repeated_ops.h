// Operations of a region that are the same several times, one copy behind the other: what unrolled
// loops leave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "graph/module.h"

namespace trainyard::compiler {

struct Repeated {
  std::size_t begin = 0, period = 0, count = 0;
};

// Where operations look like those so many before them, shorter periods first; slices may begin
// elsewhere.
[[nodiscard]] std::vector<Repeated> repeated_ops(const graph::Function& function,
                                                 const graph::Region& region);

// How the copies follow from each other.
class Copies {
 public:
  // Where copies find a value: made by themselves, made by the copy before, or the same for all.
  struct Source {
    enum class Kind : std::uint8_t { own, last, fixed };
    Kind kind = Kind::fixed;
    std::size_t op = 0, result = 0;  // in a copy
    graph::ValueId first = 0;        // what the first copy reads
    friend bool operator==(const Source&, const Source&) = default;
  };

  Copies(const graph::Region& region, Repeated which);

  // Whether all copies do the same with such sources; slices may begin elsewhere.
  [[nodiscard]] bool are_alike() const;
  // `values`: one for each copy.
  [[nodiscard]] std::optional<Source> source_of(std::span<const graph::ValueId> values) const;
  [[nodiscard]] const graph::Op& op(std::size_t copy, std::size_t index) const {
    return region_.ops[which_.begin + copy * which_.period + index];
  }
  // Of an operand of all copies.
  [[nodiscard]] std::optional<Source> source_of(std::size_t index, std::size_t operand) const;
  [[nodiscard]] std::size_t count() const { return which_.count; }
  [[nodiscard]] std::size_t period() const { return which_.period; }
  // Whether a copy makes the value.
  [[nodiscard]] bool makes(graph::ValueId value) const { return places_.contains(value); }

 private:
  struct Place {
    std::size_t copy, op, result;
  };
  [[nodiscard]] bool is_alike(std::size_t index) const;

  const graph::Region& region_;
  Repeated which_;
  std::map<graph::ValueId, Place> places_;
};

}  // namespace trainyard::compiler

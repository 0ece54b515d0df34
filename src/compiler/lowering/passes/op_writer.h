// Writes operations of a tensor program, for passes that say in them what a value is computed from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/module.h"

namespace trainyard::compiler {

// Appends operations to a list, each with one new value.
class OpWriter {
 public:
  OpWriter(graph::Function& function, std::vector<graph::Op>& ops, graph::LocationId location)
      : function_(function), ops_(ops), location_(location) {}

  graph::ValueId emit(graph::OpKind kind, std::vector<graph::ValueId> operands, graph::Type result,
                      graph::Dictionary attributes = {});
  graph::ValueId number(graph::Type type, double number);
  graph::ValueId reshape(graph::ValueId value, std::vector<std::int64_t> shape);
  graph::ValueId spread(graph::ValueId value, std::vector<std::int64_t> places,
                        std::vector<std::int64_t> shape);
  // Dimension i of the result is dimension order[i] of the value; in order already, the value
  // itself.
  graph::ValueId turned(graph::ValueId value, std::vector<std::int64_t> order);
  graph::ValueId compared(graph::ValueId left, const std::string& direction, graph::ValueId right);
  graph::ValueId convert(graph::ValueId value, graph::ElementType element);
  // The elements [begin, end) along a dimension.
  graph::ValueId sliced(graph::ValueId value, std::int64_t dim, std::int64_t begin,
                        std::int64_t end);
  // Of a table the parts along its first dimension that the indices [n] name.
  graph::ValueId picked(graph::ValueId table, graph::ValueId indices);
  // Of each row of a table [rows..., columns] the element that the indices [rows..., 1, 1] name:
  // [rows..., 1].
  graph::ValueId row_picked(graph::ValueId table, graph::ValueId indices);
  // The element [rows..., 1] where its place [rows..., 1] is one of so many columns, else 0.
  graph::ValueId within(graph::ValueId element, graph::ValueId place, std::int64_t columns);
  // The table with the updates in the places of those parts.
  graph::ValueId put_into(graph::ValueId table, graph::ValueId indices, graph::ValueId updates);
  // The table with the updates added to the parts that the indices [n] name.
  graph::ValueId summed_into(graph::ValueId table, graph::ValueId indices, graph::ValueId updates);
  // The table [rows..., columns] with the updates [rows..., 1] added to the elements that the
  // indices [rows..., 1, 1] name.
  graph::ValueId summed_into_rows(graph::ValueId table, graph::ValueId indices,
                                  graph::ValueId updates);
  // The sum along dimensions.
  graph::ValueId sum(graph::ValueId value, std::vector<std::int64_t> dims);
  // 0, 1, 2 ... along that dimension, in float32.
  graph::ValueId counting(std::vector<std::int64_t> shape, std::int64_t dim);

  [[nodiscard]] const graph::Type& type(graph::ValueId value) const {
    return function_.type(value);
  }

 private:
  graph::Region adding(graph::ElementType element);
  graph::ValueId scattered(graph::ValueId table, graph::ValueId indices, graph::ValueId updates,
                           bool is_unique);

  graph::Function& function_;
  std::vector<graph::Op>& ops_;
  graph::LocationId location_;
};

}  // namespace trainyard::compiler

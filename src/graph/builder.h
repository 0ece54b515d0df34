// Builds tensor programs: for passes that write operations, for what reads programs of other forms,
// and for tests.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graph/module.h"

namespace trainyard::graph {

// Appends operations to a list, each with one new value.
class Builder {
 public:
  Builder(Function& function, std::vector<Op>& ops, LocationId location)
      : function_(function), ops_(ops), location_(location) {}

  // What is written from now on stands there.
  void at(LocationId location) { location_ = location; }
  // Attributes in any order.
  ValueId emit(OpKind kind, std::vector<ValueId> operands, Type result, Dictionary attributes = {},
               std::vector<Region> regions = {});
  ValueId constant(Literal value);
  ValueId number(Type type, double number);
  ValueId reshape(ValueId value, std::vector<std::int64_t> shape);
  ValueId spread(ValueId value, std::vector<std::int64_t> places, std::vector<std::int64_t> shape);
  // Dimension i of the result is dimension order[i] of the value; in order already, the value
  // itself.
  ValueId turned(ValueId value, std::vector<std::int64_t> order);
  ValueId compared(ValueId left, const std::string& direction, ValueId right);
  ValueId convert(ValueId value, ElementType element);
  // The elements [begin, end) along a dimension.
  ValueId sliced(ValueId value, std::int64_t dim, std::int64_t begin, std::int64_t end);
  // Of a table the parts along its first dimension that the indices [n] name.
  ValueId picked(ValueId table, ValueId indices);
  // Of each row of a table [rows..., columns] the element that the indices [rows..., 1, 1] name:
  // [rows..., 1].
  ValueId row_picked(ValueId table, ValueId indices);
  // The element [rows..., 1] where its place [rows..., 1] is one of so many columns, else 0.
  ValueId within(ValueId element, ValueId place, std::int64_t columns);
  // The table with the updates in the places of those parts.
  ValueId put_into(ValueId table, ValueId indices, ValueId updates);
  // The table with the updates added to the parts that the indices [n] name.
  ValueId summed_into(ValueId table, ValueId indices, ValueId updates);
  // The table [rows..., columns] with the updates [rows..., 1] added to the elements that the
  // indices [rows..., 1, 1] name.
  ValueId summed_into_rows(ValueId table, ValueId indices, ValueId updates);
  // The sum along dimensions.
  ValueId sum(ValueId value, std::vector<std::int64_t> dims);
  // 0, 1, 2 ... along that dimension, in float32.
  ValueId counting(std::vector<std::int64_t> shape, std::int64_t dim);

  // A region that applies one operation to two scalars.
  Region combining(OpKind kind, ElementType element);

  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }

 private:
  ValueId scattered(ValueId table, ValueId indices, ValueId updates, bool is_unique);

  Function& function_;
  std::vector<Op>& ops_;
  LocationId location_;
};

// Builds a program of one function.
class ModuleBuilder {
 public:
  explicit ModuleBuilder(std::string name) { module_.name = std::move(name); }
  ModuleBuilder(const ModuleBuilder&) = delete;  // `ops` refers to it
  ModuleBuilder& operator=(const ModuleBuilder&) = delete;

  ValueId argument(Type type);
  // The operations of the function.
  [[nodiscard]] Builder& ops() { return builder_; }
  // The module, whose function returns these values. The builder is used up.
  [[nodiscard]] Module finish(std::vector<ValueId> results);

 protected:
  Module module_{};
  Function main_{.name = "main"};

 private:
  Builder builder_{main_, main_.body.ops, 0};
};

}  // namespace trainyard::graph

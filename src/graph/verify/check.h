// One operation under the rules: what its rule's function reads, and where it says what is broken.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "graph/module.h"

namespace trainyard::graph {

using Integers = std::span<const std::int64_t>;

class OpCheck {
 public:
  OpCheck(const Module& module, const Function& function, const Op& op,
          std::vector<base::Violation>& found)
      : module(module), function(function), op(op), found_(found) {}

  const Module& module;
  const Function& function;
  const Op& op;

  [[nodiscard]] const Type& operand(std::size_t i) const { return function.type(op.operands[i]); }
  [[nodiscard]] const Type& result(std::size_t i = 0) const { return function.type(op.results[i]); }
  [[nodiscard]] const Type& type(ValueId value) const { return function.type(value); }

  // Notes the rule where it does not hold; whether it does.
  bool require(bool holds, std::string_view rule);
  [[nodiscard]] bool has_failed() const { return failed_; }

  // Attributes. A missing one, or one of another kind, breaks a rule and reads as nothing.
  [[nodiscard]] Integers list(std::string_view name);
  [[nodiscard]] Integers list_or_empty(std::string_view name);
  // One of `size` numbers, or of that many times `otherwise` where it is absent.
  [[nodiscard]] std::vector<std::int64_t> sized_list(std::string_view name, std::size_t size,
                                                     std::int64_t otherwise);
  [[nodiscard]] std::int64_t integer(std::string_view name);
  // A number from 0 to size - 1.
  [[nodiscard]] std::size_t dimension(std::string_view name, std::size_t size);
  [[nodiscard]] std::string_view text(std::string_view name);
  void one_of(std::string_view name, std::span<const std::string_view> values, bool may_lack);
  // Different dimensions of a tensor of that rank.
  void are_dimensions(std::string_view name, Integers dimensions, std::size_t rank);

  // Regions: arguments and what the last operation returns.
  // The region takes scalars, `arguments` of them, and returns `results`.
  bool scalar_region(std::size_t region, std::size_t arguments, std::size_t results);
  // It takes and returns values of those types.
  void region_types(std::size_t region, std::span<const ValueId> arguments,
                    std::span<const ValueId> results);

 private:
  template <typename T>
  const T* attribute(std::string_view name, bool may_lack);

  std::vector<base::Violation>& found_;
  bool failed_ = false;
};

// Equal, or not known to differ.
[[nodiscard]] bool fits(std::int64_t a, std::int64_t b);
[[nodiscard]] bool same_shape(const Type& a, const Type& b);
[[nodiscard]] bool same_element(const Type& a, const Type& b);
[[nodiscard]] bool same_type(const Type& a, const Type& b);
[[nodiscard]] bool shape_is(const Type& type, Integers shape);
[[nodiscard]] bool is_scalar(const Type& type);
[[nodiscard]] bool is_index(const Type& type);  // of integers
// The product of the sizes; nothing where one is not static, or it is too large to count.
[[nodiscard]] std::optional<std::int64_t> count(const Type& type);

__extension__ using WideInteger = __int128;  // sums and products of sizes do not overflow

// Rules that several operations share.
void same_elements(OpCheck& check);  // operand and result have one element type
[[nodiscard]] bool same_types(const OpCheck& check, std::span<const ValueId> a,
                              std::span<const ValueId> b);
void all_passed_on(OpCheck& check);             // results have the types of the operands
[[nodiscard]] bool is_shape(const Type& type);  // a list of sizes as an operand
// How many places a dilated window has along a dilated and padded dimension.
[[nodiscard]] WideInteger places_of_window(std::int64_t size, std::int64_t base_dilation,
                                           std::int64_t low, std::int64_t high, std::int64_t window,
                                           std::int64_t dilation, std::int64_t stride);

}  // namespace trainyard::graph

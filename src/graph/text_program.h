// The operations of a program in MLIR text: names of values, functions, regions, and the pretty
// form of each operation. Used by read_text() only.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/module.h"
#include "graph/text_parser.h"

namespace trainyard::graph {

// An operation as the text has it, before its attributes are flat.
struct TextOp {
  std::string name;  // with its dialect: "stablehlo.add", "func.call"
  std::size_t offset = 0;
  std::vector<ValueId> operands{};
  Dictionary attributes{};
  std::vector<Region> regions{};
  std::vector<Type> result_types{};
  std::vector<ValueId> reserved{};     // results that were named before their types are known
  std::optional<Location> location{};  // where its form holds it already
};

class TextProgram {
 public:
  TextProgram(std::string_view text, std::string_view file)
      : parser_(text, file), at_(parser_.at) {}

  [[nodiscard]] Module read();

 private:
  // text.cpp: the module, functions, regions, values.
  void read_module();
  void read_member();
  void read_function();
  void read_generic_function();
  void read_signature(Function& function, std::vector<std::string>& names);
  void read_results_of_function(Function& function);
  void read_mesh();
  Region read_region(const std::vector<std::pair<std::string, Type>>& given = {});
  void read_ops(Region& region);
  void read_op(Region& region);
  std::vector<std::pair<std::string, std::size_t>> result_names();
  void add_op(Region& region, TextOp op,
              const std::vector<std::pair<std::string, std::size_t>>& names);
  void add_sdy(Region& region, TextOp op,
               const std::vector<std::pair<std::string, std::size_t>>& names);
  void add_division(Region& region, TextOp op,
                    const std::vector<std::pair<std::string, std::size_t>>& names);
  void read_manual_computation(TextOp& op);
  NamedAttribute read_shardings(std::string_view name);
  void inline_computation(Region& region, TextOp& op,
                          const std::vector<std::pair<std::string, std::size_t>>& names);
  void name_results(std::span<const ValueId> values,
                    const std::vector<std::pair<std::string, std::size_t>>& names);
  void define(const std::string& name, ValueId value);
  [[nodiscard]] ValueId operand();
  [[nodiscard]] std::vector<ValueId> operands();  // "%a, %b", also none
  [[nodiscard]] std::vector<ValueId> operands_in_parentheses();
  [[nodiscard]] LocationId intern(std::optional<Location> location, std::size_t offset);
  void check_types(const TextOp& op, const std::vector<Type>& types);
  ValueId add_value(Type type);

  // text_forms.cpp: how operations are written.
  void read_generic(TextOp& op);
  void read_pretty(TextOp& op, std::string_view kind);
  void read_parts(TextOp& op, std::string_view kind);
  bool read_keyword(TextOp& op, std::string_view kind, std::string_view keyword);
  void read_type_of(TextOp& op, std::string_view kind);
  void read_constant(TextOp& op);
  void read_while(TextOp& op);
  void read_reduce(TextOp& op);
  void read_long_reducer(TextOp& op);
  void read_convolution(TextOp& op);
  void read_window(TextOp& op);
  void read_custom_call(TextOp& op);
  void read_composite(TextOp& op);
  void read_slice(TextOp& op);
  void read_functional_type(TextOp& op);

  struct Named {
    std::vector<ValueId> values;
  };
  TextParser parser_;
  TextCursor& at_;
  Module module_;
  Function* function_ = nullptr;
  std::vector<std::map<std::string, Named, std::less<>>> scopes_;
};

// text_flat.cpp: the attributes of an operation in the form that the artifact reader gives them.
// Throws InputError through `at`.
[[nodiscard]] Dictionary flat_attributes(const TextCursor& at, std::string_view kind,
                                         Dictionary attributes);

}  // namespace trainyard::graph

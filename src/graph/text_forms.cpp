// How each operation is written in MLIR text. Most are operands, keywords with an attribute, a
// dictionary and a type, in that order; the others have a function of their own. Source: StableHLO
// v1.20, StablehloOps.td and AssemblyFormat.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/text_program.h"

namespace trainyard::graph {

namespace {

// "dims = [0]" of an operation is the attribute `attribute`.
struct Keyword {
  std::string_view kind, keyword, attribute;
};
constexpr std::array keywords{
    Keyword{"broadcast_in_dim", "dims", "broadcast_dimensions"},
    Keyword{"dynamic_broadcast_in_dim", "dims", "broadcast_dimensions"},
    Keyword{"transpose", "dims", "permutation"},
    Keyword{"reverse", "dims", "dimensions"},
    Keyword{"iota", "dim", "iota_dimension"},
    Keyword{"dynamic_iota", "dim", "iota_dimension"},
    Keyword{"concatenate", "dim", "dimension"},
    Keyword{"get_dimension_size", "dim", "dimension"},
    Keyword{"set_dimension_size", "dim", "dimension"},
    Keyword{"dynamic_slice", "sizes", "slice_sizes"},
    Keyword{"broadcast", "sizes", "broadcast_sizes"},
    Keyword{"pad", "low", "edge_padding_low"},
    Keyword{"pad", "high", "edge_padding_high"},
    Keyword{"pad", "interior", "interior_padding"},
    Keyword{"cholesky", "lower", "lower"},
    Keyword{"fft", "type", "fft_type"},
    Keyword{"fft", "length", "fft_length"},
    Keyword{"rng", "distribution", "rng_distribution"},
    Keyword{"rng_bit_generator", "algorithm", "rng_algorithm"},
    Keyword{"einsum", "config", "einsum_config"},
    Keyword{"unary_einsum", "config", "einsum_config"},
    Keyword{"dot", "precision", "precision_config"},
    Keyword{"dot_general", "precision", "precision_config"},
    Keyword{"top_k", "k", "k"},
};

constexpr std::array<std::string_view, 6> makes_last_type{"select", "tuple",        "complex",
                                                          "iota",   "partition_id", "replica_id"};

bool is_enumerator(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// A word in capitals is an enumerator, others are attributes; "[DEFAULT, HIGH]" is a list of them.
Attribute value_of_keyword(TextParser& parser) {
  TextCursor& at = parser.at;
  const std::size_t begin = at.offset();
  if (const std::string_view word = at.word(); is_enumerator(word)) return {std::string(word)};
  at.move_to(begin);
  // The type behind "dim = 0", or behind a string, is that of the operation.
  if (const char c = at.peek(); c == '-' || (c >= '0' && c <= '9')) return {at.integer()};
  if (at.peek() == '"') return {at.string()};
  if (at.peek() != '[') return parser.attribute();
  at.expect("[");
  const bool is_list_of_names = is_enumerator(at.word());
  at.move_to(begin);
  if (!is_list_of_names) return {parser.integers()};
  AttributeList names;
  at.expect("[");
  while (!at.accept("]")) {
    if (!names.empty()) at.expect(",");
    names.push_back({std::string(at.word())});
  }
  return {std::move(names)};
}

}  // namespace

// "(%a, %b) <{properties}> ({regions}) {attributes} : (types) -> types"
void TextProgram::read_generic(TextOp& op) {
  op.operands = operands_in_parentheses();
  if (at_.accept("<")) {
    op.attributes = parser_.dictionary();
    at_.expect(">");
  }
  if (at_.accept("(")) {
    do op.regions.push_back(read_region());
    while (at_.accept(","));
    at_.expect(")");
  }
  for (NamedAttribute& attribute : parser_.optional_dictionary())
    op.attributes.push_back(std::move(attribute));
  read_functional_type(op);
}

void TextProgram::read_functional_type(TextOp& op) {
  at_.expect(":");
  const std::vector<Type> taken = parser_.types();
  at_.expect("->");
  op.result_types = parser_.types();
  check_types(op, taken);
}

void TextProgram::read_pretty(TextOp& op, std::string_view kind) {
  if (kind == "constant") return read_constant(op);
  if (kind == "while") return read_while(op);
  if (kind == "reduce") return read_reduce(op);
  if (kind == "convolution" || kind == "dynamic_conv") return read_convolution(op);
  if (kind == "custom_call") return read_custom_call(op);
  if (kind == "composite") return read_composite(op);
  if (kind == "slice") return read_slice(op);
  if (kind == "call") {
    op.attributes.push_back({"callee", {Symbol{at_.name('@')}}});
    op.operands = operands_in_parentheses();
    for (NamedAttribute& attribute : parser_.optional_dictionary())
      op.attributes.push_back(std::move(attribute));
    return read_functional_type(op);
  }
  read_parts(op, kind);
  for (NamedAttribute& attribute : parser_.optional_dictionary())
    op.attributes.push_back(std::move(attribute));
  read_type_of(op, kind);
}

// Operands and keywords, in any order: what is wrong about them shows in the types.
void TextProgram::read_parts(TextOp& op, std::string_view kind) {
  if (kind == "compare") {
    op.attributes.push_back({"comparison_direction", {std::string(at_.word())}});
    at_.expect(",");
  }
  const bool in_parentheses = at_.accept("(");
  while (!at_.sees("loc")) {
    const char c = at_.peek();
    if (c == '%') {
      op.operands.push_back(operand());
    } else if (c == '[' && kind == "get_tuple_element") {
      at_.expect("[");
      op.attributes.push_back({"index", {at_.integer()}});
      at_.expect("]");
    } else if (const std::string_view word = at_.word(); !word.empty()) {
      const bool is_compare_type = kind == "compare" && is_enumerator(word);
      if (is_compare_type) {
        op.attributes.push_back({"compare_type", {std::string(word)}});
      } else if (!read_keyword(op, kind, word)) {
        at_.malformed(fmt::format("`{}` in {}", word, op.name));
      }
    } else {
      break;
    }
    static_cast<void>(at_.accept(","));
  }
  if (in_parentheses) at_.expect(")");
}

bool TextProgram::read_keyword(TextOp& op, std::string_view kind, std::string_view keyword) {
  const bool is_dot = kind == "dot_general";
  if (is_dot && (keyword == "batching_dims" || keyword == "contracting_dims")) {
    const bool batching = keyword == "batching_dims";
    at_.expect("=");
    op.attributes.push_back({batching ? "lhs_batching_dimensions" : "lhs_contracting_dimensions",
                             {parser_.integers()}});
    at_.expect("x");
    op.attributes.push_back({batching ? "rhs_batching_dimensions" : "rhs_contracting_dimensions",
                             {parser_.integers()}});
    return true;
  }
  if (is_dot && keyword == "algorithm") {
    at_.expect("=");
    op.attributes.push_back({"algorithm", {parser_.fields()}});
    return true;
  }
  if (kind == "reduce_precision" && keyword == "format") {
    at_.expect("=");
    const std::string_view format = at_.word();  // "e5m10"
    const std::size_t m = format.find('m');
    if (!format.starts_with('e') || m == std::string_view::npos) at_.malformed("no format");
    const auto integer = [&](std::string_view digits) {
      TextCursor cursor(digits, at_.file());
      return cursor.integer();
    };
    op.attributes.push_back({"exponent_bits", {integer(format.substr(1, m - 1))}});
    op.attributes.push_back({"mantissa_bits", {integer(format.substr(m + 1))}});
    return true;
  }
  const auto* const found = std::ranges::find_if(
      keywords, [&](const Keyword& each) { return each.kind == kind && each.keyword == keyword; });
  if (found == keywords.end()) return false;
  at_.expect("=");
  op.attributes.push_back({std::string(found->attribute), value_of_keyword(parser_)});
  return true;
}

// What stands behind the colon: all types, or the only one that matters.
void TextProgram::read_type_of(TextOp& op, std::string_view kind) {
  if (!at_.accept(":")) {
    if (op.operands.empty()) return;  // "return"
    at_.expect(":");
  }
  const bool is_functional = at_.peek() == '(';
  std::vector<Type> given = parser_.types();
  while (!is_functional && at_.accept(",")) given.push_back(parser_.type());
  if (at_.accept("->")) {
    op.result_types = parser_.types();
    return check_types(op, given);
  }
  if (is_functional) at_.expect("->");
  if (kind == "return") return check_types(op, given);
  if (kind == "optimization_barrier") {
    op.result_types = given;
    return check_types(op, given);
  }
  if (std::ranges::find(makes_last_type, kind) != makes_last_type.end()) {
    op.result_types = {given.back()};
    return;
  }
  op.result_types = {given.front()};
  const bool takes_tokens = kind == "after_all" || kind == "create_token";
  if (given.size() != 1 || takes_tokens) return;
  check_types(op, std::vector<Type>(op.operands.size(), given.front()));
}

void TextProgram::read_constant(TextOp& op) {
  op.attributes = parser_.optional_dictionary();
  at_.expect("dense");
  Literal value = parser_.dense();
  op.result_types = {value.type};
  if (at_.accept("->")) op.result_types = parser_.types();  // of another, quantised type
  op.attributes.push_back({"value", {std::move(value)}});
}

// "(%i = %a, %j = %b) : types attributes {...} cond {...} do {...}"
void TextProgram::read_while(TextOp& op) {
  std::vector<std::string> names;
  at_.expect("(");
  while (!at_.accept(")")) {
    if (!names.empty()) at_.expect(",");
    names.push_back(at_.name('%'));
    at_.expect("=");
    op.operands.push_back(operand());
  }
  if (at_.accept(":")) {
    op.result_types.push_back(parser_.type());
    while (at_.accept(",")) op.result_types.push_back(parser_.type());
  }
  check_types(op, op.result_types);
  if (at_.accept("attributes")) op.attributes = parser_.dictionary();
  std::vector<std::pair<std::string, Type>> arguments;
  for (std::size_t i = 0; i < names.size(); ++i)
    arguments.emplace_back(names[i], op.result_types[i]);
  at_.expect("cond");
  op.regions.push_back(read_region(arguments));
  at_.expect("do");
  op.regions.push_back(read_region(arguments));
}

// "(%x init: %i), (%y init: %j)", then one operation or a region of them.
void TextProgram::read_reduce(TextOp& op) {
  std::vector<ValueId> inits;
  do {
    at_.expect("(");
    op.operands.push_back(operand());
    at_.expect("init");
    at_.expect(":");
    inits.push_back(operand());
    at_.expect(")");
  } while (at_.accept(","));
  op.operands.insert(op.operands.end(), inits.begin(), inits.end());
  std::string applied;
  if (at_.accept("applies")) applied = at_.word();
  at_.expect("across");
  at_.expect("dimensions");
  at_.expect("=");
  std::vector<std::int64_t> dimensions = parser_.integers();
  for (NamedAttribute& attribute : parser_.optional_dictionary())
    op.attributes.push_back(std::move(attribute));
  op.attributes.push_back({"dimensions", {std::move(dimensions)}});
  read_functional_type(op);
  if (applied.empty()) return read_long_reducer(op);
  op.location = parser_.optional_location();
  const std::size_t dot = applied.find('.');
  const auto kind = op_kind_from_name(dot == std::string::npos ? applied : applied.substr(dot + 1));
  if (!kind) at_.malformed(fmt::format("`applies {}`", applied));
  Type element = function_->type(inits.front());
  Region region;
  for (int i = 0; i < 2; ++i) region.arguments.push_back(add_value(element));
  const Type result{.element = kind == OpKind::compare ? ElementType::pred : element.element};
  const LocationId location = intern(op.location, op.offset);
  Op each{.kind = *kind,
          .operands = region.arguments,
          .results = {add_value(result)},
          .location = location};
  const std::vector<ValueId> results = each.results;
  region.ops.push_back(std::move(each));
  region.ops.push_back({.kind = OpKind::return_, .operands = results, .location = location});
  op.regions.push_back(std::move(region));
}

// "reducer(%a: t, %b: t) (%c: u, %d: u) {...}": pairs of arguments, one for each input.
void TextProgram::read_long_reducer(TextOp& op) {
  at_.expect("reducer");
  std::vector<std::pair<std::string, Type>> left, right;
  while (at_.accept("(")) {
    for (auto* side : {&left, &right}) {
      if (side == &right) at_.expect(",");
      std::string name = at_.name('%');
      at_.expect(":");
      side->emplace_back(std::move(name), parser_.type());
      static_cast<void>(parser_.optional_location());
    }
    at_.expect(")");
  }
  left.insert(left.end(), right.begin(), right.end());
  op.regions.push_back(read_region(left));
}

void TextProgram::read_convolution(TextOp& op) {
  op.operands = operands_in_parentheses();
  at_.expect("dim_numbers");
  at_.expect("=");
  for (NamedAttribute& number : parser_.convolution_dimensions())
    op.attributes.push_back(std::move(number));
  if (at_.accept(",")) {
    at_.expect("window");
    at_.expect("=");
    read_window(op);
  }
  for (NamedAttribute& attribute : parser_.optional_dictionary())
    op.attributes.push_back(std::move(attribute));
  read_functional_type(op);
}

void TextProgram::read_window(TextOp& op) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> names{
      {{"stride", "window_strides"},
       {"lhs_dilate", "lhs_dilation"},
       {"rhs_dilate", "rhs_dilation"},
       {"reverse", "window_reversal"}}};
  at_.expect("{");
  for (bool is_first = true; !at_.accept("}"); is_first = false) {
    if (!is_first) at_.expect(",");
    const std::string_view word = at_.word();
    at_.expect("=");
    if (word == "pad") {
      std::vector<std::int64_t> padding;
      at_.expect("[");
      while (!at_.accept("]")) {
        if (!padding.empty()) at_.expect(",");
        for (const std::int64_t each : parser_.integers()) padding.push_back(each);
      }
      op.attributes.push_back({"padding", {std::move(padding)}});
      continue;
    }
    const auto* const found = std::ranges::find(names, word, [](const auto& n) { return n.first; });
    if (found == names.end()) at_.malformed(fmt::format("`{}` in a window", word));
    op.attributes.push_back({std::string(found->second), {parser_.integers()}});
  }
}

void TextProgram::read_custom_call(TextOp& op) {
  std::string target = at_.name('@');
  op.operands = operands_in_parentheses();
  op.attributes = parser_.optional_dictionary();
  op.attributes.push_back({"call_target_name", {std::move(target)}});
  read_functional_type(op);
}

void TextProgram::read_composite(TextOp& op) {
  std::string name = at_.string();
  op.operands = operands();
  if (at_.accept("(")) {
    do op.regions.push_back(read_region());
    while (at_.accept(","));
    at_.expect(")");
  }
  op.attributes = parser_.optional_dictionary();
  op.attributes.push_back({"name", {std::move(name)}});
  read_functional_type(op);
}

// "%a [0:2, 1:7:3]": start, limit, stride of each dimension.
void TextProgram::read_slice(TextOp& op) {
  op.operands = {operand()};
  std::vector<std::int64_t> starts, limits, strides;
  at_.expect("[");
  while (!at_.accept("]")) {
    if (!starts.empty()) at_.expect(",");
    starts.push_back(at_.integer());
    at_.expect(":");
    limits.push_back(at_.integer());
    strides.push_back(at_.accept(":") ? at_.integer() : 1);
  }
  op.attributes = parser_.optional_dictionary();
  op.attributes.push_back({"start_indices", {std::move(starts)}});
  op.attributes.push_back({"limit_indices", {std::move(limits)}});
  op.attributes.push_back({"strides", {std::move(strides)}});
  read_functional_type(op);
}

}  // namespace trainyard::graph

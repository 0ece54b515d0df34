#include "graph/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "graph/artifact.h"
#include "graph/attribute_forms.h"
#include "graph/text_program.h"
#include "graph/verify.h"

namespace trainyard::graph {

namespace {

constexpr std::size_t results_max = 1 << 16;

std::string text_in(const Dictionary& dictionary, std::string_view name) {
  const auto found = std::ranges::find(dictionary, name, &NamedAttribute::name);
  if (found == dictionary.end()) return {};
  const auto* const text = std::get_if<std::string>(&found->value.value);
  return text == nullptr ? std::string() : *text;
}

std::vector<Dictionary> dictionaries(const Dictionary& all, std::string_view name,
                                     std::size_t count) {
  std::vector<Dictionary> list(count);
  const auto found = std::ranges::find(all, name, &NamedAttribute::name);
  const auto* const given =
      found == all.end() ? nullptr : std::get_if<AttributeList>(&found->value.value);
  for (std::size_t i = 0; given != nullptr && i < std::min(count, given->size()); ++i) {
    if (const auto* const one = std::get_if<Dictionary>(&given->at(i).value)) list[i] = *one;
  }
  return list;
}

}  // namespace

Module TextProgram::read() {
  while (true) {
    const char c = at_.peek();
    if (c == '#' || c == '!') {  // an alias, known already
      const std::size_t end = at_.all().find('\n', at_.offset());
      at_.move_to(std::min(end, at_.all().size()));
    } else if (at_.sees("module") || at_.sees("\"builtin.module\"") || at_.sees("builtin.module")) {
      read_module();
    } else if (c == 0 || at_.sees("{-#")) {
      break;
    } else {
      read_member();  // functions without a module around them
    }
  }
  if (module_.functions.empty() && module_.attributes.empty() && module_.name == "module" &&
      at_.all().find("module") == std::string_view::npos) {
    at_.malformed("no program");
  }
  return std::move(module_);
}

void TextProgram::read_module() {
  const TextParser::Deeper deeper(parser_);
  if (at_.accept("\"builtin.module\"")) {
    at_.expect("()");
    if (at_.accept("<")) {
      for (NamedAttribute& entry : parser_.dictionary()) {
        if (entry.name == "sym_name") {
          if (const auto* const name = std::get_if<std::string>(&entry.value.value))
            module_.name = *name;
        }
      }
      at_.expect(">");
    }
    at_.expect("(");
    at_.expect("{");
    if (at_.accept("^")) {
      static_cast<void>(at_.word());
      at_.expect(":");
    }
    while (!at_.accept("}")) read_member();
    at_.expect(")");
    module_.attributes = parser_.optional_dictionary();
    at_.expect(":");
    static_cast<void>(parser_.types());
    at_.expect("->");
    static_cast<void>(parser_.types());
  } else {
    if (!at_.accept("builtin.module")) at_.expect("module");
    if (at_.peek() == '@') module_.name = at_.name('@');
    if (at_.accept("attributes")) {
      for (NamedAttribute& entry : parser_.dictionary())
        module_.attributes.push_back(std::move(entry));
    }
    at_.expect("{");
    while (!at_.accept("}")) read_member();
  }
  static_cast<void>(parser_.optional_location());
}

void TextProgram::read_member() {
  if (at_.accept("func.func") || at_.accept("func")) return read_function();
  if (at_.accept("\"func.func\"")) return read_generic_function();
  if (at_.accept("sdy.mesh")) return read_mesh();
  if (at_.accept("\"sdy.mesh\"")) at_.malformed("a mesh in the generic form");
  if (at_.sees("module")) at_.malformed("a module inside of another one");
  at_.malformed("neither a function nor a mesh where one is wanted");
}

void TextProgram::read_function() {
  Function function;
  function.is_public = !at_.accept("private");
  if (function.is_public) static_cast<void>(at_.accept("public") || at_.accept("nested"));
  function.name = at_.name('@');
  if (module_.find(function.name) != nullptr) at_.malformed("two functions of one name");
  function_ = &function;
  std::vector<std::string> names;
  read_signature(function, names);
  if (at_.accept("attributes")) static_cast<void>(parser_.dictionary());
  if (at_.accept("{")) {
    scopes_ = {{}};
    for (std::size_t i = 0; i < names.size(); ++i) define(names[i], function.body.arguments[i]);
    read_ops(function.body);
  } else {
    function.body = {};
    function.types.clear();
    function.argument_attributes.clear();
    function.result_attributes.clear();
  }
  function_ = nullptr;
  static_cast<void>(parser_.optional_location());
  if (!function.is_declaration() && function.body.ops.back().kind != OpKind::return_)
    at_.malformed(fmt::format("the function {} does not return", function.name));
  if (!function.is_declaration()) function.result_attributes.resize(function.results().size());
  module_.functions.push_back(std::move(function));
}

void TextProgram::read_signature(Function& function, std::vector<std::string>& names) {
  at_.expect("(");
  while (!at_.accept(")")) {
    if (!function.body.arguments.empty()) at_.expect(",");
    std::string name;
    if (at_.peek() == '%') {
      name = at_.name('%');
      at_.expect(":");
    }
    names.push_back(std::move(name));
    function.body.arguments.push_back(add_value(parser_.type()));
    function.argument_attributes.push_back(parser_.optional_dictionary());
    static_cast<void>(parser_.optional_location());
  }
  if (at_.accept("->")) read_results_of_function(function);
}

void TextProgram::read_results_of_function(Function& function) {
  if (!at_.accept("(")) {
    static_cast<void>(parser_.type());
    return;
  }
  for (bool is_first = true; !at_.accept(")"); is_first = false) {
    if (!is_first) at_.expect(",");
    static_cast<void>(parser_.type());
    function.result_attributes.push_back(parser_.optional_dictionary());
  }
}

void TextProgram::read_generic_function() {
  Function function;
  at_.expect("()");
  at_.expect("<");
  const Dictionary properties = parser_.dictionary();
  at_.expect(">");
  function.name = text_in(properties, "sym_name");
  function.is_public = text_in(properties, "sym_visibility") != "private";
  if (module_.find(function.name) != nullptr) at_.malformed("two functions of one name");
  function_ = &function;
  scopes_.clear();
  at_.expect("(");
  if (at_.accept("{")) {
    if (!at_.accept("}")) {
      scopes_ = {{}};
      if (at_.accept("^")) {
        static_cast<void>(at_.word());
        if (at_.accept("(")) {
          while (!at_.accept(")")) {
            if (!function.body.arguments.empty()) at_.expect(",");
            const std::string name = at_.name('%');
            at_.expect(":");
            function.body.arguments.push_back(add_value(parser_.type()));
            define(name, function.body.arguments.back());
            static_cast<void>(parser_.optional_location());
          }
        }
        at_.expect(":");
      }
      read_ops(function.body);
    }
  }
  at_.expect(")");
  static_cast<void>(parser_.optional_dictionary());
  at_.expect(":");
  static_cast<void>(parser_.types());
  at_.expect("->");
  static_cast<void>(parser_.types());
  static_cast<void>(parser_.optional_location());
  function_ = nullptr;
  function.argument_attributes =
      dictionaries(properties, "arg_attrs", function.body.arguments.size());
  function.result_attributes = dictionaries(properties, "res_attrs", function.results().size());
  if (!function.is_declaration() && function.body.ops.back().kind != OpKind::return_)
    at_.malformed(fmt::format("the function {} does not return", function.name));
  module_.functions.push_back(std::move(function));
}

// "{ ^bb0(%a: t): ... }"; `given` are arguments that stand in front of it instead.
Region TextProgram::read_region(const std::vector<std::pair<std::string, Type>>& given) {
  const TextParser::Deeper deeper(parser_);
  Region region;
  scopes_.emplace_back();
  at_.expect("{");
  for (const auto& [name, type] : given) {
    region.arguments.push_back(add_value(type));
    define(name, region.arguments.back());
  }
  if (at_.accept("^")) {
    static_cast<void>(at_.word());
    if (at_.accept("(")) {
      while (!at_.accept(")")) {
        if (!region.arguments.empty()) at_.expect(",");
        const std::string name = at_.name('%');
        at_.expect(":");
        region.arguments.push_back(add_value(parser_.type()));
        define(name, region.arguments.back());
        static_cast<void>(parser_.optional_location());
      }
    }
    at_.expect(":");
  }
  read_ops(region);
  if (region.ops.empty() || region.ops.back().kind != OpKind::return_)
    at_.malformed("a region that does not return");
  scopes_.pop_back();
  return region;
}

// Up to the brace that closes the region, which is taken too.
void TextProgram::read_ops(Region& region) {
  while (!at_.accept("}")) {
    if (at_.at_end()) at_.malformed("the end where `}` is wanted");
    if (at_.peek() == '^') at_.malformed("a region of several blocks");
    read_op(region);
  }
}

std::vector<std::pair<std::string, std::size_t>> TextProgram::result_names() {
  std::vector<std::pair<std::string, std::size_t>> names;
  if (at_.peek() != '%') return names;
  do {
    std::string name = at_.name('%');
    const std::int64_t count = at_.accept(":") ? at_.integer() : 1;
    if (count < 1 || count > static_cast<std::int64_t>(results_max))
      at_.malformed(fmt::format("{} results", count));
    names.emplace_back(std::move(name), static_cast<std::size_t>(count));
  } while (at_.accept(","));
  at_.expect("=");
  return names;
}

void TextProgram::read_op(Region& region) {
  const TextParser::Deeper deeper(parser_);
  const auto names = result_names();
  static_cast<void>(at_.peek());
  TextOp op;
  op.offset = at_.offset();
  const bool is_generic = at_.peek() == '"';
  op.name = is_generic ? at_.string() : std::string(at_.word());
  if (op.name.empty()) at_.malformed("no operation where one is wanted");
  if (op.name == "return" || op.name == "call") op.name = "func." + op.name;
  const std::size_t dot = op.name.find('.');
  const std::string kind = dot == std::string::npos ? op.name : op.name.substr(dot + 1);
  const std::string dialect = op.name.substr(0, std::min(dot, op.name.size()));
  if (dialect == "sdy") return add_sdy(region, std::move(op), names);
  if (dialect == "stablehlo" && !op_kind_from_name(kind))
    at_.malformed(fmt::format("the operation {}", op.name));
  for (const auto& [name, count] : names) {
    for (std::size_t i = 0; i < count; ++i) op.reserved.push_back(add_value({}));
  }
  if (is_generic) {
    read_generic(op);
  } else {
    read_pretty(op, kind);
  }
  add_op(region, std::move(op), names);
}

void TextProgram::add_op(Region& region, TextOp op,
                         const std::vector<std::pair<std::string, std::size_t>>& names) {
  if (!op.location) op.location = parser_.optional_location();
  if (op.name == "builtin.unrealized_conversion_cast") {
    name_results(op.operands, names);
    return;
  }
  const std::size_t dot = op.name.find('.');
  const std::string dialect = op.name.substr(0, std::min(dot, op.name.size()));
  const std::string kind = op.name.substr(dot + 1);
  Op made{.operands = std::move(op.operands)};
  if (dialect == "chlo" && op.regions.empty()) {
    made.kind = OpKind::composite;
    op.attributes = {{"composite_attributes", {std::move(op.attributes)}},
                     {"name", {fmt::format("chlo.{}", kind)}}};
  } else {
    const auto known = op_kind_from_name(kind);
    if (!known || (dialect != "stablehlo" && dialect != "func"))
      at_.malformed(fmt::format("the operation {}", op.name));
    made.kind = *known;
  }
  made.attributes = flat_attributes(at_, kind, std::move(op.attributes));
  complete_attributes(made);
  made.location = intern(std::move(op.location), op.offset);
  const std::size_t count = op.result_types.size();
  if (!op.reserved.empty() && op.reserved.size() != count)
    at_.malformed(
        fmt::format("{} results of {} are named, it has {}", op.reserved.size(), op.name, count));
  for (std::size_t i = 0; i < count; ++i) {
    const ValueId value = op.reserved.empty() ? add_value({}) : op.reserved[i];
    function_->types[value] = std::move(op.result_types[i]);
    made.results.push_back(value);
  }
  made.regions = std::move(op.regions);
  name_results(made.results, names);
  region.ops.push_back(std::move(made));
}

ValueId TextProgram::add_value(Type type) { return function_->add_value(std::move(type)); }

void TextProgram::define(const std::string& name, ValueId value) {
  if (scopes_.back().contains(name)) at_.malformed(fmt::format("%{} is defined twice", name));
  scopes_.back()[name].values = {value};
}

void TextProgram::name_results(std::span<const ValueId> values,
                               const std::vector<std::pair<std::string, std::size_t>>& names) {
  std::size_t next = 0;
  for (const auto& [name, count] : names) {
    if (count > values.size() - next) at_.malformed(fmt::format("too few results for %{}", name));
    if (scopes_.back().contains(name)) at_.malformed(fmt::format("%{} is defined twice", name));
    const auto part = values.subspan(next, count);
    scopes_.back()[name].values.assign(part.begin(), part.end());
    next += count;
  }
}

ValueId TextProgram::operand() {
  const std::string name = at_.name('%');
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = scope->find(name);
    if (found == scope->end()) continue;
    const std::vector<ValueId>& values = found->second.values;
    const std::int64_t index = at_.accept("#") ? at_.integer() : 0;
    if (index < 0 || index >= std::ssize(values))
      at_.malformed(fmt::format("%{} has {} parts", name, values.size()));
    return values[static_cast<std::size_t>(index)];
  }
  at_.malformed(fmt::format("%{} is not defined before it is used", name));
}

std::vector<ValueId> TextProgram::operands() {
  std::vector<ValueId> list;
  if (at_.peek() != '%') return list;
  do list.push_back(operand());
  while (at_.accept(","));
  return list;
}

std::vector<ValueId> TextProgram::operands_in_parentheses() {
  at_.expect("(");
  std::vector<ValueId> list = operands();
  at_.expect(")");
  return list;
}

// An operation without a location stands where the text has it.
LocationId TextProgram::intern(std::optional<Location> location, std::size_t offset) {
  if (!location) {
    const TextCursor::Place place = at_.place(offset);
    location =
        Location{.frames = {{.file = at_.file(), .line = place.line, .column = place.column}}};
  }
  if (*location == Location{}) return 0;
  module_.locations.push_back(*std::move(location));
  return static_cast<LocationId>(module_.locations.size() - 1);
}

void TextProgram::check_types(const TextOp& op, const std::vector<Type>& types) {
  if (types.size() != op.operands.size())
    at_.malformed(fmt::format("{} types for the {} operands of {}", types.size(),
                              op.operands.size(), op.name));
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Type& is = function_->type(op.operands[i]);
    if (is == types[i]) continue;
    at_.malformed(fmt::format("operand {} of {} is {}, used as {}", i, op.name, to_string(is),
                              to_string(types[i])));
  }
}

Module read_text(std::string_view text, std::string_view file) {
  Module module = TextProgram(text, file).read();
  verify(module);
  return module;
}

Module read_program(std::span<const std::byte> content, std::string_view file) {
  if (is_artifact(content)) return read_artifact(content);
  return read_text({reinterpret_cast<const char*>(content.data()), content.size()}, file);
}

}  // namespace trainyard::graph

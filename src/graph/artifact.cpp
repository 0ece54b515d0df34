#include "graph/artifact.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "graph/attribute_forms.h"
#include "graph/bytecode_pool.h"
#include "graph/partition.h"
#include "graph/verify.h"
#include "graph/vhlo_schema.h"

namespace trainyard::graph {

namespace {

constexpr int region_depth_max = 64;

enum OpMask : std::uint8_t {
  has_attributes = 0x01,
  has_results = 0x02,
  has_operands = 0x04,
  has_successors = 0x08,
  has_regions = 0x10,
  has_use_lists = 0x20,
  has_properties = 0x40,
};

// An operation as bytecode has it, up to its regions, which follow it.
struct RawOp {
  BytecodeOpName name{};
  std::size_t offset = 0;
  LocationId location = 0;
  Dictionary attributes{};
  std::vector<Type> result_types{};
  std::vector<ValueId> operands{};
  std::size_t first_result = 0;  // its place among the values of the scope
  std::size_t regions = 0;
  bool isolated = false;

  [[nodiscard]] bool is(std::string_view dialect, std::string_view op) const {
    return name.dialect == dialect && name.name == op;
  }
  [[nodiscard]] const Attribute* find(std::string_view wanted) const {
    const auto found = std::ranges::find(attributes, wanted, &NamedAttribute::name);
    return found == attributes.end() ? nullptr : &found->value;
  }
};

// The attributes that bytecode holds as properties, in order.
std::vector<std::string_view> property_names(const Cursor& at, const BytecodeOpName& op) {
  if (op.dialect == "vhlo") {
    if (const auto names = vhlo_attributes(op.name)) return *names;
    at.malformed(fmt::format("the operation vhlo.{}, which is newer than {}.{}.{}", op.name,
                             artifact_version_newest.major, artifact_version_newest.minor,
                             artifact_version_newest.patch));
  }
  if (op.dialect == "sdy") {
    if (op.name == "mesh") return {"mesh", "sym_name"};
    if (op.name == "constant") return {"value"};
    if (op.name == "manual_computation") return {"in_shardings", "manual_axes", "out_shardings"};
    if (op.name == "sharding_constraint" || op.name == "reshard") return {"sharding"};
  }
  if (op.dialect == "chlo" && op.name == "top_k") return {"k"};
  return {};  // the others' say nothing that matters here
}

class ProgramReader {
 public:
  explicit ProgramReader(const Container& container) : container_(container), pool_(container) {}

  Module read() {
    Cursor at = container_.at(container_.program);
    push_values(0);
    const Block block = open_block(at);
    for (std::uint64_t left = block.ops; left > 0; --left) {
      RawOp op = read_op(at);
      if (!op.is("builtin", "module")) at.malformed("no module at the top");
      read_module(at, op);
    }
    at.expect_end("the program");
    return std::move(module_);
  }

 private:
  struct Block {
    std::uint64_t ops = 0;
    std::vector<Type> arguments{};
  };
  struct Scope {
    std::vector<std::optional<ValueId>> values{};
    std::vector<std::pair<std::size_t, std::size_t>> regions{};  // where each began, next to define
  };

  // Values are numbered from the nearest region that sees nothing outside.
  void push_values(std::size_t count) {
    scope_.regions.emplace_back(scope_.values.size(), scope_.values.size());
    scope_.values.resize(scope_.values.size() + count);
  }
  void pop_values() {
    scope_.values.resize(scope_.regions.back().first);
    scope_.regions.pop_back();
  }
  std::size_t next_values(const Cursor& at, std::size_t count) {
    std::size_t& next = scope_.regions.back().second;
    if (count > scope_.values.size() - next) at.malformed("more values than announced");
    return std::exchange(next, next + count);
  }
  void define(std::size_t at, ValueId value) { scope_.values.at(at) = value; }

  void skip_use_lists(Cursor& at, std::size_t values) const {
    const std::size_t lists = values > 1 ? at.count("use lists") : 1;
    for (std::size_t i = 0; i < lists; ++i) {
      if (values > 1) static_cast<void>(at.varint());
      const auto [indices, pairs] = at.flagged();
      if (indices > at.end() - at.offset()) at.malformed("a use list longer than the file");
      for (std::uint64_t left = indices; left > 0; --left) static_cast<void>(at.varint());
    }
  }

  Block open_block(Cursor& at) {
    const auto [ops, has_arguments] = at.flagged();
    if (ops > at.end() - at.offset()) at.malformed("more operations than bytes");
    Block block{.ops = ops};
    if (!has_arguments) return block;
    for (std::size_t left = at.count("arguments"); left > 0; --left) {
      block.arguments.push_back(read_argument(at));
    }
    const bool listed = container_.version >= bytecode_use_lists && at.byte() != 0;
    if (listed) skip_use_lists(at, block.arguments.size());
    return block;
  }

  Type read_argument(Cursor& at) {
    if (container_.version < bytecode_elided_locations) {
      Type type = pool_.type(at);
      static_cast<void>(at.varint());
      return type;
    }
    // The index and a flag share a varint, so the type is looked up by hand.
    const auto [index, has_location] = at.flagged();
    if (has_location) static_cast<void>(at.varint());
    if (index >= container_.types.size()) at.malformed(fmt::format("type {}", index));
    return pool_.type_at(static_cast<std::size_t>(index), at);
  }

  void add_properties(Cursor& at, RawOp& op) {
    const Extent extent =
        container_.properties.at(at.index(container_.properties.size(), "properties"));
    Cursor properties = container_.at(extent);
    if (op.is("builtin", "module")) {  // the only one whose properties may be absent
      if (const auto name = pool_.optional_attribute(properties)) {
        op.attributes.push_back({"sym_name", *name});
      }
      return;
    }
    for (const std::string_view name : property_names(at, op.name)) {
      op.attributes.push_back({std::string(name), pool_.attribute(properties)});
    }
  }

  LocationId read_location(Cursor& at) {
    Cursor copy = at;
    const std::uint64_t index = copy.varint();
    if (const auto found = locations_.find(index); found != locations_.end()) {
      at = copy;
      return found->second;
    }
    Location location = pool_.location(at);
    LocationId id = 0;
    if (location != Location{}) {
      id = static_cast<LocationId>(module_.locations.size());
      module_.locations.push_back(std::move(location));
    }
    locations_.emplace(index, id);
    return id;
  }

  RawOp read_op(Cursor& at) {
    RawOp op{.offset = at.offset()};
    op.name = container_.op_names.at(at.index(container_.op_names.size(), "operation"));
    const std::uint8_t mask = at.byte();
    op.location = read_location(at);
    if ((mask & has_attributes) != 0) {
      const Attribute& all = pool_.attribute(at);
      const auto* const dictionary = std::get_if<Dictionary>(&all.value);
      if (dictionary == nullptr) at.malformed("attributes that are no dictionary");
      op.attributes = *dictionary;
    }
    if ((mask & has_properties) != 0) add_properties(at, op);
    if ((mask & has_results) != 0) op.result_types = pool_.types(at);
    if ((mask & has_operands) != 0) {
      for (std::size_t left = at.count("operands"); left > 0; --left) {
        op.operands.push_back(read_operand(at));
      }
    }
    if ((mask & has_successors) != 0) at.malformed("branches between blocks");
    if ((mask & has_use_lists) != 0) skip_use_lists(at, op.result_types.size());
    op.first_result = next_values(at, op.result_types.size());
    if ((mask & has_regions) != 0) {
      const auto [regions, isolated] = at.flagged();
      if (regions > at.end() - at.offset()) at.malformed("more regions than bytes");
      op.regions = static_cast<std::size_t>(regions);
      op.isolated = isolated;
    }
    return op;
  }

  ValueId read_operand(Cursor& at) {
    const std::size_t index = at.index(scope_.values.size(), "value");
    if (!scope_.values[index].has_value()) at.malformed("a value used before it is defined");
    return *scope_.values[index];
  }

  // Calls body(cursor, block) for the only block of each region of `op`. Regions that see nothing
  // outside number their values from zero, and lie in a section of their own.
  template <typename Body>
  void for_each_region(Cursor& at, const RawOp& op, Body body) {
    if (++depth_ > region_depth_max) at.malformed("regions nested too deeply");
    std::optional<Scope> outer;
    if (op.isolated) outer = std::exchange(scope_, Scope{});
    if (op.isolated && container_.version >= bytecode_lazy_regions) {
      const Cursor::Section section = at.section();
      Cursor inner(container_.bytes, section.begin, section.end);
      for (std::size_t i = 0; i < op.regions; ++i) read_region(inner, body);
      inner.expect_end("the regions");
    } else {
      for (std::size_t i = 0; i < op.regions; ++i) read_region(at, body);
    }
    if (outer.has_value()) scope_ = std::move(*outer);
    --depth_;
  }

  template <typename Body>
  void read_region(Cursor& at, Body body) {
    const std::uint64_t blocks = at.varint();
    if (blocks > 1) at.malformed("a region of several blocks");
    push_values(blocks == 0 ? 0 : at.count("values"));
    body(at, blocks == 0 ? Block{} : open_block(at));
    pop_values();
  }

  void read_module(Cursor& at, RawOp& op) {
    if (const Attribute* const name = op.find("sym_name")) {
      if (const auto* const text = std::get_if<std::string>(&name->value)) module_.name = *text;
    }
    std::erase_if(op.attributes, [](const auto& entry) { return entry.name == "sym_name"; });
    module_.attributes = std::move(op.attributes);
    for_each_region(at, op, [this](Cursor& inner, const Block& block) {
      for (std::uint64_t left = block.ops; left > 0; --left) {
        RawOp member = read_op(inner);
        if (member.is("vhlo", "func_v1")) {
          read_function(inner, member);
        } else if (member.is("sdy", "mesh")) {
          read_mesh(member);
        } else {
          inner.malformed(
              fmt::format("{}.{} outside a function", member.name.dialect, member.name.name));
        }
      }
    });
  }

  void read_mesh(const RawOp& op) {
    const Attribute* const name = op.find("sym_name");
    const Attribute* const mesh = op.find("mesh");
    if (name == nullptr || mesh == nullptr) return;
    if (const auto* const text = std::get_if<std::string>(&name->value)) {
      module_.attributes.push_back({"sdy.mesh." + *text, *mesh});
    }
  }

  static std::vector<Dictionary> dictionaries(const Attribute* attribute, std::size_t count) {
    std::vector<Dictionary> list(count);
    if (attribute == nullptr) return list;
    if (const auto* const all = std::get_if<AttributeList>(&attribute->value)) {
      for (std::size_t i = 0; i < std::min(count, all->size()); ++i) {
        if (const auto* const one = std::get_if<Dictionary>(&all->at(i).value)) list[i] = *one;
      }
    }
    return list;
  }

  void read_function(Cursor& at, const RawOp& op) {
    Function function;
    const auto text = [&](std::string_view name) {
      const Attribute* const found = op.find(name);
      const auto* const value =
          found == nullptr ? nullptr : std::get_if<std::string>(&found->value);
      return value == nullptr ? std::string() : *value;
    };
    function.name = text("sym_name");
    function.is_public = text("sym_visibility") != "private";
    if (module_.find(function.name) != nullptr) at.malformed("two functions of one name");
    if (op.regions != 1) at.malformed("a function without a body");
    function_ = &function;
    for_each_region(at, op, [&](Cursor& inner, const Block& block) {
      function.body = read_body(inner, block);
    });
    function_ = nullptr;
    const bool is_declaration = function.body.arguments.empty() && function.body.ops.empty();
    if (!is_declaration &&
        (function.body.ops.empty() || function.body.ops.back().kind != OpKind::return_)) {
      at.malformed(fmt::format("the function {} does not return", function.name));
    }
    function.argument_attributes =
        dictionaries(op.find("arg_attrs"), function.body.arguments.size());
    function.result_attributes = dictionaries(op.find("res_attrs"), function.results().size());
    module_.functions.push_back(std::move(function));
  }

  Region read_body(Cursor& at, const Block& block) {
    Region region;
    const std::size_t first = next_values(at, block.arguments.size());
    for (std::size_t i = 0; i < block.arguments.size(); ++i) {
      region.arguments.push_back(function_->add_value(block.arguments[i]));
      define(first + i, region.arguments.back());
    }
    for (std::uint64_t left = block.ops; left > 0; --left) add_op(at, region);
    return region;
  }

  // Every operation of a function; those that mean nothing on one device leave nothing behind.
  void add_op(Cursor& at, Region& region) {
    RawOp raw = read_op(at);
    if (raw.is("builtin", "unrealized_conversion_cast")) return pass_operands_on(at, raw);
    if (raw.name.dialect == "sdy") return add_sdy(at, raw, region);
    Op op{.operands = raw.operands, .location = raw.location};
    if (raw.name.dialect == "vhlo") {
      const std::string_view name = without_version(raw.name.name);
      const auto kind = op_kind_from_name(name);
      if (!kind) at.malformed(fmt::format("vhlo.{} inside a function", raw.name.name));
      op.kind = *kind;
    } else if (raw.name.dialect == "chlo" && raw.regions == 0) {
      op.kind = OpKind::composite;
      raw.attributes = {{"composite_attributes", {std::move(raw.attributes)}},
                        {"name", {fmt::format("chlo.{}", raw.name.name)}}};
    } else {
      at.malformed(fmt::format("the operation {}.{}; StableHLO, CHLO and Shardy are known",
                               raw.name.dialect, raw.name.name));
    }
    for (NamedAttribute& attribute : raw.attributes) {
      Attribute value = flat_attribute(attribute.name, std::move(attribute.value));
      const bool absent = std::holds_alternative<std::monostate>(value.value);
      if (!absent) op.attributes.push_back({std::move(attribute.name), std::move(value)});
    }
    complete_attributes(op);
    for (std::size_t i = 0; i < raw.result_types.size(); ++i) {
      op.results.push_back(function_->add_value(raw.result_types[i]));
      define(raw.first_result + i, op.results.back());
    }
    for_each_region(at, raw, [&](Cursor& inner, const Block& block) {
      Region body = read_body(inner, block);
      if (body.ops.empty() || body.ops.back().kind != OpKind::return_) {
        inner.malformed("a region that does not return");
      }
      op.regions.push_back(std::move(body));
    });
    region.ops.push_back(std::move(op));
  }

  void pass_operands_on(Cursor& at, const RawOp& raw) {
    if (raw.operands.size() != raw.result_types.size() || raw.regions != 0) {
      at.malformed(fmt::format("{}.{} that is no identity", raw.name.dialect, raw.name.name));
    }
    for (std::size_t i = 0; i < raw.operands.size(); ++i) {
      check_same(at, raw.operands[i], raw.result_types[i], raw);
      define(raw.first_result + i, raw.operands[i]);
    }
  }

  void check_same(const Cursor& at, ValueId value, const Type& type, const RawOp& raw) const {
    if (function_->type(value) == type) return;
    at.malformed(fmt::format("{}.{} from {} to {}: a program for several devices", raw.name.dialect,
                             raw.name.name, to_string(function_->type(value)), to_string(type)));
  }

  void add_sdy(Cursor& at, RawOp& raw, Region& region) {
    if (raw.name.name == "return") {
      region.ops.push_back({.operands = raw.operands, .location = raw.location});
    } else if (raw.name.name == "constant") {
      add_constant(at, raw, region);
    } else if (partitions(module_) > 1 &&
               (raw.name.name == "manual_computation" || raw.name.name == "sharding_constraint" ||
                raw.name.name == "reshard")) {
      add_division(at, raw, region);
    } else if (raw.regions > 0) {
      add_computation(at, raw, region);
    } else if (!raw.result_types.empty()) {
      pass_operands_on(at, raw);
    }
  }

  void add_constant(const Cursor& at, RawOp& raw, Region& region) {
    if (raw.result_types.size() != 1) at.malformed("sdy.constant of several results");
    const ValueId result = function_->add_value(raw.result_types[0]);
    define(raw.first_result, result);
    region.ops.push_back({.kind = OpKind::constant,
                          .results = {result},
                          .attributes = std::move(raw.attributes),
                          .location = raw.location});
  }

  // A constraint or a manual computation of a program for several devices: an operation for
  // partition().
  void add_division(Cursor& at, RawOp& raw, Region& region) {
    Op op{.kind = OpKind::custom_call, .operands = raw.operands, .location = raw.location};
    const bool is_manual = raw.regions > 0;
    op.attributes = {
        {"call_target_name", {std::string(is_manual ? manual_computation : sharding_constraint)}}};
    std::ranges::move(raw.attributes, std::back_inserter(op.attributes));
    complete_attributes(op);
    if (!is_manual && raw.result_types.size() != 1) at.malformed("a constraint of several values");
    for (std::size_t i = 0; i < raw.result_types.size(); ++i) {
      op.results.push_back(function_->add_value(raw.result_types[i]));
      define(raw.first_result + i, op.results.back());
    }
    for_each_region(at, raw, [&](Cursor& inner, const Block& block) {
      op.regions.push_back(read_body(inner, block));
      if (op.regions.back().ops.empty() || op.regions.back().ops.back().kind != OpKind::return_)
        inner.malformed("a computation that does not return");
      if (op.regions.back().arguments.size() != op.operands.size())
        inner.malformed("arguments that differ");
    });
    region.ops.push_back(std::move(op));
  }

  // sdy.manual_computation and sdy.named_computation: the body in place.
  void add_computation(Cursor& at, const RawOp& raw, Region& region) {
    std::vector<ValueId> results;
    for_each_region(at, raw, [&](Cursor& inner, const Block& block) {
      if (block.arguments.size() != raw.operands.size()) inner.malformed("arguments that differ");
      const std::size_t first = next_values(inner, block.arguments.size());
      for (std::size_t i = 0; i < block.arguments.size(); ++i) {
        check_same(inner, raw.operands[i], block.arguments[i], raw);
        define(first + i, raw.operands[i]);
      }
      const std::size_t before = region.ops.size();
      for (std::uint64_t left = block.ops; left > 0; --left) add_op(inner, region);
      if (region.ops.size() == before || region.ops.back().kind != OpKind::return_) {
        inner.malformed("a computation that does not return");
      }
      results = region.ops.back().operands;
      region.ops.pop_back();
    });
    if (results.size() != raw.result_types.size()) at.malformed("results that differ");
    for (std::size_t i = 0; i < results.size(); ++i) {
      check_same(at, results[i], raw.result_types[i], raw);
      define(raw.first_result + i, results[i]);
    }
  }

  const Container& container_;
  BytecodePool pool_;
  Module module_;
  Function* function_ = nullptr;
  Scope scope_;
  std::map<std::uint64_t, LocationId> locations_;
  int depth_ = 0;
};

}  // namespace

bool is_artifact(std::span<const std::byte> bytes) {
  constexpr std::string_view magic = "ML\xEFR";
  return bytes.size() >= magic.size() &&
         std::string_view(reinterpret_cast<const char*>(bytes.data()), magic.size()) == magic;
}

Module read_artifact(std::span<const std::byte> bytes) {
  const Container container = read_container(bytes);
  Module module = ProgramReader(container).read();
  verify(module);
  return module;
}

}  // namespace trainyard::graph

// Do four devices that have parts of the arguments compute what one computes of the whole, and
// exchange what they exchanged before? Each program of tests/programs/stablehlo is divided in a few
// ways; divided_programs.txt tells what becomes of it. TRAINYARD_WRITE_COSTS=1 writes it anew.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <sstream>

#include "../graph/program_file.h"
#include "base/error.h"
#include "base/file.h"
#include "graph/evaluate.h"
#include "graph/partition.h"
#include "graph/reads.h"
#include "graph/text.h"
#include "graph/values.h"
#include "plan/execute.h"
#include "plan/plan.h"

namespace trainyard::plan {
namespace {

using graph::Literal;
using graph::Module;
using graph::ProgramFile;
using graph::Sharding;
using graph::Type;

constexpr std::int64_t devices = 4;  // a mesh of 2 x 2
constexpr std::int64_t elements_max = 1 << 13;
constexpr std::int64_t sorted_max = 256;  // whose evaluation calls a region for each two

// --- How programs are divided ---

// The axes of each dimension, where they divide it: for a value and its place among its kind.
using Way = std::vector<std::vector<std::string>> (*)(const Type& type, std::size_t place);

bool divides(const Type& type, std::size_t dim, std::int64_t parts) {
  return dim < type.shape.size() && type.shape[dim] % parts == 0 && type.shape[dim] > 0;
}

// Rows along one axis, columns along the other.
std::vector<std::vector<std::string>> both(const Type& type, std::size_t) {
  if (type.shape.size() == 1 && divides(type, 0, 4)) return {{"a", "b"}};
  std::vector<std::vector<std::string>> dims(type.shape.size());
  if (!dims.empty() && divides(type, dims.size() - 1, 2)) dims.back() = {"b"};
  if (dims.size() > 1 && divides(type, 0, 2)) dims[0] = {"a"};
  return dims;
}
// Columns of one value along the axis that rows of the next lie along.
std::vector<std::vector<std::string>> contested(const Type& type, std::size_t place) {
  std::vector<std::vector<std::string>> dims(type.shape.size());
  const std::size_t dim = place % 2 == 0 && !dims.empty() ? dims.size() - 1 : 0;
  if (divides(type, dim, 2)) dims[dim] = {"a"};
  return dims;
}

constexpr std::array<std::pair<std::string_view, Way>, 2> ways{
    {{"both", both}, {"contested", contested}}};

std::string sharding_text(const std::vector<std::vector<std::string>>& dims) {
  std::string text;
  for (const std::vector<std::string>& axes : dims) {
    std::vector<std::string> quoted;
    for (const std::string& axis : axes) quoted.push_back('"' + axis + '"');
    text += fmt::format("{}{{{}}}", text.empty() ? "" : ", ", fmt::join(quoted, ", "));
  }
  return fmt::format("#sdy.sharding<@mesh, [{}]>", text);
}

// Nothing where the way divides no argument, and of programs with collectives of their own.
std::optional<Module> divided(Module module, Way way) {
  const auto is_collective = [](const graph::Op& op) {
    return graph::is(op.kind, graph::Trait::collective);
  };
  if (graph::has_op(module.entry().body, is_collective)) return std::nullopt;
  const auto axis = [](const char* name) {
    return graph::Attribute{graph::AttributeList{{std::string(name)}, {std::int64_t{2}}}};
  };
  module.attributes.push_back(
      {"sdy.mesh.mesh",
       {graph::Dictionary{{"axes", {graph::AttributeList{axis("a"), axis("b")}}}}}});
  module.attributes.push_back({std::string(graph::partitions_attribute), {devices}});
  graph::Function& main = *std::ranges::find(module.functions, "main", &graph::Function::name);
  main.argument_attributes.resize(main.body.arguments.size());
  bool is_divided = false;
  for (std::size_t i = 0; i < main.body.arguments.size(); ++i) {
    const auto dims = way(main.type(main.body.arguments[i]), i);
    is_divided |= std::ranges::any_of(dims, [](const auto& axes) { return !axes.empty(); });
    main.argument_attributes[i].push_back({"sdy.sharding", {sharding_text(dims)}});
  }
  if (!is_divided) return std::nullopt;
  return module;
}

// --- Parts of values ---

// Calls action(offset in the whole, offset in the part) for each element that a device has.
template <typename Action>
void for_each_element(const Type& whole, const Sharding& sharding, std::size_t device,
                      Action action) {
  const Type part = graph::part_of(whole, sharding);
  std::vector<std::int64_t> first(whole.shape.size());
  for (std::size_t dim = 0; dim < first.size() && sharding.mesh != nullptr; ++dim)
    first[dim] =
        part.shape[dim] * graph::places_along(*sharding.mesh, sharding.axes(dim)).at(device);
  for (std::int64_t at = 0; at < part.elements(); ++at) {
    std::int64_t left = at, offset = 0, step = 1;
    for (std::size_t dim = first.size(); dim-- > 0;) {
      offset += (first[dim] + left % part.shape[dim]) * step;
      left /= part.shape[dim];
      step *= whole.shape[dim];
    }
    action(static_cast<std::size_t>(offset), static_cast<std::size_t>(at));
  }
}

Shared cut(const Literal& whole, const Sharding& sharding, std::size_t device) {
  Literal part{.type = graph::part_of(whole.type, sharding)};
  const std::vector<std::byte> all = whole.expanded();
  const auto size = static_cast<std::size_t>(graph::size_in_bytes(whole.type.element));
  part.content.resize(size * static_cast<std::size_t>(part.type.elements()));
  for_each_element(whole.type, sharding, device, [&](std::size_t from, std::size_t to) {
    std::memcpy(&part.content[to * size], &all[from * size], size);
  });
  return std::make_shared<const Literal>(std::move(part));
}

// The whole of what devices have; where several have an element, the last one's.
Literal join(const Type& type, const Sharding& sharding,
             const std::vector<std::vector<Shared>>& results, std::size_t result) {
  Literal whole{.type = type};
  const auto size = static_cast<std::size_t>(graph::size_in_bytes(type.element));
  whole.content.resize(size * static_cast<std::size_t>(type.elements()));
  for (std::size_t device = 0; device < results.size(); ++device) {
    const std::vector<std::byte> part = results[device].at(result)->expanded();
    for_each_element(type, sharding, device, [&](std::size_t to, std::size_t from) {
      std::memcpy(&whole.content[to * size], &part.at(from * size), size);
    });
  }
  return whole;
}

// --- What becomes of a program ---

using Exchanges = std::map<std::string, std::pair<int, std::int64_t>>;  // how many, bytes

void add_exchanges(const graph::Function& function, const graph::Region& region, Exchanges& all) {
  for (const graph::Op& op : region.ops) {
    const std::string name(graph::name(op.kind));
    if (name.starts_with("all_") || name == "reduce_scatter" || name == "collective_permute") {
      auto& [count, bytes] = all[name];
      ++count;
      for (const graph::ValueId result : op.results) bytes += function.type(result).bytes();
    }
    for (const graph::Region& inner : op.regions) add_exchanges(function, inner, all);
  }
}

std::string describe(const graph::Partitioned& parts) {
  Exchanges all;
  std::size_t ops = 0;
  for (const graph::Function& function : parts.module.functions) {
    add_exchanges(function, function.body, all);
    ops += function.body.ops.size();
  }
  std::string text = fmt::format("{} operations", ops);
  for (const auto& [name, exchange] : all)
    text += fmt::format(", {} {} of {}", exchange.first, name, exchange.second);
  if (!parts.computed_whole.empty()) text += fmt::format(", {} whole", parts.computed_whole.size());
  for (const Sharding& sharding : parts.results) {
    text += ';';
    for (std::size_t dim = 0; sharding.mesh != nullptr && dim < sharding.dims.size(); ++dim)
      text += fmt::format("{}[{}]", dim == 0 ? " " : "", fmt::join(sharding.axes(dim), " "));
  }
  return text;
}

void expect_same_values(const Module& module, const graph::Partitioned& parts,
                        const std::vector<Literal>& inputs, const std::vector<Literal>& wanted,
                        double tolerance) {
  std::vector<std::vector<Shared>> given(devices);
  for (std::size_t device = 0; device < given.size(); ++device)
    for (std::size_t i = 0; i < inputs.size(); ++i)
      given[device].push_back(cut(inputs[i], parts.arguments.at(i), device));
  const auto results = evaluate(make_plan(parts.module, devices), given);
  const graph::Function& main = module.entry();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Literal found = join(main.type(main.results()[i]), parts.results.at(i), results, i);
    EXPECT_EQ(graph::differs(found, wanted[i], tolerance), "") << "output " << i;
  }
}

// --- The recorded ones ---

const std::filesystem::path recorded_path =
    std::filesystem::path(TRAINYARD_SOURCE_DIR) / "tests/plan/divided_programs.txt";

std::map<std::string, std::string> read_recorded() {
  std::map<std::string, std::string> all;
  if (!std::filesystem::exists(recorded_path)) return all;
  std::istringstream stream(base::read_file(recorded_path));
  for (std::string line; std::getline(stream, line);) {
    const std::size_t colon = line.find(": ");
    all[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return all;
}

bool is_small(const Module& module) {
  const bool sorts = std::ranges::any_of(module.functions, [](const graph::Function& function) {
    return std::ranges::find(function.body.ops, graph::OpKind::sort, &graph::Op::kind) !=
           function.body.ops.end();
  });
  return std::ranges::all_of(module.entry().types, [&](const Type& type) {
    return type.kind == Type::Kind::tensor &&
           type.elements() <= (sorts ? sorted_max : elements_max);
  });
}

void divide(const std::string& name, std::map<std::string, std::string>& found) {
  const ProgramFile file = graph::read_program_file(name);
  const Module module = graph::read_text(file.text, name);
  if (!is_small(module)) return;
  const std::vector<Literal> inputs = graph::inputs_of(module, file);
  const std::vector<Literal> wanted = graph::evaluate(module, inputs);
  for (const auto& [way_name, way] : ways) {
    const std::string label = fmt::format("{} {}", name, way_name);
    SCOPED_TRACE(label);
    const std::optional<Module> whole = divided(module, way);
    if (!whole) continue;
    try {
      const graph::Partitioned parts = graph::partition(*whole);
      found[label] = describe(parts);
      expect_same_values(module, parts, inputs, wanted, std::max(file.tolerance, 1e-6));
    } catch (const base::InputError& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

class DividedPrograms : public testing::TestWithParam<std::string> {};

std::string family_of(const std::string& name) { return name.substr(0, name.find('_')); }

TEST_P(DividedPrograms, ComputeAndExchangeWhatTheyDid) {
  std::map<std::string, std::string> found, wanted;
  for (const std::string& name : graph::program_names())
    if (family_of(name) == GetParam()) divide(name, found);
  std::map<std::string, std::string> all = read_recorded();
  for (const auto& [label, text] : all)
    if (family_of(label) == GetParam()) wanted[label] = text;
  if (std::getenv("TRAINYARD_WRITE_COSTS") == nullptr) {
    EXPECT_EQ(found, wanted);
    return;
  }
  for (const auto& [label, text] : wanted) all.erase(label);
  all.merge(found);
  std::string lines;
  for (const auto& [label, text] : all) lines += fmt::format("{}: {}\n", label, text);
  base::write_file(recorded_path, lines);
}

std::vector<std::string> families() {
  std::vector<std::string> all;
  for (const std::string& name : graph::program_names())
    if (all.empty() || all.back() != family_of(name)) all.push_back(family_of(name));
  return all;
}

INSTANTIATE_TEST_SUITE_P(Programs, DividedPrograms, testing::ValuesIn(families()),
                         [](const auto& each) { return each.param; });

// --- What the author divides inside of a program ---

struct Constrained {
  std::string_view label, meshes, arguments, body, exchanges;
};

// PARTS is 4, and 1 for the same on one device, where constraints say nothing.
Module read_constrained(const Constrained& each, std::int64_t parts) {
  return graph::read_text(
      fmt::format("module attributes {{mhlo.num_partitions = {} : i32}} {{\n"
                  "{}\nfunc.func @main({}) -> (tensor<8x12xf32>) {{\n{}\n"
                  "return %r : tensor<8x12xf32>\n}}\n}}",
                  parts, each.meshes, each.arguments, each.body));
}

constexpr std::string_view square = R"(sdy.mesh @m = <["a"=2, "b"=2]>)";
constexpr std::string_view line = R"(sdy.mesh @m = <["a"=4]>)";
constexpr std::string_view x_and_w = "%x: tensor<8x16xf32>, %w: tensor<16x12xf32>";
constexpr std::string_view multiplied =
    "%p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : "
    "(tensor<8x16xf32>, tensor<16x12xf32>) -> tensor<8x12xf32>\n";

std::vector<Constrained> all_constrained() {
  static std::vector<std::string> bodies;  // that views below are of
  bodies.reserve(8);
  const auto behind = [&](std::string_view rest) -> std::string_view {
    return bodies.emplace_back(std::string(multiplied) + std::string(rest));
  };
  constexpr std::string_view depth_divided =
      R"(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"a"}]>}, )"
      R"(%w: tensor<16x12xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>})";
  return {
      {"rows, then columns", square, x_and_w,
       behind(R"(%q = sdy.sharding_constraint %p <@m, [{"a"}, {}]> : tensor<8x12xf32>
                 %s = stablehlo.tanh %q : tensor<8x12xf32>
                 %r = sdy.sharding_constraint %s <@m, [{}, {"a"}]> : tensor<8x12xf32>)"),
       "10 operations, 1 all_to_all of 192; [][0]"},
      {"both axes on rows, then one of them on columns", square, x_and_w,
       behind(R"(%q = sdy.sharding_constraint %p <@m, [{"a", "b"}, {}]> : tensor<8x12xf32>
                 %s = stablehlo.tanh %q : tensor<8x12xf32>
                 %r = sdy.sharding_constraint %s <@m, [{"a"}, {"b"}]> : tensor<8x12xf32>)"),
       "10 operations, 1 all_to_all of 96; [0][1]"},
      {"parts of an axis", line, x_and_w,
       behind(R"(%q = sdy.sharding_constraint %p <@m, [{"a":(1)2}, {"a":(2)2}]> : tensor<8x12xf32>
                 %s = stablehlo.tanh %q : tensor<8x12xf32>
                 %r = sdy.sharding_constraint %s <@m, [{"a":(2)2}, {}]> : tensor<8x12xf32>)"),
       "22 operations, 3 all_gather of 960; [][]"},
      {"devices in another order", R"(sdy.mesh @m = <["a"=4], device_ids=[2, 0, 3, 1]>)", x_and_w,
       behind(R"(%q = sdy.sharding_constraint %p <@m, [{"a"}, {}]> : tensor<8x12xf32>
                 %s = stablehlo.tanh %q : tensor<8x12xf32>
                 %r = sdy.sharding_constraint %s <@m, [{}, {"a"}]> : tensor<8x12xf32>)"),
       "10 operations, 1 all_to_all of 96; [][0 1]"},
      {"sums that end in parts", line, depth_divided,
       behind(R"(%r = sdy.sharding_constraint %p <@m, [{"a"}, {}]> : tensor<8x12xf32>)"),
       "3 operations, 1 reduce_scatter of 96; [0 1][]"},
      {"sums that end whole", line, depth_divided,
       behind(R"(%r = sdy.sharding_constraint %p <@m, [{}, {}]> : tensor<8x12xf32>)"),
       "3 operations, 1 all_reduce of 384; [][]"},
  };
}

TEST(DividedPrograms, FollowConstraints) {
  const auto draw = [](const Type& type) {
    Literal literal{.type = type};
    for (std::int64_t i = 0; i < type.elements(); ++i) {
      const auto number = static_cast<float>(i * 37 % 101 - 50) / 64;
      const auto bytes = std::as_bytes(std::span(&number, 1));
      literal.content.insert(literal.content.end(), bytes.begin(), bytes.end());
    }
    return literal;
  };
  for (const Constrained& each : all_constrained()) {
    SCOPED_TRACE(each.label);
    const Module module = read_constrained(each, devices), alone = read_constrained(each, 1);
    std::vector<Literal> inputs;
    for (const graph::ValueId argument : alone.entry().body.arguments)
      inputs.push_back(draw(alone.entry().type(argument)));
    const graph::Partitioned parts = graph::partition(module);
    expect_same_values(module, parts, inputs, graph::evaluate(alone, inputs), 1e-6);
    EXPECT_EQ(describe(parts), each.exchanges);
  }
}

// Of each half of the rows, the sum with the other half's.
TEST(DividedPrograms, ComputeByHandWhatIsManual) {
  const Module module = graph::read_text(R"(
    module attributes {mhlo.num_partitions = 4 : i32} {
      sdy.mesh @m = <["a"=2, "b"=2]>
      func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>) {
        %0 = sdy.manual_computation(%x) in_shardings=[<@m, [{"a"}]>] out_shardings=[<@m, [{"a"}]>]
            manual_axes={"a", "b"} (%half: tensor<2xf32>) {
          %1 = "stablehlo.all_reduce"(%half) ({
            ^bb0(%p: tensor<f32>, %q: tensor<f32>):
              %z = stablehlo.add %p, %q : tensor<f32>
              stablehlo.return %z : tensor<f32>
          }) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
              replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>,
              use_global_device_ids} : (tensor<2xf32>) -> tensor<2xf32>
          sdy.return %1 : tensor<2xf32>
        } : (tensor<4xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
    })");
  const std::array<float, 4> given{1, 2, 10, 20}, wanted{11, 22, 11, 22};
  const auto literal = [](const std::array<float, 4>& numbers) {
    const auto bytes = std::as_bytes(std::span(numbers));
    return Literal{.type = {.element = graph::ElementType::f32, .shape = {4}},
                   .content = {bytes.begin(), bytes.end()}};
  };
  expect_same_values(module, graph::partition(module), {literal(given)}, {literal(wanted)}, 0);
}

}  // namespace
}  // namespace trainyard::plan

// Tensor programs for Python: read, print, look at. Arrays go in and out as bytes with their types
// as text; trainyard.graph makes NumPy arrays of them.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <map>
#include <span>
#include <string>

#include "base/error.h"
#include "binding/bindings.h"
#include "graph/evaluate.h"
#include "graph/print.h"
#include "graph/text.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

std::span<const std::byte> view(const nb::bytes& bytes) {
  return {static_cast<const std::byte*>(bytes.data()), bytes.size()};
}

std::vector<std::string> types_of(const graph::Function& function,
                                  std::span<const graph::ValueId> values) {
  std::vector<std::string> types;
  for (const graph::ValueId value : values) types.push_back(to_string(function.type(value)));
  return types;
}

void count_ops(const graph::Region& region, std::map<std::string, int>& counts) {
  for (const graph::Op& op : region.ops) {
    ++counts[std::string(name(op.kind))];
    for (const graph::Region& inner : op.regions) count_ops(inner, counts);
  }
}

nb::dict op_counts(const graph::Module& module) {
  std::map<std::string, int> counts;
  for (const graph::Function& function : module.functions) count_ops(function.body, counts);
  nb::dict all;
  for (const auto& [name, count] : counts) all[name.c_str()] = count;
  return all;
}

nb::list functions(const graph::Module& module) {
  nb::list list;
  for (const graph::Function& function : module.functions) {
    nb::dict entry;
    entry["name"] = function.name;
    entry["public"] = function.is_public;
    entry["inputs"] = types_of(function, function.body.arguments);
    entry["outputs"] = types_of(function, function.results());
    list.append(entry);
  }
  return list;
}

// What a scope or a source line says of each operation of a function, in order.
std::vector<std::string> places(const graph::Module& module, const std::string& name) {
  std::vector<std::string> list;
  const graph::Function* const function = module.find(name);
  if (function == nullptr) return list;
  for (const graph::Op& op : function->body.ops) list.push_back(module.describe(op.location));
  return list;
}

// Arguments and results of main are bytes, row-major and little endian.
std::vector<nb::bytes> evaluate(const graph::Module& module, const std::vector<nb::bytes>& inputs) {
  const graph::Function& main = module.entry();
  const auto& arguments = main.body.arguments;
  if (inputs.size() != arguments.size()) {
    throw base::InputError({"graph.input", "main gets as many inputs as it takes", module.name,
                            std::to_string(inputs.size()) + " inputs",
                            "pass one array for each argument"});
  }
  std::vector<graph::Literal> literals;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const graph::Type& type = main.type(arguments[i]);
    const std::span<const std::byte> content = view(inputs[i]);
    const bool fits = type.kind == graph::Type::Kind::tensor && type.is_static() &&
                      static_cast<std::size_t>(type.bytes()) == content.size();
    if (!fits) {
      throw base::InputError({"graph.input", "an input has the bytes of its type", module.name,
                              std::to_string(content.size()) + " bytes for " + to_string(type),
                              "pass an array of that type"});
    }
    literals.push_back({type, {content.begin(), content.end()}});
  }
  std::vector<graph::Literal> outputs;
  {
    const nb::gil_scoped_release without_the_lock;
    outputs = graph::evaluate(module, literals);
  }
  std::vector<nb::bytes> bytes;
  for (const graph::Literal& output : outputs) {
    bytes.emplace_back(output.content.data(), output.content.size());
  }
  return bytes;
}

}  // namespace

void bind_graph(nb::module_& module) {
  nb::class_<graph::Module>(module, "GraphModule", "A tensor program.")
      .def_ro("name", &graph::Module::name)
      .def("functions", &functions, "Name, visibility and types of each function.")
      .def("op_counts", &op_counts, "How many operations of each name there are, in all regions.")
      .def("places", &places, nb::arg("function"),
           "The source location of each operation of a function.")
      .def("evaluate", &evaluate, nb::arg("inputs"),
           "The results of main as bytes, computed by the golden evaluator.")
      .def(
          "text",
          [](const graph::Module& self, std::int64_t elements_max, bool locations) {
            return graph::print(self, {.elements_max = elements_max, .locations = locations});
          },
          nb::arg("elements_max") = 0, nb::arg("locations") = false,
          "The generic form of MLIR; constants of more than elements_max elements are cut short.");
  module.def(
      "graph_read",
      [](const nb::bytes& bytes, const std::string& file) {
        return graph::read_program(view(bytes), file);
      },
      nb::arg("content"), nb::arg("file") = "text",
      "The program of a StableHLO portable artifact, or of its text.");
}

}  // namespace trainyard::binding

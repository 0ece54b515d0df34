// Chakra execution traces as dictionaries.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <string_view>

#include "binding/bindings.h"
#include "trace/execution_trace.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

// Names come from other programs: what is no UTF-8 is replaced.
nb::object text_of(std::string_view bytes) {
  return nb::steal(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}

nb::object value_of(const trace::AttributeValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return text_of(*text);
  return std::visit([](const auto& v) { return nb::cast(v); }, value);
}

nb::dict dict_of(const trace::Attributes& attributes) {
  nb::dict result;
  for (const auto& [key, value] : attributes) result[text_of(key)] = value_of(value);
  return result;
}

nb::dict dict_of(const trace::ExecutionNode& node) {
  nb::dict result;
  result["id"] = node.id;
  result["name"] = text_of(node.name);
  result["type"] = text_of(trace::name(node.type));
  result["control"] = node.control;
  result["data"] = node.data;
  result["us"] = node.microseconds;
  result["input_values"] = text_of(node.input_values);
  result["input_shapes"] = text_of(node.input_shapes);
  result["input_types"] = text_of(node.input_types);
  result["output_shapes"] = text_of(node.output_shapes);
  result["output_types"] = text_of(node.output_types);
  result["attributes"] = dict_of(node.attributes);
  return result;
}

nb::dict read(const nb::bytes& bytes, const std::string& place) {
  const trace::ExecutionTrace trace =
      trace::read_execution_trace({bytes.c_str(), bytes.size()}, place);
  nb::list nodes;
  for (const trace::ExecutionNode& node : trace.nodes) nodes.append(dict_of(node));
  nb::dict result;
  result["version"] = text_of(trace.version);
  result["metadata"] = dict_of(trace.metadata);
  result["nodes"] = nodes;
  return result;
}

}  // namespace

void bind_execution_trace(nb::module_& module) {
  module.def("read_execution_trace", &read, nb::arg("bytes"), nb::arg("place"),
             "A Chakra execution trace (.et): its version, metadata and nodes, each with id, name, "
             "type, control and data (ids of what comes before), us (as recorded), shapes, types "
             "and attributes. Raises InputError \"trace.chakra\".");
}

}  // namespace trainyard::binding

// Arrays in the memory of simulated devices, for Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "binding/bindings.h"
#include "binding/model_array.h"
#include "runtime/device.h"
#include "session/pages.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

std::span<const std::byte> bytes_of(const HostBytes& content) {
  return {reinterpret_cast<const std::byte*>(content.data()), content.size()};
}

}  // namespace

Input input_of(const graph::Type& type, const HostBytes& content) {
  graph::Literal literal{.type = type};
  const std::span<const std::byte> bytes = bytes_of(content);
  literal.content.assign(bytes.begin(), bytes.end());
  if (static_cast<std::int64_t>(literal.content.size()) != type.bytes()) {
    throw base::InputError({"model.input", "an input has the size of its type",
                            graph::to_string(type), std::to_string(content.size()) + " bytes",
                            "pass an array of the argument's shape and type"});
  }
  return {std::make_shared<const session::Array>(std::move(literal))};
}

nb::bytes content_of(const session::Array& array) {
  const std::int64_t size = array.type().bytes();
  PyObject* const made = PyBytes_FromStringAndSize(nullptr, size);
  if (made == nullptr) throw nb::python_error();
  const nb::bytes content = nb::steal<nb::bytes>(made);
  auto* const to = reinterpret_cast<std::byte*>(PyBytes_AS_STRING(made));
  array.read({to, static_cast<std::size_t>(size)}, 0);
  return content;
}

namespace {

bool holds(const Input& input, const HostBytes& content) {
  return input.array->holds(bytes_of(content));
}

// A type by its name in StableHLO ("f32").
graph::Type type_of(const std::string& element, std::vector<std::int64_t> shape) {
  const auto type = graph::element_type_from_name(element);
  if (!type) {
    throw base::InputError({"model.input", "a tensor has an element type of StableHLO", element,
                            element, "write it as StableHLO does: f32, bf16, i64, ui8, i1"});
  }
  return {.element = *type, .shape = std::move(shape)};
}

// For any program that has an argument of the type.
Input input_of_type(const std::string& element, std::vector<std::int64_t> shape,
                    const HostBytes& content) {
  return input_of(type_of(element, std::move(shape)), content);
}

Input zeros_of_type(const std::string& element, std::vector<std::int64_t> shape) {
  return {session::zeros(type_of(element, std::move(shape)))};
}

nb::bytes read_pages(const Input& input, runtime::Devices& devices, std::size_t axis,
                     const std::vector<std::int64_t>& pages) {
  const session::Pages all(*input.array, axis, *devices.device(0)->memory());
  const std::vector<std::byte> content = all.read(pages);
  return nb::bytes(content.data(), content.size());
}

void write_pages(const Input& input, runtime::Devices& devices, std::size_t axis,
                 const std::vector<std::int64_t>& pages, const HostBytes& content) {
  session::Pages(*input.array, axis, *devices.device(0)->memory()).write(pages, bytes_of(content));
}

}  // namespace

void bind_arrays(nb::module_& module) {
  nb::class_<Input>(module, "ModelInput", "An input tensor of a Model.")
      .def("holds", &holds, nb::arg("content"), "Whether its bytes are those.")
      .def(
          "content", [](const Input& self) { return content_of(*self.array); },
          "Its elements as bytes.")
      .def("read_pages", &read_pages, nb::arg("devices"), nb::arg("axis"), nb::arg("pages"),
           "Bytes of some indices of a dimension: all that is before it, these, and what is behind "
           "it. Raises InputError \"model.pages\".")
      .def("write_pages", &write_pages, nb::arg("devices"), nb::arg("axis"), nb::arg("pages"),
           nb::arg("content"), "Changes them in place: nobody else has the array.")
      .def_prop_ro(
          "is_gone", [](const Input& self) { return self.array->is_gone(); },
          "Whether a program was given its memory.")
      .def_prop_ro(
          "address", [](const Input& self) { return self.array->address(); },
          "Of its first byte in the device's HBM; None while it lies on the host.")
      .def_prop_ro(
          "bytes", [](const Input& self) { return self.array->type().bytes(); },
          "How many it has in HBM.");
  nb::class_<runtime::Devices>(module, "Devices",
                               "The simulated devices of a machine, with the memory in which the "
                               "inputs and results of their programs lie.",
                               nb::is_weak_referenceable())
      .def(nb::init<machine::Machine>(), nb::arg("machine"))
      .def_prop_ro(
          "bytes_in_use",
          [](runtime::Devices& self) { return self.device(0)->memory()->bytes_in_use(); },
          "Of HBM, of what lies there and of what programs keep there while they run.");
  module.def("model_zeros", &zeros_of_type, nb::arg("element"), nb::arg("shape"),
             "A tensor of zeros, of which the host has no copy.");
  module.def("model_input", &input_of_type, nb::arg("element"), nb::arg("shape"),
             nb::arg("content"), "A tensor of a type by its name in StableHLO, for any Model.");
}

}  // namespace trainyard::binding

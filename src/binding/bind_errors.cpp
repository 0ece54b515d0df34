// The core's errors as Python exceptions: InputError is a ValueError, Fault a RuntimeError. Both
// carry the broken rules as data beside the text. Our own bugs arrive as RuntimeError (nanobind's
// translation of std::logic_error).
#include <nanobind/stl/string.h>

#include "base/error.h"
#include "base/no_room.h"
#include "binding/bindings.h"
#include "binding/sides.h"
#include "checks/labels.h"

namespace trainyard::binding {
namespace {

namespace nb = nanobind;

// Errors quote what users gave, which need not be UTF-8.
nb::object text(std::string_view value) {
  return nb::steal(PyUnicode_DecodeUTF8(value.data(), static_cast<Py_ssize_t>(value.size()),
                                        "backslashreplace"));
}

using Part = std::string base::Violation::*;
template <Part part>
nb::object text_of(const base::Violation& violation) {
  return text(violation.*part);
}

// Every rule has a fix, whether who reports it has written one or not.
std::vector<base::Violation> with_fixes(std::vector<base::Violation> violations) {
  for (base::Violation& violation : violations) {
    if (violation.fix.empty()) violation.fix = checks::usual_fix(violation.label);
  }
  return violations;
}

nb::tuple list_of(const std::vector<base::Violation>& violations) {
  nb::list list;
  for (const base::Violation& violation : violations) list.append(nb::cast(violation));
  return nb::tuple(list);
}

// Sets `type` as the pending Python error with `what` as its text and `attributes` as its
// attributes.
void raise(nb::handle type, const char* what, nb::dict attributes) {
  nb::object error = type(text(what));
  for (const auto& [key, value] : attributes) nb::setattr(error, key, value);
  PyErr_SetObject(type.ptr(), error.ptr());
}

// The payload is the tuple (InputError, Fault), kept alive by the module.
void translate(const std::exception_ptr& pointer, void* payload) {
  const auto types = nb::borrow<nb::tuple>(static_cast<PyObject*>(payload));
  try {
    std::rethrow_exception(pointer);
  } catch (const base::InputError& error) {
    const base::InputError fixed(with_fixes(error.violations()));
    nb::dict attributes;
    attributes["violations"] = list_of(fixed.violations());
    if (const auto* const none = dynamic_cast<const base::NoRoom*>(&error))
      attributes["memory"] = text(base::name(none->memory()));
    raise(types[0], fixed.what(), attributes);
  } catch (const base::Fault& fault) {
    const base::Fault fixed(fault.category(), with_fixes({fault.violation()}).front());
    nb::dict attributes;
    attributes["category"] = text(base::name(fixed.category()));
    attributes["violations"] = list_of({fixed.violation()});
    raise(types[1], fixed.what(), attributes);
  }
}

nb::object new_exception(nb::module_& module, const char* name, PyObject* parent, const char* doc) {
  const std::string full = std::string("trainyard.") + name;
  nb::object type = nb::steal(PyErr_NewExceptionWithDoc(full.c_str(), doc, parent, nullptr));
  if (!type.is_valid()) throw nb::python_error();
  module.attr(name) = type;
  return type;
}

}  // namespace

nb::list list_of_sides(const std::vector<base::Side>& sides) {
  nb::list list;
  for (const base::Side& side : sides) {
    nb::dict entry;
    entry["role"] = text(side.role);
    entry["actor"] = text(side.actor);
    entry["what"] = text(side.what);
    entry["place"] = text(side.place);
    entry["time_ns"] = side.time ? nb::cast(base::to_nanoseconds(*side.time)) : nb::none();
    entry["run"] = side.run == 0 ? nb::none() : nb::cast(side.run);
    list.append(entry);
  }
  return list;
}

void bind_errors(nb::module_& module) {
  nb::class_<base::Violation>(module, "Violation", "One broken rule, in words a user can act on.")
      .def_prop_ro("label", &text_of<&base::Violation::label>, "The rule's name: nc_matmul.c3")
      .def_prop_ro("rule", &text_of<&base::Violation::rule>, "What must hold")
      .def_prop_ro("place", &text_of<&base::Violation::place>, "file:line of the user's source")
      .def_prop_ro("found", &text_of<&base::Violation::found>, "What was there instead")
      .def_prop_ro("fix", &text_of<&base::Violation::fix>, "What to do about it")
      .def_prop_ro(
          "sides", [](const base::Violation& violation) { return list_of_sides(violation.sides); },
          "Who is involved: dictionaries with role, actor, what, place, time_ns and run")
      .def("__str__",
           [](const base::Violation& violation) { return text(base::describe(violation)); });
  const nb::object input_error =
      new_exception(module, "InputError", PyExc_ValueError,
                    "A machine file, kernel, program or argument is wrong. Attributes: violations, "
                    "a tuple of Violation, every broken rule that was found; memory, where it is "
                    "that there is no room at once, 'on_chip', 'hbm' or 'host', else None.");
  input_error.attr("memory") = nb::none();
  const nb::object fault =
      new_exception(module, "Fault", PyExc_RuntimeError,
                    "A running program broke the machine's contract. Attributes: category, a "
                    "string such as 'race', and violations, a tuple of one Violation.");
  nb::tuple types = nb::make_tuple(input_error, fault);
  module.attr("_exception_types") = types;
  nb::register_exception_translator(translate, types.ptr());
}

}  // namespace trainyard::binding

#include "binding/local_variable.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

// A frame lists variables, then cells that are no arguments, then free variables.
std::size_t place_of(nb::handle code, nb::handle name) {
  nb::list all;
  for (const char* const part : {"co_varnames", "co_cellvars", "co_freevars"}) {
    for (const nb::handle each : code.attr(part))
      if (PySequence_Contains(all.ptr(), each.ptr()) == 0) all.append(each);
  }
  return nb::cast<std::size_t>(all.attr("index")(name));
}

}  // namespace

LocalVariable::LocalVariable(nb::handle code, nb::handle name)
    : name_(nb::borrow(name)), place_(place_of(code, name)) {}

}  // namespace trainyard::binding

#include "binding/local_variable.h"

#include <frameobject.h>

// Python 3.12 and later read one variable of a frame. Before, the interface makes a dictionary of
// all of them, which took a twentieth of the time of tracing a kernel; the frame's own list has it.
#if PY_VERSION_HEX < 0x030C0000
#define Py_BUILD_CORE 1
#include <internal/pycore_frame.h>
#undef Py_BUILD_CORE
#endif

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

nb::object LocalVariable::value(PyFrameObject* frame) const {
#if PY_VERSION_HEX < 0x030C0000
  PyObject* const held = frame->f_frame->localsplus[place_];
  if (held != nullptr && PyCell_Check(held)) return nb::steal(PyCell_Get(held));
  return nb::borrow(held);
#else
  nb::object value = nb::steal(PyFrame_GetVar(frame, name_.ptr()));
  PyErr_Clear();
  return value;
#endif
}

}  // namespace trainyard::binding

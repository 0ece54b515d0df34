#include "binding/python_frame.h"

#include <frameobject.h>

#if !TRAINYARD_FRAME_OBJECTS
#define Py_BUILD_CORE 1
#include <internal/pycore_frame.h>
#undef Py_BUILD_CORE
#endif

namespace trainyard::binding {

namespace nb = nanobind;

#if TRAINYARD_FRAME_OBJECTS

PythonFrame PythonFrame::current() {
  PythonFrame innermost;
  innermost.frame_ = nb::borrow(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
  return innermost;
}

PythonFrame::operator bool() const { return frame_.is_valid(); }

PythonFrame PythonFrame::caller() const {
  PythonFrame outer;
  outer.frame_ = nb::steal(reinterpret_cast<PyObject*>(PyFrame_GetBack(object())));
  return outer;
}

// The frame holds it.
PyCodeObject* PythonFrame::code() const {
  PyCodeObject* const code = PyFrame_GetCode(object());
  Py_DECREF(code);
  return code;
}

int PythonFrame::instruction() const { return PyFrame_GetLasti(object()); }

int PythonFrame::line() const { return PyFrame_GetLineNumber(object()); }

nb::object PythonFrame::local(std::size_t, nb::handle name) const {
  nb::object value = nb::steal(PyFrame_GetVar(object(), name.ptr()));
  PyErr_Clear();
  return value;
}

#else

namespace {

// A frame that has not begun yet is left out, as PyFrame_GetBack does.
_PyInterpreterFrame* begun(_PyInterpreterFrame* frame) {
  while (frame != nullptr && _PyFrame_IsIncomplete(frame)) frame = frame->previous;
  return frame;
}

}  // namespace

PythonFrame PythonFrame::current() {
  PythonFrame innermost;
  innermost.frame_ = begun(PyThreadState_Get()->cframe->current_frame);
  return innermost;
}

PythonFrame::operator bool() const { return frame_ != nullptr; }

PythonFrame PythonFrame::caller() const {
  PythonFrame outer;
  outer.frame_ = begun(frame_->previous);
  return outer;
}

PyCodeObject* PythonFrame::code() const { return frame_->f_code; }

int PythonFrame::instruction() const {
  return _PyInterpreterFrame_LASTI(frame_) * static_cast<int>(sizeof(_Py_CODEUNIT));
}

int PythonFrame::line() const { return PyCode_Addr2Line(code(), instruction()); }

nb::object PythonFrame::local(std::size_t place, nb::handle) const {
  PyObject* const held = frame_->localsplus[place];
  if (held != nullptr && PyCell_Check(held)) return nb::steal(PyCell_Get(held));
  return nb::borrow(held);
}

#endif

}  // namespace trainyard::binding

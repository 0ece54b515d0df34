// A Python function that is running, and who called it. Valid until it goes on.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>

// Python 3.12 and later tell of a frame by functions for frame objects. Before, making those of
// every call took a thirtieth of the time of tracing a kernel, and one variable of them a
// dictionary of all; the interpreter's own frames have the same.
#define TRAINYARD_FRAME_OBJECTS (PY_VERSION_HEX >= 0x030C0000)

struct _PyInterpreterFrame;

namespace trainyard::binding {

class PythonFrame {
 public:
  // The innermost one.
  [[nodiscard]] static PythonFrame current();
  // False where there is none.
  [[nodiscard]] explicit operator bool() const;

  [[nodiscard]] PythonFrame caller() const;
  [[nodiscard]] PyCodeObject* code() const;
  // The byte of its code where it stands, and the line of that.
  [[nodiscard]] int instruction() const;
  [[nodiscard]] int line() const;
  // The value of a local variable, of that name, at that place among all of the code; an invalid
  // object while it has none.
  [[nodiscard]] nanobind::object local(std::size_t place, nanobind::handle name) const;

 private:
#if TRAINYARD_FRAME_OBJECTS
  nanobind::object frame_;
  [[nodiscard]] PyFrameObject* object() const {
    return reinterpret_cast<PyFrameObject*>(frame_.ptr());
  }
#else
  _PyInterpreterFrame* frame_ = nullptr;
#endif
};

}  // namespace trainyard::binding

// A local variable of a Python function, read from one of its frames.
#pragma once

#include <nanobind/nanobind.h>

#include "binding/python_frame.h"

namespace trainyard::binding {

class LocalVariable {
 public:
  // `name` is a variable, cell or free variable of `code`.
  LocalVariable(nanobind::handle code, nanobind::handle name);
  // Its value now; an invalid object while it has none. The frame is one of the code's.
  [[nodiscard]] nanobind::object value(const PythonFrame& frame) const {
    return frame.local(place_, name_);
  }

 private:
  nanobind::object name_;
  std::size_t place_ = 0;  // among the frame's variables
};

}  // namespace trainyard::binding

// Puts the author's source line into the errors that tracing throws.
#pragma once

#include <string>

#include "base/error.h"
#include "binding/tracer.h"

namespace trainyard::binding {

// Where the author's function is now: "file.py:12 in kernel, k=3" and its callers.
[[nodiscard]] inline std::string place_now(TraceState& trace) {
  trace.stand_here();
  return trace.program().describe_location(trace.builder.location());
}

// Runs f and puts the author's source line into any error it throws, and the tensor it is about.
template <typename F>
auto placed(TraceState& trace, F&& f, isa::TensorId tensor = isa::no_tensor) {
  try {
    return f();
  } catch (const base::InputError& error) {
    trace.stand_here();
    throw base::InputError(trace.builder.placed(error.violations(), tensor));
  }
}

// The dtype of nki.language called `name`. Throws InputError "dtype.name".
[[nodiscard]] numerics::DType dtype_called(const std::string& name);

}  // namespace trainyard::binding

// Puts the author's source line into the errors that tracing throws.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "binding/tracer.h"
#include "isa/validate.h"

namespace trainyard::binding {

// Where the author's function is now: "file.py:12 in kernel, k=3" and its callers.
[[nodiscard]] inline std::string place_now(TraceState& trace) {
  return trace.program.describe_location(trace.sources.capture(trace.program));
}

// Runs f and puts the author's source line into any error it throws, and the tensor it is about.
template <typename F>
auto placed(TraceState& trace, F&& f, isa::TensorId tensor = isa::no_tensor) {
  try {
    return f();
  } catch (const base::InputError& error) {
    std::vector<base::Violation> violations = error.violations();
    const std::string place = place_now(trace);
    for (base::Violation& violation : violations) {
      if (violation.place.empty()) violation.place = place;
      if (tensor == isa::no_tensor || !violation.sides.empty()) continue;
      const base::Side created = isa::created(trace.program, tensor);
      violation.sides = {{.role = "views", .what = created.what, .place = place}, created};
    }
    throw base::InputError(std::move(violations));
  }
}

// The dtype of nki.language called `name`. Throws InputError "dtype.name".
[[nodiscard]] numerics::DType dtype_called(const std::string& name);

}  // namespace trainyard::binding

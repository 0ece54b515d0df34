// The extension module trainyard._core: an explicit list of what is bound, and nothing else.
#include "binding/bindings.h"

NB_MODULE(_core, module) {
  using namespace trainyard::binding;
  module.doc() = "The C++ core of Trainyard; use it through the packages trainyard and nki.";
  // Compiled models in globals of a user's script live as long as the interpreter.
  nanobind::set_leak_warnings(false);
  module.attr("__version__") = TRAINYARD_VERSION;
  bind_dtypes(module);
  bind_errors(module);
  bind_checks(module);
  bind_machine(module);
  bind_execution_trace(module);
  bind_fabric(module);
  bind_numerics(module);
  bind_graph(module);
  bind_planner(module);
  bind_schema(module);
  bind_serving(module);
  bind_tensor(module);
  bind_program(module);
  bind_trace(module);
  bind_session(module);
  bind_arrays(module);
  bind_model(module);
  bind_compiler(module);
  bind_jax(module);
}

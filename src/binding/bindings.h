// One function per bound folder; module.cpp calls them in this order. Each lives in its own file,
// bind_<folder>.cpp, and adds names to the extension trainyard._core. No behaviour lives here.
#pragma once

#include <nanobind/nanobind.h>

namespace trainyard::binding {

void bind_checks(nanobind::module_& module);
void bind_compiler(nanobind::module_& module);
void bind_dtypes(nanobind::module_& module);
void bind_errors(nanobind::module_& module);
void bind_execution_trace(nanobind::module_& module);
void bind_fabric(nanobind::module_& module);
void bind_graph(nanobind::module_& module);
void bind_jax(nanobind::module_& module);
void bind_machine(nanobind::module_& module);
void bind_arrays(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_numerics(nanobind::module_& module);
void bind_planner(nanobind::module_& module);
void bind_schema(nanobind::module_& module);
void bind_replica(nanobind::module_& module);
void bind_serving(nanobind::module_& module);
void bind_session(nanobind::module_& module);
void bind_tensor(nanobind::module_& module);
void bind_program(nanobind::module_& module);
void bind_trace(nanobind::module_& module);

// What a notebook shows of a program or a machine: trainyard.notebook says it.
[[nodiscard]] inline nanobind::object html_of(nanobind::handle value) {
  return nanobind::module_::import_("trainyard.notebook").attr("of_core")(value);
}

}  // namespace trainyard::binding

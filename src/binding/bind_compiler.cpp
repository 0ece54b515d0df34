// What the compiler says of itself, without a program.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/build_id.h"
#include "binding/bindings.h"
#include "compiler/lowering/legality.h"
#include "compiler/lowering/lower.h"
#include "compiler/lowering/module_passes.h"
#include "compiler/program_passes.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

// All passes in order: of what (module, program), name, what it does.
std::vector<nb::tuple> all_passes() {
  std::vector<nb::tuple> all;
  const auto add = [&](const char* of, std::string_view name, std::string_view summary) {
    all.push_back(nb::make_tuple(of, std::string(name), std::string(summary)));
  };
  for (const auto list : {compiler::meaning_passes(), compiler::machine_passes()})
    for (const compiler::ModulePass& pass : list) add("module", pass.name, pass.summary);
  add("module", compiler::lower_pass, compiler::lower_summary);
  for (const compiler::ProgramPass& pass : compiler::program_passes())
    add("program", pass.name, pass.summary);
  return all;
}

// Of each operation, by the name of each element type, what becomes of it.
nb::dict legality() {
  nb::dict all;
  for (int kind = 0; kind < graph::op_kind_count; ++kind) {
    const auto op = static_cast<graph::OpKind>(kind);
    if (op == graph::OpKind::return_) continue;
    nb::dict types;
    for (int element = 0; element < graph::element_type_count; ++element) {
      const auto type = static_cast<graph::ElementType>(element);
      types[std::string(graph::name(type)).c_str()] =
          std::string(compiler::name(compiler::becomes(op, type)));
    }
    all[std::string(graph::name(op)).c_str()] = types;
  }
  return all;
}

}  // namespace

void bind_compiler(nb::module_& module) {
  module.def("build_id", &base::build_id,
             "Tells builds of the core apart, for what a build keeps outside of its process; empty "
             "where it was linked without an identifier.");
  module.def("compiler_passes", &all_passes,
             "The compiler's passes in order: of a module or a program, name, what it does.");
  module.def("compiler_legality", &legality,
             "Of each operation and element type, what becomes of it when it is lowered.");
}

}  // namespace trainyard::binding

// Machine descriptions: load, override, look up where a number comes from.
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "binding/bindings.h"
#include "machine/machine.h"
#include "machine/runtime_rounding.h"
#include "machine/schema.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

nb::list provenance(const machine::Machine& machine) {
  nb::list list;
  for (const machine::Figure& figure : machine.provenance()) {
    nb::dict entry;
    entry["key"] = figure.key;
    entry["value"] = figure.value;
    entry["unit"] = figure.unit;
    entry["kind"] = std::string(machine::name(figure.kind));
    entry["source"] = figure.source;
    entry["effect"] = std::string(machine::name(machine::find_field(figure.key)->effect));
    list.append(entry);
  }
  return list;
}

}  // namespace

void bind_machine(nb::module_& module) {
  nb::class_<machine::Machine>(module, "Machine", "A machine description; see machines/*.toml.")
      .def(
          "__repr__",
          [](const machine::Machine& m) { return fmt::format("Machine({}: {})", m.name, m.title); })
      .def("_repr_html_", &html_of)
      .def("__reduce__",
           [](nb::handle m) {
             return nb::tuple(nb::module_::import_("trainyard.saved").attr("reduce_machine")(m));
           })
      .def_ro("name", &machine::Machine::name)
      .def_ro("title", &machine::Machine::title)
      .def_prop_ro("hash", &machine::Machine::hash)
      .def_prop_ro(
          "overrides", [](const machine::Machine& m) { return machine::overrides_of(m); },
          "the figures that differ from its file, as key=value")
      .def_prop_ro(
          "generation",
          [](const machine::Machine& m) { return 2 + static_cast<int>(m.core.generation); },
          "NeuronCore version: 2, 3 or 4")
      .def_prop_ro("sbuf_bytes_per_partition",
                   [](const machine::Machine& m) { return m.core.sbuf.usable().value; })
      .def_prop_ro("sbuf_partition_size",
                   [](const machine::Machine& m) { return m.core.sbuf.partition_size.value; })
      .def_prop_ro("psum_bank_bytes",
                   [](const machine::Machine& m) { return m.core.psum.bank_size.value; })
      .def_prop_ro("psum_banks", [](const machine::Machine& m) { return m.core.psum.banks; })
      .def_prop_ro("psum_banks_dma_transpose",
                   [](const machine::Machine& m) { return m.core.psum.banks_dma_transpose; })
      .def_prop_ro(
          "cores", [](const machine::Machine& m) { return m.chip.cores; }, "of a chip")
      .def_prop_ro(
          "is_switched", [](const machine::Machine& m) { return m.fabric.is_switched(); },
          "whether a NeuronSwitch joins the chips")
      .def_prop_ro("partitions", [](const machine::Machine& m) { return m.core.sbuf.partitions; })
      .def_prop_ro("stationary_free_max",
                   [](const machine::Machine& m) { return m.core.array.stationary_free_max; })
      .def_prop_ro("simulator_operators",
                   [](const machine::Machine& m) { return m.core.features.simulator_operators; })
      .def_prop_ro("bn_stats_elements_max",
                   [](const machine::Machine& m) { return m.core.access.bn_stats_elements_max; })
      .def_prop_ro("psum_alignment",
                   [](const machine::Machine& m) { return m.core.psum.alignment.value; })
      .def_prop_ro("sbuf_alignment",
                   [](const machine::Machine& m) { return m.core.sbuf.alignment.value; })
      .def_prop_ro("tensor_ticks_per_cycle",
                   [](const machine::Machine& m) { return m.core.tensor.clock.ticks_per_cycle; })
      .def("explain", &machine::Machine::explain, nb::arg("key"))
      .def("with_overrides",
           [](const machine::Machine& m, const std::vector<std::string>& settings) {
             return machine::apply_overrides(m, settings);
           })
      .def("provenance", &provenance, "Every number with its unit, kind, source and effect.");
  module.def("rounding_overrides", &machine::rounding_overrides, nb::arg("enable").none(),
             nb::arg("seed").none(), "Settings by what the runtime's variables hold.");
  module.attr("ROUNDING_VARIABLE") = machine::rounding_variable;
  module.attr("ROUNDING_SEED_VARIABLE") = machine::rounding_seed_variable;
  module.def("load_machine", &machine::load, nb::arg("name_or_path"),
             "The machine called `name_or_path`: a path ending in .toml, or a known name.");
  module.def("machines", &machine::available, "The names that load_machine finds.");
}

}  // namespace trainyard::binding

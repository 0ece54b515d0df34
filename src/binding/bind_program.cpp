// Programs as a Python class: what they hold, to look at.
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <set>
#include <string>

#include "binding/bindings.h"
#include "isa/core/instruction_set.h"
#include "isa/core/program.h"
#include "isa/forms/text.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

// f(tensor) for every tile of HBM or the chip that an instruction writes.
template <typename F>
void for_each_written(const isa::Program& program, F&& f) {
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access how) {
      if (isa::writes(how)) f(tile.tensor);
    });
  }
}

std::vector<std::size_t> written_of(const isa::Program& program,
                                    const std::vector<isa::TensorId>& tensors) {
  std::vector<bool> is_written(program.tensors.size(), false);
  for_each_written(program, [&](isa::TensorId written) { is_written[written] = true; });
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (is_written.at(tensors[i])) places.push_back(i);
  return places;
}

nb::list list_of(const std::set<std::string>& names) {
  nb::list list;
  for (const std::string& name : names) list.append(name);
  return list;
}

nb::list stored_tensors(const isa::Program& program) {
  std::set<std::string> names;
  for_each_written(program, [&](isa::TensorId written) {
    const isa::Tensor& tensor = program.tensors[written];
    if (tensor.space == isa::Space::hbm) names.insert(tensor.name);
  });
  return list_of(names);
}

nb::list source_files(const isa::Program& program) {
  std::set<std::string> files;
  for (const isa::Frame& frame : program.frames) files.insert(program.strings[frame.file]);
  files.erase("");
  return list_of(files);
}

bool meets(const isa::Program& program) {
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i)
    if (program.info_at(i).meeting != nullptr) return true;
  return false;
}

std::string operation(const isa::Program& program, std::uint32_t i) {
  const isa::Location& where = program.locations.at(program.instructions.at(i).location);
  return program.strings.at(program.frames.at(where.frame).function);
}

// Bytes that instruction i reads from HBM, and writes to it.
std::pair<std::int64_t, std::int64_t> hbm_bytes(const isa::Program& program, std::uint32_t i) {
  std::pair<std::int64_t, std::int64_t> bytes;
  program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access access) {
    if (tile.space != isa::Space::hbm) return;
    (access == isa::Access::read ? bytes.first : bytes.second) += tile.bytes();
  });
  return bytes;
}

std::string program_text(const isa::Program& program) {
  std::string lines = isa::disassemble(program);
  if (lines.ends_with('\n')) lines.pop_back();
  return lines;
}

}  // namespace

void bind_program(nb::module_& module) {
  nb::class_<isa::Program>(module, "Program", "A program for one NeuronCore.")
      .def("__repr__",
           [](const isa::Program& p) {
             return fmt::format("Program({}, {} instructions, {})", p.name, p.instructions.size(),
                                p.compiled ? "compiled" : "not compiled");
           })
      .def("_repr_html_", &html_of)
      .def_ro("name", &isa::Program::name)
      .def_ro("compiled", &isa::Program::compiled)
      .def("__len__", [](const isa::Program& p) { return p.instructions.size(); })
      .def("__str__", &program_text)
      .def("meets", &meets, "Whether any instruction waits for another core.")
      .def("written_of", &written_of, "ids"_a,
           "The places in a list of tensors' ids of those that any instruction writes.")
      .def("stored", &stored_tensors, "The names of the HBM tensors that instructions write.")
      .def("source_files", &source_files, "The files that instructions come from.")
      .def("place", &isa::Program::place, "Where instruction i comes from in the author's source.")
      .def("location",
           [](const isa::Program& p, std::uint32_t i) { return p.instructions.at(i).location; })
      .def("operation", &operation, "The model's operation that instruction i belongs to.")
      .def("hbm_bytes", &hbm_bytes, "Bytes that instruction i reads from HBM, and writes to it.")
      .def("mnemonic", [](const isa::Program& p, std::uint32_t i) {
        return std::string(p.info_at(i).mnemonic);
      });
}

}  // namespace trainyard::binding

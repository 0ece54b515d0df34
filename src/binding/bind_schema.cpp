// The instruction set as data for Python: names, operands, engines, rules; and the forms of
// programs.
#include <nanobind/stl/string.h>

#include "binding/bindings.h"
#include "isa/core/instruction_set.h"
#include "isa/core/operand_types.h"
#include "isa/core/program.h"
#include "isa/forms/binary.h"
#include "isa/forms/text.h"
#include "isa/rules/reference_page.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

nb::dict operand_schema(const isa::OperandInfo& operand) {
  nb::dict entry;
  entry["name"] = nb::str(operand.name.data(), operand.name.size());
  entry["doc"] = nb::str(operand.doc.data(), operand.doc.size());
  entry["default"] = nb::str(operand.default_value.data(), operand.default_value.size());
  entry["type"] = static_cast<int>(operand.type.index());
  entry["access"] = static_cast<int>(operand.access);
  isa::visit_type(operand.type, [&]<typename T>(T*) {
    if constexpr (isa::HasNames<T>) {
      nb::list names;
      for (const std::string_view name : isa::EnumRecord<T>::names)
        names.append(nb::str(name.data(), name.size()));
      const std::string_view word = isa::EnumRecord<T>::word;
      entry["enumeration"] = nb::make_tuple(nb::str(word.data(), word.size()), names);
    }
  });
  return entry;
}

// The default of its `engine` parameter in Python; None: it has no such parameter.
nb::object default_engine(const isa::InstructionInfo& info) {
  isa::Engine engine = isa::Engine::any;
  if (info.engine_parameter == isa::EngineParameter::preset) engine = info.engine;
  const bool is_open =
      info.engine_parameter == isa::EngineParameter::where_several && info.engines.size() > 1;
  if (engine == isa::Engine::any) return is_open ? nb::object(nb::str("unknown")) : nb::none();
  return nb::str(std::string(isa::name(engine)).c_str());
}

nb::list schema() {
  nb::list list;
  for (isa::Opcode opcode = 0; opcode < isa::opcode_count; ++opcode) {
    const isa::InstructionInfo& info = isa::info(opcode);
    nb::dict entry;
    entry["opcode"] = opcode;
    entry["mnemonic"] = nb::str(info.mnemonic.data(), info.mnemonic.size());
    entry["summary"] = nb::str(info.summary.data(), info.summary.size());
    entry["source"] = nb::str(info.source.text.data(), info.source.text.size());
    entry["interface"] = static_cast<int>(info.interface);
    entry["earlier"] =
        nb::make_tuple(std::string(info.earlier.parameter), std::string(info.earlier.call));
    entry["engine"] = default_engine(info);
    nb::list engines, operands, constraints;
    nb::dict fixes;
    for (int e = 0; e < isa::engine_count; ++e) {
      if (info.engines.contains(static_cast<isa::Engine>(e)))
        engines.append(std::string(isa::name(static_cast<isa::Engine>(e))));
    }
    for (const isa::OperandInfo& operand : info.operands) operands.append(operand_schema(operand));
    const auto add_rule = [&](const isa::ConstraintInfo& c) {
      constraints.append(nb::make_tuple(std::string(c.label), std::string(c.rule)));
      fixes[nb::str(c.label.data(), c.label.size())] = std::string(c.fix);
    };
    for (const isa::ConstraintInfo& c : info.constraints) add_rule(c);
    if (info.nameable != nullptr) add_rule(info.naming);
    entry["engines"] = engines;
    entry["operands"] = operands;
    entry["constraints"] = constraints;
    entry["fixes"] = fixes;
    list.append(entry);
  }
  return list;
}

// A program in either of its exact forms.
isa::Program program_of(nb::bytes content, const std::string& place) {
  const std::string_view bytes(content.c_str(), content.size());
  return isa::is_binary(bytes) ? isa::from_binary(bytes, place) : isa::parse_text(bytes, place);
}

nb::bytes to_bytes(const isa::Program& program) {
  const std::string bytes = isa::to_binary(program);
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void bind_schema(nb::module_& module) {
  module.def("instruction_schema", &schema,
             "Every instruction with its operands, engines and rules.");
  module.def("reference_markdown", &isa::reference_markdown, "The page docs/reference/isa.md.");
  module.def("program_bytes", &to_bytes, "The binary form of a program; docs/formats/program.md.");
  module.def("read_program", &program_of, nb::arg("content"), nb::arg("place"),
             "The program of such bytes; `place` is what errors call them.");
  module.def(
      "disassemble",
      [](nb::bytes content, const std::string& place, bool exact) {
        const isa::Program program = program_of(content, place);
        return exact ? isa::to_text(program) : isa::disassemble(program);
      },
      nb::arg("content"), nb::arg("place"), nb::arg("exact") = false,
      "A program file as text: in words, or as the exact text form, which can be read again.");
}

}  // namespace trainyard::binding

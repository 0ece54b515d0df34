#include "binding/tracer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.h"
#include "checks/registry.h"
#include "isa/instructions/loop_begin.h"
#include "isa/validate.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

using isa::OperandInfo;
using isa::OperandType;

template <typename Enum>
std::optional<int> value_of(std::string_view wanted, int count) {
  for (int i = 0; i < count; ++i) {
    if (isa::name(static_cast<Enum>(i)) == wanted) return i;
  }
  return std::nullopt;
}

std::optional<int> member_value(const std::string& kind, const std::string& name) {
  if (kind == "reduce_cmd") return value_of<isa::ReduceCmd>(name, 5);
  if (kind == "dge_mode") return value_of<isa::DgeMode>(name, 4);
  if (kind == "oob_mode") return value_of<isa::OobMode>(name, 2);
  if (kind == "matmul_perf_mode") return value_of<isa::MatmulPerfMode>(name, 2);
  if (kind == "loop_kind") return value_of<isa::LoopKind>(name, 2);
  if (kind == "dma_engine") return value_of<isa::DmaPath>(name, 2);
  if (kind == "engine") {
    if (name == "unknown" || name == "dma") return static_cast<int>(isa::Engine::any);
    return value_of<isa::Engine>(name, isa::engine_count);
  }
  return std::nullopt;
}

std::string class_of(nb::handle value) { return Py_TYPE(value.ptr())->tp_name; }

// A value in a line: functions by their names, and of long texts, such as those of arrays, the
// beginning.
std::string in_words(nb::handle value) {
  if (PyFunction_Check(value.ptr()))
    return fmt::format("{}.{}", nb::str(value.attr("__module__")).c_str(),
                       nb::str(value.attr("__qualname__")).c_str());
  constexpr std::size_t most = 80;
  std::string text = nb::repr(value).c_str();
  const std::size_t end = std::min(text.find('\n'), most);
  if (end < text.size()) text = text.substr(0, end) + " ...";
  return fmt::format("{} {}", class_of(value), text);
}

[[noreturn]] void wrong_type(const OperandInfo& operand, std::string_view expected,
                             nb::handle value) {
  throw base::InputError({"argument.type",
                          fmt::format("argument '{}' is {}", operand.name, expected),
                          {},
                          in_words(value),
                          std::string(operand.doc)});
}

// What an author writes for a member of the vocabulary.
std::string written(std::string_view kind) {
  if (kind == "alu") return "an operator of nki.language, such as nl.add";
  if (kind == "activation") return "an activation function of nki.language, such as nl.exp";
  return fmt::format("a member of nki.isa.{}", kind);
}

bool is_number(PyObject* value) {
  return PyFloat_Check(value) || PyLong_Check(value) || PyNumber_Check(value);
}

double number(const OperandInfo& operand, nb::handle value) {
  if (PyFloat_Check(value.ptr())) return PyFloat_AS_DOUBLE(value.ptr());
  if (!is_number(value.ptr())) wrong_type(operand, "a number", value);
  const double result = PyFloat_AsDouble(value.ptr());
  if (result == -1.0 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    wrong_type(operand, "a number", value);
  }
  return result;
}

std::int64_t integer(const OperandInfo& operand, nb::handle value) {
  const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) {
    PyErr_Clear();
    wrong_type(operand, "an integer", value);
  }
  const long long result = PyLong_AsLongLong(index.ptr());
  if (result == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    wrong_type(operand, "an integer of at most 64 bits", value);
  }
  return result;
}

std::int32_t int32(const OperandInfo& operand, nb::handle value) {
  const std::int64_t wide = integer(operand, value);
  if (wide != static_cast<std::int32_t>(wide))
    wrong_type(operand, "an integer of at most 32 bits", value);
  return static_cast<std::int32_t>(wide);
}

int meaning(const TraceState& trace, const OperandInfo& operand, const char* kind,
            nb::handle value) {
  if (const int* found = trace.vocabulary->find(value.ptr(), kind)) return *found;
  if (const int* found = trace.vocabulary->find_value(value.ptr(), kind)) return *found;
  wrong_type(operand, written(kind), value);
}

isa::Tile tile_of(const TraceState& trace, const Tensor& tensor) {
  if (tensor.trace.get() != &trace) refuse_ended();
  check_scope(trace, tensor.view.tensor);
  return isa::tile_of(tensor.view);
}

isa::Tile tile(const TraceState& trace, const OperandInfo& operand, nb::handle value) {
  if (const Tensor* tensor = as_tensor(value)) return tile_of(trace, *tensor);
  wrong_type(operand, "a tensor; arrays are passed to the kernel as arguments", value);
}

isa::Scalar scalar(const TraceState& trace, const OperandInfo& operand, nb::handle value) {
  if (const Tensor* tensor = as_tensor(value)) return {0, tile_of(trace, *tensor)};
  return {number(operand, value), {}};
}

template <typename List, typename F>
List list(const OperandInfo& operand, nb::handle value, F&& convert) {
  List result;
  if (PyNumber_Check(value.ptr()) && !PySequence_Check(value.ptr())) {
    result.push_back(convert(value));
    return result;
  }
  if (!PySequence_Check(value.ptr())) wrong_type(operand, "a sequence", value);
  if (nb::len(value) > result.items.size()) {
    wrong_type(operand, fmt::format("a sequence of at most {} items", result.items.size()), value);
  }
  for (const nb::handle item : value) result.push_back(convert(item));
  return result;
}

isa::Dim dim(const OperandInfo& operand, nb::handle value) {
  if (!PySequence_Check(value.ptr()) || nb::len(value) != 2)
    wrong_type(operand, "a list of [step, count] pairs", value);
  return {int32(operand, nb::object(value[0])), int32(operand, nb::object(value[1]))};
}

isa::Register register_(const OperandInfo& operand, nb::handle value) {
  const RegisterHandle* handle = as_register(value);
  if (handle == nullptr) wrong_type(operand, "a register", value);
  return handle->reg();
}

isa::RegisterOrInt register_or_int(const OperandInfo& operand, nb::handle value) {
  if (const RegisterHandle* handle = as_register(value)) return {0, handle->reg()};
  return {integer(operand, value), {}};
}

}  // namespace

void refuse_ended() {
  throw base::InputError({"tensor.ended",
                          "a tensor is used while its own kernel is traced",
                          {},
                          "its kernel has ended",
                          "declare the tensor in this kernel, or pass the data as an argument"});
}

void check_scope(const TraceState& trace, isa::TensorId tensor) {
  if (!trace.scopes.closed(tensor)) return;
  const isa::Tensor& storage = trace.program.tensors[tensor];
  throw base::InputError({"loop.scope",
                          "a tensor declared in the body of a hardware loop is used only there",
                          {},
                          fmt::format("'{}', declared at {}", storage.name,
                                      trace.program.describe_location(storage.location)),
                          "declare it before the loop"});
}

const Tensor* as_tensor(nb::handle value) {
  const Tensor* tensor = nullptr;  // stays null for None, which casts to any pointer
  return nb::try_cast(value, tensor, false) ? tensor : nullptr;
}

const RegisterHandle* as_register(nb::handle value) {
  const RegisterHandle* handle = nullptr;
  return nb::try_cast(value, handle, false) ? handle : nullptr;
}

void Vocabulary::add_operator(nb::object object, const std::string& name) {
  if (const auto op = numerics::alu_op_from_name(name)) {
    meanings_.emplace(object.ptr(), Meaning{"alu", static_cast<int>(*op)});
  }
  if (const auto function = numerics::activation_function_from_name(name)) {
    meanings_.emplace(object.ptr(), Meaning{"activation", static_cast<int>(*function)});
  }
  kept_.append(object);
}

void Vocabulary::add_member(nb::object object, const std::string& kind, const std::string& name) {
  const std::optional<int> value = member_value(kind, name);
  if (!value) throw nb::value_error(fmt::format("{} has no member {}", kind, name).c_str());
  meanings_.emplace(object.ptr(), Meaning{kind, *value});
  kept_.append(object);
}

const int* Vocabulary::find(PyObject* object, const char* kind) const {
  const auto [first, last] = meanings_.equal_range(object);
  for (auto at = first; at != last; ++at) {
    if (at->second.kind == kind) return &at->second.value;
  }
  return nullptr;
}

const int* Vocabulary::find_value(PyObject* value, const char* kind) const {
  if (!PyLong_CheckExact(value) && !PyUnicode_CheckExact(value)) return nullptr;
  for (const auto& [object, meaning] : meanings_) {
    if (meaning.kind != kind) continue;
    const nb::object its = nb::steal(PyObject_GetAttrString(object, "value"));
    if (!its.is_valid()) {
      PyErr_Clear();
    } else if (PyObject_RichCompareBool(its.ptr(), value, Py_EQ) == 1) {
      return &meaning.value;
    }
  }
  return nullptr;
}

void set_operand(TraceState& trace, const OperandInfo& operand, void* record, nb::handle value) {
  if (value.is_none()) return;  // the record's default
  switch (operand.type) {
    case OperandType::tile: operand.in<isa::Tile>(record) = tile(trace, operand, value); return;
    case OperandType::scalar:
      operand.in<isa::Scalar>(record) = scalar(trace, operand, value);
      return;
    case OperandType::boolean: operand.in<bool>(record) = nb::cast<bool>(nb::bool_(value)); return;
    case OperandType::int32: operand.in<std::int32_t>(record) = int32(operand, value); return;
    case OperandType::int64: operand.in<std::int64_t>(record) = integer(operand, value); return;
    case OperandType::float64: operand.in<double>(record) = number(operand, value); return;
    case OperandType::alu_op:
      operand.in<numerics::AluOp>(record) =
          static_cast<numerics::AluOp>(meaning(trace, operand, "alu", value));
      return;
    case OperandType::activation_function:
      operand.in<numerics::ActivationFunction>(record) =
          static_cast<numerics::ActivationFunction>(meaning(trace, operand, "activation", value));
      return;
    case OperandType::reduce_cmd:
      operand.in<isa::ReduceCmd>(record) =
          static_cast<isa::ReduceCmd>(meaning(trace, operand, "reduce_cmd", value));
      return;
    case OperandType::dge_mode:
      operand.in<isa::DgeMode>(record) =
          static_cast<isa::DgeMode>(meaning(trace, operand, "dge_mode", value));
      return;
    case OperandType::oob_mode:
      operand.in<isa::OobMode>(record) =
          static_cast<isa::OobMode>(meaning(trace, operand, "oob_mode", value));
      return;
    case OperandType::matmul_perf_mode:
      operand.in<isa::MatmulPerfMode>(record) =
          static_cast<isa::MatmulPerfMode>(meaning(trace, operand, "matmul_perf_mode", value));
      return;
    case OperandType::loop_kind:
      operand.in<isa::LoopKind>(record) =
          static_cast<isa::LoopKind>(meaning(trace, operand, "loop_kind", value));
      return;
    case OperandType::dma_path:
      operand.in<isa::DmaPath>(record) =
          static_cast<isa::DmaPath>(meaning(trace, operand, "dma_engine", value));
      return;
    case OperandType::accumulate:
      operand.in<isa::Accumulate>(record) =
          nb::cast<bool>(nb::bool_(value)) ? isa::Accumulate::add : isa::Accumulate::overwrite;
      return;
    case OperandType::engine:
      operand.in<isa::Engine>(record) =
          static_cast<isa::Engine>(meaning(trace, operand, "engine", value));
      return;
    case OperandType::register_:
      operand.in<isa::Register>(record) = register_(operand, value);
      return;
    case OperandType::register_or_int:
      operand.in<isa::RegisterOrInt>(record) = register_or_int(operand, value);
      return;
    case OperandType::pattern:
      operand.in<isa::Pattern>(record) =
          list<isa::Pattern>(operand, value, [&](nb::handle item) { return dim(operand, item); });
      return;
    case OperandType::int_list:
      operand.in<isa::IntList>(record) =
          list<isa::IntList>(operand, value, [&](nb::handle item) { return int32(operand, item); });
      return;
    case OperandType::int_pair:
      operand.in<isa::IntPair>(record) =
          list<isa::IntPair>(operand, value, [&](nb::handle item) { return int32(operand, item); });
      return;
    case OperandType::float_list:
      operand.in<isa::FloatList>(record) = list<isa::FloatList>(
          operand, value, [&](nb::handle item) { return number(operand, item); });
      return;
    case OperandType::rank_list:
      operand.in<isa::RankList>(record) = list<isa::RankList>(operand, value, [&](nb::handle item) {
        return static_cast<std::int32_t>(integer(operand, item));
      });
      return;
    case OperandType::tile_list:
      operand.in<isa::TileList>(record) = list<isa::TileList>(
          operand, value, [&](nb::handle item) { return tile(trace, operand, item); });
      return;
  }
  base::fail("unknown operand type");
}

namespace {

// The operator that a scalar operand belongs to: op0 of operand0 and of imm0. Null: none.
const numerics::AluOp* operator_of(const isa::InstructionInfo& info, const OperandInfo& scalar,
                                   const void* record) {
  for (const OperandInfo& operand : info.operands) {
    if (operand.type == OperandType::alu_op && operand.name.starts_with("op") &&
        operand.name.back() == scalar.name.back()) {
      return &operand.in<numerics::AluOp>(record);
    }
  }
  return nullptr;
}

// None stands for a default; an operand without one is given, unless its operator ignores it.
void check_given(const isa::InstructionInfo& info, const OperandInfo& operand, const void* record) {
  if (!operand.default_value.empty() || operand.may_be_none) return;
  if (operand.type == OperandType::scalar) {
    const numerics::AluOp* op = operator_of(info, operand, record);
    if (op != nullptr && numerics::is_unary(*op)) return;
  }
  wrong_type(operand, "given", nb::none());
}

// Calls f(register, whether it is written) for the registers of one record.
template <typename F>
void for_each_register(const isa::InstructionInfo& info, const void* record,
                       const isa::Program& program, F&& f) {
  for (const OperandInfo& operand : info.operands) {
    if (operand.type == OperandType::register_) {
      const bool counts =
          operand.name == "counter" &&
          static_cast<const isa::LoopBegin*>(record)->kind == isa::LoopKind::counted;
      f(operand.in<isa::Register>(record), operand.name == "dst" || counts);
    } else if (operand.type == OperandType::register_or_int) {
      f(operand.in<isa::RegisterOrInt>(record).reg, false);
    }
  }
  isa::for_each_tile(info, record, program.dynamics,
                     [&](const OperandInfo&, const isa::Tile& tile, isa::Access) {
                       if (tile.dynamic != 0) f(program.dynamics[tile.dynamic - 1].reg, false);
                     });
}

// Reading a register that has no value is refused in the order of the text: what the body of a loop
// writes further down comes too late for its first iteration.
void check_registers(TraceState& trace, const isa::InstructionInfo& info, const void* record) {
  RegisterPool& pool = *trace.registers;
  for_each_register(info, record, trace.program, [&](isa::Register reg, bool written) {
    if (!reg || written || pool.is_set(reg.index)) return;
    const checks::Check& check = checks::find("register.unset");
    throw base::InputError(
        {std::string(check.id),
         std::string(check.rule),
         {},
         fmt::format("{} reads register {}, which nothing has set", info.mnemonic, reg.index),
         std::string(check.fix)});
  });
  for_each_register(info, record, trace.program, [&](isa::Register reg, bool written) {
    if (reg && written) pool.set(reg.index);
  });
}

}  // namespace

std::uint32_t emit(TraceState& trace, int opcode, nb::handle values, isa::Engine engine) {
  const isa::InstructionInfo& info = isa::info(static_cast<isa::Opcode>(opcode));
  alignas(16) std::array<std::byte, isa::record_bytes_max> record;
  info.construct(record.data());
  const std::uint32_t location = trace.sources.capture(trace.program);
  const auto place = [&](std::vector<base::Violation> broken) {
    for (base::Violation& violation : broken) {
      const std::string line = trace.program.describe_location(location);
      violation.place = fmt::format("{} ({})", line, info.mnemonic);
      violation.sides = isa::sides_of(trace.program, info, record.data(), line);
    }
    return broken;
  };
  try {
    for (std::size_t k = 0; k < info.operands.size(); ++k) {
      set_operand(trace, info.operands[k], record.data(),
                  PyTuple_GET_ITEM(values.ptr(), static_cast<Py_ssize_t>(k)));
    }
    for (std::size_t k = 0; k < info.operands.size(); ++k) {
      if (PyTuple_GET_ITEM(values.ptr(), static_cast<Py_ssize_t>(k)) == Py_None)
        check_given(info, info.operands[k], record.data());
    }
    check_registers(trace, info, record.data());
  } catch (const base::InputError& error) {
    throw base::InputError(place(error.violations()));
  }
  std::vector<base::Violation> broken =
      isa::violations(info, record.data(), engine, trace.program, trace.core);
  if (!broken.empty()) isa::refuse(info, place(std::move(broken)));
  return trace.program.append_raw(static_cast<isa::Opcode>(opcode), record.data(), engine,
                                  location);
}

}  // namespace trainyard::binding

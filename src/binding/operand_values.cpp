#include "binding/operand_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "isa/core/visit.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

using isa::OperandInfo;

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
  const std::string fix = value.is_none()
                              ? fmt::format("pass a value: {} has no default", operand.name)
                              : fmt::format("pass {}", expected.substr(0, expected.find(';')));
  throw base::InputError({"argument.type",
                          fmt::format("argument '{}' is {}", operand.name, expected),
                          {},
                          in_words(value),
                          fix});
}

// What an author writes for a member of the vocabulary.
std::string written(std::string_view kind) {
  if (kind == kind_of<numerics::AluOp>) return "an operator of nki.language, such as nl.add";
  if (kind == kind_of<numerics::ActivationFunction>)
    return "an activation function of nki.language, such as nl.exp";
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

isa::Tile tile_of(const TraceState& trace, const Tensor& tensor) {
  if (tensor.trace.get() != &trace) refuse_ended();
  return isa::tile_of(tensor.view);
}

isa::Tile tile(const TraceState& trace, const OperandInfo& operand, nb::handle value) {
  if (const Tensor* tensor = as_tensor(value)) return tile_of(trace, *tensor);
  wrong_type(operand, "a tensor; arrays are passed to the kernel as arguments", value);
}

// One operand from a Python value, by its type. A struct is a sequence of its fields.
class Conversion {
 public:
  Conversion(TraceState& trace, const OperandInfo& operand, nb::handle given)
      : trace_(trace), operand_(operand), given_(given) {}

  void operator()(isa::Tile& out) const { out = tile(trace_, operand_, given_); }
  void operator()(isa::Scalar& out) const {
    if (const Tensor* tensor = as_tensor(given_)) {
      out = {0, tile_of(trace_, *tensor)};
    } else {
      out = {number(operand_, given_), {}};
    }
  }
  void operator()(bool& out) const { out = nb::cast<bool>(nb::bool_(given_)); }
  void operator()(std::int32_t& out) const { out = int32(operand_, given_); }
  void operator()(std::int64_t& out) const { out = integer(operand_, given_); }
  void operator()(double& out) const { out = number(operand_, given_); }
  void operator()(isa::Accumulate& out) const {
    out = nb::cast<bool>(nb::bool_(given_)) ? isa::Accumulate::add : isa::Accumulate::overwrite;
  }
  template <isa::NamedEnum Enum>
  void operator()(Enum& out) const {
    constexpr isa::OperandType type = isa::OperandType::of<Enum>();
    const int* found = trace_.vocabulary->find(given_.ptr(), type);
    if (found == nullptr) found = trace_.vocabulary->find_value(given_.ptr(), type);
    if (found == nullptr || *found < 0) wrong_type(operand_, written(kind_of<Enum>), given_);
    out = static_cast<Enum>(*found);
  }
  void operator()(isa::Register& out) const {
    const RegisterHandle* handle = as_register(given_);
    if (handle == nullptr) wrong_type(operand_, "a register", given_);
    out = handle->reg();
  }
  void operator()(isa::RegisterOrInt& out) const {
    if (const RegisterHandle* handle = as_register(given_)) {
      out = {0, handle->reg()};
    } else {
      out = {integer(operand_, given_), {}};
    }
  }
  void operator()(isa::TileList& out) const {
    if (as_tensor(given_) != nullptr) wrong_type(operand_, "a list of tensors", given_);
    fill(out);
  }
  void operator()(isa::RankGroups& out) const {
    isa::RankLists lists;
    for (const nb::handle group : sequence(given_)) {
      std::vector<std::int32_t>& ranks = lists.emplace_back();
      for (const nb::handle rank : sequence(group)) ranks.push_back(int32(operand_, rank));
    }
    out = trace_.program().groups_of(std::move(lists));
  }
  template <typename T, std::size_t capacity>
  void operator()(isa::List<T, capacity>& out) const {
    fill(out);
  }
  template <isa::NamedStruct T>
  void operator()(T& out) const {
    using Record = isa::StructRecord<T>;
    if (!PySequence_Check(given_.ptr()) ||
        nb::len(given_) != std::tuple_size_v<decltype(Record::fields)>)
      wrong_type(operand_, Record::word, given_);
    std::size_t i = 0;
    isa::for_each_field(out, [&](std::string_view name, auto& field) {
      convert(fmt::format("{}.{}", operand_.name, name), nb::object(given_[i++]), field);
    });
  }

 private:
  [[nodiscard]] nb::handle sequence(nb::handle given) const {
    if (!PySequence_Check(given.ptr())) wrong_type(operand_, "a sequence", given);
    return given;
  }
  // A part of what is given, which errors call by its name.
  void convert(const std::string& name, nb::handle given, auto& out) const {
    OperandInfo part = operand_;
    part.name = name;
    Conversion(trace_, part, given)(out);
  }
  template <typename T, std::size_t capacity>
  void fill(isa::List<T, capacity>& out) const {
    out = {};
    if (PyNumber_Check(given_.ptr()) && !PySequence_Check(given_.ptr())) {
      out.count = 1;
      return Conversion(trace_, operand_, given_)(out.items[0]);
    }
    if (nb::len(sequence(given_)) > capacity)
      wrong_type(operand_, fmt::format("a sequence of at most {} items", capacity), given_);
    for (const nb::handle item : given_) {
      convert(fmt::format("{}[{}]", operand_.name, out.count), item, out.items[out.count]);
      ++out.count;
    }
  }

  TraceState& trace_;
  const OperandInfo& operand_;
  nb::handle given_;
};

// None stands for a default; an operand without one is given, unless its operator ignores it.
void check_given(const OperandInfo& operand, const void* record) {
  if (!operand.default_value.empty() || operand.may_be_none) return;
  const numerics::AluOp* op = operand.taken_by(record);
  if (operand.is<isa::Scalar>() && op != nullptr && numerics::is_unary(*op)) return;
  wrong_type(operand, "given", nb::none());
}

// A float, even a whole one, is no integer, as NKI 0.3 has it. Zero is the same bits in every
// dtype, and nki-library 2.29, of NKI 0.3, writes it as 0.0.
void check_kind(const isa::InstructionInfo& info, const OperandInfo& operand, const void* record,
                nb::handle given) {
  const isa::Tile* like = operand.kind_of(record);
  if (like == nullptr || !numerics::is_integer(like->dtype) ||
      like->dtype == numerics::DType::bool_ || !PyFloat_Check(given.ptr()))
    return;
  const double value = PyFloat_AS_DOUBLE(given.ptr());
  if (value == 0) return;
  const bool whole = value == std::floor(value);
  throw base::InputError(
      {fmt::format("{}.{}", info.mnemonic, operand.name),
       fmt::format("the {} of {} is an integer where its tile has an integer dtype", operand.name,
                   info.mnemonic),
       {},
       fmt::format("{} for {}", nb::repr(given).c_str(), numerics::name(like->dtype)),
       whole ? fmt::format("pass {:.0f}", value) : std::string("pass an integer")});
}

// Authors may count dimensions from the end, in any order.
void count_axes(const OperandInfo& operand, void* record) {
  const isa::Tile* tile = operand.axes_of(record);
  if (tile == nullptr) return;
  isa::IntList& axes = operand.in<isa::IntList>(record);
  const auto rank = static_cast<std::int32_t>(tile->rank) + 1;  // partitions are dimension 0
  for (std::int32_t& axis : axes.span()) axis += axis < 0 ? rank : 0;
  std::ranges::sort(axes.span());
}

}  // namespace

void set_operands(TraceState& trace, const isa::InstructionInfo& info, void* record,
                  nb::handle values) {
  const auto value = [&](std::size_t k) {
    return nb::handle(PyTuple_GET_ITEM(values.ptr(), static_cast<Py_ssize_t>(k)));
  };
  for (std::size_t k = 0; k < info.operands.size(); ++k) {
    const OperandInfo& operand = info.operands[k];
    if (value(k).is_none()) continue;  // the record's default
    isa::visit_operand(operand, record, Conversion(trace, operand, value(k)));
  }
  for (std::size_t k = 0; k < info.operands.size(); ++k) {
    const OperandInfo& operand = info.operands[k];
    if (value(k).is_none()) {
      check_given(operand, record);
    } else {
      check_kind(info, operand, record, value(k));
      count_axes(operand, record);
    }
  }
}

}  // namespace trainyard::binding

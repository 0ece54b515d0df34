#include "binding/vocabulary.h"

#include <fmt/format.h>

#include <optional>

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

struct Member {
  isa::OperandType type;
  int value;
};

std::optional<Member> member_called(std::string_view kind, std::string_view name) {
  constexpr isa::OperandType engine = isa::OperandType::of<isa::Engine>();
  if (kind == kind_of<isa::Engine> && name == "unknown")
    return Member{engine, static_cast<int>(isa::Engine::any)};
  if (kind == kind_of<isa::Engine> && name == "dma") return Member{engine, dma_engines};
  std::optional<Member> found;
  isa::for_each_type([&]<typename T>(T*) {
    if constexpr (isa::NamedEnum<T>) {
      if (kind != kind_of<T>) return;
      if (const auto value = isa::value_named<T>(name))
        found = Member{isa::OperandType::of<T>(), static_cast<int>(*value)};
    }
  });
  return found;
}

}  // namespace

void Vocabulary::add_operator(nb::object object, const std::string& name) {
  const auto means = [&]<typename T>(T value) {
    add(object, isa::OperandType::of<T>(), static_cast<int>(value));
  };
  if (const auto op = numerics::alu_op_from_name(name)) means(*op);
  if (const auto function = numerics::activation_function_from_name(name)) means(*function);
  kept_.append(object);
}

void Vocabulary::add_member(nb::object object, const std::string& kind, const std::string& name) {
  const std::optional<Member> member = member_called(kind, name);
  if (!member) throw nb::value_error(fmt::format("{} has no member {}", kind, name).c_str());
  add(object, member->type, member->value);
  kept_.append(object);
}

void Vocabulary::add(nb::handle object, isa::OperandType type, int value) {
  const Meaning meaning{object.ptr(), type};
  if (known_.find(meaning) != known_.none) return;
  known_.add(meaning, static_cast<std::uint32_t>(meanings_.size()));
  meanings_.emplace_back(meaning, value);
}

const int* Vocabulary::find_value(PyObject* value, isa::OperandType type) const {
  if (!PyLong_CheckExact(value) && !PyUnicode_CheckExact(value)) return nullptr;
  for (const auto& [meaning, number] : meanings_) {
    if (meaning.type != type) continue;
    const nb::object its = nb::steal(PyObject_GetAttrString(meaning.object, "value"));
    if (!its.is_valid()) {
      PyErr_Clear();
    } else if (PyObject_RichCompareBool(its.ptr(), value, Py_EQ) == 1) {
      return &number;
    }
  }
  return nullptr;
}

}  // namespace trainyard::binding

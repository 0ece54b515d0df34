#include "binding/vocabulary.h"

#include <fmt/format.h>

#include <optional>

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

std::optional<int> member_value(std::string_view kind, std::string_view name) {
  if (kind == kind_of<isa::Engine> && name == "unknown") return static_cast<int>(isa::Engine::any);
  if (kind == kind_of<isa::Engine> && name == "dma") return dma_engines;
  std::optional<int> found;
  isa::for_each_type([&]<typename T>(T*) {
    if constexpr (isa::NamedEnum<T>) {
      if (kind != kind_of<T>) return;
      if (const auto value = isa::value_named<T>(name)) found = static_cast<int>(*value);
    }
  });
  return found;
}

}  // namespace

void Vocabulary::add_operator(nb::object object, const std::string& name) {
  if (const auto op = numerics::alu_op_from_name(name)) {
    meanings_.emplace(object.ptr(),
                      Meaning{std::string(kind_of<numerics::AluOp>), static_cast<int>(*op)});
  }
  if (const auto function = numerics::activation_function_from_name(name)) {
    meanings_.emplace(object.ptr(), Meaning{std::string(kind_of<numerics::ActivationFunction>),
                                            static_cast<int>(*function)});
  }
  kept_.append(object);
}

void Vocabulary::add_member(nb::object object, const std::string& kind, const std::string& name) {
  const std::optional<int> value = member_value(kind, name);
  if (!value) throw nb::value_error(fmt::format("{} has no member {}", kind, name).c_str());
  meanings_.emplace(object.ptr(), Meaning{kind, *value});
  kept_.append(object);
}

const int* Vocabulary::find(PyObject* object, std::string_view kind) const {
  const auto [first, last] = meanings_.equal_range(object);
  for (auto at = first; at != last; ++at) {
    if (at->second.kind == kind) return &at->second.value;
  }
  return nullptr;
}

const int* Vocabulary::find_value(PyObject* value, std::string_view kind) const {
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

}  // namespace trainyard::binding

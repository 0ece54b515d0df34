// What the Python objects that stand for operators and enum members mean. Filled once, when the
// package nki is imported.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/flat_index.h"
#include "isa/core/operand_types.h"

namespace trainyard::binding {

// The kind of an enumeration's members, as Python calls it.
template <isa::NamedEnum Enum>
inline constexpr std::string_view kind_of = isa::EnumRecord<Enum>::word;

// What nki.isa.engine.dma stands for: no engine with a sequencer.
inline constexpr int dma_engines = -1;

class Vocabulary {
 public:
  void add_operator(nanobind::object object, const std::string& name);
  void add_member(nanobind::object object, const std::string& kind, const std::string& name);
  // The class of tensors, derived from TensorView.
  void set_tensor_class(nanobind::object type) { tensor_class_ = std::move(type); }
  [[nodiscard]] nanobind::handle tensor_class() const { return tensor_class_; }

  // The value of a type that a Python object stands for, or nothing.
  [[nodiscard]] const int* find(PyObject* object, isa::OperandType type) const {
    const std::uint32_t found = known_.find({object, type});
    return found == known_.none ? nullptr : &meanings_[found].second;
  }
  // The value of the enum member whose own `value` is this int or str: kernels pass those as well.
  [[nodiscard]] const int* find_value(PyObject* value, isa::OperandType type) const;

 private:
  struct Meaning {
    PyObject* object = nullptr;
    isa::OperandType type;
    bool operator==(const Meaning&) const = default;
  };
  struct MeaningHash {
    std::size_t operator()(const Meaning& meaning) const {
      const auto address = reinterpret_cast<std::uintptr_t>(meaning.object);
      return ((address + meaning.type.index()) * 0x9E3779B97F4A7C15u) >> 32;
    }
  };
  // The first that is said of an object stays.
  void add(nanobind::handle object, isa::OperandType type, int value);

  std::vector<std::pair<Meaning, int>> meanings_;
  base::FlatIndex<Meaning, MeaningHash> known_;  // their places
  nanobind::list kept_;
  nanobind::object tensor_class_;
};

}  // namespace trainyard::binding

// What the Python objects that stand for operators and enum members mean. Filled once, when the
// package nki is imported.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <unordered_map>

#include "isa/core/operand.h"
#include "numerics/operators.h"

namespace trainyard::binding {

// The kind of an enumeration's members, as Python calls it.
template <typename Enum>
inline constexpr const char* kind_of = nullptr;
template <>
inline constexpr const char* kind_of<numerics::AluOp> = "alu";
template <>
inline constexpr const char* kind_of<numerics::ActivationFunction> = "activation";
template <>
inline constexpr const char* kind_of<isa::ReduceCmd> = "reduce_cmd";
template <>
inline constexpr const char* kind_of<isa::DgeMode> = "dge_mode";
template <>
inline constexpr const char* kind_of<isa::OobMode> = "oob_mode";
template <>
inline constexpr const char* kind_of<isa::MatmulPerfMode> = "matmul_perf_mode";
template <>
inline constexpr const char* kind_of<isa::LoopKind> = "loop_kind";
template <>
inline constexpr const char* kind_of<isa::DmaPath> = "dma_engine";
template <>
inline constexpr const char* kind_of<isa::Engine> = "engine";

class Vocabulary {
 public:
  void add_operator(nanobind::object object, const std::string& name);
  void add_member(nanobind::object object, const std::string& kind, const std::string& name);

  // The value a Python object stands for, or nothing. `kind`: one of kind_of.
  [[nodiscard]] const int* find(PyObject* object, const char* kind) const;
  // The value of the enum member whose own `value` is this int or str: kernels pass those as well.
  [[nodiscard]] const int* find_value(PyObject* value, const char* kind) const;

 private:
  struct Meaning {
    std::string kind;
    int value;
  };
  std::unordered_multimap<PyObject*, Meaning> meanings_;
  nanobind::list kept_;
};

}  // namespace trainyard::binding

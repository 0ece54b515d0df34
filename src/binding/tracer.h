// Builds a program while the author's Python function runs once: tensors, views and instructions as
// Python objects. Thin: the address algebra is isa/view.h, the rules are the instructions' own.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "binding/loop_scopes.h"
#include "binding/register_pool.h"
#include "binding/source_map.h"
#include "isa/program.h"
#include "isa/view.h"
#include "machine/core.h"

namespace trainyard::binding {

// What the Python objects that stand for operators and enum members mean. Filled once, when the
// package nki is imported.
class Vocabulary {
 public:
  void add_operator(nanobind::object object, const std::string& name);
  void add_member(nanobind::object object, const std::string& kind, const std::string& name);

  // The value a Python object stands for, or nothing. Kinds: "alu", "activation" and the enums'
  // names.
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

struct TraceState {
  isa::Program program;
  machine::Core core;
  std::shared_ptr<Vocabulary> vocabulary;
  SourceMap sources;
  std::shared_ptr<RegisterPool> registers;
  LoopScopes scopes{};
};

// nki.language.NkiTensor: a view of a tensor of the program that is being traced.
struct Tensor {
  std::shared_ptr<TraceState> trace;
  isa::View view;
  std::shared_ptr<const RegisterLease> index;  // the register its address depends on, if any
};

// A sequencer register; nki.isa.VirtualRegister.
struct RegisterHandle {
  std::shared_ptr<const RegisterLease> lease;
  bool frozen = false;  // the loop variable of dynamic_range
  [[nodiscard]] isa::Register reg() const { return {lease->index()}; }
};

// The object as what it is, or null.
[[nodiscard]] const Tensor* as_tensor(nanobind::handle value);
[[nodiscard]] const RegisterHandle* as_register(nanobind::handle value);

// Throws the InputError "tensor.ended".
[[noreturn]] void refuse_ended();

// Throws InputError "loop.scope" for a tensor of a loop's body that has ended.
void check_scope(const TraceState& trace, isa::TensorId tensor);

// Fills one operand of a record from a Python value. Throws InputError "argument.type".
void set_operand(TraceState& trace, const isa::OperandInfo& operand, void* record,
                 nanobind::handle value);

// Appends instruction `opcode` with the operands in the schema's order. Throws InputError with the
// place in the author's source.
std::uint32_t emit(TraceState& trace, int opcode, nanobind::handle values, isa::Engine engine);

}  // namespace trainyard::binding

// Builds a program while the author's Python function runs once: tensors, views and instructions as
// Python objects. Thin: it converts values and calls isa/builder/builder.h.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "binding/source_map.h"
#include "binding/vocabulary.h"
#include "isa/builder/builder.h"

namespace trainyard::binding {

// A program being built by an author's Python function. Its tensors share it.
struct TraceState : std::enable_shared_from_this<TraceState> {
  TraceState(std::string name, const machine::Core& core, std::shared_ptr<Vocabulary> words,
             SourceMap map)
      : builder(std::move(name), core), vocabulary(std::move(words)), sources(std::move(map)) {}

  isa::Builder builder;
  std::shared_ptr<Vocabulary> vocabulary;
  SourceMap sources;

  [[nodiscard]] isa::Program& program() { return builder.program(); }
  // What comes next is from where the author's function is now.
  void stand_here() { builder.stand_at(sources.capture(builder)); }
};

// A view of a tensor of the program that is being traced. In Python it is an instance of the class
// that its vocabulary names, nki.language.NkiTensor.
struct Tensor {
  std::shared_ptr<TraceState> trace;
  isa::View view;
  isa::RegisterRef index;  // the register its address depends on, if any
};

// A sequencer register; the base of nki.isa.VirtualRegister.
struct RegisterHandle {
  isa::RegisterRef lease;
  bool frozen = false;  // the loop variable of dynamic_range
  [[nodiscard]] isa::Register reg() const { return lease->reg(); }
};

// The object as what it is, or null.
[[nodiscard]] const Tensor* as_tensor(nanobind::handle value);
[[nodiscard]] const RegisterHandle* as_register(nanobind::handle value);

// Throws the InputError "tensor.ended".
[[noreturn]] void refuse_ended();

// Appends instruction `opcode` with the operands in the schema's order. `is_named`: the author
// names an engine, if only the DMA engines. Throws InputError with the place in the author's
// source.
std::uint32_t emit(TraceState& trace, int opcode, nanobind::handle values, isa::Engine engine,
                   bool is_named = false);

// The Python object of a tensor.
[[nodiscard]] nanobind::object object_of(Tensor tensor);

}  // namespace trainyard::binding

template <>
struct nanobind::detail::type_caster<trainyard::binding::Tensor>
    : nanobind::detail::type_caster_base<trainyard::binding::Tensor> {
  static constexpr auto Name = const_name("nki.language.NkiTensor");
  static handle from_cpp(trainyard::binding::Tensor&& tensor, rv_policy /*policy*/,
                         cleanup_list* /*cleanup*/) {
    return trainyard::binding::object_of(std::move(tensor)).release();
  }
};

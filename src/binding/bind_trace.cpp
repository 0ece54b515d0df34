// The tracer as a Python class: creates tensors and registers, appends instructions. It converts
// values; the rules are those of isa/builder/builder.h.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "base/error.h"
#include "binding/bindings.h"
#include "binding/placed.h"
#include "binding/tracer.h"
#include "machine/machine.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

using Trace = std::shared_ptr<TraceState>;
using Ints = std::vector<std::int64_t>;

isa::Space space(const std::string& name) {
  if (name == "sbuf") return isa::Space::sbuf;
  if (name == "psum") return isa::Space::psum;
  if (name == "hbm" || name == "private_hbm" || name == "shared_hbm") return isa::Space::hbm;
  throw base::InputError(
      {"buffer.name", "a buffer is sbuf, psum, private_hbm or shared_hbm", {}, name, {}});
}

Tensor declare(const Trace& trace, isa::TensorSpec spec) {
  trace->stand_here();
  return {trace, trace->builder.tensor(std::move(spec)), {}};
}

Tensor tensor(const Trace& trace, Ints shape, const std::string& type, const std::string& buffer,
              std::string name, std::optional<std::pair<std::int64_t, std::int64_t>> address) {
  isa::TensorSpec spec = placed(*trace, [&] {
    return isa::TensorSpec{.name = std::move(name),
                           .shape = std::move(shape),
                           .dtype = dtype_called(type),
                           .space = space(buffer),
                           .shared = buffer == "shared_hbm"};
  });
  if (address) spec.address = {address->first, address->second};
  return declare(trace, std::move(spec));
}

Tensor input(const Trace& trace, const Ints& shape, const std::string& type,
             const std::string& name, bool shared) {
  return declare(trace, {.name = name,
                         .shape = shape,
                         .dtype = placed(*trace, [&] { return dtype_called(type); }),
                         .space = isa::Space::hbm,
                         .role = isa::TensorRole::input,
                         .shared = shared});
}

Tensor constant(const Trace& trace, const Ints& shape, const std::string& type, nb::bytes content) {
  const auto* bytes = reinterpret_cast<const std::byte*>(content.c_str());
  return declare(trace, {.shape = shape,
                         .dtype = placed(*trace, [&] { return dtype_called(type); }),
                         .space = isa::Space::hbm,
                         .role = isa::TensorRole::constant,
                         .shared = true,
                         .constant = {bytes, bytes + content.size()}});
}

// The largest product of sizes whose bytes are a 64-bit number in every dtype.
constexpr std::int64_t elements_max = std::int64_t{1} << 59;

// A tuple of Python's own ints that are sizes as they are.
bool are_sizes(nb::handle shape) {
  if (!PyTuple_CheckExact(shape.ptr())) return false;
  std::int64_t elements = 1;
  for (Py_ssize_t d = 0; d < PyTuple_GET_SIZE(shape.ptr()); ++d) {
    PyObject* const size = PyTuple_GET_ITEM(shape.ptr(), d);
    int overflow = 0;
    const long long extent =
        PyLong_CheckExact(size) ? PyLong_AsLongLongAndOverflow(size, &overflow) : 0;
    if (extent < 1 || extent > elements_max / elements) return false;
    elements *= extent;
  }
  return true;
}

void mark_output(const Trace& trace, const Tensor& tensor) {
  if (tensor.trace.get() != trace.get()) refuse_ended();
  trace->stand_here();
  trace->builder.mark_output(tensor.view.tensor);
}

std::pair<isa::Program, Tensor> peek(const Trace& trace, const Tensor& tensor) {
  trace->stand_here();
  isa::Peeked peeked = trace->builder.peek(tensor.view);
  return {std::move(peeked.program), {trace, std::move(peeked.kept), {}}};
}

std::pair<isa::Program, Tensor> peek_register(const Trace& trace, const RegisterHandle& handle) {
  isa::Peeked peeked = trace->builder.peek(handle.reg());
  return {std::move(peeked.program), {trace, std::move(peeked.kept), {}}};
}

std::uint32_t emit_on(TraceState& trace, int opcode, nb::tuple values, nb::handle engine) {
  if (engine.is_none()) return emit(trace, opcode, values, isa::Engine::any);
  const int* found = trace.vocabulary->find(engine.ptr(), isa::OperandType::of<isa::Engine>());
  if (found == nullptr) {
    throw base::InputError({"argument.type",
                            "argument 'engine' is a member of nki.isa.engine",
                            place_now(trace),
                            nb::repr(engine).c_str(),
                            {}});
  }
  if (*found == dma_engines) return emit(trace, opcode, values, isa::Engine::any, true);
  const auto named = static_cast<isa::Engine>(*found);
  return emit(trace, opcode, values, named, named != isa::Engine::any);
}

void make_register(RegisterHandle* made, const Trace& trace, bool frozen) {
  trace->stand_here();
  new (made) RegisterHandle{trace->builder.take_register(), frozen};
}

nb::list edges(const Trace& trace) {
  nb::list list;
  for (const isa::ScheduleEdge& edge : trace->program().schedule_edges)
    list.append(nb::make_tuple(edge.producer, edge.consumer));
  return list;
}

void refuse(const Trace& trace, const std::string& label, const std::string& rule,
            const std::string& found, const std::string& fix) {
  throw base::InputError({label, rule, place_now(*trace), found, fix});
}

Trace new_trace(const machine::Machine& machine, std::shared_ptr<Vocabulary> vocabulary,
                const std::string& name, nb::object describe, nb::object boundary,
                std::int32_t rank, std::int32_t ranks, std::int32_t cores) {
  auto trace = std::make_shared<TraceState>(name, machine.core, std::move(vocabulary),
                                            SourceMap(std::move(describe), std::move(boundary)));
  const auto per_chip = static_cast<std::int32_t>(machine.chip.cores / cores);
  trace->builder.set_runner({.rank = rank,
                             .ranks = ranks,
                             .cores = cores,
                             .ranks_per_chip = std::max(1, per_chip),
                             .switched = machine.fabric.is_switched()});
  return trace;
}

}  // namespace

void bind_trace(nb::module_& module) {
  nb::class_<Vocabulary>(module, "Vocabulary", "What operator and enum objects mean to the core.")
      .def(nb::init<>())
      .def("add_operator", &Vocabulary::add_operator)
      .def("add_member", &Vocabulary::add_member)
      .def("set_tensor_class", &Vocabulary::set_tensor_class);
  nb::class_<TraceState> trace(module, "Trace", "A program being built.");
  nb::class_<RegisterHandle>(module, "Register",
                             "A 32-bit sequencer register; the base of nki.isa.VirtualRegister.")
      .def("__init__", &make_register, nb::arg("trace"), nb::arg("frozen") = false)
      .def_prop_ro("_index", [](const RegisterHandle& r) { return r.reg().index; })
      .def_ro("_frozen", &RegisterHandle::frozen);
  trace
      .def("tensor", &tensor, nb::arg("shape"), nb::arg("dtype"), nb::arg("buffer"),
           nb::arg("name") = "", nb::arg("address") = nb::none())
      .def("input", &input)
      .def("constant", &constant)
      .def("mark_output", &mark_output)
      .def("share", [](const Trace& trace,
                       const Tensor& tensor) { trace->builder.share(tensor.view.tensor); })
      .def("emit", &emit_on, nb::arg("opcode"), nb::arg("values"), nb::arg("engine").none())
      .def(
          "close_scope", [](const Trace& t) { t->builder.close_scope(); },
          "Tensors declared in the loop body that ended last are unknown from now on.")
      .def("add_edge", [](const Trace& t, std::uint32_t producer,
                          std::uint32_t consumer) { t->builder.add_edge(producer, consumer); })
      .def("edges", &edges, "The (producer, consumer) pairs of add_edge.")
      .def("refuse", &refuse, "Raises InputError at the author's source line.")
      .def("describe_here", [](const Trace& t) { return place_now(*t); })
      .def_prop_ro(
          "ranks_per_chip", [](const Trace& t) { return t->builder.runner()->ranks_per_chip; },
          "how many ranks a chip holds at this LNC")
      .def("__len__", [](const Trace& t) { return t->program().instructions.size(); })
      .def("peek", &peek,
           "The program so far, and the HBM tensor in which it leaves a tensor's values.")
      .def("peek_register", &peek_register)
      .def(
          "take_program", [](const Trace& t) { return t->builder.take(); },
          "The program; the trace is empty afterwards.");
  module.def("new_trace", &new_trace, nb::arg("machine"), nb::arg("vocabulary"), nb::arg("name"),
             nb::arg("describe"), nb::arg("boundary"), nb::arg("rank") = 0, nb::arg("ranks") = 1,
             nb::arg("cores") = 1);
  module.def("are_sizes", &are_sizes, nb::arg("shape").none(),
             "Whether a shape is a tuple of positive ints, of bytes that 64 bits can count.");
}

}  // namespace trainyard::binding

// The tracer as a Python class: creates tensors and registers, appends instructions.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <set>

#include "base/error.h"
#include "binding/bindings.h"
#include "binding/peek.h"
#include "binding/placed.h"
#include "binding/tracer.h"
#include "isa/instruction_set.h"
#include "isa/text.h"
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

// Places a tensor by hand, at (partition, byte). Throws InputError "memory.address".
void place(isa::Tensor& tensor, std::pair<std::int64_t, std::int64_t> address,
           std::int64_t partitions) {
  const auto& [first, byte] = address;
  if (tensor.space == isa::Space::hbm) {
    throw base::InputError({"memory.address",
                            "an address is given to on-chip tensors",
                            {},
                            fmt::format("address ({}, {}) in HBM", first, byte),
                            "leave the address out; HBM is placed by the runtime"});
  }
  if (first < 0 || first > partitions - tensor.shape[0]) {
    throw base::InputError({"memory.address",
                            fmt::format("a tensor lies inside the {} partitions", partitions),
                            {},
                            fmt::format("{} partitions from {} on", tensor.shape[0], first),
                            {}});
  }
  tensor.manual_address = true;
  tensor.partition_start = static_cast<std::uint16_t>(first);
  tensor.address = byte;
}

Tensor new_tensor(const Trace& trace, const Ints& sizes, const std::string& type,
                  const std::string& buffer, const std::string& name,
                  std::optional<std::pair<std::int64_t, std::int64_t>> address,
                  isa::TensorRole role) {
  return {trace,
          placed(*trace,
                 [&] {
                   isa::Tensor tensor;
                   tensor.name =
                       name.empty() ? fmt::format("t{}", trace->program.tensors.size()) : name;
                   tensor.shape = sizes;
                   tensor.dtype = dtype_called(type);
                   tensor.space = space(buffer);
                   tensor.role = role;
                   tensor.shared = buffer == "shared_hbm";
                   const bool on_chip = tensor.space != isa::Space::hbm;
                   if (on_chip && tensor.shape.size() == 1) tensor.shape.push_back(1);
                   const std::int64_t partitions = trace->core.sbuf.partitions;
                   for (const std::int64_t extent : tensor.shape) {
                     if (extent < 1)
                       throw base::InputError({"tensor.shape",
                                               "every size of a tensor is positive",
                                               {},
                                               fmt::format("({})", fmt::join(sizes, ", ")),
                                               {}});
                   }
                   if (tensor.shape.empty() || (on_chip && tensor.shape[0] > partitions)) {
                     throw base::InputError(
                         {"tensor.partitions",
                          fmt::format("an on-chip tensor has a partition dimension of at most {}",
                                      partitions),
                          {},
                          fmt::format("shape ({})", fmt::join(sizes, ", ")),
                          "split the tensor along its first dimension"});
                   }
                   if (address) place(tensor, *address, partitions);
                   tensor.location = trace->sources.capture(trace->program);
                   tensor.created = static_cast<std::uint32_t>(trace->program.instructions.size());
                   trace->program.tensors.push_back(std::move(tensor));
                   return isa::view_of(trace->program, static_cast<isa::TensorId>(
                                                           trace->program.tensors.size() - 1));
                 }),
          {}};
}

void bind_tracer(nb::module_& module) {
  nb::class_<Vocabulary>(module, "Vocabulary", "What operator and enum objects mean to the core.")
      .def(nb::init<>())
      .def("add_operator", &Vocabulary::add_operator)
      .def("add_member", &Vocabulary::add_member);
  nb::class_<RegisterHandle>(module, "VirtualRegister",
                             "A 32-bit sequencer register; nki.isa.VirtualRegister.")
      .def_prop_ro("_index", [](const RegisterHandle& r) { return r.reg().index; })
      .def_ro("_frozen", &RegisterHandle::frozen);
  nb::class_<isa::Program>(module, "Program", "A program for one NeuronCore.")
      .def_ro("name", &isa::Program::name)
      .def_ro("compiled", &isa::Program::compiled)
      .def("__len__", [](const isa::Program& p) { return p.instructions.size(); })
      .def("__str__",
           [](const isa::Program& p) {
             std::string lines = isa::disassemble(p);
             if (lines.ends_with('\n')) lines.pop_back();
             return lines;
           })
      .def(
          "meets",
          [](const isa::Program& p) {
            for (std::uint32_t i = 0; i < p.instructions.size(); ++i)
              if (p.info_at(i).meeting != nullptr) return true;
            return false;
          },
          "Whether any instruction waits for another core.")
      .def(
          "writes",
          [](const isa::Program& p, isa::TensorId tensor) {
            bool found = false;
            for (std::uint32_t i = 0; i < p.instructions.size() && !found; ++i) {
              p.for_each_tile(i,
                              [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access how) {
                                found = found || (isa::writes(how) && tile.tensor == tensor);
                              });
            }
            return found;
          },
          "Whether any instruction writes the tensor with this id.")
      .def(
          "stored",
          [](const isa::Program& p) {
            std::set<std::string> names;
            for (std::uint32_t i = 0; i < p.instructions.size(); ++i) {
              p.for_each_tile(i,
                              [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access how) {
                                if (isa::writes(how) && tile.space == isa::Space::hbm)
                                  names.insert(p.tensors[tile.tensor].name);
                              });
            }
            nb::list list;
            for (const std::string& name : names) list.append(name);
            return list;
          },
          "The names of the HBM tensors that instructions write.")
      .def(
          "source_files",
          [](const isa::Program& p) {
            std::set<std::string> files;
            for (const isa::Frame& frame : p.frames) files.insert(p.strings[frame.file]);
            files.erase("");
            nb::list list;
            for (const std::string& file : files) list.append(file);
            return list;
          },
          "The files that instructions come from.")
      .def("place", &isa::Program::place, "Where instruction i comes from in the author's source.")
      .def("mnemonic", [](const isa::Program& p, std::uint32_t i) {
        return std::string(p.info_at(i).mnemonic);
      });
  nb::class_<TraceState>(module, "Trace", "A program being built.")
      .def(
          "tensor",
          [](const Trace& t, const Ints& sizes, const std::string& type, const std::string& buffer,
             const std::string& name,
             std::optional<std::pair<std::int64_t, std::int64_t>> address) {
            return new_tensor(t, sizes, type, buffer, name, address, isa::TensorRole::internal);
          },
          nb::arg("shape"), nb::arg("dtype"), nb::arg("buffer"), nb::arg("name") = "",
          nb::arg("address") = nb::none())
      .def("input",
           [](const Trace& t, const Ints& sizes, const std::string& type, const std::string& name,
              bool shared) {
             return new_tensor(t, sizes, type, shared ? "shared_hbm" : "private_hbm", name,
                               std::nullopt, isa::TensorRole::input);
           })
      .def("constant",
           [](const Trace& t, const Ints& sizes, const std::string& type, nb::bytes content) {
             Tensor tensor = new_tensor(t, sizes, type, "shared_hbm", "", std::nullopt,
                                        isa::TensorRole::constant);
             isa::Tensor& storage = t->program.tensors[tensor.view.tensor];
             if (static_cast<std::int64_t>(content.size()) != storage.bytes()) {
               throw base::InputError(
                   {"tensor.constant",
                    "a constant's content fills its tensor",
                    {},
                    fmt::format("{} bytes for {}", content.size(), storage.bytes()),
                    {}});
             }
             const auto* bytes = reinterpret_cast<const std::byte*>(content.c_str());
             storage.constant.assign(bytes, bytes + content.size());
             return tensor;
           })
      .def(
          "mark_output",
          [](const Trace& t, const Tensor& tensor) {
            if (tensor.trace.get() != t.get()) refuse_ended();
            placed(*t, [&] { check_scope(*t, tensor.view.tensor); });
            isa::Tensor& storage = t->program.tensors.at(tensor.view.tensor);
            if (storage.role != isa::TensorRole::internal) return;
            if (storage.space != isa::Space::hbm || !storage.shared) {
              throw base::InputError(
                  {"kernel.output", "a kernel returns tensors in shared HBM",
                   t->program.describe_location(storage.location),
                   fmt::format(
                       "'{}' in {}", storage.name,
                       storage.space == isa::Space::hbm ? "private_hbm" : isa::name(storage.space)),
                   "write the result to an nl.ndarray(..., buffer=nl.shared_hbm) and return that"});
            }
            storage.role = isa::TensorRole::output;
          })
      .def(
          "emit",
          [](const Trace& t, int opcode, nb::tuple values, nb::handle engine) {
            isa::Engine on = isa::Engine::any;
            if (!engine.is_none()) {
              const int* found = t->vocabulary->find(engine.ptr(), "engine");
              if (found == nullptr) {
                throw base::InputError({"argument.type",
                                        "argument 'engine' is a member of nki.isa.engine",
                                        place_now(*t),
                                        nb::repr(engine).c_str(),
                                        {}});
              }
              on = static_cast<isa::Engine>(*found);
            }
            return emit(*t, opcode, values, on);
          },
          nb::arg("opcode"), nb::arg("values"), nb::arg("engine").none())
      .def("register",
           [](const Trace& t, bool frozen) {
             const std::optional<std::uint8_t> index = t->registers->take();
             if (!index) {
               throw base::InputError(
                   {"registers.capacity",
                    fmt::format("a kernel uses at most {} registers", t->core.registers),
                    place_now(*t), "one more", "reuse a register with register_move"});
             }
             return RegisterHandle{std::make_shared<RegisterLease>(t->registers, *index), frozen};
           })
      .def("enter_loop",
           [](const Trace& t) {
             t->registers->enter_loop();
             t->scopes.enter(t->program);
           })
      .def(
          "leave_loop",
          [](const Trace& t, bool closes) {
            t->registers->leave_loop();
            t->scopes.leave(t->program, closes);
          },
          "`closes`: tensors declared inside are unknown from now on.")
      .def("add_edge",
           [](const Trace& t, std::uint32_t producer, std::uint32_t consumer) {
             t->program.schedule_edges.push_back({producer, consumer});
           })
      .def(
          "edges",
          [](const Trace& t) {
            nb::list list;
            for (const isa::ScheduleEdge& edge : t->program.schedule_edges)
              list.append(nb::make_tuple(edge.producer, edge.consumer));
            return list;
          },
          "The (producer, consumer) pairs of add_edge.")
      .def(
          "refuse",
          [](const Trace& t, const std::string& label, const std::string& rule,
             const std::string& found, const std::string& fix) {
            throw base::InputError({label, rule, place_now(*t), found, fix});
          },
          "Raises InputError at the author's source line.")
      .def("describe_here", [](const Trace& t) { return place_now(*t); })
      .def("__len__", [](const Trace& t) { return t->program.instructions.size(); })
      .def(
          "peek", [](const Trace&, const Tensor& tensor) { return peeked(tensor); },
          "The program so far, and the HBM tensor in which it leaves a tensor's values.")
      .def("peek_register",
           [](const Trace& t, const RegisterHandle& handle) { return peeked(t, handle); })
      .def(
          "take_program", [](const Trace& t) { return std::move(t->program); },
          "The program; the trace is empty afterwards.");
  module.def("new_trace",
             [](const machine::Machine& machine, std::shared_ptr<Vocabulary> vocabulary,
                const std::string& name, nb::object describe, nb::object boundary) {
               Trace trace(new TraceState{{},
                                          machine.core,
                                          std::move(vocabulary),
                                          SourceMap(std::move(describe), std::move(boundary)),
                                          std::make_shared<RegisterPool>(machine.core.registers)});
               trace->program.name = name;
               trace->program.generation = 2 + static_cast<int>(machine.core.generation);
               return trace;
             });
}

}  // namespace

void bind_trace(nb::module_& module) { bind_tracer(module); }

}  // namespace trainyard::binding

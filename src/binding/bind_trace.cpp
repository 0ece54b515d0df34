// Tensors, registers and the tracer as Python classes.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/error.h"
#include "binding/bindings.h"
#include "binding/tracer.h"
#include "isa/instruction_set.h"
#include "machine/machine.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

using Trace = std::shared_ptr<TraceState>;
using Ints = std::vector<std::int64_t>;

numerics::DType dtype(const std::string& name) {
  if (const auto found = numerics::dtype_from_name(name)) return *found;
  throw base::InputError({"dtype.name",
                          "a dtype is one of nki.language's",
                          {},
                          name,
                          "see the list of dtypes in nki.language"});
}

isa::Space space(const std::string& name) {
  if (name == "sbuf") return isa::Space::sbuf;
  if (name == "psum") return isa::Space::psum;
  if (name == "hbm" || name == "private_hbm" || name == "shared_hbm") return isa::Space::hbm;
  throw base::InputError(
      {"buffer.name", "a buffer is sbuf, psum, private_hbm or shared_hbm", {}, name, {}});
}

// Runs f and puts the author's source line into any error it throws.
template <typename F>
auto placed(const Trace& trace, F&& f) {
  try {
    return f();
  } catch (const base::InputError& error) {
    std::vector<base::Violation> violations = error.violations();
    const std::string place =
        trace->program.describe_location(trace->sources.capture(trace->program));
    for (base::Violation& violation : violations) {
      if (violation.place.empty()) violation.place = place;
    }
    throw base::InputError(std::move(violations));
  }
}

template <typename F>
Tensor derived(const Tensor& tensor, F&& f) {
  return {tensor.trace, placed(tensor.trace, [&] { return f(tensor.view); })};
}

nb::tuple shape(const Tensor& tensor) {
  PyObject* result = PyTuple_New(static_cast<Py_ssize_t>(tensor.view.rank()));
  for (std::size_t d = 0; d < tensor.view.rank(); ++d) {
    PyTuple_SET_ITEM(result, static_cast<Py_ssize_t>(d),
                     PyLong_FromLongLong(tensor.view.dims[d].size));
  }
  return nb::steal<nb::tuple>(result);
}

nb::tuple strides(const Tensor& tensor) {
  nb::list list;
  for (const isa::ViewDim& dim : tensor.view.dims) list.append(dim.stride);
  return nb::tuple(list);
}

nb::list pattern(const Tensor& tensor) {
  nb::list list;
  for (const isa::ViewDim& dim : tensor.view.dims) {
    nb::list pair;
    pair.append(dim.stride);
    pair.append(dim.size);
    list.append(pair);
  }
  return list;
}

isa::Index range_index(nb::handle item, std::int64_t size) {
  Py_ssize_t start = 0, stop = 0, step = 0;
  // As NumPy, not as Python: bounds beyond the dimension are an error, not clipped, because the
  // hardware would read on.
  if (PySlice_Unpack(item.ptr(), &start, &stop, &step) != 0) throw nb::python_error();
  const bool open_end = stop == PY_SSIZE_T_MAX;
  if (start < 0) start += size;
  if (open_end) stop = size;
  if (stop < 0) stop += size;
  if (start == 0 && stop == size && step == 1) return {};
  return {isa::Index::Kind::range, start, stop, step};
}

// nl.ds(start, size): an object with these two attributes.
bool is_dynamic_slice(nb::handle item) {
  return nb::hasattr(item, "start") && nb::hasattr(item, "size") && !PySlice_Check(item.ptr());
}

isa::Index index_entry(nb::handle item, std::int64_t size) {
  if (PySlice_Check(item.ptr())) return range_index(item, size);
  if (PyIndex_Check(item.ptr())) {
    std::int64_t at = PyNumber_AsSsize_t(item.ptr(), PyExc_IndexError);
    if (at < 0) at += size;
    return {isa::Index::Kind::element, at, 0, 1};
  }
  if (is_dynamic_slice(item)) {
    const auto start = nb::cast<std::int64_t>(item.attr("start"));
    return {isa::Index::Kind::range, start, start + nb::cast<std::int64_t>(item.attr("size")), 1};
  }
  throw base::InputError(
      {"view.index",
       "an index is an integer, a slice, nl.ds, ..., a register or a one-element tensor",
       {},
       fmt::format("{} {}", Py_TYPE(item.ptr())->tp_name, nb::repr(item).c_str()),
       {}});
}

Tensor get_item(const Tensor& tensor, nb::handle key) {
  return derived(tensor, [&](const isa::View& view) {
    const bool single = !PyTuple_Check(key.ptr());
    const Py_ssize_t given = single ? 1 : PyTuple_GET_SIZE(key.ptr());
    std::array<isa::Index, 16> indices;
    std::size_t d = 0;
    for (Py_ssize_t k = 0; k < given; ++k) {
      const nb::handle item = single ? key : nb::handle(PyTuple_GET_ITEM(key.ptr(), k));
      if (item.ptr() == Py_Ellipsis) {
        const std::size_t rest = static_cast<std::size_t>(given - k - 1);
        while (d + rest < view.rank()) indices.at(d++) = {};
        continue;
      }
      if (d >= view.rank() || d >= indices.size()) {
        throw base::InputError({"view.index",
                                "an index has no more entries than the tensor has dimensions",
                                {},
                                fmt::format("{} entries for {} dimensions", given, view.rank()),
                                {}});
      }
      indices[d] = index_entry(item, view.dims[d].size);
      ++d;
    }
    return isa::index(view, {indices.data(), d});
  });
}

Tensor ap(const Tensor& tensor, nb::sequence pattern, std::optional<std::int64_t> offset,
          nb::object scalar_offset, nb::object vector_offset, std::int64_t indirect_dim,
          std::optional<std::string> type) {
  return derived(tensor, [&](const isa::View& view) {
    std::vector<isa::ViewDim> dims;
    for (const nb::handle pair : pattern) {
      dims.push_back({nb::cast<std::int64_t>(pair[1]), nb::cast<std::int64_t>(pair[0])});
    }
    isa::View result = isa::ap(view, dims, offset, type ? dtype(*type) : view.dtype);
    isa::Program& program = tensor.trace->program;
    if (!scalar_offset.is_none() && !vector_offset.is_none()) {
      throw base::InputError({"view.indirect_once",
                              "at most one of scalar_offset and vector_offset is given",
                              {},
                              "both",
                              {}});
    }
    if (!scalar_offset.is_none()) {
      const RegisterHandle* reg = nullptr;
      if (nb::try_cast(scalar_offset, reg, false)) {
        return isa::with_scalar_offset(program, result, indirect_dim, reg->reg, nullptr);
      }
      return isa::with_scalar_offset(program, result, indirect_dim, {},
                                     &nb::cast<Tensor&>(scalar_offset).view);
    }
    if (!vector_offset.is_none()) {
      return isa::with_vector_offset(program, result, nb::cast<Tensor&>(vector_offset).view);
    }
    return result;
  });
}

Tensor select(const Tensor& tensor, std::int64_t dim, nb::object index) {
  return derived(tensor, [&](const isa::View& view) {
    isa::Program& program = tensor.trace->program;
    const RegisterHandle* reg = nullptr;
    if (nb::try_cast(index, reg, false))
      return isa::select_dynamic(program, view, dim, reg->reg, nullptr);
    const Tensor* at = nullptr;
    if (nb::try_cast(index, at, false))
      return isa::select_dynamic(program, view, dim, {}, &at->view);
    return isa::select(view, dim, nb::cast<std::int64_t>(index));
  });
}

void bind_tensor(nb::module_& module) {
  nb::class_<Tensor>(module, "NkiTensor", "A strided view of a tensor; nki.language.NkiTensor.")
      .def_prop_ro("shape", &shape)
      .def_prop_ro("strides", &strides, "elements")
      .def_prop_ro(
          "offset", [](const Tensor& t) { return t.view.offset; }, "elements")
      .def_prop_ro("ndim", [](const Tensor& t) { return t.view.rank(); })
      .def_prop_ro("size", [](const Tensor& t) { return t.view.size(); })
      .def_prop_ro("_dtype_name",
                   [](const Tensor& t) { return std::string(numerics::name(t.view.dtype)); })
      .def_prop_ro("_space", [](const Tensor& t) { return std::string(isa::name(t.view.space)); })
      .def_prop_ro("_shared",
                   [](const Tensor& t) { return t.trace->program.tensors[t.view.tensor].shared; })
      .def_prop_ro("_id", [](const Tensor& t) { return t.view.tensor; })
      .def_prop_ro("name",
                   [](const Tensor& t) { return t.trace->program.tensors[t.view.tensor].name; })
      .def("is_contiguous", [](const Tensor& t) { return t.view.is_contiguous(); })
      .def("is_indirect", [](const Tensor& t) { return t.view.dynamic != 0; })
      .def("get_pattern", &pattern)
      .def("__getitem__", &get_item)
      .def(
          "slice",
          [](const Tensor& t, std::int64_t dim, std::int64_t start, std::int64_t end,
             std::int64_t step) {
            return derived(
                t, [&](const isa::View& v) { return isa::slice(v, dim, start, end, step); });
          },
          nb::arg("dim"), nb::arg("start"), nb::arg("end"), nb::arg("step") = 1)
      .def("select", &select, nb::arg("dim"), nb::arg("index"))
      .def(
          "permute",
          [](const Tensor& t, const Ints& dims) {
            return derived(t, [&](const isa::View& v) { return isa::permute(v, dims); });
          },
          nb::arg("dims"))
      .def(
          "broadcast",
          [](const Tensor& t, std::int64_t dim, std::int64_t size) {
            return derived(t, [&](const isa::View& v) { return isa::broadcast(v, dim, size); });
          },
          nb::arg("dim"), nb::arg("size"))
      .def(
          "expand_dim",
          [](const Tensor& t, std::int64_t dim) {
            return derived(t, [&](const isa::View& v) { return isa::expand_dim(v, dim); });
          },
          nb::arg("dim"))
      .def(
          "squeeze_dim",
          [](const Tensor& t, std::int64_t dim) {
            return derived(t, [&](const isa::View& v) { return isa::squeeze_dim(v, dim); });
          },
          nb::arg("dim"))
      .def(
          "reshape_dim",
          [](const Tensor& t, std::int64_t dim, const Ints& to) {
            return derived(t, [&](const isa::View& v) { return isa::reshape_dim(v, dim, to); });
          },
          nb::arg("dim"), nb::arg("shape"))
      .def(
          "flatten_dims",
          [](const Tensor& t, std::int64_t first, std::int64_t last) {
            return derived(t,
                           [&](const isa::View& v) { return isa::flatten_dims(v, first, last); });
          },
          nb::arg("start_dim"), nb::arg("end_dim"))
      .def(
          "reshape",
          [](const Tensor& t, const Ints& to) {
            return derived(t, [&](const isa::View& v) { return isa::reshape(v, to); });
          },
          nb::arg("shape"))
      .def("_view",
           [](const Tensor& t, const std::string& type) {
             return derived(t,
                            [&](const isa::View& v) { return isa::reinterpret(v, dtype(type)); });
           })
      .def("ap", &ap, nb::arg("pattern"), nb::arg("offset") = nb::none(),
           nb::arg("scalar_offset") = nb::none(), nb::arg("vector_offset") = nb::none(),
           nb::arg("indirect_dim") = 0, nb::arg("dtype") = nb::none())
      .def(
          "vector_select",
          [](const Tensor& t, std::int64_t dim, const Tensor& index) {
            if (dim != 0)
              throw base::InputError({"view.vector_select",
                                      "rows are chosen along dimension 0",
                                      {},
                                      std::to_string(dim),
                                      {}});
            return derived(t, [&](const isa::View& v) {
              return isa::vector_select(t.trace->program, v, index.view);
            });
          },
          nb::arg("dim"), nb::arg("vector_offset"))
      .def(
          "indirect",
          [](const Tensor& t, const Tensor& index, std::optional<std::int64_t> elements) {
            return derived(t, [&](const isa::View& v) {
              return isa::indirect(t.trace->program, v, index.view,
                                   elements.value_or(index.view.size()));
            });
          },
          nb::arg("index"), nb::arg("num_elem") = nb::none());
}

Tensor new_tensor(const Trace& trace, const Ints& sizes, const std::string& type,
                  const std::string& buffer, const std::string& name,
                  std::optional<std::pair<std::int64_t, std::int64_t>> address,
                  isa::TensorRole role) {
  return {
      trace, placed(trace, [&] {
        isa::Tensor tensor;
        tensor.name = name.empty() ? fmt::format("t{}", trace->program.tensors.size()) : name;
        tensor.shape = sizes;
        tensor.dtype = dtype(type);
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
               fmt::format("an on-chip tensor has a partition dimension of at most {}", partitions),
               {},
               fmt::format("shape ({})", fmt::join(sizes, ", ")),
               "split the tensor along its first dimension"});
        }
        if (address) {
          tensor.manual_address = true;
          tensor.partition_start = static_cast<std::uint16_t>(address->first);
          tensor.address = address->second;
          if (address->first < 0 || address->first + tensor.shape[0] > partitions) {
            throw base::InputError(
                {"memory.address",
                 fmt::format("a tensor lies inside the {} partitions", partitions),
                 {},
                 fmt::format("partitions {} to {}", address->first,
                             address->first + tensor.shape[0]),
                 {}});
          }
        }
        tensor.location = trace->sources.capture(trace->program);
        trace->program.tensors.push_back(std::move(tensor));
        return isa::view_of(trace->program,
                            static_cast<isa::TensorId>(trace->program.tensors.size() - 1));
      })};
}

void bind_tracer(nb::module_& module) {
  nb::class_<Vocabulary>(module, "Vocabulary", "What operator and enum objects mean to the core.")
      .def(nb::init<>())
      .def("add_operator", &Vocabulary::add_operator)
      .def("add_member", &Vocabulary::add_member);
  nb::class_<RegisterHandle>(module, "VirtualRegister",
                             "A 32-bit sequencer register; nki.isa.VirtualRegister.")
      .def_prop_ro("_index", [](const RegisterHandle& r) { return r.reg.index; });
  nb::class_<isa::Program>(module, "Program", "A program for one NeuronCore.")
      .def_ro("name", &isa::Program::name)
      .def_ro("compiled", &isa::Program::compiled)
      .def("__len__", [](const isa::Program& p) { return p.instructions.size(); })
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
           [](const Trace& t, const Ints& sizes, const std::string& type, const std::string& name) {
             return new_tensor(t, sizes, type, "shared_hbm", name, std::nullopt,
                               isa::TensorRole::input);
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
      .def("mark_output",
           [](const Trace& t, const Tensor& tensor) {
             isa::Tensor& storage = t->program.tensors.at(tensor.view.tensor);
             if (storage.role == isa::TensorRole::internal) storage.role = isa::TensorRole::output;
           })
      .def("emit",
           [](const Trace& t, int opcode, nb::tuple values, nb::handle engine) {
             isa::Engine on = isa::Engine::any;
             if (!engine.is_none()) {
               const int* found = t->vocabulary->find(engine.ptr(), "engine");
               if (found == nullptr) {
                 throw base::InputError(
                     {"argument.type",
                      "argument 'engine' is a member of nki.isa.engine",
                      t->program.describe_location(t->sources.capture(t->program)),
                      nb::repr(engine).c_str(),
                      {}});
               }
               on = static_cast<isa::Engine>(*found);
             }
             return emit(*t, opcode, values, on);
           })
      .def("register",
           [](const Trace& t) {
             if (t->next_register >= t->core.registers) {
               throw base::InputError(
                   {"registers.capacity",
                    fmt::format("a kernel uses at most {} registers", t->core.registers),
                    t->program.describe_location(t->sources.capture(t->program)), "one more",
                    "reuse a register with register_move"});
             }
             return RegisterHandle{t, {t->next_register++}};
           })
      .def("add_edge",
           [](const Trace& t, std::uint32_t producer, std::uint32_t consumer) {
             t->program.schedule_edges.push_back({producer, consumer});
           })
      .def("describe_here",
           [](const Trace& t) {
             return t->program.describe_location(t->sources.capture(t->program));
           })
      .def("__len__", [](const Trace& t) { return t->program.instructions.size(); })
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
                                          0});
               trace->program.name = name;
               trace->program.generation = 2 + static_cast<int>(machine.core.generation);
               return trace;
             });
}

}  // namespace

void bind_trace(nb::module_& module) {
  bind_tensor(module);
  bind_tracer(module);
}

}  // namespace trainyard::binding

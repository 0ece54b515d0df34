// The base of nki.language.NkiTensor: the views of isa/views/view.h as methods of a Python class.
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/error.h"
#include "binding/bindings.h"
#include "binding/placed.h"
#include "binding/tracer.h"

namespace trainyard::binding {

namespace nb = nanobind;

numerics::DType dtype_called(const std::string& name) {
  if (const auto found = numerics::dtype_from_name(name)) return *found;
  throw base::InputError({"dtype.name",
                          "a dtype is one of nki.language's",
                          {},
                          name,
                          "see the list of dtypes in nki.language"});
}

namespace {

using Ints = std::vector<std::int64_t>;

// What was declared; nothing of a kernel whose trace has been loaded, which took the program away.
const isa::Tensor* declared(const Tensor& tensor) {
  const std::vector<isa::Tensor>& all = tensor.trace->program().tensors;
  return tensor.view.tensor < all.size() ? &all[tensor.view.tensor] : nullptr;
}

void check_lives(const Tensor& tensor) {
  if (declared(tensor) == nullptr) refuse_ended();
}

template <typename F>
Tensor derived(const Tensor& tensor, F&& f) {
  check_lives(tensor);
  return {tensor.trace,
          placed(
              *tensor.trace, [&] { return f(tensor.view); }, tensor.view.tensor),
          tensor.index};
}

// The view depends on the register that `index` may be: keeps it from being used again.
Tensor indexed_by(Tensor tensor, nb::handle index) {
  if (const RegisterHandle* handle = as_register(index)) tensor.index = handle->lease;
  return tensor;
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

// As NumPy, not as Python: bounds beyond the dimension are an error, not clipped, because the
// hardware would read on.
isa::Index range_index(nb::handle item, std::int64_t size) {
  Py_ssize_t start = 0, stop = 0, step = 0;
  if (PySlice_Unpack(item.ptr(), &start, &stop, &step) != 0) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
    PyErr_Clear();
    throw base::InputError({"view.index",
                            "the bounds and the step of a slice are integers",
                            {},
                            nb::repr(item).c_str(),
                            "divide with //, which gives an integer"});
  }
  const bool open_end = stop == PY_SSIZE_T_MAX;
  if (start == 0 && (open_end || stop == size) && step == 1) return {};
  return {isa::Index::Kind::range, start,
          open_end ? std::nullopt : std::optional<std::int64_t>(stop), step, true};
}

// nl.ds(start, size): an object with these two attributes.
struct DynamicSlice {
  nb::object start, size;
};
std::optional<DynamicSlice> dynamic_slice(nb::handle item) {
  static PyObject* const start_name = PyUnicode_InternFromString("start");
  static PyObject* const size_name = PyUnicode_InternFromString("size");
  nb::object start = nb::steal(PyObject_GetAttr(item.ptr(), start_name));
  nb::object size =
      start.is_valid() ? nb::steal(PyObject_GetAttr(item.ptr(), size_name)) : nb::object();
  PyErr_Clear();
  if (!size.is_valid()) return std::nullopt;
  return DynamicSlice{std::move(start), std::move(size)};
}

// A register or a one-element tensor, else nothing.
std::optional<isa::RuntimeIndex> runtime_index(nb::handle item) {
  if (const RegisterHandle* handle = as_register(item)) return isa::RuntimeIndex{handle->reg(), {}};
  if (const Tensor* tensor = as_tensor(item)) {
    check_lives(*tensor);
    return isa::RuntimeIndex{{}, &tensor->view};
  }
  return std::nullopt;
}

// An index expression: the entries that are known, and those that are not.
struct Key {
  std::array<isa::Index, 16> known;
  std::size_t entries = 0;
  std::vector<isa::RuntimeEntry> chosen;
  nb::object index;  // what the last of `chosen` was read from
};

void choose(Key& key, const isa::RuntimeIndex& at, std::optional<std::int64_t> count,
            nb::handle index) {
  key.chosen.push_back({at, key.entries, count});
  key.index = nb::borrow(index);
}

// A whole number that is no index of an element. Throws InputError `label` for anything else.
std::int64_t whole_number(nb::handle value, const char* label, const char* rule) {
  long long number = -1;
  if (PyIndex_Check(value.ptr()) && !nb::isinstance<RegisterHandle>(value)) {
    const auto index = nb::steal(PyNumber_Index(value.ptr()));
    number = PyLong_AsLongLong(index.ptr());
    if (!PyErr_Occurred()) return number;
    PyErr_Clear();
  }
  throw base::InputError(
      {label, rule, {}, nb::repr(value).c_str(), "pass an int that is known while tracing"});
}

isa::Index element(nb::handle item) {
  return {.kind = isa::Index::Kind::element,
          .start = whole_number(item, "view.index", "an index is an integer of 64 bits"),
          .from_end = true};
}

isa::Index index_entry(Key& key, nb::handle item, std::int64_t size) {
  if (PySlice_Check(item.ptr())) return range_index(item, size);
  if (PyIndex_Check(item.ptr()) && !nb::isinstance<RegisterHandle>(item)) return element(item);
  if (const auto slice = dynamic_slice(item)) {
    const std::int64_t count =
        whole_number(slice->size, "view.index", "the size of nl.ds is a whole number");
    if (const auto at = runtime_index(slice->start)) {
      choose(key, *at, count, slice->start);
      return {};
    }
    std::int64_t first = whole_number(slice->start, "view.index",
                                      "the start of nl.ds is a whole number, or a register");
    if (first < 0 && first >= -size) first += size;
    return {isa::Index::Kind::range, first, first + count};
  }
  if (const auto at = runtime_index(item)) {
    choose(key, *at, std::nullopt, item);
    return {};
  }
  throw base::InputError(
      {"view.index",
       "an index is an integer, a slice, nl.ds, ..., a register or a one-element tensor",
       {},
       fmt::format("{} {}", Py_TYPE(item.ptr())->tp_name, nb::repr(item).c_str()),
       {}});
}

Key read_key(const isa::View& view, nb::handle given) {
  Key key;
  const bool single = !PyTuple_Check(given.ptr());
  const Py_ssize_t count = single ? 1 : PyTuple_GET_SIZE(given.ptr());
  bool ellipsis = false;
  for (Py_ssize_t k = 0; k < count; ++k) {
    const nb::handle item = single ? given : nb::handle(PyTuple_GET_ITEM(given.ptr(), k));
    if (item.ptr() == Py_Ellipsis && !ellipsis) {
      const auto rest = static_cast<std::size_t>(count - k - 1);
      while (key.entries + rest < view.rank()) key.known.at(key.entries++) = {};
      ellipsis = true;
      continue;
    }
    if (key.entries >= view.rank() || key.entries >= key.known.size()) {
      throw base::InputError({"view.index",
                              "an index has no more entries than the tensor has dimensions",
                              {},
                              fmt::format("{} entries for {} dimensions", count, view.rank()),
                              {}});
    }
    key.known[key.entries] = index_entry(key, item, view.dims[key.entries].size);
    ++key.entries;
  }
  return key;
}

Tensor get_item(const Tensor& tensor, nb::handle given) {
  nb::object index;
  Tensor made = derived(tensor, [&](const isa::View& view) {
    const Key key = read_key(view, given);
    index = key.index;
    return isa::index(tensor.trace->program(), view, {key.known.data(), key.entries}, key.chosen);
  });
  return index.is_valid() ? indexed_by(std::move(made), index) : made;
}

[[noreturn]] void refuse_index(nb::handle value) {
  throw base::InputError(
      {"view.index_tensor",
       "a run-time index is one integer in SBUF, or a register",
       {},
       fmt::format("{} {}", Py_TYPE(value.ptr())->tp_name, nb::repr(value).c_str()),
       {}});
}

[[noreturn]] void refuse_pattern(nb::handle value) {
  throw base::InputError({"view.ap",
                          "a pattern is a list of [stride, count] pairs",
                          {},
                          nb::repr(value).c_str(),
                          "t.ap([[stride, count], [stride, count]])"});
}

std::vector<isa::ViewDim> pattern_dims(nb::handle pattern) {
  std::vector<isa::ViewDim> dims;
  if (!PySequence_Check(pattern.ptr())) refuse_pattern(pattern);
  for (const nb::handle pair : pattern) {
    if (!PySequence_Check(pair.ptr()) || nb::len(pair) != 2) refuse_pattern(pair);
    const auto number = [&](int which) {
      return whole_number(nb::object(pair[which]), "view.ap",
                          "stride and count of a pattern are whole numbers");
    };
    dims.push_back({number(1), number(0)});
  }
  return dims;
}

Tensor ap(const Tensor& tensor, nb::handle pattern, std::optional<std::int64_t> offset,
          nb::object scalar_offset, nb::object vector_offset, std::int64_t indirect_dim,
          std::optional<std::string> type) {
  Tensor made = derived(tensor, [&](const isa::View& view) {
    const std::vector<isa::ViewDim> dims = pattern_dims(pattern);
    const isa::View result = isa::ap(view, dims, offset, type ? dtype_called(*type) : view.dtype);
    isa::PatternOffset by{.dim = indirect_dim};
    if (!scalar_offset.is_none()) {
      by.scalar = runtime_index(scalar_offset);
      if (!by.scalar) refuse_index(scalar_offset);
    }
    if (!vector_offset.is_none()) {
      const Tensor* index = as_tensor(vector_offset);
      if (index == nullptr) refuse_index(vector_offset);
      check_lives(*index);
      by.vector = &index->view;
    }
    return isa::moved(tensor.trace->program(), result, view, by);
  });
  return indexed_by(std::move(made), scalar_offset);
}

// A pattern whose row p is moved by index[p] along any dimension, as first-generation kernels have
// it; ap() takes such indices along dimension 0 only.
Tensor rows_at(const Tensor& tensor, nb::handle pattern, std::int64_t offset, const Tensor& index,
               std::int64_t dim) {
  return derived(tensor, [&](const isa::View& view) {
    check_lives(index);
    const isa::View result = isa::ap(view, pattern_dims(pattern), offset, view.dtype);
    return isa::with_vector_offset(tensor.trace->program(), result, view, dim, index.view);
  });
}

Tensor select(const Tensor& tensor, std::int64_t dim, nb::object index) {
  Tensor made = derived(tensor, [&](const isa::View& view) {
    if (const auto at = runtime_index(index))
      return isa::select_dynamic(tensor.trace->program(), view, dim, *at);
    if (PyIndex_Check(index.ptr()) == 0) refuse_index(index);
    return isa::select(view, dim, PyNumber_AsSsize_t(index.ptr(), PyExc_IndexError));
  });
  return indexed_by(std::move(made), index);
}

std::string name(const Tensor& tensor) {
  const isa::Tensor* made = declared(tensor);
  return made != nullptr ? made->name : "of a kernel that has ended";
}

bool is_shared(const Tensor& tensor) {
  const isa::Tensor* made = declared(tensor);
  return made != nullptr && made->shared;
}

Tensor base_tensor(const Tensor& tensor) {
  check_lives(tensor);
  return Tensor{tensor.trace, isa::view_of(tensor.trace->program(), tensor.view.tensor), {}};
}

using Class = nb::class_<Tensor>;

void bind_properties(Class& bound) {
  bound.def_prop_ro("shape", &shape)
      .def_prop_ro("strides", &strides, "elements")
      .def_prop_ro(
          "offset", [](const Tensor& t) { return t.view.offset; }, "elements")
      .def_prop_ro("ndim", [](const Tensor& t) { return t.view.rank(); })
      .def_prop_ro("size", [](const Tensor& t) { return t.view.size(); })
      .def_prop_ro("dtype",
                   [](const Tensor& t) { return std::string(numerics::name(t.view.dtype)); })
      .def_prop_ro("_space", [](const Tensor& t) { return std::string(isa::name(t.view.space)); })
      .def_prop_ro("_shared", &is_shared)
      .def_prop_ro("base_tensor", &base_tensor,
                   "the tensor that this is a view of, with that tensor's shape and dtype")
      .def_prop_ro("_id", [](const Tensor& t) { return t.view.tensor; })
      .def_prop_ro("name", &name)
      .def(
          "is_contiguous", [](const Tensor& t) { return t.view.is_contiguous(); },
          "Whether the free dimensions are row-major without gaps.")
      .def(
          "is_indirect", [](const Tensor& t) { return t.view.dynamic != 0; },
          "Whether the address depends on a run-time index.")
      .def("get_pattern", &pattern, "[[stride, count], ...] in elements, as ap() takes it.");
}

void bind_slicing(Class& bound) {
  bound.def("__getitem__", &get_item)
      .def(
          "slice",
          [](const Tensor& t, std::int64_t dim, std::int64_t start, std::int64_t end,
             std::int64_t step) {
            return derived(
                t, [&](const isa::View& v) { return isa::slice(v, dim, start, end, step); });
          },
          nb::arg("dim"), nb::arg("start"), nb::arg("end"), nb::arg("step") = 1,
          "Elements [start, end) of dimension dim, step apart. Raises InputError view.bounds.")
      .def("select", &select, nb::arg("dim"), nb::arg("index"),
           "One element of a dimension, which is removed; on chip dimension 0 and a second one "
           "stay. "
           "index: an integer, a register or a one-element integer SBUF tensor.")
      .def(
          "permute",
          [](const Tensor& t, const Ints& dims) {
            return derived(t, [&](const isa::View& v) { return isa::permute(v, dims); });
          },
          nb::arg("dims"), "The dimensions in another order; on chip dimension 0 stays first.")
      .def(
          "broadcast",
          [](const Tensor& t, std::int64_t dim, std::int64_t size) {
            return derived(t, [&](const isa::View& v) { return isa::broadcast(v, dim, size); });
          },
          nb::arg("dim"), nb::arg("size"), "A dimension of size 1 repeated `size` times.");
}

void bind_shapes(Class& bound) {
  bound
      .def(
          "expand_dim",
          [](const Tensor& t, std::int64_t dim) {
            return derived(t, [&](const isa::View& v) { return isa::expand_dim(v, dim); });
          },
          nb::arg("dim"), "A new dimension of size 1 before dimension dim.")
      .def(
          "squeeze_dim",
          [](const Tensor& t, std::int64_t dim) {
            return derived(t, [&](const isa::View& v) { return isa::squeeze_dim(v, dim); });
          },
          nb::arg("dim"), "Without dimension dim, which has size 1.")
      .def(
          "reshape_dim",
          [](const Tensor& t, std::int64_t dim, const Ints& to) {
            return derived(t, [&](const isa::View& v) { return isa::reshape_dim(v, dim, to); });
          },
          nb::arg("dim"), nb::arg("shape"),
          "Dimension dim split into `shape`, of which one size may be -1.")
      .def(
          "flatten_dims",
          [](const Tensor& t, std::int64_t first, std::int64_t last) {
            return derived(t,
                           [&](const isa::View& v) { return isa::flatten_dims(v, first, last); });
          },
          nb::arg("start_dim"), nb::arg("end_dim"),
          "Dimensions start_dim to end_dim, inclusive, as one; they follow each other in memory.")
      .def(
          "reshape",
          [](const Tensor& t, const Ints& to) {
            return derived(t, [&](const isa::View& v) { return isa::reshape(v, to); });
          },
          nb::arg("shape"),
          "The same elements in another shape, when the layout allows it without copying.")
      .def("_view", [](const Tensor& t, const std::string& type) {
        return derived(t,
                       [&](const isa::View& v) { return isa::reinterpret(v, dtype_called(type)); });
      });
}

void bind_patterns(Class& bound) {
  bound
      .def("_ap", &ap, nb::arg("pattern"), nb::arg("offset") = nb::none(),
           nb::arg("scalar_offset") = nb::none(), nb::arg("vector_offset") = nb::none(),
           nb::arg("indirect_dim") = 0, nb::arg("dtype") = nb::none())
      .def("_rows_at", &rows_at, nb::arg("pattern"), nb::arg("offset"), nb::arg("index"),
           nb::arg("dim"))
      .def(
          "vector_select",
          [](const Tensor& t, std::int64_t dim, const Tensor& index) {
            return derived(t, [&](const isa::View& v) {
              return isa::vector_select(t.trace->program(), v, dim, index.view);
            });
          },
          nb::arg("dim"), nb::arg("vector_offset"),
          "Row p of the result is row vector_offset[p, 0] of an HBM tensor.")
      .def(
          "indirect",
          [](const Tensor& t, const Tensor& index, std::optional<std::int64_t> elements) {
            return derived(t, [&](const isa::View& v) {
              return isa::indirect(t.trace->program(), v, index.view,
                                   elements.value_or(index.view.size()));
            });
          },
          nb::arg("index"), nb::arg("num_elem") = nb::none(),
          "A gather or scatter by free-dimension offsets in SBUF, shape (P, num_elem); "
          "NeuronCore-v4.");
}

}  // namespace

void bind_tensor(nb::module_& module) {
  Class bound(module, "TensorView",
              "A strided view of a tensor; the base of nki.language.NkiTensor.");
  bind_properties(bound);
  bind_slicing(bound);
  bind_shapes(bound);
  bind_patterns(bound);
}

}  // namespace trainyard::binding

// NumPy dtypes for the packed MX formats: a word of four elements, which only moves and is viewed.
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "binding/bindings.h"

#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#include <numpy/arrayobject.h>

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

template <typename Word>
struct Scalar {
  PyObject head;
  Word word;
};

template <typename Word>
Word swapped(Word word) {
  Word result = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i) {
    result = static_cast<Word>((result << 8) | ((word >> (8 * i)) & 0xff));
  }
  return result;
}

// What NumPy calls for arrays of a dtype; the word of a scalar is all there is to its value.
template <typename Word>
struct Functions {
  static PyObject* getitem(void* data, void* array) {
    PyTypeObject* type = PyArray_DESCR(static_cast<PyArrayObject*>(array))->typeobj;
    PyObject* made = type->tp_alloc(type, 0);
    if (made != nullptr)
      std::memcpy(&reinterpret_cast<Scalar<Word>*>(made)->word, data, sizeof(Word));
    return made;
  }

  static int setitem(PyObject* item, void* data, void* array) {
    PyTypeObject* type = PyArray_DESCR(static_cast<PyArrayObject*>(array))->typeobj;
    Word word = 0;
    if (PyObject_TypeCheck(item, type) != 0) {
      word = reinterpret_cast<Scalar<Word>*>(item)->word;
    } else {
      const unsigned long value = PyLong_AsUnsignedLong(item);
      if (PyErr_Occurred() != nullptr) return -1;
      word = static_cast<Word>(value);
    }
    std::memcpy(data, &word, sizeof(Word));
    return 0;
  }

  static void copyswapn(void* dst, npy_intp dst_stride, void* src, npy_intp src_stride, npy_intp n,
                        int swap, void* /*array*/) {
    for (npy_intp i = 0; i < n; ++i) {
      auto* to = static_cast<char*>(dst) + i * dst_stride;
      Word word;
      std::memcpy(&word, src == nullptr ? to : static_cast<char*>(src) + i * src_stride,
                  sizeof(Word));
      if (swap != 0) word = swapped(word);
      std::memcpy(to, &word, sizeof(Word));
    }
  }

  static void copyswap(void* dst, void* src, int swap, void* array) {
    copyswapn(dst, 0, src, 0, 1, swap, array);
  }

  static npy_bool nonzero(void* data, void* /*array*/) {
    Word word;
    std::memcpy(&word, data, sizeof(Word));
    return word != 0 ? NPY_TRUE : NPY_FALSE;
  }

  static PyObject* repr(PyObject* self) {
    return PyUnicode_FromFormat("%s(0x%x)", Py_TYPE(self)->tp_name,
                                static_cast<unsigned>(reinterpret_cast<Scalar<Word>*>(self)->word));
  }

  static PyArray_ArrFuncs* table() {
    static PyArray_ArrFuncs functions;
    PyArray_InitArrFuncs(&functions);
    functions.getitem = getitem;
    functions.setitem = setitem;
    functions.copyswapn = copyswapn;
    functions.copyswap = copyswap;
    functions.nonzero = nonzero;
    return &functions;
  }
};

template <typename Word>
nb::object scalar_type(const char* name) {
  PyType_Slot slots[] = {{Py_tp_repr, reinterpret_cast<void*>(Functions<Word>::repr)},
                         {Py_tp_str, reinterpret_cast<void*>(Functions<Word>::repr)},
                         {0, nullptr}};
  PyType_Spec spec{name, sizeof(Scalar<Word>), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  const nb::object bases =
      nb::make_tuple(nb::handle(reinterpret_cast<PyObject*>(&PyGenericArrType_Type)));
  return nb::steal(PyType_FromSpecWithBases(&spec, bases.ptr()));
}

// `proto` lives as long as the process: NumPy 2 copies it, NumPy 1 makes it the dtype itself.
template <typename Word>
void add_dtype(const char* full_name, PyArray_DescrProto& proto) {
  const nb::object type = scalar_type<Word>(full_name);
  if (!type.is_valid()) throw nb::python_error();
  Py_SET_TYPE(&proto, &PyArrayDescr_Type);
  Py_SET_REFCNT(&proto, 1);
  proto.typeobj = reinterpret_cast<PyTypeObject*>(type.ptr());
  proto.kind = 'V';
  proto.type = 'V';
  proto.byteorder = '=';
  proto.flags = NPY_NEEDS_PYAPI | NPY_USE_GETITEM | NPY_USE_SETITEM;
  proto.elsize = sizeof(Word);
  proto.alignment = alignof(Word);
  proto.hash = -1;
  proto.f = Functions<Word>::table();
  const int number = PyArray_RegisterDataType(&proto);
  if (number < 0) throw nb::python_error();
  PyArray_Descr* made = PyArray_DescrFromType(number);
  const std::string name =
      std::string(full_name).substr(std::string_view(full_name).rfind('.') + 1);
  nb::module_::import_("numpy").attr("sctypeDict")[name.c_str()] = type;
  type.attr("dtype") = nb::steal(reinterpret_cast<PyObject*>(made));
}

bool load_numpy() {
  import_array1(false);
  return true;
}

}  // namespace

void bind_dtypes(nb::module_& module) {
  module.def(
      "add_packed_dtypes",
      [] {
        if (!load_numpy()) throw nb::python_error();
        static PyArray_DescrProto e4m3{}, e5m2{}, e2m1{};
        add_dtype<std::uint32_t>("trainyard.float8_e4m3fn_x4", e4m3);
        add_dtype<std::uint32_t>("trainyard.float8_e5m2_x4", e5m2);
        add_dtype<std::uint16_t>("trainyard.float4_e2m1fn_x4", e2m1);
      },
      "Registers the packed MX dtypes with NumPy under their names, once for each process.");
}

}  // namespace trainyard::binding

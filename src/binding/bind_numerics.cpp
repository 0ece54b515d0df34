// The number formats, operators and activation functions as trainyard._core.numerics, on NumPy
// arrays of bytes (stored elements), float32 (values) and uint32 (patterns, random words). All
// arrays are contiguous and of one dimension.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "binding/bindings.h"
#include "numerics/activation.h"
#include "numerics/alu.h"
#include "numerics/convert.h"

namespace trainyard::binding {

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <typename T>
using Row = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using NewRow = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
using ByteRow = Row<std::uint8_t>;
using Floats = Row<float>;
using Words = Row<std::uint32_t>;

template <typename T>
NewRow<T> new_row(std::size_t n) {
  auto values = std::make_unique<T[]>(n);
  nb::capsule owner(values.get(),
                    [](void* p) noexcept { std::unique_ptr<T[]>(static_cast<T*>(p)); });
  return NewRow<T>(values.release(), {n}, owner);
}

const std::byte* stored(const ByteRow& bytes) {
  return reinterpret_cast<const std::byte*>(bytes.data());
}
std::byte* stored(NewRow<std::uint8_t>& bytes) {
  return reinterpret_cast<std::byte*>(bytes.data());
}

[[noreturn]] void unknown(const char* label, const char* rule, const std::string& found) {
  throw base::InputError({label, rule, {}, found, {}});
}

numerics::DType dtype_of(const std::string& name) {
  if (const auto dtype = numerics::dtype_from_name(name)) return *dtype;
  unknown("dtype.name", "a dtype is one of nki.language's", name);
}

numerics::AluOp operator_of(const std::string& name) {
  if (const auto op = numerics::alu_op_from_name(name)) return *op;
  unknown("operator.name", "an operator is one of nki.language's", name);
}

numerics::ActivationFunction function_of(const std::string& name) {
  if (const auto function = numerics::activation_function_from_name(name)) return *function;
  unknown("activation.name", "an activation function is one of nki.language's", name);
}

std::size_t elements(numerics::DType dtype, const ByteRow& bytes) {
  const auto size = static_cast<std::size_t>(numerics::size_in_bytes(dtype));
  if (bytes.size() % size != 0)
    unknown("dtype.bytes", "bytes hold whole elements", std::to_string(bytes.size()));
  return bytes.size() / size;
}

void require_same_length(std::size_t a, std::size_t b) {
  if (a != b)
    unknown("row.length", "rows have equal lengths",
            std::to_string(a) + " and " + std::to_string(b));
}

numerics::Narrowing narrowing_of(bool saturate, bool stochastic) {
  return {.rounding = stochastic ? numerics::RoundingMode::stochastic
                                 : numerics::RoundingMode::nearest_even,
          .overflow = saturate ? numerics::Overflow::saturate : numerics::Overflow::format};
}

NewRow<float> to_float(const std::string& name, const ByteRow& bytes) {
  const numerics::DType dtype = dtype_of(name);
  auto values = new_row<float>(elements(dtype, bytes));
  numerics::widen(dtype, stored(bytes), values.data(), values.size());
  return values;
}

NewRow<std::uint8_t> from_float(const std::string& name, const Floats& values, bool saturate,
                                const std::optional<Words>& random) {
  const numerics::DType dtype = dtype_of(name);
  if (random) require_same_length(values.size(), random->size());
  auto bytes = new_row<std::uint8_t>(values.size() *
                                     static_cast<std::size_t>(numerics::size_in_bytes(dtype)));
  numerics::narrow(
      dtype, values.data(), stored(bytes), values.size(),
      narrowing_of(saturate, random.has_value()),
      random ? std::span(random->data(), random->size()) : std::span<const std::uint32_t>());
  return bytes;
}

NewRow<std::uint8_t> convert(const std::string& from, const ByteRow& bytes, const std::string& to,
                             bool saturate) {
  const numerics::DType source = dtype_of(from), destination = dtype_of(to);
  const std::size_t n = elements(source, bytes);
  auto result =
      new_row<std::uint8_t>(n * static_cast<std::size_t>(numerics::size_in_bytes(destination)));
  numerics::convert(source, stored(bytes), destination, stored(result), n,
                    narrowing_of(saturate, false));
  return result;
}

NewRow<std::uint8_t> unpack(const std::string& name, const ByteRow& words) {
  const numerics::DType packed = dtype_of(name);
  const std::size_t n = elements(packed, words);
  auto result = new_row<std::uint8_t>(4 * n);
  numerics::unpack(packed, stored(words), stored(result), n);
  return result;
}

NewRow<std::uint8_t> pack(const std::string& name, const ByteRow& unpacked) {
  const numerics::DType packed = dtype_of(name);
  if (unpacked.size() % 4 != 0)
    unknown("dtype.bytes", "four elements make a word", std::to_string(unpacked.size()));
  const std::size_t n = unpacked.size() / 4;
  auto result =
      new_row<std::uint8_t>(n * static_cast<std::size_t>(numerics::size_in_bytes(packed)));
  numerics::pack(packed, stored(unpacked), stored(result), n);
  return result;
}

NewRow<float> apply(const std::string& name, const Floats& a, const Floats& b) {
  const numerics::AluOp op = operator_of(name);
  if (numerics::is_bitwise(op) || op == numerics::AluOp::average) {
    unknown("operator.float32", "the operator has a float32 form for two values", name);
  }
  require_same_length(a.size(), b.size());
  auto result = new_row<float>(a.size());
  numerics::apply(op, a.data(), b.data(), result.data(), a.size());
  return result;
}

NewRow<float> activate(const std::string& name, const Floats& values, float parameter) {
  auto result = new_row<float>(values.size());
  numerics::activate(function_of(name), values.data(), result.data(), values.size(), parameter);
  return result;
}

}  // namespace

void bind_numerics(nb::module_& module) {
  nb::module_ m = module.def_submodule("numerics",
                                       "Number formats and scalar arithmetic of the machine, on "
                                       "rows: uint8 arrays hold stored elements.");
  m.def("to_float", &to_float, "dtype"_a, "data"_a, "The float32 values of stored elements.");
  m.def("from_float", &from_float, "dtype"_a, "values"_a, "saturate"_a = false,
        "random"_a = nb::none(),
        "float32 values as stored elements: nearest even, or stochastically rounded by one random "
        "word each. "
        "Saturating replaces infinity or NaN of an overflow by the largest number.");
  m.def("convert", &convert, "from_dtype"_a, "data"_a, "to_dtype"_a, "saturate"_a = false,
        "Stored elements in another format: a copy if the formats are equal, otherwise through "
        "float32.");
  m.def("unpack", &unpack, "dtype"_a, "words"_a,
        "The four elements of every packed word, one byte each.");
  m.def("pack", &pack, "dtype"_a, "elements"_a, "Packed words of four elements, one byte each.");
  m.def("apply", &apply, "op"_a, "a"_a, "b"_a, "a op b in float32, element by element.");
  m.def("activate", &activate, "function"_a, "values"_a, "parameter"_a = 0.0f,
        "An activation function of every float32 value; only prelu reads the parameter.");
}

}  // namespace trainyard::binding

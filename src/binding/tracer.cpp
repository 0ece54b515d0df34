#include "binding/tracer.h"

#include "base/error.h"
#include "binding/operand_values.h"
#include "isa/forms/record_defaults.h"
#include "isa/rules/validate.h"

namespace trainyard::binding {

namespace nb = nanobind;

void refuse_ended() {
  throw base::InputError({"tensor.ended",
                          "a tensor is used while its own kernel is traced",
                          {},
                          "its kernel has ended",
                          "declare the tensor in this kernel, or pass the data as an argument"});
}

const Tensor* as_tensor(nb::handle value) {
  const Tensor* tensor = nullptr;  // stays null for None, which casts to any pointer
  return nb::try_cast(value, tensor, false) ? tensor : nullptr;
}

nb::object object_of(Tensor tensor) {
  const nb::handle type = tensor.trace->vocabulary->tensor_class();
  nb::object object = nb::inst_alloc(type.is_valid() ? type : nb::type<Tensor>());
  new (nb::inst_ptr<Tensor>(object)) Tensor(std::move(tensor));
  nb::inst_mark_ready(object);
  return object;
}

const RegisterHandle* as_register(nb::handle value) {
  const RegisterHandle* handle = nullptr;
  if (nb::try_cast(value, handle, false)) return handle;
  // An NkiScalar of Python holds its register.
  if (PyLong_CheckExact(value.ptr()) || !PyObject_HasAttrString(value.ptr(), "_register"))
    return nullptr;
  const nb::object held = value.attr("_register");
  return nb::try_cast(held, handle, false) ? handle : nullptr;
}

std::uint32_t emit(TraceState& trace, int opcode, nb::handle values, isa::Engine engine,
                   bool is_named) {
  const isa::InstructionInfo& info = isa::info(static_cast<isa::Opcode>(opcode));
  isa::RecordBuffer record(info);
  trace.stand_here();
  try {
    set_operands(trace, info, record.data(), values);
  } catch (const base::InputError& error) {
    throw base::InputError(trace.builder.placed(error.violations(), info, record.data()));
  }
  if (is_named) trace.builder.check_engine(info, record.data(), engine);
  return trace.builder.emit_raw(static_cast<isa::Opcode>(opcode), record.data(), engine);
}

}  // namespace trainyard::binding

// What a kernel's tensors hold while it is still being traced: the program so far, with an end of
// its own that keeps one tensor or register.
#pragma once

#include <utility>

#include "binding/tracer.h"

namespace trainyard::binding {

// The program up to here, and the HBM tensor in which it leaves the values of `tensor`. The trace
// stays as it is. Throws InputError for a tensor of a loop body that has ended.
[[nodiscard]] std::pair<isa::Program, Tensor> peeked(const Tensor& tensor);
// The same for a register; the tensor has one int32.
[[nodiscard]] std::pair<isa::Program, Tensor> peeked(const std::shared_ptr<TraceState>& trace,
                                                     const RegisterHandle& handle);

}  // namespace trainyard::binding

// A kernel that a tensor program calls: a custom call of AwsNeuronCustomNativeKernel whose
// backend_config holds the program that NKI traced.
#pragma once

#include <string>
#include <vector>

#include "graph/module.h"
#include "isa/core/program.h"

namespace trainyard::compiler {

struct NativeKernel {
  isa::Program program;                        // in the author's order
  std::vector<isa::TensorId> inputs, outputs;  // its tensors, in the order of operands and results
};

[[nodiscard]] bool is_native_kernel(const graph::Op& op);

// The text of backend_config: "trainyard-kernel-1;0,1;2;" and the program's binary form in base64.
[[nodiscard]] std::string native_kernel_config(const NativeKernel& kernel);

// Throws InputError "kernel.config" when the configuration is not of that form, "kernel.operand"
// when the kernel's tensors are not of the types of operands and results.
[[nodiscard]] NativeKernel read_native_kernel(const graph::Module& module,
                                              const graph::Function& function, const graph::Op& op);

}  // namespace trainyard::compiler

#include "engines/activation_tables.h"

#include "base/error.h"

namespace trainyard::engines {

TableSet table_set_of(numerics::ActivationFunction function) {
  using enum numerics::ActivationFunction;
  switch (function) {
    case copy:
    case square:
    case relu:
    case prelu:
    case sign:
    case abs: return TableSet::any;
    case sqrt:
    case rsqrt: return TableSet::root;
    case exp:
    case log:
    case softplus: return TableSet::exponential;
    case reciprocal: return TableSet::reciprocal;
    case gelu:
    case gelu_dx:
    case gelu_apprx_tanh:
    case gelu_apprx_sigmoid:
    case gelu_apprx_sigmoid_dx: return TableSet::gelu;
    case tanh:
    case sigmoid:
    case silu:
    case silu_dx:
    case mish: return TableSet::sigmoid;
    case sin:
    case arctan: return TableSet::trigonometric;
    case erf:
    case erf_dx: return TableSet::error;
  }
  base::fail("an activation function without a table set");
}

}  // namespace trainyard::engines

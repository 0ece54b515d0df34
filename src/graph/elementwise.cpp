#include "graph/elementwise.h"

namespace trainyard::graph {

bool is_elementwise(OpKind kind) {
  switch (kind) {
    case OpKind::abs:
    case OpKind::add:
    case OpKind::and_:
    case OpKind::atan2:
    case OpKind::cbrt:
    case OpKind::ceil:
    case OpKind::clamp:
    case OpKind::compare:
    case OpKind::complex:
    case OpKind::convert:
    case OpKind::cosine:
    case OpKind::count_leading_zeros:
    case OpKind::divide:
    case OpKind::exponential:
    case OpKind::exponential_minus_one:
    case OpKind::floor:
    case OpKind::imag:
    case OpKind::is_finite:
    case OpKind::log:
    case OpKind::log_plus_one:
    case OpKind::logistic:
    case OpKind::maximum:
    case OpKind::minimum:
    case OpKind::multiply:
    case OpKind::negate:
    case OpKind::not_:
    case OpKind::or_:
    case OpKind::popcnt:
    case OpKind::power:
    case OpKind::real:
    case OpKind::reduce_precision:
    case OpKind::remainder:
    case OpKind::round_nearest_afz:
    case OpKind::round_nearest_even:
    case OpKind::rsqrt:
    case OpKind::select:
    case OpKind::shift_left:
    case OpKind::shift_right_arithmetic:
    case OpKind::shift_right_logical:
    case OpKind::sign:
    case OpKind::sine:
    case OpKind::sqrt:
    case OpKind::subtract:
    case OpKind::tan:
    case OpKind::tanh:
    case OpKind::xor_: return true;
    default: return false;
  }
}

}  // namespace trainyard::graph

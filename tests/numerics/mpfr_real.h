// Real numbers of 240 bits (MPFR) with ordinary operators: the yardstick for float32 results.
#pragma once

#include <mpfr.h>

#include <utility>

namespace trainyard::numerics {

class Real {
 public:
  Real() { mpfr_init2(value_, precision); }
  Real(double x) : Real() { mpfr_set_d(value_, x, MPFR_RNDN); }
  Real(const Real& other) : Real() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  Real& operator=(const Real& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Real() { mpfr_clear(value_); }

  friend Real operator+(const Real& a, const Real& b) { return binary(mpfr_add, a, b); }
  friend Real operator-(const Real& a, const Real& b) { return binary(mpfr_sub, a, b); }
  friend Real operator*(const Real& a, const Real& b) { return binary(mpfr_mul, a, b); }
  friend Real operator/(const Real& a, const Real& b) { return binary(mpfr_div, a, b); }
  friend Real operator-(const Real& a) { return unary(mpfr_neg, a); }
  friend Real exp(const Real& a) { return unary(mpfr_exp, a); }
  friend Real log(const Real& a) { return unary(mpfr_log, a); }
  friend Real log1p(const Real& a) { return unary(mpfr_log1p, a); }
  friend Real sin(const Real& a) { return unary(mpfr_sin, a); }
  friend Real arctan(const Real& a) { return unary(mpfr_atan, a); }
  friend Real tanh(const Real& a) { return unary(mpfr_tanh, a); }
  friend Real erf(const Real& a) { return unary(mpfr_erf, a); }
  friend Real erfc(const Real& a) { return unary(mpfr_erfc, a); }
  friend Real sqrt(const Real& a) { return unary(mpfr_sqrt, a); }
  friend Real abs(const Real& a) { return unary(mpfr_abs, a); }
  friend Real power(const Real& a, const Real& b) { return binary(mpfr_pow, a, b); }
  friend bool operator<(const Real& a, const Real& b) {
    return mpfr_less_p(a.value_, b.value_) != 0;
  }

  static Real pi() {
    Real result;
    mpfr_const_pi(result.value_, MPFR_RNDN);
    return result;
  }

  // Rounded once to float32, nearest even, subnormals included.
  float to_float() const { return mpfr_get_flt(value_, MPFR_RNDN); }

 private:
  static constexpr mpfr_prec_t precision = 240;

  template <class Operation>
  static Real unary(Operation operation, const Real& a) {
    Real result;
    operation(result.value_, a.value_, MPFR_RNDN);
    return result;
  }
  template <class Operation>
  static Real binary(Operation operation, const Real& a, const Real& b) {
    Real result;
    operation(result.value_, a.value_, b.value_, MPFR_RNDN);
    return result;
  }

  mpfr_t value_;
};

}  // namespace trainyard::numerics

// The host's floating-point settings that bit-exact results need: round to nearest even, subnormals
// neither flushed nor read as zero. Another library in the process may have changed them
// (-ffast-math start-up code, a "flush denormals" call).
#pragma once

#include <cfenv>

namespace trainyard::numerics {

// Standard settings for this thread while it lives, then the former ones. Take one around every run
// of a program.
class StandardFloatEnvironment {
 public:
  StandardFloatEnvironment() {
    std::fegetenv(&former_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~StandardFloatEnvironment() { std::fesetenv(&former_); }
  StandardFloatEnvironment(const StandardFloatEnvironment&) = delete;
  StandardFloatEnvironment& operator=(const StandardFloatEnvironment&) = delete;

 private:
  std::fenv_t former_;
};

}  // namespace trainyard::numerics

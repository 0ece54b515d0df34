// Runs a check once for every instruction set the vectorised code was compiled for and this host
// has, so that the slower paths are tested on fast hosts too.
#pragma once

#include <hwy/targets.h>

#include <cstdint>

namespace trainyard::numerics {

template <typename Check>
void for_each_simd_target(const Check& check) {
  hwy::SetSupportedTargetsForTest(0);
  const std::int64_t supported = hwy::SupportedTargets();
  for (const std::int64_t target : {std::int64_t{HWY_AVX3_DL}, std::int64_t{HWY_AVX3},
                                    std::int64_t{HWY_AVX2}, std::int64_t{HWY_EMU128}}) {
    if ((supported & target) == 0) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    check(hwy::TargetName(target));
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace trainyard::numerics

#include "engines/time_account.h"

namespace trainyard::engines {

void TimeAccount::spend(base::Ticks end, trace::Reason reason, std::uint32_t instruction,
                        std::uint32_t iteration, trace::TrackId cause) {
  totals_.ticks[trace::index(reason)] += (end - at_).value;
  if (recorder_ != nullptr)
    recorder_->interval(track_, reason, at_, end, instruction, iteration, cause);
  at_ = end;
}

}  // namespace trainyard::engines

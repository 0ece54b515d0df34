#include "engines/time_account.h"

#include <utility>

namespace trainyard::engines {

void TimeAccount::spend(base::Ticks end, trace::Reason reason, std::uint32_t instruction,
                        std::uint32_t iteration, trace::TrackId cause) {
  const base::Ticks begin = std::exchange(at_, end);
  totals_.ticks[trace::index(reason)] += (end - begin).value;
  if (recorder_ != nullptr)
    recorder_->interval(track_, reason, begin, end, instruction, iteration, cause);
}

}  // namespace trainyard::engines

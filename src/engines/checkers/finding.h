// What a run-time check found, and what happens then: the first finding stops the run, or all of
// them are kept up to a bound.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"

namespace trainyard::engines {

struct Finding {
  base::FaultCategory category = base::FaultCategory::undefined_behavior;
  base::Violation violation;
};

class Findings {
 public:
  // `keep` findings are kept; 0: the first one is thrown as a Fault.
  explicit Findings(std::size_t keep) : keep_(keep) {}

  void report(Finding finding) {
    ++count_;
    if (keep_ == 0) throw base::Fault(finding.category, std::move(finding.violation));
    if (list_.size() < keep_) list_.push_back(std::move(finding));
  }
  [[nodiscard]] const std::vector<Finding>& list() const { return list_; }
  // All findings, those that were not kept included.
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  std::size_t keep_;
  std::vector<Finding> list_;
  std::uint64_t count_ = 0;
};

}  // namespace trainyard::engines

// What a run does not say by itself, found by running its compiled programs again on other
// machines, time only: the interval of its time, and answers to "what if". Knows nothing of how it
// is asked.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engines/watch.h"
#include "report/sensitivity.h"
#include "session/session.h"

namespace trainyard::session {

struct Questions {
  bool interval = false;  // over the documented ranges of the figures that nobody has published
  std::vector<report::Change> changes{};
  bool advice = false;  // what to try next
  // Without an interval, or advice, where it would run more instructions than this; 0: whatever it
  // takes.
  std::uint64_t instructions_max = 0;
  engines::Watch watch{};  // is told how far each simulation is; may end it by throwing
  std::shared_ptr<const machine::System> system{};  // of several chips
};

// Adds the answers to the report of the slowest of `runs`, which are the timed runs of `instances`
// on `machine`. The programs stay as they were compiled for that machine. Where control flow
// depends on data, or the interval is too much work, the report says so instead. Throws InputError
// like machine::apply_overrides.
void answer(const Questions& questions, std::span<const std::shared_ptr<Instance>> instances,
            const machine::Machine& machine, std::span<Run* const> runs);

// What the instances take together in the order in which their author wrote them; nothing where no
// other order was tried.
[[nodiscard]] std::optional<base::Ticks> as_written_time(
    std::span<const std::shared_ptr<Instance>> instances, const machine::Machine& machine,
    const engines::Watch& watch, const machine::System* system = nullptr);

}  // namespace trainyard::session

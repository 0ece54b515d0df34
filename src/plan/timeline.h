// When devices that run one plan compute and exchange. They are alike, so one of them is followed:
// its bodies run one after the other, exchanges beside them. What is under way at a time shares
// links, memory and DMA: the earlier one in the program goes first, the others take what it leaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "base/units.h"

namespace trainyard::plan {

// Of a resource, the share of what it carries that a task takes while it runs alone.
struct Demand {
  std::uint32_t resource = 0;
  double share = 0;
};
// What a task takes when nothing is beside it.
struct Work {
  base::Ticks time{};
  std::vector<Demand> demands{};
  // Of all devices: of cores in a body; of links, switches, DMA engines and HBM in a meeting.
  double joules = 0;
};

// What a task takes when it begins at a time, where that changes: things fail, or are slow.
using WorkAt = std::function<Work(base::Ticks begin)>;

using TaskId = std::size_t;  // in the order of the program

struct Task {
  enum class Kind : std::uint8_t { body, meeting };
  Kind kind = Kind::body;
  std::size_t what = 0;  // of the plan's bodies, or of a list of the plan's meetings
  Work work{};
  WorkAt work_at{};             // then `work` is what nothing has failed for, until it runs
  std::vector<TaskId> after{};  // that end before it begins
  // What a meeting brings, which is held until the last task behind it has ended.
  std::int64_t bytes = 0;
  base::Ticks begin{}, end{};  // after run()
};

class Timeline {
 public:
  // `early_bytes`: that a device has room for of what meetings bring before their turn; `begin`:
  // when devices begin.
  explicit Timeline(std::int64_t early_bytes = std::numeric_limits<std::int64_t>::max(),
                    base::Ticks begin = {})
      : early_bytes_(early_bytes), begin_(begin) {}

  // A body begins behind the one before.
  TaskId add(Task task);
  void run();

  [[nodiscard]] const std::vector<Task>& tasks() const { return tasks_; }
  [[nodiscard]] base::Ticks end() const { return end_; }
  // Of bodies and of meetings, each alone.
  [[nodiscard]] base::Ticks computing() const { return computing_; }
  [[nodiscard]] base::Ticks exchanging() const { return exchanging_; }
  // What devices spend without computing, or computing slower because of what is beside.
  [[nodiscard]] base::Ticks exposed() const { return end_ - computing_; }
  // Of each task, how long devices wait for it: of a body, what it takes longer than alone.
  [[nodiscard]] std::vector<base::Ticks> waited_for() const;
  // The tasks that the end waits for, one behind the other.
  [[nodiscard]] std::vector<TaskId> critical_path() const;
  // The most that meetings brought before their turn at a time.
  [[nodiscard]] std::int64_t most_early_bytes() const { return most_early_; }

 private:
  class Running;
  [[nodiscard]] TaskId last_before(const Task& task) const;

  std::int64_t early_bytes_;
  base::Ticks begin_;
  std::vector<Task> tasks_;
  std::vector<TaskId> bodies_;
  base::Ticks end_{}, computing_{}, exchanging_{};
  std::int64_t most_early_ = 0;
};

}  // namespace trainyard::plan

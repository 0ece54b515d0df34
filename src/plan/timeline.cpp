#include "plan/timeline.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/error.h"

namespace trainyard::plan {

using base::Ticks;

TaskId Timeline::add(Task task) {
  const TaskId id = tasks_.size();
  (task.kind == Task::Kind::body ? computing_ : exchanging_) += task.work.time;
  if (task.kind == Task::Kind::body) {
    if (!bodies_.empty()) task.after.push_back(bodies_.back());
    bodies_.push_back(id);
  }
  std::ranges::sort(task.after);
  const auto repeated = std::ranges::unique(task.after);
  task.after.erase(repeated.begin(), repeated.end());
  base::check(task.after.empty() || task.after.back() < id, "tasks wait for earlier ones");
  tasks_.push_back(std::move(task));
  return id;
}

class Timeline::Running {
 public:
  explicit Running(Timeline& timeline)
      : of_(timeline), states_(timeline.tasks_.size()), now_(timeline.begin_) {
    for (TaskId id = 0; id < states_.size(); ++id) {
      const Task& task = of_.tasks_[id];
      states_[id].left = static_cast<double>(task.work.time.value);
      states_[id].missing = task.after.size();
      states_[id].readers = 0;
      for (const TaskId before : task.after) {
        states_[before].next.push_back(id);
        ++states_[before].readers;
      }
      for (const Demand& demand : task.work.demands)
        resources_ = std::max<std::size_t>(resources_, demand.resource + 1);
      if (task.after.empty()) ready_.insert(id);
    }
  }

  void run() {
    while (true) {
      begin_ready();
      if (running_.empty()) break;
      advance();
    }
    base::check(ready_.empty(), "every task ends");
    of_.end_ = now_;
  }

 private:
  struct State {
    double left = 0;  // of its work, in ticks alone
    double rate = 0;
    std::size_t missing = 0;  // that it waits for
    std::size_t readers = 0;  // behind it, not ended
    bool is_early = false;    // a meeting that brings something before its turn
    std::vector<TaskId> next{};
  };

  // Behind which meetings are early: the first body that has not begun.
  [[nodiscard]] TaskId turn() const {
    return body_ < of_.bodies_.size() ? of_.bodies_[body_] : of_.tasks_.size();
  }

  void begin_ready() {
    for (bool again = true; again;) {
      again = false;
      for (auto at = ready_.begin(); at != ready_.end();) {
        const TaskId id = *at;
        Task& task = of_.tasks_[id];
        const bool is_early = task.kind == Task::Kind::meeting && id > turn();
        if (is_early && early_ + task.bytes > of_.early_bytes_ && early_ > 0) break;
        at = ready_.erase(at);
        task.begin = now_;
        if (task.work_at) price(task, states_[id]);
        if (task.kind == Task::Kind::body) {
          ++body_;
          settle();
          again = true;
        } else if (is_early) {
          states_[id].is_early = true;
          early_ += task.bytes;
          of_.most_early_ = std::max(of_.most_early_, early_);
        }
        running_.insert(id);
      }
    }
  }

  void price(Task& task, State& state) {
    Ticks& sum = task.kind == Task::Kind::body ? of_.computing_ : of_.exchanging_;
    sum -= task.work.time;
    task.work = task.work_at(now_);
    sum += task.work.time;
    state.left = static_cast<double>(task.work.time.value);
    for (const Demand& demand : task.work.demands)
      resources_ = std::max<std::size_t>(resources_, demand.resource + 1);
  }

  // What was early is in its turn when the body behind it begins.
  void settle() {
    for (TaskId id = settled_; id < turn(); ++id) {
      if (!std::exchange(states_[id].is_early, false)) continue;
      early_ -= of_.tasks_[id].bytes;
    }
    settled_ = std::max(settled_, turn());
  }

  void set_rates() {
    std::vector<double> free(resources_, 1.0);
    for (const TaskId id : running_) {
      const std::vector<Demand>& demands = of_.tasks_[id].work.demands;
      double rate = 1;
      for (const Demand& demand : demands) {
        if (demand.share > 0) rate = std::min(rate, free[demand.resource] / demand.share);
      }
      if (rate < least_rate) rate = 0;
      for (const Demand& demand : demands)
        free[demand.resource] = std::max(0.0, free[demand.resource] - (rate * demand.share));
      states_[id].rate = rate;
    }
  }

  void advance() {
    set_rates();
    double step = -1;
    for (const TaskId id : running_) {
      const State& state = states_[id];
      if (state.rate == 0 && state.left > 0) continue;
      const double needed = state.left <= 0 ? 0 : std::ceil(state.left / state.rate);
      if (step < 0 || needed < step) step = needed;
    }
    base::check(step >= 0, "the first of what is under way goes on");
    now_ += Ticks{static_cast<std::int64_t>(step)};
    std::vector<TaskId> ended;
    for (const TaskId id : running_) {
      State& state = states_[id];
      state.left -= step * state.rate;
      if (state.left <= least_left) ended.push_back(id);
    }
    for (const TaskId id : ended) end(id);
  }

  void end(TaskId id) {
    running_.erase(id);
    of_.tasks_[id].end = now_;
    for (const TaskId next : states_[id].next) {
      if (--states_[next].missing == 0) ready_.insert(next);
    }
  }

  static constexpr double least_rate = 1e-6, least_left = 1e-6;

  Timeline& of_;
  std::vector<State> states_;
  std::size_t resources_ = 0;
  std::set<TaskId> ready_, running_;
  Ticks now_{};
  std::size_t body_ = 0;  // of the bodies, the next one to begin
  TaskId settled_ = 0;
  std::int64_t early_ = 0;
};

void Timeline::run() { Running(*this).run(); }

// Of what it waited for, what ended last; a body among equals.
TaskId Timeline::last_before(const Task& task) const {
  TaskId last = task.after.front();
  for (const TaskId id : task.after) {
    if (tasks_[id].end > tasks_[last].end ||
        (tasks_[id].end == tasks_[last].end && tasks_[id].kind == Task::Kind::body))
      last = id;
  }
  return last;
}

std::vector<base::Ticks> Timeline::waited_for() const {
  std::vector<Ticks> waited(tasks_.size());
  // From a moment back to when the device was free: who was under way.
  const auto attribute = [&](const std::vector<TaskId>& after, Ticks from, Ticks until) {
    const Task* task = nullptr;
    const std::vector<TaskId>* list = &after;
    while (until > from && !list->empty()) {
      const TaskId id = last_before(Task{.after = *list});
      task = &tasks_[id];
      if (task->end <= from) break;
      const Ticks begin = std::max(task->begin, from);
      if (task->end > begin) waited[id] += std::min(until, task->end) - begin;
      until = std::min(until, begin);
      list = &task->after;
    }
  };
  Ticks free{};
  for (const TaskId id : bodies_) {
    const Task& task = tasks_[id];
    attribute(task.after, free, task.begin);
    waited[id] += task.end - task.begin - task.work.time;
    free = task.end;
  }
  std::vector<TaskId> last;
  for (TaskId id = 0; id < tasks_.size(); ++id) {
    if (tasks_[id].end == end_) last.push_back(id);
  }
  if (end_ > free) attribute(last, free, end_);
  return waited;
}

std::vector<TaskId> Timeline::critical_path() const {
  std::vector<TaskId> path;
  if (tasks_.empty()) return path;
  std::vector<TaskId> all(tasks_.size());
  for (TaskId id = 0; id < all.size(); ++id) all[id] = id;
  Task until{.after = std::move(all)};
  while (!until.after.empty()) {
    path.push_back(last_before(until));
    until.after = tasks_[path.back()].after;
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace trainyard::plan

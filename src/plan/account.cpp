#include "plan/account.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace trainyard::plan {

namespace {

// Bytes of what an operation reads and writes; of products more, as they take longer.
std::int64_t weight_of(const Function& function, const Op& op) {
  std::int64_t sum = 0;
  const auto add = [&](const std::vector<ValueId>& values) {
    for (const ValueId value : values) {
      const graph::Type& type = function.type(value);
      sum += type.kind == graph::Type::Kind::tensor ? type.bytes() : 0;
    }
  };
  add(op.operands);
  add(op.results);
  const bool multiplies =
      op.kind == graph::OpKind::dot_general || op.kind == graph::OpKind::convolution;
  return multiplies ? 1000 * sum : sum;
}

Entry entry_of(const Plan& plan, const Body& body) {
  const Function& main = body.module.entry();
  const auto ops = std::span(main.body.ops).first(main.body.ops.size() - 1);
  Entry entry;
  if (ops.empty()) return entry;
  const auto largest =
      std::ranges::max_element(ops, {}, [&](const Op& op) { return weight_of(main, op); });
  entry.what = name(largest->kind);
  if (ops.size() > 1) entry.what += fmt::format(" and {} more", ops.size() - 1);
  entry.place = plan.module->describe(largest->location);
  return entry;
}

Entry entry_of(const Plan& plan, const Meet& meet) {
  Entry entry{.kind = Task::Kind::meeting, .what = std::string(name(meet.op->kind))};
  entry.place = plan.module->describe(meet.op->location);
  entry.bytes = meet.bytes;
  if (meet.groups.empty()) return entry;
  const Partitions& largest = *std::ranges::max_element(meet.groups, {}, &Partitions::size);
  entry.devices = std::ssize(largest);
  if (largest.size() > 1)
    entry.stride = static_cast<std::int64_t>(largest[1]) - static_cast<std::int64_t>(largest[0]);
  return entry;
}

class Accounting {
 public:
  Accounting(const Plan& plan, const Execution& execution,
             const std::function<Route(const Meet&)>& route)
      : plan_(plan), execution_(execution), route_(route) {}

  TimeAccount account() && {
    const std::vector<Task>& tasks = execution_.timeline.tasks();
    const std::vector<base::Ticks> waited = execution_.timeline.waited_for();
    for (TaskId id = 0; id < tasks.size(); ++id) {
      const std::size_t number = number_of(tasks[id]);
      Entry& entry = account_.entries[number];
      account_.entry_of.push_back(number);
      ++entry.count;
      entry.alone += tasks[id].work.time;
      entry.waited += waited[id];
    }
    for (const TaskId id : execution_.timeline.critical_path())
      account_.entries[account_.entry_of[id]].on_path += tasks[id].end - tasks[id].begin;
    sort();
    return std::move(account_);
  }

 private:
  std::size_t number_of(const Task& task) {
    if (task.kind == Task::Kind::body) {
      const auto [at, is_new] = bodies_.try_emplace(task.what, account_.entries.size());
      if (is_new) account_.entries.push_back(entry_of(plan_, plan_.bodies[task.what]));
      return at->second;
    }
    const Meet& meet = *execution_.meetings[task.what];
    Entry entry = entry_of(plan_, meet);
    const auto [at, is_new] = meetings_.try_emplace(
        std::tuple(entry.what, entry.place, meet.bytes, meet.groups), account_.entries.size());
    if (is_new) {
      if (!meet.groups.empty()) entry.route = route_(meet);
      account_.entries.push_back(std::move(entry));
    }
    return at->second;
  }

  void sort() {
    std::vector<std::size_t> order(account_.entries.size()), place(order.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) {
      const Entry& entry = account_.entries[i];
      return entry.kind == Task::Kind::body ? entry.alone + entry.waited : entry.waited;
    });
    std::vector<Entry> sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
      place[order[i]] = i;
      sorted.push_back(std::move(account_.entries[order[i]]));
    }
    account_.entries = std::move(sorted);
    for (std::size_t& number : account_.entry_of) number = place[number];
  }

  const Plan& plan_;
  const Execution& execution_;
  const std::function<Route(const Meet&)>& route_;
  TimeAccount account_;
  std::map<std::size_t, std::size_t> bodies_;
  std::map<std::tuple<std::string, std::string, std::int64_t, std::vector<Partitions>>, std::size_t>
      meetings_;
};

}  // namespace

TimeAccount account_of(const Plan& plan, const Execution& execution,
                       const std::function<Route(const Meet&)>& route) {
  return Accounting(plan, execution, route).account();
}

}  // namespace trainyard::plan

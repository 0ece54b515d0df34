// Do parts that advance side by side handle the same events in the same order as one list of all
// events would, however many threads there are, and is what ends a run the earliest that could?
#include "events/partitions.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>

#include "base/random.h"

namespace trainyard::events {
namespace {

constexpr std::size_t parts = 5;
// Parts of a group are answered together.
const std::array<std::vector<std::size_t>, 2> groups{{{0, 2}, {1, 3, 4}}};
std::uint32_t group_of(std::size_t part) { return part == 0 || part == 2 ? 0 : 1; }

// Who keeps the events of a random schedule, and hands them out in their order.
class Keeper {
 public:
  virtual ~Keeper() = default;
  virtual Ticks now(std::size_t part) = 0;
  virtual void at(std::size_t part, Ticks time, std::uint32_t what) = 0;
  virtual void ask(std::size_t part, std::uint32_t what) = 0;
  virtual Ticks now_between() = 0;
  virtual void between_at(Ticks time, std::uint32_t group) = 0;
  virtual void met(std::uint32_t group) = 0;
  virtual void answer(std::size_t part) = 0;
};

// A random schedule: what a part does depends on what it has done so far, what happens between the
// parts on what they asked. Each writes down what it handles, and when.
class Schedule {
 public:
  explicit Schedule(std::uint64_t seed) {
    for (std::size_t p = 0; p < parts; ++p) random_.emplace_back(seed * 100 + p);
    random_.emplace_back(seed);
  }
  void start(Keeper& keeper) {
    for (std::size_t p = 0; p < parts; ++p) keeper.at(p, {static_cast<std::int64_t>(p % 2)}, 0);
  }
  void handle(Keeper& keeper, std::size_t part, std::uint32_t what) {
    base::Random& random = random_[part];
    write(part, keeper.now(part), what);
    if (logs_[part].size() > 400) return;
    const auto later = [&] {
      const auto delay = static_cast<std::int64_t>(random.below(4) * random.below(4));
      keeper.at(part, keeper.now(part) + Ticks{delay}, what + 1);
    };
    if (random.below(8) != 0) later();
    if (random.below(8) == 0) later();
    if (random.below(6) != 0 || waits_[part]) return;
    waits_[part] = true;
    keeper.ask(part, what);
  }
  void asked(Keeper& keeper, std::size_t part, std::uint32_t what) {
    write(parts, keeper.now_between(), what);
    const std::uint32_t group = group_of(part);
    if (++present_[group] < groups[group].size()) return;
    present_[group] = 0;
    keeper.met(group);
    const Ticks wait{static_cast<std::int64_t>(random_[parts].below(12))};
    keeper.between_at(keeper.now_between() + wait, group);
  }
  void answers(Keeper& keeper, std::uint32_t group) {
    write(parts, keeper.now_between(), group);
    for (const std::size_t part : groups[group]) {
      waits_[part] = false;
      keeper.answer(part);
      const Ticks delay{static_cast<std::int64_t>(random_[parts].below(2))};
      keeper.at(part, keeper.now_between() + delay, 1000);
    }
  }
  [[nodiscard]] const auto& logs() const { return logs_; }

 private:
  void write(std::size_t log, Ticks time, std::uint32_t what) {
    logs_[log].push_back({time.value, what});
  }
  std::vector<base::Random> random_;  // by part, and of what is between them
  std::array<bool, parts> waits_{};
  std::array<std::size_t, 2> present_{};
  std::array<std::vector<std::pair<std::int64_t, std::uint32_t>>, parts + 1> logs_;
};

// One list: at one time what the parts do, then what they ask by part, then what is between them.
class OneList final : public Keeper {
 public:
  void run(Schedule& schedule) {
    schedule.start(*this);
    while (!list_.empty()) {
      const auto [key, what] = *list_.begin();
      list_.erase(list_.begin());
      const auto& [time, sort, part, order] = key;
      now_ = {time};
      if (sort == 0) schedule.handle(*this, part, what);
      if (sort == 1) schedule.asked(*this, part, what);
      if (sort == 2) schedule.answers(*this, what);
    }
  }
  Ticks now(std::size_t) override { return now_; }
  void at(std::size_t part, Ticks time, std::uint32_t what) override { add(time, 0, part, what); }
  void ask(std::size_t part, std::uint32_t what) override { add(now_, 1, part, what); }
  Ticks now_between() override { return now_; }
  void between_at(Ticks time, std::uint32_t group) override { add(time, 2, 0, group); }
  void met(std::uint32_t) override {}
  void answer(std::size_t) override {}

 private:
  void add(Ticks time, int sort, std::size_t part, std::uint32_t what) {
    list_.emplace(std::tuple(time.value, sort, part, list_order_++), what);
  }
  std::map<std::tuple<std::int64_t, int, std::size_t, std::uint64_t>, std::uint32_t> list_;
  std::uint64_t list_order_ = 0;
  Ticks now_;
};

class SideBySide final : public Keeper {
 public:
  explicit SideBySide(Schedule& schedule) : between_(*this, schedule, parts) {
    for (std::size_t p = 0; p < parts; ++p) {
      partitions_.add();
      parts_.push_back(std::make_unique<Part>(*this, schedule, p));
    }
  }
  void run(std::size_t threads_max, Schedule& schedule) {
    schedule.start(*this);
    base::ThreadPool threads(threads_max);
    partitions_.run(threads, [&] { ++looks; });
  }
  Ticks now(std::size_t part) override { return partitions_[part].now(); }
  void at(std::size_t part, Ticks time, std::uint32_t what) override {
    partitions_[part].at(time, *parts_[part], {0, what});
  }
  void ask(std::size_t part, std::uint32_t what) override {
    const auto number = static_cast<std::uint32_t>(part);
    partitions_.ask(part, between_, {announced, number}, {asked + number, what});
  }
  Ticks now_between() override { return partitions_.between().now(); }
  void between_at(Ticks time, std::uint32_t group) override {
    partitions_.between().at(time, between_, {answers, group});
  }
  void met(std::uint32_t group) override {
    for (const std::size_t part : groups[group]) partitions_.met(part, rendezvous_[group]);
    rendezvous_[group] = {};
  }
  void answer(std::size_t part) override { partitions_.answer(part); }
  void announce(std::size_t part) {
    const std::uint32_t group = group_of(part);
    Rendezvous& all = rendezvous_[group];
    if (all.missing.empty()) {
      for (const std::size_t member : groups[group]) all.missing[member] = 1;
    }
    all.missing.erase(part);
    partitions_.wait(part, all);
  }

  int looks = 0;

 private:
  enum What : std::uint32_t { answers, announced, asked };  // asked + part
  struct Part final : Handler {
    Part(SideBySide& k, Schedule& s, std::size_t n) : keeper(k), schedule(s), number(n) {}
    void handle(Message message) override {
      if (number < parts) return schedule.handle(keeper, number, message.index);
      if (message.what == answers) return schedule.answers(keeper, message.index);
      if (message.what == announced) return keeper.announce(message.index);
      schedule.asked(keeper, message.what - asked, message.index);
    }
    SideBySide& keeper;
    Schedule& schedule;
    std::size_t number;
  };
  Partitions partitions_;
  std::array<Rendezvous, 2> rendezvous_;
  Part between_;
  std::vector<std::unique_ptr<Part>> parts_;
};

class RandomSchedules : public testing::TestWithParam<std::size_t> {};

TEST_P(RandomSchedules, go_as_in_one_list) {
  std::size_t handled = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Schedule expected(seed), schedule(seed);
    OneList().run(expected);
    SideBySide keeper(schedule);
    keeper.run(GetParam(), schedule);
    ASSERT_EQ(schedule.logs(), expected.logs()) << seed;
    EXPECT_GT(keeper.looks, 0);
    for (const auto& log : expected.logs()) handled += log.size();
  }
  EXPECT_GT(handled, 20'000u);
}

INSTANTIATE_TEST_SUITE_P(Threads, RandomSchedules, testing::Values(1, 2, 4));

struct Failing final : Handler {
  explicit Failing(std::string text) : text_(std::move(text)) {}
  void handle(Message message) override {
    if (message.what == 0) throw std::runtime_error(text_);
  }
  std::string text_;
};

TEST(Partitions, throw_what_comes_first) {
  for (const std::size_t threads_max : {1u, 2u}) {
    Partitions partitions;
    Failing late("late"), early("early"), later("later"), between("between");
    Queue &one = partitions.add(), &two = partitions.add(), &three = partitions.add();
    one.at({30}, late, {0});
    for (std::int64_t t = 0; t < 20; ++t) two.at({t}, early, {1});
    two.at({20}, early, {0});
    three.at({20}, later, {0});
    partitions.between().at({20}, between, {0});
    base::ThreadPool threads(threads_max);
    try {
      partitions.run(threads);
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "early");
    }
  }
}

}  // namespace
}  // namespace trainyard::events

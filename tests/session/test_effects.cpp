// Does each figure of a machine do what its mark says, and nothing where it says so?
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "observer.h"

namespace trainyard::session {
namespace {

using machine::Dimension;
using machine::Effect;
using machine::Field;
using machine::Machine;
using machine::Value;

// Other values of a figure: larger and smaller, the other flag, every other choice.
std::vector<Value> other_values(const Field& field, const Value& now) {
  std::vector<Value> others;
  switch (field.dimension) {
    case Dimension::flag: return {{.exact = 1 - now.exact}};
    case Dimension::choice:
      for (std::size_t i = 0; i < field.choices.size(); ++i)
        others.push_back({.exact = static_cast<std::int64_t>(i)});
      break;
    case Dimension::rate:
      others = {{.exact = now.exact * 2, .denominator = now.denominator},
                {.exact = now.exact, .denominator = now.denominator * 2}};
      break;
    default:
      others = {{.exact = now.exact == 0 ? 1000 : now.exact * 2, .real = now.real * 2 + 0.1},
                {.exact = std::max<std::int64_t>(1, now.exact / 2), .real = now.real / 2}};
  }
  // Small times are often hidden by others, and large limits are met by few programs.
  const bool is_count = field.dimension == Dimension::count;
  if (is_count || field.dimension == Dimension::time || field.dimension == Dimension::cycles)
    others.push_back({.exact = (now.exact + 1) * 100});
  if (is_count) others.push_back({.exact = std::max<std::int64_t>(1, now.exact / 100)});
  std::erase(others, now);
  return others;
}

constexpr Effect effects[] = {Effect::timing, Effect::values, Effect::rule,      Effect::energy,
                              Effect::cost,   Effect::host,   Effect::comparison};

class Effects : public testing::Test {
 protected:
  bool has_effect(const Field& field) {
    for (Observer& observer : observers_) {
      for (const Value& value : other_values(field, field.fetch(observer.machine()))) {
        Machine other = observer.machine();
        field.store(other, value);
        if (observer.sees(field.effect, other)) return true;
      }
    }
    return false;
  }

  // The OCP rule for block scales lets values overflow, which the default does not; shares of
  // traffic classes count where there are any, and so do the seed of random rounding and the rate
  // of a slow start.
  std::vector<Observer> observers_ = {
      Observer(machine::load("trn3")),
      Observer(machine::load("trn2")),
      Observer(machine::load("trn1")),
      Observer(machine::apply_override(machine::load("trn1"), "dma.slow_start=1KiB")),
      Observer(machine::apply_override(machine::load("trn3"), "policy.mx_scale_rule=ocp")),
      Observer(machine::apply_override(machine::load("trn3"), "policy.dma_arbitration=weighted")),
      Observer(machine::apply_override(machine::load("trn3"), "policy.cast_rounding=stochastic"))};
};

TEST_F(Effects, AMarkedFigureHasTheEffectOfItsMark) {
  for (const Field& field : machine::schema()) {
    if (field.effect == Effect::none) continue;
    EXPECT_TRUE(has_effect(field))
        << field.key << " is marked " << machine::name(field.effect)
        << ": add a program to tests/session/corpus.cpp that shows it, or mark it none";
  }
}

// All at once, because there is nothing to see; one by one only to name the culprit.
TEST_F(Effects, AFigureWithoutEffectChangesNothing) {
  for (Observer& observer : observers_) {
    for (const std::size_t which : {0u, 1u, 2u, 3u}) {
      Machine all = observer.machine();
      for (const Field& field : machine::schema()) {
        if (field.effect != Effect::none) continue;
        const std::vector<Value> others = other_values(field, field.fetch(all));
        if (which < others.size()) field.store(all, others[which]);
      }
      for (const Effect effect : effects) {
        if (!observer.sees(effect, all)) continue;
        for (const Field& field : machine::schema()) {
          if (field.effect != Effect::none) continue;
          Machine one = observer.machine();
          field.store(one, field.fetch(all));
          EXPECT_FALSE(observer.sees(effect, one))
              << field.key << " is marked none, but changes " << machine::name(effect);
        }
      }
    }
  }
}

}  // namespace
}  // namespace trainyard::session

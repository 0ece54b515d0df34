// Is energy the sum of counted activity times the machine's table, with its range and kind?
#include <gtest/gtest.h>

#include "economics/energy.h"

namespace trainyard::economics {
namespace {

const machine::Machine& trn3() {
  static const machine::Machine machine = machine::load("trn3");
  return machine;
}

TEST(Energy, OneKindOfActivityCostsCountTimesFigure) {
  Activity activity;
  activity.add_macs(numerics::DType::bfloat16, 1'000'000'000'000);
  const EnergyReport report = energy(trn3(), activity, {0});
  ASSERT_EQ(report.parts.size(), 1u);
  EXPECT_EQ(report.parts[0].key, "energy.mac_bf16");
  EXPECT_DOUBLE_EQ(report.total.value.value, trn3().chip.energy.mac_bf16.picojoules);
  EXPECT_DOUBLE_EQ(report.total.low.value, trn3().interval("energy.mac_bf16").low);
  EXPECT_DOUBLE_EQ(report.total.high.value, trn3().interval("energy.mac_bf16").high);
  EXPECT_EQ(report.total.kind, machine::Kind::estimated);
}

TEST(Energy, EachCountMeetsItsOwnFigure) {
  using Set = void (*)(Activity&);
  const std::pair<std::string_view, Set> cases[] = {
      {"energy.mac_fp32", [](Activity& a) { a.add_macs(numerics::DType::float32, 7); }},
      {"energy.mac_bf16", [](Activity& a) { a.add_macs(numerics::DType::tfloat32, 7); }},
      {"energy.mac_bf16", [](Activity& a) { a.add_macs(numerics::DType::float16, 7); }},
      {"energy.mac_fp8", [](Activity& a) { a.add_macs(numerics::DType::float8_e5m2, 7); }},
      {"energy.mac_mx", [](Activity& a) { a.add_macs(numerics::DType::float8_e4m3fn_x4, 7); }},
      {"energy.mac_mx", [](Activity& a) { a.add_macs(numerics::DType::float4_e2m1fn_x4, 7); }},
      {"energy.mac_transpose", [](Activity& a) { a.macs_transpose = 7; }},
      {"energy.vector_operation", [](Activity& a) { a.vector_elements = 7; }},
      {"energy.scalar_operation", [](Activity& a) { a.scalar_elements = 7; }},
      {"energy.gpsimd_operation", [](Activity& a) { a.gpsimd_elements = 7; }},
      {"energy.sbuf_byte", [](Activity& a) { a.sbuf = {7}; }},
      {"energy.psum_byte", [](Activity& a) { a.psum = {7}; }},
      {"energy.hbm_byte", [](Activity& a) { a.hbm = {7}; }},
      {"energy.dma_byte", [](Activity& a) { a.dma = {7}; }},
      {"energy.link_byte", [](Activity& a) { a.link = {7}; }},
      {"energy.host_byte", [](Activity& a) { a.host = {7}; }},
      {"energy.instruction", [](Activity& a) { a.instructions = 7; }},
  };
  for (const auto& [key, set] : cases) {
    Activity activity;
    set(activity);
    Activity twice = activity;
    twice += activity;
    const EnergyReport report = energy(trn3(), twice, {0});
    ASSERT_EQ(report.parts.size(), 1u) << key;
    EXPECT_EQ(report.parts[0].key, key);
    EXPECT_EQ(report.parts[0].count, 14) << key;
    EXPECT_DOUBLE_EQ(report.total.value.value, 14e-12 * trn3().interval(key).value) << key;
  }
}

TEST(Energy, StaticPowerIsSharedByTheCores) {
  const base::Ticks second = base::nanoseconds(1'000'000'000);
  const auto& table = trn3().chip.energy;
  const EnergyReport one = energy(trn3(), {}, second);
  EXPECT_NEAR(one.total.value.value, table.core_static.watts + table.chip_static.watts / 8, 1e-9);
  EXPECT_NEAR(one.watts(second), one.total.value.value, 1e-9);
  const EnergyReport all = energy(trn3(), {}, second, 8);
  EXPECT_NEAR(all.total.value.value, 8 * table.core_static.watts + table.chip_static.watts, 1e-9);
  EXPECT_EQ(energy(trn3(), {}, {0}).total.value.value, 0);
  EXPECT_EQ(energy(trn3(), {}, {0}).watts({0}), 0);
}

// The one public anchor of the table: nothing may draw more than the package's design power, and a
// chip at its matrix peak must draw a good part of it.
class PeakPower : public testing::TestWithParam<const char*> {};

TEST_P(PeakPower, MatrixAndMemoryAtPeakStayWithinDesignPower) {
  const machine::Machine machine = machine::load(GetParam());
  const machine::Core& core = machine.core;
  const bool mx = core.features.mx;
  const double macs_per_second =
      machine.peak_teraflops(mx ? core.array.macs_mx : core.array.macs_bf16) / 2 * 1e12;
  Activity activity;
  const auto macs =
      static_cast<std::int64_t>(macs_per_second * static_cast<double>(machine.chip.cores));
  activity.add_macs(mx ? numerics::DType::float8_e4m3fn_x4 : numerics::DType::bfloat16, macs);
  activity.hbm = {machine.chip.hbm.bandwidth.bytes_per_second};
  activity.dma = activity.hbm;
  // Per MAC column step: the moving operand from SBUF, the result to PSUM.
  const std::int64_t columns = macs / (core.array.rows * core.array.columns);
  activity.sbuf = {columns * core.array.rows * 2};
  activity.psum = {columns * core.array.columns * 4};
  const base::Ticks second = base::nanoseconds(1'000'000'000);
  const double watts = energy(machine, activity, second, machine.chip.cores).watts(second);
  EXPECT_LT(watts, machine.chip.power.tdp.watts);
  EXPECT_GT(watts, machine.chip.power.tdp.watts * 0.4);
  RecordProperty("watts", std::to_string(watts));
}
INSTANTIATE_TEST_SUITE_P(Machines, PeakPower, testing::Values("trn1", "trn2", "trn3"));

}  // namespace
}  // namespace trainyard::economics

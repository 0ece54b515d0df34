// Does every algorithm leave every rank with what its operation says? The oracle is a plain sum.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "fabric/select.h"
#include "fabric/values.h"
#include "numerics/convert.h"
#include "systems.h"

namespace trainyard::fabric {
namespace {

using numerics::DType;

// Small whole numbers: their sums are exact in FP32 in any order.
Buffer numbers(std::size_t count, std::int32_t rank) {
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(static_cast<float>((rank * 31 + static_cast<std::int32_t>(i) * 7) % 101));
  Buffer buffer(count * 4);
  std::memcpy(buffer.data(), values.data(), buffer.size());
  return buffer;
}

std::vector<float> floats(const Buffer& buffer) {
  std::vector<float> values(buffer.size() / 4);
  std::memcpy(values.data(), buffer.data(), buffer.size());
  return values;
}

struct Case {
  std::string system;
  std::int64_t cores_per_rank;
  Group group;
};

Group without(Group group, std::initializer_list<std::int32_t> missing) {
  for (const std::int32_t rank : missing) std::erase(group, rank);
  return group;
}

std::vector<Case> cases() {
  return {{"trn3-gen2", 8, without(every(0, 144), {77})},
          {"trn3-gen2", 8, without(every(0, 144), {3, 77, 78, 143})},
          {"trn3-gen2", 2, without(every(0, 64), {9, 22, 40})},
          {"trn3-gen1", 8, without(every(0, 64), {0, 32})},
          {"trn1-server", 1, every(0, 2)},
          {"trn1-server", 1, every(0, 32)},
          {"trn2-server", 2, every(0, 16)},
          {"trn2-server", 2, every(3, 7, 5)},
          {"trn3-gen2", 2, every(0, 24)},
          {"trn3-gen2", 2, every(0, 36, 16)},
          {"trn3-gen1", 1, every(5, 11, 13)},
          {"trn3-gen2", 1, {17, 3, 1000, 4, 9}},
          {"trn3-gen2", 2, every(0, 72, 8)},
          {"trn3-gen2", 8, every(30, 100)},
          {"trn3-gen2", 1, every(0, 44)},
          {"trn2-server", 2, every(0, 12)}};
}

constexpr std::size_t elements = 1009;  // no piece is as long as the others

TEST(Values, EveryAlgorithmReduces) {
  for (const Case& one : cases()) {
    const Network& net = network(one.system, one.cores_per_rank);
    std::vector<Buffer> inputs;
    std::vector<float> sum(elements, 0);
    for (std::size_t r = 0; r < one.group.size(); ++r) {
      inputs.push_back(numbers(elements, static_cast<std::int32_t>(r)));
      const auto values = floats(inputs.back());
      for (std::size_t i = 0; i < elements; ++i) sum[i] += values[i];
    }
    for (const Schedule& schedule : schedules(net, CollectiveOp::all_reduce, one.group)) {
      for (const Buffer& result :
           execute(schedule, CollectiveOp::all_reduce, DType::float32, inputs)) {
        ASSERT_EQ(floats(result), sum) << one.system << " " << schedule.algorithm;
      }
    }
    for (const Schedule& schedule : schedules(net, CollectiveOp::reduce_scatter, one.group)) {
      std::vector<float> joined;
      for (const Buffer& piece :
           execute(schedule, CollectiveOp::reduce_scatter, DType::float32, inputs)) {
        const auto values = floats(piece);
        joined.insert(joined.end(), values.begin(), values.end());
      }
      ASSERT_EQ(joined, sum) << one.system << " " << schedule.algorithm;
    }
  }
}

TEST(Values, EveryAlgorithmGathersAndBroadcasts) {
  for (const Case& one : cases()) {
    const Network& net = network(one.system, one.cores_per_rank);
    std::vector<Buffer> inputs;
    Buffer joined;
    for (std::size_t r = 0; r < one.group.size(); ++r) {
      inputs.push_back(numbers(13, static_cast<std::int32_t>(r)));
      joined.insert(joined.end(), inputs.back().begin(), inputs.back().end());
    }
    for (const Schedule& schedule : schedules(net, CollectiveOp::all_gather, one.group)) {
      for (const Buffer& result :
           execute(schedule, CollectiveOp::all_gather, DType::float32, inputs))
        ASSERT_EQ(result, joined) << one.system << " " << schedule.algorithm;
    }
    const std::int32_t root = static_cast<std::int32_t>(one.group.size()) - 1;
    for (const Schedule& schedule : schedules(net, CollectiveOp::broadcast, one.group, root)) {
      for (const Buffer& result :
           execute(schedule, CollectiveOp::broadcast, DType::float32, inputs, root))
        ASSERT_EQ(result, inputs.back()) << one.system << " " << schedule.algorithm;
    }
  }
}

TEST(Values, ExchangesAndShiftsMoveEachPieceToItsPlace) {
  const Network& net = network("trn3-gen2", 2);
  const Group group = every(0, 12, 3);
  std::vector<Buffer> inputs;
  for (std::int32_t r = 0; r < 12; ++r) inputs.push_back(numbers(24, r));
  const auto exchanged = execute(schedules(net, CollectiveOp::all_to_all, group)[0],
                                 CollectiveOp::all_to_all, DType::float32, inputs);
  const auto shifted = execute(schedules(net, CollectiveOp::permute, group)[0],
                               CollectiveOp::permute, DType::float32, inputs);
  for (std::size_t r = 0; r < 12; ++r) {
    EXPECT_EQ(shifted[r], inputs[(r + 11) % 12]);
    const auto got = floats(exchanged[r]);
    for (std::size_t s = 0; s < 12; ++s) {
      const auto given = floats(inputs[s]);
      EXPECT_EQ(got[2 * s], given[2 * r]);
      EXPECT_EQ(got[2 * s + 1], given[2 * r + 1]);
    }
  }
}

// One step adds all arrivals in FP32 and rounds once: 256 + 1 + 1 is 258 in bfloat16, where two
// roundings would leave 256.
TEST(Values, AStepRoundsOnce) {
  const Network& net = network("trn2-server", 2);
  std::vector<Buffer> inputs;
  for (const float value : {256.0F, 1.0F, 1.0F}) {
    Buffer buffer(2);
    numerics::narrow(DType::bfloat16, &value, buffer.data(), 1);
    inputs.push_back(buffer);
  }
  const Schedule one_step = schedules(net, CollectiveOp::all_reduce, {0, 1, 2})[0];
  ASSERT_EQ(one_step.algorithm, "single-step mesh");
  for (const Buffer& result :
       execute(one_step, CollectiveOp::all_reduce, DType::bfloat16, inputs)) {
    float value = 0;
    numerics::widen(DType::bfloat16, result.data(), &value, 1);
    EXPECT_EQ(value, 258.0F);
  }
}

TEST(Values, InputsThatDoNotFitAreRefused) {
  const Network& net = network("trn2-server", 2);
  const Schedule schedule = schedules(net, CollectiveOp::all_to_all, {0, 1, 2})[0];
  const std::vector<Buffer> uneven{Buffer(16), Buffer(16), Buffer(16)};
  EXPECT_THROW((void)execute(schedule, CollectiveOp::all_to_all, DType::float32, uneven),
               base::InputError);
  const std::vector<Buffer> missing{Buffer(12)};
  EXPECT_THROW((void)execute(schedule, CollectiveOp::all_to_all, DType::float32, missing),
               base::InputError);
}

}  // namespace
}  // namespace trainyard::fabric

#include <gtest/gtest.h>

#include <stdexcept>

#include "trace/recorder.h"

namespace trainyard::trace {
namespace {

constexpr TrackId tensor{0}, queue{1};

Recorder two_tracks(Detail detail = Detail::summary) {
  return Recorder({{"tensor", TrackKind::engine, 0}, {"q0", TrackKind::dma_queue, 0}}, {}, 4,
                  detail);
}

TEST(Reason, EveryNameIsUniqueAndReadsBack) {
  for (const Reason reason : all_reasons()) {
    EXPECT_EQ(reason_named(name(reason)), reason);
    EXPECT_FALSE(prose(reason).empty());
  }
  EXPECT_EQ(reason_named("working "), std::nullopt);
}

TEST(Summary, ReasonsOfEveryTrackAddUpToTheRun) {
  Recorder recorder = two_tracks();
  recorder.interval(tensor, Reason::overhead, {5}, {7}, 0, 0);
  recorder.interval(tensor, Reason::working, {10}, {30}, 0, 0);
  recorder.interval(queue, Reason::working, {2}, {3}, 1, 0);
  recorder.finish({50});
  for (const TrackId track : {tensor, queue}) {
    EXPECT_EQ(recorder.summary().totals(track).total(), base::Ticks{50});
  }
  EXPECT_EQ(recorder.summary().totals(tensor).of(Reason::idle), base::Ticks{5 + 3 + 20});
}

TEST(Summary, InstructionTimeIsKeptBySide) {
  Recorder recorder = two_tracks();
  recorder.interval(tensor, Reason::overhead, {0}, {2}, 3, 0);
  recorder.interval(queue, Reason::working, {2}, {9}, 3, 0);
  recorder.interval(tensor, Reason::overhead, {9}, {10}, 3, 4);
  recorder.finish({10});
  const Summary& summary = recorder.summary();
  EXPECT_EQ(summary.of_instruction(Side::engine, Reason::overhead, 3), base::Ticks{3});
  EXPECT_EQ(summary.of_instruction(Side::service, Reason::working, 3), base::Ticks{7});
  EXPECT_EQ(summary.of_instruction(Side::engine, Reason::working, 0), base::Ticks{0});
  EXPECT_EQ(summary.executions(3), 5u);
  EXPECT_EQ(summary.executions(2), 0u);
}

TEST(Summary, InstructionsThatTookNoTimeAreCountedToo) {
  Recorder recorder = two_tracks();
  recorder.interval(tensor, Reason::working, {0}, {2}, 1, 2);
  recorder.count_executions(std::vector<std::uint32_t>{4, 1, 0, 0});
  recorder.finish({10});
  EXPECT_EQ(recorder.summary().executions(0), 4u);
  EXPECT_EQ(recorder.summary().executions(1), 3u);
  EXPECT_EQ(recorder.summary().executions(2), 0u);
}

TEST(Summary, WaitsAreChargedToTheirCause) {
  Recorder recorder = two_tracks();
  recorder.interval(tensor, Reason::waiting_dma, {0}, {6}, 0, 0, queue);
  recorder.interval(tensor, Reason::waiting_dma, {8}, {9}, 1, 0, queue);
  recorder.finish({9});
  EXPECT_EQ(recorder.summary().waited_for(tensor, queue), base::Ticks{7});
  EXPECT_EQ(recorder.summary().waited_for(queue, tensor), base::Ticks{0});
}

TEST(Summary, AnOverlapIsOurBug) {
  Recorder recorder = two_tracks();
  recorder.interval(tensor, Reason::working, {0}, {6}, 0, 0);
  EXPECT_THROW(recorder.interval(tensor, Reason::working, {5}, {7}, 0, 0), std::logic_error);
  EXPECT_THROW(recorder.interval(tensor, Reason::working, {9}, {8}, 0, 0), std::logic_error);
  EXPECT_THROW(recorder.interval(tensor, Reason::working, {9}, {10}, 4, 0), std::logic_error);
  EXPECT_THROW(recorder.interval(TrackId{2}, Reason::working, {9}, {10}, 0, 0), std::logic_error);
  EXPECT_THROW(recorder.interval(queue, Reason::working, {9}, {10}, 0, 0, TrackId{7}),
               std::logic_error);
  EXPECT_THROW(recorder.finish({5}), std::logic_error);
}

}  // namespace
}  // namespace trainyard::trace

// Is slack what an instruction could be late by?
#include <gtest/gtest.h>

#include "example.h"
#include "report/slack.h"

namespace trainyard::report {
namespace {

std::vector<std::optional<base::Ticks>> slack(const isa::Program& program,
                                              const trace::Recorder& recorder) {
  return slack_of(program, trace::timeline_of(recorder));
}

std::optional<base::Ticks> ns(std::int64_t count) { return base::nanoseconds(count); }

TEST(Slack, OfAChainIsNone) {
  // Everything in the example waits for what is before it; only the issue of the second load had
  // time, but its move did not.
  const auto slacks = slack(example_program(), example_recording());
  EXPECT_EQ(slacks, (std::vector<std::optional<base::Ticks>>{ns(0), ns(0), ns(0), ns(0), ns(0)}));
}

// Vector and Scalar both signal Sync; Vector is done earlier.
struct Fork {
  isa::Program program;
  trace::Recorder recorder{example_tracks(), 4, trace::Detail::full};

  // Vector runs instruction 0 until `fast`, and instruction 3 at the end of the run for
  // `idle_work`.
  explicit Fork(std::int64_t fast, std::int64_t idle_work) {
    const isa::Tile t = tile(isa::Space::sbuf, 128, 512);
    for (const isa::Engine engine :
         {isa::Engine::vector, isa::Engine::scalar, isa::Engine::sync, isa::Engine::vector}) {
      program.append(isa::TensorTensor{.dst = t, .data1 = t, .data2 = t}, engine);
    }
    program.semaphore_count = 1;
    program.waits = {{0, 2}};
    program.signals = {{0, 1}, {0, 1}};
    const auto stream = [&](isa::Engine engine) -> auto& {
      return program.streams[static_cast<std::size_t>(engine)];
    };
    stream(isa::Engine::vector).push_back({.instruction = 0, .first_signal = 0, .signal_count = 1});
    stream(isa::Engine::scalar).push_back({.instruction = 1, .first_signal = 1, .signal_count = 1});
    stream(isa::Engine::sync).push_back({.instruction = 2, .wait_count = 1});
    stream(isa::Engine::vector).push_back({.instruction = 3});
    const auto work = [&](trace::TrackId track, std::int64_t begin, std::int64_t end,
                          std::uint32_t instruction) {
      recorder.interval(track, trace::Reason::working, base::nanoseconds(begin),
                        base::nanoseconds(end), instruction, 0);
    };
    work(vector_track, 0, fast, 0);
    work(scalar_track, 0, 500, 1);
    work(sync_track, 540, 1000, 2);
    if (idle_work > 0) work(vector_track, fast, fast + idle_work, 3);
    recorder.finish(base::nanoseconds(1200));
  }
};

TEST(Slack, OfTheEarlierOfTwoIsTheDifference) {
  const Fork fork(100, 0);
  const auto slacks = slack(fork.program, fork.recorder);
  EXPECT_EQ(slacks[0], ns(400));  // 540, less the 40 that the signal from Scalar took, less 100
  EXPECT_EQ(slacks[1], ns(0));
  EXPECT_EQ(slacks[2], ns(0));
  EXPECT_EQ(slacks[3], std::nullopt);
}

TEST(Slack, OfWorkThatNobodyNeedsLastsToTheEnd) {
  const Fork fork(100, 200);
  const auto slacks = slack(fork.program, fork.recorder);
  EXPECT_EQ(slacks[3], ns(700));  // from 300 to the last work's end at 1000
  EXPECT_EQ(slacks[0], ns(400));
}

TEST(Slack, IsHandedDownTheTrack) {
  // Instruction 3 ends with the run's last work, and instruction 0 is right before it.
  const Fork fork(300, 700);
  const auto slacks = slack(fork.program, fork.recorder);
  EXPECT_EQ(slacks[3], ns(0));
  EXPECT_EQ(slacks[0], ns(0));
}

}  // namespace
}  // namespace trainyard::report

// Does a report say where every tick went, and are its figures those of the run and the machine?
#include "report/report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "example.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/nc_transpose.h"
#include "report/format.h"
#include "report/json.h"
#include "report/next_step.h"
#include "report/text.h"

namespace trainyard::report {
namespace {

constexpr std::int64_t tile_bytes = 128 * 512 * 4;

class ReportTest : public testing::Test {
 protected:
  Report make(const economics::Prices* prices = nullptr,
              const trace::Recorder* recording = nullptr) {
    return make_report({.program = program,
                        .machine = machine,
                        .summary = recorder.summary(),
                        .work = work_of(program, recorder.summary(), machine.core),
                        .tracks = recorder.tracks(),
                        .run = metadata,
                        .recording = recording,
                        .prices = prices});
  }

  isa::Program program = example_program();
  machine::Machine machine = machine::load("trn3");
  trace::Recorder recorder = example_recording();
  trace::Metadata metadata = example_metadata();
};

TEST_F(ReportTest, EveryTrackAddsUpToTheRun) {
  const Report report = make();
  ASSERT_EQ(report.tracks.size(), example_tracks().size());
  for (const TrackUsage& track : report.tracks) {
    EXPECT_EQ(track.totals.total(), report.duration) << track.name;
    double sum = 0;
    for (const trace::Reason reason : trace::all_reasons()) sum += track.share(reason);
    EXPECT_NEAR(sum, 1, 1e-12) << track.name;
  }
}

TEST_F(ReportTest, WaitsNameTheirCause) {
  const Report report = make();
  const TrackUsage& vector = report.tracks[index(vector_track)];
  ASSERT_EQ(vector.waits_for.size(), 1u);
  EXPECT_EQ(vector.waits_for[0].name, "q0");
  EXPECT_DOUBLE_EQ(vector.waits_for[0].share, 1300.0 / 4000);
}

TEST_F(ReportTest, ARunInWhichEverybodyWaitsIsBoundByLatency) {
  const Report report = make();
  EXPECT_EQ(report.bound.name, "latency");
  EXPECT_EQ(report.bound.busiest, "dma");  // its two engines are busy for 1200 and 600 of 4000 ns
  EXPECT_DOUBLE_EQ(report.bound.busy, 900.0 / 4000);
}

TEST_F(ReportTest, AUnitThatIsBusyForHalfOfTheRunBoundsIt) {
  trace::Recorder busy(example_tracks(), 5, trace::Detail::summary);
  busy.interval(scalar_track, trace::Reason::working, {0}, {45}, exponent, 0);
  busy.interval(scalar_track, trace::Reason::overhead, {45}, {60}, exponent, 0);
  busy.finish({100});
  recorder = std::move(busy);
  EXPECT_EQ(make().bound.name, "scalar");
  EXPECT_DOUBLE_EQ(make().bound.busy, 0.6);
}

TEST_F(ReportTest, BytesFollowFromOperandsAndExecutions) {
  const Report report = make();
  EXPECT_EQ(report.work.hbm.read, 2 * tile_bytes);
  EXPECT_EQ(report.work.hbm.written, tile_bytes);
  EXPECT_EQ(report.work.sbuf.read, (2 + 1 + 1) * tile_bytes);     // add, activation, store
  EXPECT_EQ(report.work.sbuf.written, (2 + 1 + 1) * tile_bytes);  // loads, add, activation
  EXPECT_EQ(report.work.psum.read + report.work.psum.written, 0);
  EXPECT_EQ(report.work.dma_bytes, 3 * tile_bytes);
  EXPECT_EQ(report.traffic[0].memory, "hbm");
  EXPECT_DOUBLE_EQ(report.traffic[0].gigabytes_per_second, 3 * tile_bytes / 4000.0);
  EXPECT_DOUBLE_EQ(*report.traffic[0].gigabytes_per_second_peak, 4700.0 / 4);
}

TEST_F(ReportTest, AnInstructionThatRanTwiceCountsTwice) {
  trace::Recorder twice(example_tracks(), 5, trace::Detail::summary);
  twice.interval(dma0_track, trace::Reason::working, {0}, {10}, load_a, 0);
  twice.interval(dma0_track, trace::Reason::working, {10}, {20}, load_a, 1);
  twice.count_executions(std::vector<std::uint32_t>{2, 0, 0, 0, 0});
  twice.finish({100});
  recorder = std::move(twice);
  EXPECT_EQ(make().work.hbm.read, 2 * tile_bytes);
  EXPECT_EQ(make().work.sbuf.read, 0);
}

TEST_F(ReportTest, ElementsAreCountedByEngine) {
  const Work work = make().work;
  EXPECT_EQ(work.activity.vector_elements, 128 * 512);
  EXPECT_EQ(work.activity.scalar_elements, 128 * 512);
  EXPECT_EQ(work.activity.instructions, 5);
  EXPECT_EQ(work.flops(), 0);
}

TEST_F(ReportTest, TheRunIsNeverFasterThanItsLimits) {
  const Report report = make();
  ASSERT_FALSE(report.limits.empty());
  EXPECT_EQ(report.limits.front().ticks_min, report.ticks_min());
  for (std::size_t i = 1; i < report.limits.size(); ++i) {
    EXPECT_GE(report.limits[i - 1].ticks_min, report.limits[i].ticks_min);
  }
  const auto scalar = std::ranges::find(report.units, "scalar", &Limit::name);
  const auto timing =
      program.info_at(exponent).cycles(program.record(exponent), isa::Engine::scalar, machine.core);
  EXPECT_EQ(scalar->ticks_min, machine.core.scalar.clock(timing.occupancy));
}

TEST_F(ReportTest, LinesFoldTheTimeOfTheirInstructions) {
  const Report report = make();
  ASSERT_EQ(report.lines.size(), 3u);
  const auto line = std::ranges::find(report.lines, "kernel.py:12", &Line::place);
  EXPECT_EQ(line->mnemonics, "activation, tensor_tensor");
  EXPECT_EQ(line->engine.of(trace::Reason::working), base::nanoseconds(500 + 600));
  EXPECT_EQ(line->engine.of(trace::Reason::waiting_dma), base::nanoseconds(1300));
  EXPECT_EQ(line->executions, 2);
  const auto loads = std::ranges::find(report.lines, "kernel.py:10", &Line::place);
  EXPECT_EQ(loads->engine.of(trace::Reason::working), base::nanoseconds(200));
  EXPECT_EQ(loads->service.of(trace::Reason::working),
            base::nanoseconds(700 + 500 + 600));  // queue and engines
  base::Ticks lines, mnemonics;
  for (const Line& each : report.lines) lines += each.engine.total();
  for (const Line& each : report.mnemonics) mnemonics += each.engine.total();
  EXPECT_EQ(lines, mnemonics);
}

TEST_F(ReportTest, AssumptionsAreFiguresThatThisRunsAnswersDependOn) {
  for (const Assumption& a : make().assumptions) {
    EXPECT_NE(a.effect, machine::Effect::none) << a.key;
    EXPECT_NE(a.effect, machine::Effect::rule) << a.key;
  }
}

TEST_F(ReportTest, ALineSaysWhichEngineWorksOnIt) {
  const Report report = make();
  base::Ticks on_lines, on_engines;
  for (const Line& line : report.lines) {
    for (const base::Ticks ticks : line.busy_on) on_lines += ticks;
    on_engines += busy(line.engine);
  }
  EXPECT_GT(on_lines, base::Ticks{0});
  EXPECT_EQ(on_lines, on_engines);
}

// What an author's instructions cost above the work is no excuse: the same tile loaded ten times,
// by an engine that is busy all the time, is far from the speed of light.
TEST_F(ReportTest, TheSpeedOfLightFollowsFromTheWork) {
  trace::Recorder again(example_tracks(), 5, trace::Detail::summary);
  again.interval(sync_track, trace::Reason::overhead, {0}, base::nanoseconds(40000), load_a, 0);
  again.count_executions(std::vector<std::uint32_t>{10, 1, 1, 1, 1});
  again.finish(base::nanoseconds(40000));
  const Report once = make();
  recorder = std::move(again);
  const Report report = make();
  EXPECT_EQ(report.work.hbm.read, 11 * tile_bytes);
  EXPECT_EQ(report.work.hbm_least, 3 * tile_bytes);
  EXPECT_EQ(report.ticks_min(), once.ticks_min());
  EXPECT_LT(report.speed_of_light(), once.speed_of_light() / 9);
  for (const Limit& limit : report.limits) EXPECT_TRUE(limit.name == "dma" || limit.name == "hbm");
}

// The line with the most time of all engines may be another engine's.
TEST_F(ReportTest, AdviceOnAnEngineNamesItsOwnLine) {
  Report report = make();
  Line stores, adds;
  stores.place = "k.py:1";
  stores.busy_on[static_cast<std::size_t>(isa::Engine::sync)] = base::Ticks{900};
  adds.place = "k.py:2";
  adds.mnemonics = "tensor_tensor";
  adds.busy_on[static_cast<std::size_t>(isa::Engine::vector)] = base::Ticks{5};
  report.lines = {stores, adds};
  const auto half = [](const Advice& one) {
    return one.text ==
           "give Vector half of the work (most of its work is at k.py:2: tensor_tensor)";
  };
  EXPECT_TRUE(std::ranges::any_of(advices(report), half));
}

TEST_F(ReportTest, OnlyBytesThatMoveMoreThanOnceAreAdvisedAgainst) {
  const auto is_of_bytes = [](const Advice& one) {
    return one.text.starts_with("keep data that is used again in SBUF");
  };
  Report report = make();
  EXPECT_TRUE(std::ranges::none_of(advices(report), is_of_bytes));
  report.work.hbm.read += 3 * tile_bytes;
  EXPECT_TRUE(std::ranges::any_of(advices(report), is_of_bytes));
}

TEST_F(ReportTest, EveryAdviceIsAMachineThatTheSchemaKnows) {
  for (const Advice& one : advices(make()))
    EXPECT_NO_THROW((void)machine::apply_overrides(machine, one.change.settings)) << one.text;
}

TEST_F(ReportTest, SaysHowFarTheTimeMayBeOffAndWhatWouldHelp) {
  Report report = make();
  const Assumption& first = report.assumptions.front();
  const base::Ticks low{report.duration.value / 2}, high{report.duration.value * 2};
  report.interval = TimeBracket{low, high, {{first.key, low, report.duration}}, 7};
  report.what_ifs = {{{"twice the clock", {"vector.clock=x2"}}, low},
                     {{"more bandwidth", {"hbm.bandwidth=x2"}}, report.duration}};
  const std::string text = to_text(report);
  EXPECT_NE(text.find(fmt::format("ranges: {} to {}", duration(low), duration(high))),
            std::string::npos);
  EXPECT_NE(text.find("1 of 7 change it"), std::string::npos);
  EXPECT_NE(text.find("50.0 %  " + first.key), std::string::npos);
  EXPECT_NE(text.find("-50.0 %  twice the clock (vector.clock=x2)"), std::string::npos);
  EXPECT_NE(text.find("no change: more bandwidth"), std::string::npos);
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json["interval"]["figures"][0]["ticks_at_low"], low.value);
  EXPECT_EQ(json["what_ifs"][0]["gain"], 0.5);
  EXPECT_EQ(json["what_ifs"][1]["set"][0], "hbm.bandwidth=x2");
}

TEST_F(ReportTest, AssumptionsAreThoseOfTheUnitsUsed) {
  const Report report = make();
  const auto mentions = [&](std::string_view prefix) {
    return std::ranges::any_of(report.assumptions,
                               [&](const Assumption& a) { return a.key.starts_with(prefix); });
  };
  EXPECT_TRUE(mentions("vector."));
  EXPECT_TRUE(mentions("dma."));
  EXPECT_TRUE(mentions("energy.hbm_byte"));
  EXPECT_FALSE(mentions("tensor."));
  EXPECT_FALSE(mentions("array."));
  EXPECT_FALSE(mentions("gpsimd."));
  EXPECT_FALSE(mentions("energy.mac"));
  EXPECT_FALSE(mentions("vector.branch"));  // no control instruction ran
  for (const Assumption& a : report.assumptions)
    EXPECT_TRUE(a.kind == "assumed" || a.kind == "estimated") << a.key;
}

TEST_F(ReportTest, EnergyAndDollarsAreThoseOfEconomics) {
  const economics::Prices prices = economics::load_prices();
  const Report report = make(&prices);
  const auto energy = economics::energy(machine, report.work.activity, report.duration);
  EXPECT_DOUBLE_EQ(report.energy.total.value.value, energy.total.value.value);
  ASSERT_EQ(report.costs.size(), prices.bases("trn3").size());
  const auto rate = prices.rental("trn3", report.costs[0].basis);
  EXPECT_DOUBLE_EQ(report.costs[0].dollars.value.value, rate.value.value / 8 * 4e-6 / 3600);
  EXPECT_TRUE(report.electricity.has_value());
  EXPECT_TRUE(make().costs.empty());
}

TEST_F(ReportTest, TheCriticalPathTilesTheRunAndFollowsTheWaits) {
  const Report report = make(nullptr, &recorder);
  ASSERT_TRUE(report.critical_path.has_value());
  const std::vector<Segment>& segments = report.critical_path->segments;
  ASSERT_FALSE(segments.empty());
  EXPECT_EQ(segments.front().begin, base::Ticks{0});
  EXPECT_EQ(segments.back().end, report.duration);
  for (std::size_t i = 1; i < segments.size(); ++i)
    EXPECT_EQ(segments[i - 1].end, segments[i].begin);
  std::vector<std::pair<std::uint32_t, std::int64_t>> tracks;
  for (const Segment& s : segments) {
    tracks.emplace_back(static_cast<std::uint32_t>(s.track),
                        (s.end - s.begin).value / base::ticks_per_nanosecond);
  }
  // Issue of the first load, its way to the queue, both loads on the queue, the signal to Vector,
  // the add, the signal to Scalar, the activation, the signal to Sync, the issue of the store, its
  // way, its move, the rest.
  EXPECT_EQ(tracks, (std::vector<std::pair<std::uint32_t, std::int64_t>>{{2, 100},
                                                                         {3, 200},
                                                                         {3, 500},
                                                                         {3, 200},
                                                                         {0, 300},
                                                                         {0, 500},
                                                                         {1, 200},
                                                                         {1, 600},
                                                                         {2, 100},
                                                                         {2, 100},
                                                                         {3, 200},
                                                                         {3, 700},
                                                                         {3, 300}}));
  base::Ticks parts, lines;
  for (const PathPart& part : report.critical_path->parts) parts += part.ticks;
  for (const PathLine& line : report.critical_path->lines) lines += line.ticks;
  EXPECT_EQ(parts, report.duration);
  EXPECT_EQ(lines, report.duration);
}

TEST_F(ReportTest, JsonHasItsSchemaAndAddsUp) {
  const economics::Prices prices = economics::load_prices();
  const auto json = nlohmann::json::parse(to_json(make(&prices)));
  EXPECT_EQ(json["schema"], "trainyard.report");
  EXPECT_EQ(json["version"], report_format_version);
  EXPECT_EQ(json["duration_ns"], 4000.0);
  for (const auto& track : json["tracks"]) {
    std::int64_t sum = 0;
    for (const auto& [reason, ticks] : track["ticks"].items()) sum += ticks.get<std::int64_t>();
    EXPECT_EQ(sum, json["duration_ticks"].get<std::int64_t>());
  }
  EXPECT_EQ(json["run"]["machine_hash"], "00000000000000cd");
  EXPECT_EQ(json["run"]["more"].dump(), R"({"schedule":"list","set":"hbm.bandwidth=6TB/s"})");
}

TEST_F(ReportTest, EqualRunsHaveEqualTexts) {
  EXPECT_EQ(to_json(make()), to_json(make()));
  EXPECT_EQ(to_text(make()), to_text(make()));
}

TEST_F(ReportTest, TheTextNamesWhatAReaderLooksFor) {
  const economics::Prices prices = economics::load_prices();
  const std::string text = to_text(make(&prices));
  for (const std::string_view word :
       {"example on trn3: 4000.0 ns", "bound by latency", "speed of light", "vector", "dma0",
        "kernel.py:12", "Energy", "a million runs", "may depend on up to",
        "trainyard 0.1.0, machine trn3 (00000000000000cd)",
        "schedule list; set hbm.bandwidth=6TB/s"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
  }
}

TEST_F(ReportTest, TracksThatReadAlikeShareARowAndIdleOnesHaveNone) {
  trace::Recorder few(example_tracks(), 5, trace::Detail::summary);
  for (const trace::TrackId engine : {dma0_track, dma1_track})
    few.interval(engine, trace::Reason::working, {0}, {45}, load_a, 0);
  few.interval(scalar_track, trace::Reason::working, {0}, {10}, exponent, 0);
  few.finish({100});
  recorder = std::move(few);
  const std::string text = to_text(make());
  EXPECT_NE(text.find("\n  dma0-1 (2 alike) "), std::string::npos) << text;
  EXPECT_EQ(text.find("\n  vector "), std::string::npos) << text;
}

TEST_F(ReportTest, LinesOfTheTextFitTheScreen) {
  const economics::Prices prices = economics::load_prices();
  const std::string text = to_text(make(&prices), {.assumptions_max = 1000});
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    EXPECT_LE(end - begin, columns_max) << text.substr(begin, end - begin);
    begin = end + 1;
  }
}

TEST_F(ReportTest, TracksOfDifferentNamesHaveRowsOfTheirOwn) {
  std::vector<trace::Track> tracks = example_tracks();
  tracks[4].name = "gpsimd stores";
  tracks[5].name = "sync loads";
  trace::Recorder alike(tracks, 5, trace::Detail::summary);
  for (const trace::TrackId queue : {dma0_track, dma1_track})
    alike.interval(queue, trace::Reason::working, {0}, {45}, load_a, 0);
  alike.finish({100});
  recorder = std::move(alike);
  Report report = make();
  report.tracks[4].name = "gpsimd stores";
  report.tracks[5].name = "sync loads";
  const std::string text = to_text(report);
  EXPECT_EQ(text.find("alike"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  sync loads "), std::string::npos) << text;
}

TEST(Format, PlacesLoseTheDirectoriesThatTheyShare) {
  const ShortPlaces two({"/a/bc/k.py:1", "", "/a/bd/e/m.py:2"});
  EXPECT_EQ(two("/a/bc/k.py:1"), "bc/k.py:1");
  EXPECT_EQ(two(""), "");
  EXPECT_EQ(ShortPlaces({"/a/b/k.py:1", "/a/b/k.py:20"})("/a/b/k.py:20"), "k.py:20");
  EXPECT_EQ(ShortPlaces({"k.py:1", "/a/m.py:2"})("/a/m.py:2"), "/a/m.py:2");
}

TEST(Format, NumbersHaveThreeDigitsAndNoExponent) {
  EXPECT_EQ(joules(1.24e-3), "1.24 mJ");
  EXPECT_EQ(joules(0.9999e-3), "1.00 mJ");
  EXPECT_EQ(joules(102e-6), "102 uJ");
  EXPECT_EQ(significant(0.00251), "0.00251");
  EXPECT_EQ(significant(12345), "12345");
  EXPECT_EQ(clipped("abcdefgh", 6), "abc...");
}

TEST(Work, TransposesAreNoArithmetic) {
  isa::Program program;
  isa::NcMatmul product;
  product.stationary = tile(isa::Space::sbuf, 128, 128);
  product.moving = tile(isa::Space::sbuf, 128, 512);
  product.dst = tile(isa::Space::psum, 128, 512);
  program.append(product, isa::Engine::tensor);
  product.is_transpose = true;
  program.append(product, isa::Engine::tensor);
  trace::Recorder recorder(example_tracks(), 2, trace::Detail::summary);
  recorder.count_executions(std::vector<std::uint32_t>{3, 2});
  recorder.finish({100});
  const Work work = work_of(program, recorder.summary(), machine::load("trn3").core);
  constexpr std::int64_t macs = 128 * 128 * 512;
  EXPECT_EQ(work.flops(), 2 * 3 * macs);
  EXPECT_EQ(work.macs(MacRate::fp32), 3 * macs);
  EXPECT_EQ(work.activity.macs_transpose, 2 * macs);
}

template <typename Instruction>
base::Ticks least_time(std::span<const Instruction> instructions,
                       isa::Engine engine = isa::Engine::tensor) {
  isa::Program program;
  for (const Instruction& one : instructions) program.append(one, engine);
  trace::Recorder recorder(example_tracks(), instructions.size(), trace::Detail::summary);
  recorder.count_executions(std::vector<std::uint32_t>(instructions.size(), 4));
  recorder.finish({100});
  const Work work = work_of(program, recorder.summary(), machine::load("trn3").core);
  return work.busy_min[static_cast<std::size_t>(engine)];
}

TEST(Work, TransposesTakeTheEngineThatRunsThem) {
  isa::NcTranspose transpose;
  transpose.data = transpose.dst = tile(isa::Space::sbuf, 32, 32);
  const machine::Core core = machine::load("trn3").core;
  const auto cycles =
      isa::Definition<isa::NcTranspose>::cycles(transpose, isa::Engine::vector, core);
  EXPECT_EQ(least_time(std::span<const isa::NcTranspose>(&transpose, 1), isa::Engine::vector),
            core.vector.clock(cycles.occupancy * 4));
}

TEST(Work, TilesOfTheArrayAndTransposesMayWorkSideBySide) {
  isa::NcMatmul product;
  product.stationary = tile(isa::Space::sbuf, 32, 64);
  product.moving = tile(isa::Space::sbuf, 32, 512);
  product.dst = tile(isa::Space::psum, 64, 512);
  isa::NcMatmul tiled = product;
  tiled.tile_position = {{0, 64}, 2};
  tiled.tile_size = {{32, 64}, 2};
  isa::NcMatmul transpose = product;
  transpose.is_transpose = true;
  const base::Ticks whole = least_time<isa::NcMatmul>(std::array{product});
  EXPECT_GT(whole, base::Ticks{0});
  EXPECT_EQ(least_time<isa::NcMatmul>(std::array{tiled}).value, whole.value / 8);
  const base::Ticks moving = least_time<isa::NcMatmul>(std::array{transpose});
  EXPECT_EQ(least_time<isa::NcMatmul>(std::array{product, transpose}), std::max(whole, moving));
  EXPECT_EQ(least_time<isa::NcMatmul>(std::array{product, tiled}).value,
            whole.value + whole.value / 8);
}

}  // namespace
}  // namespace trainyard::report

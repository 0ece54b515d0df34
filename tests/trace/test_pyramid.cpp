// Do sums of a long trace tell what every tick of it was spent on?
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "example.h"
#include "trace/pyramid.h"
#include "trace/timeline.h"

namespace trainyard::trace {
namespace {

// Works, waits, issues, throttled: an order of the test's own.
constexpr Classes classes{0, 1, 1, 1, 1, 1, 1, 1, 3, 2, 1};

TraceFile written(int rows) {
  const Example run = example_run(Detail::full, rows);
  return TraceFile::parse(write_trace(run.recorder, example_labels(64), {}), "test");
}

// By class, ticks of a track in [from, to), tick by tick.
std::array<double, class_count> spent(const std::vector<Interval>& rows, double from, double to) {
  std::array<double, class_count> sums{};
  for (const Interval& row : rows) {
    if (row.reason == Reason::idle) continue;
    const double begin = std::max(from, static_cast<double>(row.begin.value));
    const double end = std::min(to, static_cast<double>(row.end.value));
    if (begin < end) sums[classes[index(row.reason)]] += end - begin;
  }
  return sums;
}

// The largest difference between shares and what the rows say.
double worst(const TraceFile& file, base::Ticks from, base::Ticks to, std::size_t columns) {
  const Timeline line = timeline_of(file);
  const std::vector<float> found = Pyramid(file, classes).shares(from, to, columns);
  EXPECT_EQ(found.size(), line.tracks.size() * columns * class_count);
  const double width = static_cast<double>((to - from).value) / static_cast<double>(columns);
  double most = 0;
  for (std::size_t t = 0; t < line.tracks.size(); ++t) {
    for (std::size_t column = 0; column < columns; ++column) {
      const double begin = static_cast<double>(from.value) + width * static_cast<double>(column);
      const auto expected = spent(line.rows[t], begin, begin + width);
      for (std::size_t c = 0; c < class_count; ++c) {
        const double share = found[(t * columns + column) * class_count + c];
        most = std::max(most, std::abs(share - expected[c] / width));
      }
    }
  }
  return most;
}

TEST(Pyramid, SharesOfShortStretchesAreExact) {
  const TraceFile file = written(20000);
  const base::Ticks end = file.end();
  EXPECT_LT(worst(file, {}, end, 37), 1e-5);
  EXPECT_LT(worst(file, {end.value / 3}, {end.value / 2}, 101), 1e-5);
  EXPECT_LT(worst(file, {end.value / 3}, {end.value / 3 + 50}, 10), 1e-5);
  EXPECT_LT(worst(file, {end.value - 10}, {end.value + 1000}, 7), 1e-5);
}

TEST(Pyramid, SharesOfLongStretchesAreOffByFewRows) {
  const TraceFile file = written(static_cast<int>(2 * Pyramid::exact_rows_max));
  const std::size_t columns = 32;
  // 64 rows at each edge, of those that lie in a column.
  const double rows = 2.0 * static_cast<double>(Pyramid::exact_rows_max) / columns;
  EXPECT_LT(worst(file, {}, file.end(), columns), 2.0 * 64 / rows);
  EXPECT_LT(worst(file, {}, file.end(), 1), 1e-4);  // the whole is the whole
}

TEST(Pyramid, AWindowHoldsTheRowsThatMeetIt) {
  const TraceFile file = written(20000);
  const Timeline line = timeline_of(file);
  const Pyramid pyramid(file, classes);
  const base::Ticks from{file.end().value / 3}, to{file.end().value / 3 + file.end().value / 50};
  const auto found = pyramid.window(from, to, 100000);
  ASSERT_TRUE(found);
  std::size_t count = 0;
  for (std::size_t t = 0; t < line.tracks.size(); ++t) {
    std::vector<Interval> expected = line.rows[t];
    std::erase_if(expected, [&](const Interval& row) {
      return row.reason == Reason::idle || row.end <= from || row.begin >= to;
    });
    EXPECT_EQ((*found)[t], expected);
    count += expected.size();
  }
  EXPECT_TRUE(pyramid.window(from, to, count));
  EXPECT_FALSE(pyramid.window(from, to, count - 1));
  EXPECT_FALSE(pyramid.window({}, file.end(), 100));
}

}  // namespace
}  // namespace trainyard::trace

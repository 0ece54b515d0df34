// Is the Perfetto export the one that tests/trace/test_perfetto.py has decoded and judged?
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/file.h"
#include "example.h"
#include "trace/perfetto.h"

namespace trainyard::trace {
namespace {

const std::string golden = TRAINYARD_SOURCE_DIR "/tests/trace/example.pftrace";

TraceFile example() {
  const Example run = example_run(Detail::full, 12, 6);
  const Metadata metadata{"attention", "trn3", "0.1.0", 0xabc, 0xdef, {{"grid", "2"}}};
  return TraceFile::parse(write_trace(run.recorder, example_labels(6), metadata), "example");
}

// With TRAINYARD_UPDATE set, the file is written instead; then run the Python test and look at it
// in ui.perfetto.dev.
TEST(Perfetto, TheExportIsTheJudgedFile) {
  const std::string bytes = to_perfetto(example());
  if (std::getenv("TRAINYARD_UPDATE") != nullptr) base::write_file(golden, bytes);
  EXPECT_TRUE(bytes == base::read_file(golden))
      << "run with TRAINYARD_UPDATE=1 and judge the new file";
}

TEST(Perfetto, AWindowIsSmallerAndEmptyOutsideTheRun) {
  const TraceFile trace = example();
  const std::size_t whole = to_perfetto(trace).size();
  EXPECT_LT(to_perfetto(trace, {.begin = {0}, .end = base::Ticks{3000}}).size(), whole);
  EXPECT_LT(to_perfetto(trace, {.begin = trace.end() + base::Ticks{1}}).size(), whole / 2);
  EXPECT_GT(to_perfetto(trace, {.idle = true}).size(), whole);
}

TEST(Perfetto, AnUnlabelledTraceIsExportedByReason) {
  const Example run = example_run(Detail::full, 5);
  const TraceFile trace = TraceFile::parse(write_trace(run.recorder, {}, {}), "example");
  EXPECT_GT(to_perfetto(trace).size(), 500u);
}

}  // namespace
}  // namespace trainyard::trace

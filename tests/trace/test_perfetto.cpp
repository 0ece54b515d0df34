// Is the Perfetto export the one that tests/trace/test_perfetto.py has decoded and judged?
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/file.h"
#include "example.h"
#include "trace/perfetto.h"
#include "trace/trace_file.h"

namespace trainyard::trace {
namespace {

const std::string golden = TRAINYARD_SOURCE_DIR "/tests/trace/example.pftrace";

const Metadata about{"attention", "trn3", "0.1.0", 0xabc, 0xdef, {{"grid", "2"}}};

// With TRAINYARD_UPDATE set, the file is written instead; then run the Python test and look at it
// in ui.perfetto.dev.
TEST(Perfetto, TheExportIsTheJudgedFile) {
  const Example run = example_run(Detail::full, 12, 6);
  const std::string bytes = to_perfetto(timeline_of(run.recorder), example_labels(6), about);
  if (std::getenv("TRAINYARD_UPDATE") != nullptr) base::write_file(golden, bytes);
  EXPECT_TRUE(bytes == base::read_file(golden))
      << "run with TRAINYARD_UPDATE=1 and judge the new file";
}

TEST(Perfetto, AFileThatIsReadAgainGivesTheSame) {
  const Example run = example_run(Detail::full, 900, 64);
  const Labels labels = example_labels(64);
  const TraceFile file = TraceFile::parse(write_trace(run.recorder, labels, about), "example");
  EXPECT_TRUE(to_perfetto(timeline_of(file), file.labels(), file.metadata()) ==
              to_perfetto(timeline_of(run.recorder), labels, about));
}

TEST(Perfetto, AnUnlabelledTraceIsExportedByReason) {
  const Example run = example_run(Detail::full, 5);
  EXPECT_GT(to_perfetto(timeline_of(run.recorder), {}, {}).size(), 500u);
}

}  // namespace
}  // namespace trainyard::trace

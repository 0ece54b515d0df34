// What the passes of a compilation did: how often each ran, how long it took, and what chosen ones
// left of the program.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/module.h"
#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

struct PassTime {
  std::string_view pass;
  std::int64_t runs = 0;
  std::chrono::nanoseconds time{};
};

// A program as a pass left it, without the content of its constants: StableHLO, or the text form of
// docs/formats/program.md.
struct PassDump {
  std::string_view pass;
  std::string program;  // its name
  std::string text;
};

// Dumps in the order in which they were made, for what outlives a compilation that fails. Threads
// may share one.
class PassDumps {
 public:
  void add(PassDump dump);
  // All since the last time.
  [[nodiscard]] std::vector<PassDump> take();

 private:
  std::mutex mutex_;
  std::vector<PassDump> dumps_;
};

struct PassOptions {
  std::vector<std::string> dump_after{};    // names of passes, or "all"
  std::shared_ptr<PassDumps> dumps_also{};  // gets each dump at once
  bool verify = false;  // what each pass leaves, not only what the last one does

  [[nodiscard]] bool dumps(std::string_view pass) const;
};

struct PassLog {
  std::vector<PassTime> times{};  // in the order of their first runs
  std::vector<PassDump> dumps{};

  void ran(std::string_view pass, std::chrono::nanoseconds time, std::int64_t runs = 1);
  // The times of work that was thrown away: another attempt was better.
  void add_times(const PassLog& other);
  void add(PassLog other);
};

// What becomes of a program that a pass has left: as text where that is asked for.
void look(const graph::Module& module, std::string_view pass, const PassOptions& options,
          PassLog& log);
void look(const isa::Program& program, std::string_view pass, const PassOptions& options,
          PassLog& log);

// Runs one pass, and tells the log how long it took.
template <typename Run>
auto timed(std::string_view pass, PassLog& log, Run&& run) {
  struct Clock {
    std::string_view pass;
    PassLog& log;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
    ~Clock() { log.ran(pass, std::chrono::steady_clock::now() - begin); }
  } const clock{pass, log};
  return std::forward<Run>(run)();
}

}  // namespace trainyard::compiler

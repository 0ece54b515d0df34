// What a check is, in words: what it looks for, how bad that is, why, and what to do. How it looks
// is elsewhere: isa and compiler refuse, checkers watch a run, lint reads a program.
#pragma once

#include <string_view>

namespace trainyard::checks {

enum class Severity {
  note,     // worth knowing; often right as it is
  warning,  // likely a mistake or a waste, but the program means something
  error,    // the hardware need not do what the author expects
};
[[nodiscard]] std::string_view name(Severity severity);

// When a check looks.
enum class Stage {
  trace,    // while the author's function runs: the offending line raises InputError
  compile,  // before a program runs: InputError
  lint,     // on the compiled program, without values
  run,      // while values are computed: the first error raises a Fault
};
[[nodiscard]] std::string_view name(Stage stage);

struct Check {
  std::string_view id{};  // "memory.unwritten": in findings, suppressions and docs
  Severity severity = Severity::error;
  Stage stage = Stage::run;
  std::string_view title{};
  std::string_view rule{};    // what must hold, as a finding states it
  std::string_view why{};     // what happens otherwise
  std::string_view source{};  // where the fact is published
  std::string_view fix{};
  // A kernel of x, float32 [128, 512], that has the mistake; empty where a kernel cannot have it.
  std::string_view example{};

  [[nodiscard]] std::string_view family() const { return id.substr(0, id.find('.')); }
};

}  // namespace trainyard::checks

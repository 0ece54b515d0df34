// The three kinds of error: input that is wrong (InputError), a running program that broke the
// contract (Fault), and our own bug (check). Nothing here knows about Trainium.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace trainyard::base {

// One party of a broken rule: who wrote, who read, what was created.
struct Side {
  std::string role{};           // "writes", "reads", "adds", "created"
  std::string actor{};          // "vector engine", "DMA queue sync loads"; empty for a tensor
  std::string what{};           // the mnemonic, or the name of a tensor
  std::string place{};          // source line with call stack and loop indices
  std::optional<Ticks> time{};  // of a timed run: when it was applied
  std::uint32_t run = 0;        // of an instruction in a hardware loop: which time, from 1
};

// One broken rule, in words a user can act on.
struct Violation {
  std::string
      label;  // the rule's name, the same string in docs and tests: "nc_matmul.c3", "machine.unit"
  std::string rule;   // what must hold
  std::string place;  // file:line of the user's source, or file:line and key of a data file
  std::string found;  // what was there instead
  std::string fix;    // what to do about it
  std::vector<Side> sides{};
};

// The text a user reads for one violation.
[[nodiscard]] std::string describe(const Violation& violation);

// A machine file, kernel, program or argument is wrong. Carries every violation found, not only the
// first.
class InputError : public std::exception {
 public:
  explicit InputError(std::vector<Violation> violations);
  explicit InputError(Violation violation);
  InputError(const InputError&) = default;
  InputError& operator=(const InputError&) = default;
  ~InputError() override;  // out of line, and the table of virtual functions with it
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }
  [[nodiscard]] const std::vector<Violation>& violations() const { return violations_; }

 private:
  std::vector<Violation> violations_;
  std::string text_;
};

enum class FaultCategory : std::uint8_t {
  undefined_behavior,
  race,
  uninitialized_read,
  out_of_bounds,
  deadlock,
  missing_specification,
  unimplemented,
  unsupported,
};
[[nodiscard]] std::string_view name(FaultCategory category);

// A running program broke the machine's contract; the run stops, the host process lives.
class Fault : public std::exception {
 public:
  Fault(FaultCategory category, Violation violation);
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }
  [[nodiscard]] FaultCategory category() const { return category_; }
  [[nodiscard]] const Violation& violation() const { return violation_; }

 private:
  FaultCategory category_;
  Violation violation_;
  std::string text_;
};

// A place in our own code. std::source_location would do, but clang 14 has none with libstdc++ 12,
// and the fuzz targets are built by clang.
struct CodePlace {
  const char* file;
  int line;

  static constexpr CodePlace here(const char* file = __builtin_FILE(),
                                  int line = __builtin_LINE()) {
    return {file, line};
  }
};

// Our own bug: stays on in release builds. Throws std::logic_error naming the place.
[[noreturn]] void fail(std::string_view what, CodePlace where = CodePlace::here());
inline void check(bool condition, std::string_view what, CodePlace where = CodePlace::here()) {
  if (!condition) [[unlikely]]
    fail(what, where);
}

}  // namespace trainyard::base

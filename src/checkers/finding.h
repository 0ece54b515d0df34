// What a check found, and what happens then: findings at the same lines are counted together, those
// the author suppressed are dropped, and the first one that is bad enough stops the run.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "checks/check.h"
#include "isa/core/program.h"

namespace trainyard::checkers {

using base::Side;

struct Finding {
  const checks::Check* check = nullptr;
  base::FaultCategory category = base::FaultCategory::undefined_behavior;
  base::Violation violation;
  std::uint64_t count = 1;  // how often at these source lines; the first one is described
};

// What the author does not want to hear of.
struct Suppression {
  std::string id;    // of a check or of a family; empty: every check
  std::string file;  // only where this line is in the call stack of one side; empty: anywhere
  std::uint32_t line = 0;
};

struct FindingPolicy {
  // The first finding this bad is thrown as a Fault; nothing: none is, all are kept.
  std::optional<checks::Severity> stop_at = checks::Severity::error;
  std::vector<Suppression> suppressions{};
  bool overflows = false;  // look for values that their formats do not hold; takes some time
};

class Findings {
 public:
  static constexpr std::size_t kept_max = 1000;

  // What a finding says, put together only when it is a new one.
  struct Details {
    std::string found;
    std::vector<Side> sides{};
    base::FaultCategory category = base::FaultCategory::undefined_behavior;
    std::string place{};  // where no instruction is meant: instead of the place of `at`
  };

  Findings(const isa::Program& program, FindingPolicy policy)
      : program_(program), policy_(std::move(policy)) {}

  // `at` and `other` are locations of the program (0: none): the line the finding is about, and
  // that of the other side; `last` is that of a third one.
  void report(const checks::Check& check, std::uint32_t at, std::uint32_t other,
              const std::function<Details()>& details, std::uint32_t last = 0);

  [[nodiscard]] const std::vector<Finding>& list() const { return list_; }
  [[nodiscard]] const isa::Program& program() const { return program_; }

 private:
  // Findings at the same frames are one: a frame stands for a source line with its call stack.
  using Key = std::tuple<const checks::Check*, std::uint32_t, std::uint32_t>;
  static constexpr std::size_t dropped = ~std::size_t{0};

  [[nodiscard]] bool suppressed(const checks::Check& check,
                                std::initializer_list<std::uint32_t> sides) const;
  [[nodiscard]] bool in_stack(std::uint32_t location, const Suppression& suppression) const;

  const isa::Program& program_;
  FindingPolicy policy_;
  std::vector<Finding> list_;
  std::map<Key, std::size_t> known_;  // position in list_, or dropped
};

}  // namespace trainyard::checkers

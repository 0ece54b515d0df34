#include "base/error.h"

#include <fmt/format.h>

#include <stdexcept>

namespace trainyard::base {

std::string describe(const Violation& violation) {
  std::string text = fmt::format("{}: {}", violation.label, violation.rule);
  if (!violation.place.empty()) text += fmt::format("\n  at: {}", violation.place);
  if (!violation.found.empty()) text += fmt::format("\n  found: {}", violation.found);
  if (!violation.fix.empty()) text += fmt::format("\n  fix: {}", violation.fix);
  return text;
}

InputError::InputError(std::vector<Violation> violations) : violations_(std::move(violations)) {
  check(!violations_.empty(), "an InputError names at least one violation");
  for (const Violation& violation : violations_) {
    if (!text_.empty()) text_ += '\n';
    text_ += describe(violation);
  }
}

InputError::InputError(Violation violation) : InputError(std::vector{std::move(violation)}) {}
InputError::~InputError() = default;

std::string_view name(FaultCategory category) {
  switch (category) {
    case FaultCategory::undefined_behavior: return "undefined_behavior";
    case FaultCategory::race: return "race";
    case FaultCategory::uninitialized_read: return "uninitialized_read";
    case FaultCategory::out_of_bounds: return "out_of_bounds";
    case FaultCategory::deadlock: return "deadlock";
    case FaultCategory::missing_specification: return "missing_specification";
    case FaultCategory::unimplemented: return "unimplemented";
    case FaultCategory::unsupported: return "unsupported";
  }
  fail("unknown fault category");
}

Fault::Fault(FaultCategory category, Violation violation)
    : category_(category),
      violation_(std::move(violation)),
      text_(fmt::format("{}: {}", name(category), describe(violation_))) {}

void fail(std::string_view what, CodePlace where) {
  throw std::logic_error(fmt::format("internal error at {}:{}: {}", where.file, where.line, what));
}

}  // namespace trainyard::base

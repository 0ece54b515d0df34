#include "base/error.h"

#include <fmt/format.h>

#include <stdexcept>

namespace trainyard::base {

namespace {

// Headline, place, and what else is known, in this order.
std::string lines_of(const Violation& violation, std::string_view headline, std::string_view role,
                     std::string_view other) {
  std::string text = fmt::format("{}: {}", violation.label, headline);
  if (!violation.place.empty()) text += fmt::format("\n  at: {}", violation.place);
  if (!other.empty()) text += fmt::format("\n  {}: {}", role, other);
  if (!violation.fix.empty()) text += fmt::format("\n  fix: {}", violation.fix);
  return text;
}

// Of a running program, what was found is a sentence, and comes first: it says what happened.
std::string describe_fault(const Violation& violation) {
  if (violation.found.empty()) return describe(violation);
  return lines_of(violation, violation.found, "rule", violation.rule);
}

}  // namespace

std::string describe(const Violation& violation) {
  return lines_of(violation, violation.rule, "found", violation.found);
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
      text_(fmt::format("{}: {}", name(category), describe_fault(violation_))) {}

void fail(std::string_view what, CodePlace where) {
  throw std::logic_error(fmt::format("internal error at {}:{}: {}", where.file, where.line, what));
}

}  // namespace trainyard::base

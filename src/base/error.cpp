#include "base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace trainyard::base {

namespace {

// Longer ones are a headline of their own.
constexpr std::size_t joined_length_max = 80;

// What is found in a file may hold any bytes: a zero would end the text, others move the cursor of
// a terminal.
std::string printable(std::string text) {
  const auto is_control = [](char c) {
    return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == 0x7F;
  };
  if (std::ranges::none_of(text, is_control)) return text;
  std::string escaped;
  for (const char c : text) {
    if (is_control(c)) {
      escaped += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string lines_of(const Violation& violation, std::string_view headline, std::string_view rule) {
  std::string text = fmt::format("{}: {}", violation.label, headline);
  if (!violation.place.empty()) text += fmt::format("\n  at: {}", violation.place);
  if (!rule.empty()) text += fmt::format("\n  rule: {}", rule);
  if (!violation.fix.empty()) text += fmt::format("\n  fix: {}", violation.fix);
  return printable(std::move(text));
}

// Of a running program, what was found is a sentence.
std::string describe_fault(const Violation& violation) {
  if (violation.found.empty()) return lines_of(violation, violation.rule, {});
  return lines_of(violation, violation.found, violation.rule);
}

}  // namespace

// The headline says what happened. What was found in an input is often a fragment, "shape (4, 0)",
// which says little without the rule.
std::string describe(const Violation& violation) {
  const std::string& found = violation.found;
  if (found.empty() || found.size() > joined_length_max || found.find('\n') != std::string::npos)
    return describe_fault(violation);
  return lines_of(violation, fmt::format("{}; expected: {}", found, violation.rule), {});
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

// One figure of a file against the field it is for: complete, of the right unit, in bounds, inside
// its own range.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "machine/document.h"
#include "machine/schema.h"

namespace trainyard::machine {

struct Reading {
  Value value;
  Interval amount;  // in the canonical unit; low = value = high without a range
  Figure figure;
};

// Nothing where something is wrong, which is appended to `violations`.
[[nodiscard]] std::optional<Reading> read_figure(const Field& field, const Entry& entry,
                                                 std::vector<base::Violation>& violations);

// What to add to a file that lacks the field.
[[nodiscard]] std::string example(const Field& field);

}  // namespace trainyard::machine

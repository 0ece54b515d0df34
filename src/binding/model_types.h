// What the bindings of tensor programs share.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "session/model.h"

namespace trainyard::binding {

// Throws InputError "schedule.name".
[[nodiscard]] compiler::Options options_of(const std::string& schedule);
// And names of passes behind which the program is kept as text, in `dumps` too.
[[nodiscard]] compiler::Options options_of(const std::string& schedule,
                                           std::vector<std::string> dump_after,
                                           std::shared_ptr<compiler::PassDumps> dumps);

}  // namespace trainyard::binding

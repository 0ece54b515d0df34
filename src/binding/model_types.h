// What the bindings of tensor programs share.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "session/model.h"

namespace trainyard::binding {

// Throws InputError "schedule.name".
[[nodiscard]] compiler::Options options_of(const std::string& schedule);

// Operations without instructions: name, how many, where the first one stands.
[[nodiscard]] std::vector<nanobind::tuple> routines_of(const session::Model& model);

}  // namespace trainyard::binding

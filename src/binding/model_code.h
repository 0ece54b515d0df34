// What compiling a model gave, as bytes of Python: for compile_model in another process.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "session/compiled_code.h"
#include "session/model.h"

namespace trainyard::binding {

// What another process of this build compiled; null where it is another build's, or none is given.
// Throws InputError for bytes that are damaged.
[[nodiscard]] std::shared_ptr<const session::CompiledCode> kept_code(const nanobind::bytes& code);

[[nodiscard]] nanobind::bytes code_of(const session::Model& model);

}  // namespace trainyard::binding

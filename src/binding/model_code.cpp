#include "binding/model_code.h"

#include <string>
#include <utility>

namespace trainyard::binding {

namespace nb = nanobind;

std::shared_ptr<const session::CompiledCode> kept_code(const nb::bytes& code) {
  if (code.size() == 0) return {};
  auto kept = std::make_shared<const session::CompiledCode>(
      session::CompiledCode::read({code.c_str(), code.size()}));
  const std::string context = session::CompiledCode::context_of("");
  return context.empty() || kept->context != context ? nullptr : std::move(kept);
}

nb::bytes code_of(const session::Model& model) {
  session::CompiledCode code = model.code();
  code.context = session::CompiledCode::context_of("");
  const std::string bytes = code.write();
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace trainyard::binding

// Whether bytes are text: UTF-8 as RFC 3629 has it, without surrogates and overlong forms.
#pragma once

#include <string_view>

namespace trainyard::base {

[[nodiscard]] bool is_utf8(std::string_view bytes);

}  // namespace trainyard::base

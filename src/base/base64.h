// Bytes as text of letters, digits, "+" and "/" (RFC 4648), for places that hold text only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trainyard::base {

[[nodiscard]] std::string to_base64(std::string_view bytes);

// Nothing where the text is no base64 with its padding.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

}  // namespace trainyard::base

// Which files of a source location are a user's own and which belong to installed libraries.
#pragma once

#include <string_view>

namespace trainyard::base {

// True of a file of an installed Python package, of Python's own library, and of code without one.
[[nodiscard]] bool is_library(std::string_view file);
// The file below the folder that packages are installed in: "flax/linen/linear.py".
[[nodiscard]] std::string_view within_packages(std::string_view file);

}  // namespace trainyard::base

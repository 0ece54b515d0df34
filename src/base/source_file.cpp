#include "base/source_file.h"

#include <array>
#include <cstddef>

namespace trainyard::base {

namespace {

constexpr std::array<std::string_view, 2> package_folders{"/site-packages/", "/dist-packages/"};

std::size_t end_of_package_folder(std::string_view file) {
  for (const std::string_view folder : package_folders) {
    if (const std::size_t at = file.rfind(folder); at != std::string_view::npos)
      return at + folder.size();
  }
  return 0;
}

}  // namespace

bool is_library(std::string_view file) {
  return end_of_package_folder(file) != 0 || file.starts_with('<') ||
         file.find("/lib/python3") != std::string_view::npos;
}

std::string_view within_packages(std::string_view file) {
  return file.substr(end_of_package_folder(file));
}

}  // namespace trainyard::base

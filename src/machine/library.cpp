// Finding machine files by name.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "machine/document.h"
#include "machine/machine.h"
#include "machine/topology.h"

namespace trainyard::machine {

namespace {

namespace fs = std::filesystem;

// The folder of the executable or Python extension that holds this code; empty when unknown.
fs::path own_folder() {
  Dl_info info{};
  const auto here = reinterpret_cast<const void*>(&available);
  if (dladdr(here, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const fs::path file = fs::canonical(info.dli_fname, error);
  return error ? fs::path{} : file.parent_path();
}

void add_environment(std::vector<std::string>& result) {
  const char* variable = std::getenv("TRAINYARD_MACHINES");
  std::string_view rest = variable != nullptr ? variable : "";
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) result.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
}

// A file that names a machine, not one that is only extended.
bool is_machine(const fs::path& path) {
  std::vector<base::Violation> ignored;
  const Document document = read_document(base::read_file(path), path.string(), ignored);
  return !document.name.empty();
}

}  // namespace

std::vector<std::string> search_path() {
  std::vector<std::string> result;
  add_environment(result);
  if (const fs::path own = own_folder(); !own.empty()) {
    result.push_back((own / "machines").string());
    result.push_back((own / ".." / "share" / "trainyard" / "machines").lexically_normal().string());
  }
  result.emplace_back(TRAINYARD_MACHINES_SOURCE);
#ifdef TRAINYARD_MACHINES_INSTALLED
  result.emplace_back(TRAINYARD_MACHINES_INSTALLED);
#endif
  return result;
}

std::vector<std::string> names_in(std::string_view subfolder) {
  std::vector<std::string> names;
  for (const std::string& folder : search_path()) {
    std::error_code error;
    for (const fs::directory_entry& file :
         fs::directory_iterator(fs::path(folder) / subfolder, error)) {
      if (file.path().extension() == ".toml" && is_machine(file.path()))
        names.push_back(file.path().stem().string());
    }
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> available() { return names_in(""); }

fs::path find_file(std::string_view name_or_path, std::string_view subfolder) {
  fs::path path(name_or_path);
  const bool is_path = path.extension() == ".toml";
  std::error_code ignored;
  const std::vector<std::string> folders = search_path();
  for (std::size_t i = 0; !is_path && i < folders.size(); ++i) {
    const fs::path candidate =
        fs::path(folders[i]) / subfolder / fmt::format("{}.toml", name_or_path);
    if (fs::is_regular_file(candidate, ignored)) return candidate;
  }
  if (!is_path || !fs::is_regular_file(path, ignored)) {
    const std::string known = fmt::format("{}", fmt::join(names_in(subfolder), ", "));
    const std::vector<std::string> chips = names_in("");
    const bool is_chip = std::ranges::find(chips, name_or_path) != chips.end();
    throw base::InputError({"machine.not_found",
                            "the machine is a known name or the path of a .toml file",
                            fmt::format("{}", fmt::join(folders, ", ")), std::string(name_or_path),
                            is_chip ? fmt::format("it is a chip; here one of {} is meant", known)
                                    : fmt::format("known: {}", known)});
  }
  return path;
}

Machine load(std::string_view name_or_path) {
  const fs::path path = find_file(name_or_path, "");
  return load_text(base::read_file(path), path.string(), path.parent_path().string());
}

std::vector<std::string> available_systems() { return names_in("systems"); }

System load_system(std::string_view name_or_path) {
  const fs::path path = find_file(name_or_path, "systems");
  return load_system_text(base::read_file(path), path.string(), path.parent_path().string());
}

}  // namespace trainyard::machine

#include "planner/family.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "machine/machine.h"

namespace trainyard::planner {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t parents_max = 8;

fs::path family_file(std::string_view type) {
  std::error_code ignored;
  for (const std::string& machines : machine::search_path()) {
    fs::path file =
        fs::path(machines).parent_path() / "models" / "families" / fmt::format("{}.toml", type);
    if (fs::is_regular_file(file, ignored)) return file;
  }
  return {};
}

json parse_record(const fs::path& file) {
  const toml::table table = toml::parse(base::read_file(file), file.string());
  std::ostringstream written;
  written << toml::json_formatter(table);
  return json::parse(written.str());
}

// A type as a file name: "xlm-roberta" and "xlm_roberta" are one.
std::string file_name_of(std::string_view type) {
  std::string name(type);
  std::ranges::replace(name, '-', '_');
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool is_plain =
      !name.empty() && name.size() <= 60 && std::ranges::all_of(name, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '.';
      });
  return is_plain && name.front() != '.' && name.front() != '_' ? name : std::string();
}

// What is missing for a type that has no record, and the records that begin like it.
std::string what_is_missing(const std::string& name) {
  constexpr std::size_t shared_min = 4, shown_max = 4;
  std::string like;
  std::size_t shown = 0;
  for (const std::string& known : available_families()) {
    const auto differs = std::ranges::mismatch(known, name).in1 - known.begin();
    if (static_cast<std::size_t>(differs) < shared_min || shown == shown_max) continue;
    like += fmt::format("{}{}", shown++ == 0 ? "" : ", ", known);
  }
  const std::string record = fmt::format(
      "nothing says how its layers, parameters and cache count: models/families/{}.toml "
      "would",
      name.empty() ? "TYPE" : name);
  return like.empty() ? record
                      : fmt::format(
                            "{} (records that begin like it: {}; name one as model_type "
                            "where it is built the same)",
                            record, like);
}

// `over` on top of `under`; a section of the one is joined with that of the other.
json joined(json under, const json& over) {
  for (const auto& [name, section] : over.items()) {
    if (section.is_object() && under.contains(name) && under[name].is_object())
      under[name].update(section);
    else if (name == "ignored" && under.contains(name))
      under[name].insert(under[name].end(), section.begin(), section.end());
    else
      under[name] = section;
  }
  return under;
}

json load_joined(const fs::path& file, std::size_t depth) {
  base::check(depth < parents_max, "families are like each other in a circle");
  json record = parse_record(file);
  if (!record.contains("like")) return record;
  const fs::path parent = file.parent_path() / (record["like"].get<std::string>() + ".toml");
  return joined(load_joined(parent, depth + 1), record);
}

}  // namespace

const json& FamilyRecord::section(std::string_view name) const {
  static const json empty = json::object();
  const auto found = fields_.find(std::string(name));
  return found == fields_.end() ? empty : *found;
}

const json& FamilyRecord::find(std::string_view section_name, std::string_view key) const {
  static const json nothing;
  const json& found = section(section_name);
  const auto entry = found.find(std::string(key));
  return entry == found.end() ? nothing : *entry;
}

bool FamilyRecord::mentions(std::string_view key) const {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  };
  const auto holds = [&](std::string_view text) {
    for (std::size_t at = text.find(key); at != text.npos; at = text.find(key, at + 1)) {
      const std::size_t end = at + key.size();
      if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end])))
        return true;
    }
    return false;
  };
  const auto has = [&](std::string_view name, bool is_plain) {
    return std::ranges::any_of(section(name), [&](const json& value) {
      if (!value.is_string()) return false;
      const auto& text = value.get_ref<const std::string&>();
      return (is_plain || text.starts_with('=')) && holds(text);
    });
  };
  return has("defaults", false) || has("shape", true) || has("parameters", true) ||
         has("state", true) || has("encoder_shape", true) || has("encoder_parameters", true) ||
         has("stage", true) || has("outside", true);
}

FamilyRecord load_family(std::string_view type, std::string_view place) {
  const std::string name = file_name_of(type);
  const fs::path file = name.empty() ? fs::path() : family_file(name);
  if (file.empty()) {
    throw base::InputError({"model.unsupported", "the family of a model is in the table",
                            fmt::format("{}: model_type", place),
                            type.empty() ? "no model_type" : fmt::format("{}", type.substr(0, 60)),
                            what_is_missing(name)});
  }
  return FamilyRecord(load_joined(file, 0));
}

std::vector<std::string> available_families() {
  std::vector<std::string> names;
  for (const std::string& machines : machine::search_path()) {
    std::error_code error;
    const fs::path folder = fs::path(machines).parent_path() / "models" / "families";
    for (const fs::directory_entry& file : fs::directory_iterator(folder, error)) {
      const std::string name = file.path().stem().string();
      if (file.path().extension() == ".toml" && name.front() != '_') names.push_back(name);
    }
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

const json& neutral_keys() {
  static const json keys = [] {
    const fs::path file = family_file("_neutral");
    base::check(!file.empty(), "models/families/_neutral.toml is missing");
    return parse_record(file)["keys"];
  }();
  return keys;
}

}  // namespace trainyard::planner

// Finding models by name, and the text of their files.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/file.h"
#include "base/utf8.h"
#include "machine/document.h"
#include "machine/machine.h"
#include "planner/read_model.h"
#include "planner/read_parts.h"

namespace trainyard::planner {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

[[noreturn]] void refuse(std::string_view label, std::string rule, std::string_view place,
                         std::string found, std::string fix) {
  throw base::InputError(
      {std::string(label), std::move(rule), std::string(place), std::move(found), std::move(fix)});
}

// Python writes numbers that JSON has not; the same text with those that it has, of the same length
// so that places in errors stay.
std::string with_finite_numbers(std::string_view text) {
  std::string result(text);
  bool is_quoted = false;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (is_quoted && result[i] == '\\')
      ++i;
    else if (result[i] == '"')
      is_quoted = !is_quoted;
    if (is_quoted || i >= result.size()) continue;
    for (const auto& [word, number] :
         {std::pair<std::string_view, std::string_view>("Infinity", "1.00e308"),
          std::pair<std::string_view, std::string_view>("NaN", "0.0")}) {
      if (std::string_view(result).substr(i).starts_with(word))
        result.replace(i, word.size(), number);
    }
  }
  return result;
}

json parse_json(std::string_view text, std::string_view place) {
  constexpr std::size_t bytes_max = 16'000'000;
  if (text.size() > bytes_max)
    refuse("model.syntax", "a configuration is at most 16 MB", place,
           fmt::format("{} bytes", text.size()), "name the config.json, not the weights");
  try {
    json fields = json::parse(with_finite_numbers(text));
    if (fields.is_object()) return fields;
    refuse("model.syntax", "a configuration is a JSON object", place, fields.type_name(),
           "name a config.json");
  } catch (const json::parse_error& error) {
    const std::string_view before = text.substr(0, std::min(text.size(), error.byte));
    const auto line = 1 + std::ranges::count(before, '\n');
    refuse("model.syntax", "a configuration is a JSON object", fmt::format("{}:{}", place, line),
           fmt::format("no JSON from byte {} on", error.byte), "correct the syntax there");
  } catch (const json::out_of_range&) {
    refuse("model.syntax", "the numbers of a configuration are at most 1.8e308", place,
           "a larger one", "correct it");
  }
}

// Every folder "models" beside a folder of machines.
std::vector<fs::path> folders() {
  std::vector<fs::path> result;
  for (const std::string& machines : machine::search_path())
    result.push_back(fs::path(machines).parent_path() / "models");
  return result;
}

std::string text_of(const toml::table& table, std::string_view key, std::string_view place) {
  const auto word = table[key].value_exact<std::string>();
  if (!word || word->empty())
    refuse("model.missing_key", "[model] has name, title and source", place,
           fmt::format("no {}", key), fmt::format("add {} = \"...\"", key));
  return *word;
}

}  // namespace

Model read_config(std::string_view text, std::string_view place) {
  return read_fields(parse_json(text, place), place);
}

Model read_model_text(std::string_view text, std::string_view place) {
  if (machine::has_too_many_dots(text))
    refuse("model.syntax", "the file is TOML", place, "a line of too many dots", "correct it");
  toml::table root;
  try {
    root = toml::parse(text, place);
  } catch (const toml::parse_error& error) {
    refuse("model.syntax", "the file is TOML",
           fmt::format("{}:{}", place, error.source().begin.line), std::string(error.description()),
           "correct the syntax of that line");
  }
  const toml::table* head = root["model"].as_table();
  const toml::table* config = root["config"].as_table();
  if (head == nullptr || config == nullptr)
    refuse("model.missing_key", "a model file has [model] and [config]", place,
           head == nullptr ? "no [model]" : "no [config]", "add the section");
  std::ostringstream written;
  written << toml::json_formatter(*config);
  Model model = read_fields(parse_json(std::move(written).str(), place), place);
  model.name = text_of(*head, "name", place);
  model.title = text_of(*head, "title", place);
  model.source = text_of(*head, "source", place);
  return model;
}

std::vector<std::string> available_models() {
  std::vector<std::string> names;
  for (const fs::path& folder : folders()) {
    std::error_code error;
    for (const fs::directory_entry& file : fs::directory_iterator(folder, error))
      if (file.path().extension() == ".toml") names.push_back(file.path().stem().string());
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Model load_model(std::string_view name_or_path) {
  fs::path path(name_or_path);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) path /= "config.json";
  const bool is_file = path.extension() == ".json" || path.extension() == ".toml";
  for (const fs::path& folder : folders()) {
    const fs::path candidate = folder / fmt::format("{}.toml", name_or_path);
    if (is_file || !fs::is_regular_file(candidate, ignored)) continue;
    path = candidate;
    break;
  }
  if (!fs::is_regular_file(path, ignored))
    refuse("model.not_found",
           "the model is a known name, a config.json, or the path of a .toml file", name_or_path,
           fs::is_directory(path.parent_path(), ignored) && path.filename() == "config.json"
               ? "a folder without a config.json"
               : "no such file",
           fmt::format("known: {}", fmt::join(available_models(), ", ")));
  const std::string text = base::read_file(path);
  const std::string place = path.string();
  if (path.extension() == ".toml") return read_model_text(text, place);
  Model model = read_config(text, place);
  model.source = place;
  if (model.name.empty()) model.name = model.title = path.parent_path().filename().string();
  return model;
}

}  // namespace trainyard::planner

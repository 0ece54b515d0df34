#include "planner/config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trainyard::planner {

namespace {

std::string shown(const nlohmann::json& value) {
  if (value.is_structured()) return fmt::format("a JSON {}", value.type_name());
  std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (text.size() > 60) text.resize(60);
  return text;
}

}  // namespace

Config::Config(const nlohmann::json& fields, std::string place)
    : fields_(fields), place_(std::move(place)) {}

const nlohmann::json* Config::find(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    const auto found = fields_.find(std::string(name));
    if (found != fields_.end() && !found->is_null()) return &*found;
  }
  return nullptr;
}

std::optional<std::int64_t> Config::checked(const nlohmann::json& value, std::string_view key,
                                            std::int64_t least, std::int64_t most) {
  const bool is_whole = value.is_number_integer();
  // An unsigned number beyond 2^63 wraps below zero, which is out of range too.
  const auto number = is_whole ? value.get<std::int64_t>() : std::int64_t{-1};
  if (is_whole && number >= least && number <= most) return number;
  report("model.range", fmt::format("{} is a whole number of {} to {}", key, least, most), key,
         shown(value), "correct the configuration");
  return std::nullopt;
}

std::int64_t Config::whole(std::initializer_list<std::string_view> names, std::int64_t most) {
  const nlohmann::json* value = find(names);
  if (value != nullptr) return checked(*value, *names.begin(), 1, most).value_or(1);
  report("model.missing_key", "a configuration says how large the model is", *names.begin(),
         "nothing", fmt::format("add {}", fmt::join(names, " or ")));
  return 1;
}

std::int64_t Config::whole_or(std::initializer_list<std::string_view> names, std::int64_t otherwise,
                              std::int64_t most, std::int64_t least) {
  const nlohmann::json* value = find(names);
  return value == nullptr ? otherwise
                          : checked(*value, *names.begin(), least, most).value_or(otherwise);
}

std::string Config::word(std::string_view name) const {
  const nlohmann::json* value = find({name});
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

bool Config::flag(std::string_view name, bool otherwise) const {
  const nlohmann::json* value = find({name});
  return value != nullptr && value->is_boolean() ? value->get<bool>() : otherwise;
}

std::vector<std::int64_t> Config::list(std::string_view name, std::int64_t most) {
  const nlohmann::json* value = find({name});
  std::vector<std::int64_t> result;
  if (value == nullptr) return result;
  constexpr std::size_t entries_max = 64;
  if (!value->is_array() || value->empty() || value->size() > entries_max) {
    report("model.range", fmt::format("{} is a list of 1 to {} numbers", name, entries_max), name,
           shown(*value), "correct the configuration");
    return result;
  }
  for (const nlohmann::json& entry : *value)
    result.push_back(checked(entry, name, 1, most).value_or(1));
  return result;
}

void Config::report(std::string label, std::string rule, std::string_view key, std::string found,
                    std::string fix) {
  violations_.push_back({std::move(label), std::move(rule), fmt::format("{}: {}", place_, key),
                         std::move(found), std::move(fix)});
}

void Config::move_violations_to(Config& other) {
  for (base::Violation& one : violations_) other.violations_.push_back(std::move(one));
  violations_.clear();
}

void Config::finish() {
  if (!violations_.empty()) throw base::InputError(std::move(violations_));
}

}  // namespace trainyard::planner

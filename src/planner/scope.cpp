#include "planner/scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "planner/expression.h"

namespace trainyard::planner {

namespace {

using nlohmann::json;

constexpr int depth_max = 32;

struct MissingKey : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

std::string shown_value(const json& value) {
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  if (text.size() > 60) text.resize(60);
  return text;
}

// "=..." is an expression, anything else stands for itself.
bool is_expression(const json& value) {
  return value.is_string() && value.get_ref<const std::string&>().starts_with('=');
}

}  // namespace

Scope::Scope(const json& fields, std::string_view type, std::string place)
    : fields_(fields),
      type_(type),
      place_(std::move(place)),
      record_(load_family(type, place_)),
      config_(fields, place_) {}

json Scope::resolve(const json& expression, std::int64_t layer, int depth) {
  if (!expression.is_string()) return expression;
  if (depth > depth_max) throw std::invalid_argument("names refer to each other in a circle");
  std::string_view text = expression.get_ref<const std::string&>();
  if (text.starts_with('=')) text.remove_prefix(1);
  return evaluate(text, [&](std::string_view name) { return look_up(name, layer, depth + 1); });
}

json Scope::look_up(std::string_view name, std::int64_t layer, int depth) {
  if (name == "i" && layer >= 0) return layer;
  if (name == "true") return true;
  if (name == "false") return false;
  if (name == "none") return {};
  const std::size_t dot = name.find('.');
  if (dot != std::string_view::npos) {
    const auto found = parts_.find(name.substr(0, dot));
    if (found == parts_.end()) throw MissingKey(std::string(name.substr(0, dot)));
    return found->second->look_up(name.substr(dot + 1), layer, depth);
  }
  // A width that is named as its key is that key.
  if (const json& shape = record_.find("shape", name); !shape.is_null() && shape != name)
    return resolve(shape, layer, depth);
  used_.emplace(name);
  const auto& defaults = record_.section("defaults");
  const auto otherwise = defaults.find(std::string(name));
  if (const auto own = fields_.find(std::string(name)); own != fields_.end()) {
    if (!own->is_null()) return *own;
    if (otherwise == defaults.end() || !is_expression(*otherwise)) return {};
  }
  if (otherwise == defaults.end()) throw MissingKey(std::string(name));
  return is_expression(*otherwise) ? resolve(*otherwise, layer, depth) : json(*otherwise);
}

json Scope::value(const json& expression, std::int64_t layer) {
  try {
    return resolve(expression, layer, 0);
  } catch (const MissingKey& missing) {
    config_.report("model.missing_key", "a configuration says how large the model is",
                   missing.what(), "nothing", fmt::format("add {}", missing.what()));
  } catch (const std::invalid_argument& wrong) {
    config_.report("model.range", "the figures of a configuration make a model",
                   shown_value(expression), wrong.what(), "correct the configuration");
  }
  return {};
}

double Scope::number(std::string_view section, std::string_view key, std::int64_t layer) {
  const json& expression = record_.find(section, key);
  if (expression.is_null() || config_.has_violations()) return 0;  // one mistake has many effects
  const json found = value(expression, layer);
  if (found.is_boolean()) return found.get<bool>() ? 1 : 0;
  return found.is_number() ? found.get<double>() : 0;
}

std::int64_t Scope::whole(std::string_view section, std::string_view key, std::int64_t least,
                          std::int64_t most, std::int64_t layer) {
  const json& expression = record_.find(section, key);
  if (expression.is_null() || config_.has_violations()) return least;
  const json found = value(expression, layer);
  double number = -1;
  if (found.is_null()) number = 0;
  if (found.is_boolean()) number = found.get<bool>() ? 1 : 0;
  if (found.is_number()) number = found.get<double>();
  if (number >= static_cast<double>(least) && number <= static_cast<double>(most) &&
      number == std::floor(number))
    return static_cast<std::int64_t>(number);
  if (!config_.has_violations())  // of the expression itself
    config_.report("model.range", fmt::format("{} is a whole number of {} to {}", key, least, most),
                   expression.is_string() ? expression.get<std::string>() : std::string(key),
                   shown_value(found), "correct the configuration");
  return std::max<std::int64_t>(1, least);
}

std::string Scope::word(std::string_view section, std::string_view key, std::string_view otherwise,
                        std::int64_t layer) {
  const json& expression = record_.find(section, key);
  if (expression.is_null()) return std::string(otherwise);
  const json found = value(expression, layer);
  return found.is_string() ? found.get<std::string>() : std::string(otherwise);
}

const json& Scope::empty_part() {
  static const json empty = json::object();
  return empty;
}

Scope& Scope::part(const std::string& name, std::string_view default_type, const json& absent,
                   bool is_always) {
  if (const auto known = parts_.find(name); known != parts_.end()) return *known->second;
  used_.insert(name);
  const auto own = fields_.find(name);
  const bool is_there = own != fields_.end() && own->is_object();
  const json& fields = is_there ? *own : absent;
  std::string type(default_type);
  if (const auto stated = fields.find("model_type");
      !is_always && stated != fields.end() && stated->is_string())
    type = stated->get<std::string>();
  auto scope = std::make_unique<Scope>(fields, type, fmt::format("{}: {}", place_, name));
  return *parts_.emplace(name, std::move(scope)).first->second;
}

void Scope::check_keys() {
  const json& defaults = record_.section("defaults");
  const json& ignored = record_.section("ignored");
  const json& neutral = neutral_keys();
  const auto holds = [](const json& list, const std::string& key) {
    return std::find(list.begin(), list.end(), key) != list.end();
  };
  std::vector<std::string> unknown;
  for (const auto& [key, value] : fields_.items()) {
    if (value.is_null() || used_.contains(key)) continue;
    if (key.ends_with("_token_id") || key.ends_with("_token_index")) continue;  // changes no shape
    // A default that nothing reads came from a record that this one is like.
    if (defaults.contains(key) && (record_.mentions(key) || defaults[key] == value)) continue;
    if (holds(neutral, key) || holds(ignored, key)) continue;
    if (record_.section("only").contains(key)) continue;
    unknown.push_back(key.substr(0, 60));
  }
  for (const std::string& key : unknown) {
    if (key == unknown.at(std::min<std::size_t>(8, unknown.size() - 1)) && unknown.size() > 8)
      break;
    config_.report("model.unknown_key",
                   fmt::format("each key of a {} is understood, or known to change nothing", type_),
                   key, shown_value(fields_[key]),
                   "correct its name, or add its meaning to models/families");
  }
  for (const auto& [key, allowed] : record_.section("only").items()) {
    const auto found = fields_.find(key);
    if (found == fields_.end() || found->is_null()) continue;
    if (std::find(allowed.begin(), allowed.end(), *found) != allowed.end()) continue;
    config_.report("model.unsupported", fmt::format("{} is {}", key, allowed.dump()), key,
                   shown_value(*found), "other values change the shape and are not modelled");
  }
  for (auto& [name, part] : parts_) {
    part->check_keys();
    part->config_.move_violations_to(config_);
  }
}

}  // namespace trainyard::planner

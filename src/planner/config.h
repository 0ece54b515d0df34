// The fields of a configuration that models are read from: one of several names each, checked,
// every mistake collected.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace trainyard::planner {

class Config {
 public:
  Config(const nlohmann::json& fields, std::string place);

  // The first of `names` that is there, null counting as absent.
  [[nodiscard]] const nlohmann::json* find(std::initializer_list<std::string_view> names) const;
  // A whole number of 1 to `most`; nothing (and a violation unless there is a default) without it.
  std::int64_t whole(std::initializer_list<std::string_view> names, std::int64_t most);
  std::int64_t whole_or(std::initializer_list<std::string_view> names, std::int64_t otherwise,
                        std::int64_t most, std::int64_t least = 0);
  [[nodiscard]] std::string word(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name, bool otherwise) const;
  // A list of whole numbers of 1 to `most`, of at most 64 entries; empty where absent.
  std::vector<std::int64_t> list(std::string_view name, std::int64_t most);

  void report(std::string label, std::string rule, std::string_view key, std::string found,
              std::string fix);
  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] bool has_violations() const { return !violations_.empty(); }
  void move_violations_to(Config& other);
  // Throws InputError with what was reported.
  void finish();

 private:
  std::optional<std::int64_t> checked(const nlohmann::json& value, std::string_view key,
                                      std::int64_t least, std::int64_t most);
  const nlohmann::json& fields_;
  std::string place_;
  std::vector<base::Violation> violations_;
};

}  // namespace trainyard::planner

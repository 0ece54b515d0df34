// The names that a family's record may use: keys of the configuration with the family's defaults,
// the shape, and the layer's index.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "planner/config.h"
#include "planner/family.h"

namespace trainyard::planner {

class Scope {
 public:
  // Throws InputError "model.unsupported" for a family that is not in the table.
  Scope(const nlohmann::json& fields, std::string_view type, std::string place);

  // What an expression or a plain value of the record comes to. `layer`: the index `i`. Mistakes
  // are collected; the value is then null.
  [[nodiscard]] nlohmann::json value(const nlohmann::json& expression, std::int64_t layer = -1);
  // The same as a number, 0 where the section has no such entry.
  [[nodiscard]] double number(std::string_view section, std::string_view key,
                              std::int64_t layer = -1);
  // A whole number of `least` to `most`; `least` after a violation.
  [[nodiscard]] std::int64_t whole(std::string_view section, std::string_view key,
                                   std::int64_t least, std::int64_t most, std::int64_t layer = -1);
  // One of the words of the record, `otherwise` where it has none.
  [[nodiscard]] std::string word(std::string_view section, std::string_view key,
                                 std::string_view otherwise, std::int64_t layer = -1);

  // A part of the configuration with a family of its own, as "vision_config.hidden_size" names it;
  // `absent`, which must outlive this, stands for a part that is not there. is_always: it is of the
  // default type, whatever it says itself.
  [[nodiscard]] Scope& part(const std::string& name, std::string_view default_type,
                            const nlohmann::json& absent = empty_part(), bool is_always = false);

  // Reports the keys that nothing has read and that are not known to change nothing, values that
  // the record does not allow, and quantisation beside what is counted.
  void check_keys();
  void finish() { config_.finish(); }

  [[nodiscard]] const FamilyRecord& record() const { return record_; }
  [[nodiscard]] const nlohmann::json& fields() const { return fields_; }
  [[nodiscard]] Config& config() { return config_; }

 private:
  [[nodiscard]] static const nlohmann::json& empty_part();
  [[nodiscard]] nlohmann::json look_up(std::string_view name, std::int64_t layer, int depth);
  [[nodiscard]] nlohmann::json resolve(const nlohmann::json& expression, std::int64_t layer,
                                       int depth);

  const nlohmann::json& fields_;
  std::string type_, place_;
  FamilyRecord record_;
  Config config_;
  std::set<std::string, std::less<>> used_;
  std::map<std::string, std::unique_ptr<Scope>, std::less<>> parts_;
};

}  // namespace trainyard::planner

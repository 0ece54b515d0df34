#include "graph/division.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/error.h"

namespace trainyard::graph {

namespace {

std::string shardings(const std::vector<Dictionary>& attributes) {
  std::string all;
  for (const Dictionary& each : attributes) {
    const auto found = std::ranges::find(each, "sdy.sharding", &NamedAttribute::name);
    const std::string text = found == each.end() ? "none" : text_of(&found->value);
    all += fmt::format("{}{}", all.empty() ? "" : ", ", text);
  }
  return fmt::format("#sdy.sharding_per_value<[{}]>", all);
}

}  // namespace

std::string text_of(const Attribute* attribute) {
  const auto* const text =
      attribute == nullptr ? nullptr : std::get_if<std::string>(&attribute->value);
  return text == nullptr ? std::string() : *text;
}

void check_division(Module& module, const Function& main, const Division& division,
                    LocationId location) {
  const std::string given = shardings(main.argument_attributes);
  const std::string wanted = shardings(main.result_attributes);
  const bool is_whole = division.given == main.body.arguments &&
                        std::ranges::equal(division.returned, main.results());
  if (is_whole && given == division.in && wanted == division.out) {
    constexpr std::string_view divided = "sdy.divided";
    module.attributes.push_back({std::string(divided), {true}});
    return;
  }
  throw base::InputError(
      {"graph.devices",
       "a program for several devices is one shard_map, whose arguments and results lie as main's",
       module.describe(location),
       is_whole
           ? fmt::format("{} and {} around {} and {}", given, wanted, division.in, division.out)
           : "operations outside of the shard_map",
       "give jax.jit the in_shardings and out_shardings of the shard_map, and move what stands "
       "around it inside"});
}

}  // namespace trainyard::graph

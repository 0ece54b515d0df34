#include "graph/donation.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace trainyard::graph {

namespace {

const Attribute* find(const Dictionary& attributes, std::string_view name) {
  const auto found = std::ranges::find(attributes, name, &NamedAttribute::name);
  return found == attributes.end() ? nullptr : &found->value;
}

}  // namespace

// `tf.aliasing_output` names the result that takes the argument's memory; `jax.buffer_donor` lets
// any result of the same type have it.
std::vector<bool> donated_arguments(const Function& entry) {
  const auto results = entry.results();
  std::vector<bool> donated(entry.body.arguments.size(), false);
  std::vector<bool> taken(results.size(), false);
  for (std::size_t i = 0; i < entry.argument_attributes.size() && i < donated.size(); ++i) {
    const auto* aliased = find(entry.argument_attributes[i], "tf.aliasing_output");
    if (aliased == nullptr) continue;
    const auto* result = std::get_if<std::int64_t>(&aliased->value);
    if (result == nullptr || *result < 0 || *result >= std::ssize(results)) continue;
    donated[i] = taken[static_cast<std::size_t>(*result)] = true;
  }
  for (std::size_t i = 0; i < entry.argument_attributes.size() && i < donated.size(); ++i) {
    if (donated[i] || find(entry.argument_attributes[i], donor_attribute) == nullptr) continue;
    for (std::size_t r = 0; r < results.size() && !donated[i]; ++r) {
      if (!taken[r] && entry.type(results[r]) == entry.type(entry.body.arguments[i]))
        donated[i] = taken[r] = true;
    }
  }
  return donated;
}

}  // namespace trainyard::graph

#include "machine/runtime_rounding.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace trainyard::machine {

namespace {

[[noreturn]] void refuse(std::string_view variable, std::string_view value, std::string_view use) {
  throw base::InputError({"machine.rounding", "the environment names a rounding and a seed",
                          std::string(variable), fmt::format("{} is '{}'", variable, value),
                          std::string(use)});
}

std::uint32_t seed_of(const std::string& text) {
  std::uint32_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, seed);
  if (error != std::errc() || rest != end)
    refuse(rounding_seed_variable, text, "use a number from 0 to 2^32 - 1");
  return seed;
}

}  // namespace

std::vector<std::string> rounding_overrides(const std::optional<std::string>& enable,
                                            const std::optional<std::string>& seed) {
  std::vector<std::string> overrides;
  if (enable) {
    if (*enable != "0" && *enable != "1") refuse(rounding_variable, *enable, "use 0 or 1");
    const std::string_view mode = *enable == "1" ? "stochastic" : "nearest_even";
    for (const std::string_view key : {"cast_rounding", "psum_rounding"})
      overrides.push_back(fmt::format("policy.{}={}", key, mode));
  }
  if (seed) overrides.push_back(fmt::format("policy.stochastic_rounding_seed={}", seed_of(*seed)));
  return overrides;
}

}  // namespace trainyard::machine

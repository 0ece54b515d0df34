// Stochastic rounding as the Neuron runtime's environment asks for it: engines round what they
// write, casts and bf16 results in PSUM, up or down at random. Source: rounding modes, Neuron
// documentation.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace trainyard::machine {

inline constexpr auto rounding_variable = "NEURON_RT_STOCHASTIC_ROUNDING_EN";
inline constexpr auto rounding_seed_variable = "NEURON_RT_STOCHASTIC_ROUNDING_SEED";

// What apply_overrides() makes a machine round so with; nothing of variables that are not set.
// Throws InputError "machine.rounding" for values that they do not take.
[[nodiscard]] std::vector<std::string> rounding_overrides(const std::optional<std::string>& enable,
                                                          const std::optional<std::string>& seed);

}  // namespace trainyard::machine

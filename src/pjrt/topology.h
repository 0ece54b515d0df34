// The devices of a machine as they are described: with a client, or without one to compile ahead of
// time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pjrt/named_values.h"
#include "pjrt/options.h"

namespace trainyard::pjrt {

inline constexpr std::string_view platform_name = "neuron";

struct DeviceDescription {
  std::int32_t id = 0;
  std::int32_t process = 0;    // that computes it
  std::string kind{};          // "NC_v4"
  std::string text{};          // "neuron:0"
  std::string debug_string{};  // with chip, cores and HBM
  NamedValues attributes{};
};

struct TopologyDescription {
  explicit TopologyDescription(Options options);

  Options options;
  std::string version;  // product, machine, LNC, mode
  NamedValues attributes;
  std::vector<std::unique_ptr<DeviceDescription>> owned;
  std::vector<DeviceDescription*> descriptions;

  // Of all that changes what a program compiles to.
  [[nodiscard]] std::uint64_t fingerprint() const;
};

// What TopologyDescription_Serialize wrote, in this process or another. Throws Failure, InputError.
[[nodiscard]] Options deserialize_topology(std::string_view text);

}  // namespace trainyard::pjrt

#include "pjrt/topology.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "base/hash.h"
#include "pjrt/error.h"
#include "pjrt/serialized.h"
#include "pjrt/serve.h"

namespace trainyard::pjrt {

namespace {

std::unique_ptr<DeviceDescription> describe(const Options& options, std::int64_t id) {
  auto result = std::make_unique<DeviceDescription>();
  const std::int64_t chip = id / options.devices_per_chip();
  const std::int64_t core = id % options.devices_per_chip();
  result->id = static_cast<std::int32_t>(id);
  result->kind = options.device_kind();
  result->text = fmt::format("{}:{}", platform_name, id);
  result->debug_string =
      fmt::format("{} ({} of {}, chip {}, logical core {} of {} NeuronCores, {} bytes of HBM)",
                  result->text, result->kind, options.machine.name, chip, core,
                  options.cores_per_device, options.hbm_bytes());
  result->attributes.add("coords", std::vector<std::int64_t>{chip, 0, 0});
  result->attributes.add("core_on_chip", core);
  result->attributes.add("num_cores", options.cores_per_device);
  return result;
}

std::span<const NamedValue> values_of(const NamedValue* values, std::size_t count) {
  if (count > 0) require(values, "create_options");
  return {values, count};
}

const TopologyDescription& checked(const TopologyDescription* topology) {
  require(topology, "topology");
  return *topology;
}

const DeviceDescription& checked(const DeviceDescription* description) {
  require(description, "device_description");
  return *description;
}

// Enough to make the same topology in another process.
std::string serialize(const Options& options) {
  return nlohmann::json{{"machine", options.machine.name},
                        {"set", machine::overrides_of(options.machine)},
                        {"mode", session::name(options.mode)},
                        {"logical_nc_config", options.cores_per_device},
                        {"chips", options.chips},
                        {"strict", options.strict}}
      .dump();
}

// "trn3" or "trn3:2", with two chips; the create-options come first.
Options topology_options(std::string_view name, std::span<const NamedValue> create_options) {
  const std::size_t colon = std::min(name.find(':'), name.size());
  const std::string machine(name.substr(0, colon));
  const std::string chips(colon < name.size() ? name.substr(colon + 1) : "");
  return read_options(create_options, [&](const char* variable) -> std::optional<std::string> {
    const std::string_view key = variable;
    if (key == "TRAINYARD_MACHINE" && !machine.empty()) return machine;
    if (key == "TRAINYARD_CHIPS" && !chips.empty()) return chips;
    return process_environment(variable);
  });
}

}  // namespace

TopologyDescription::TopologyDescription(Options given) : options(std::move(given)) {
  version = fmt::format("trainyard {}, {}, {} devices of {} NeuronCore{}, mode {}{}",
                        TRAINYARD_VERSION, options.machine.title, options.device_count(),
                        options.cores_per_device, options.cores_per_device == 1 ? "" : "s",
                        session::name(options.mode), options.strict ? ", strict" : "");
  attributes.add("machine", std::string_view(options.machine.name));
  attributes.add("mode", session::name(options.mode));
  attributes.add("logical_nc_config", options.cores_per_device);
  attributes.add("hbm_bytes_per_device", options.hbm_bytes());
  for (std::int64_t id = 0; id < options.device_count(); ++id) {
    owned.push_back(describe(options, id));
    descriptions.push_back(owned.back().get());
  }
}

std::uint64_t TopologyDescription::fingerprint() const {
  const std::string text = fmt::format("{};{}", version, options.machine.hash());
  return base::hash_bytes(std::as_bytes(std::span(text)));
}

Options deserialize_topology(std::string_view text) {
  try {
    const auto json = nlohmann::json::parse(text);
    Options options;
    options.machine = machine::apply_overrides(machine::load(json.at("machine").get<std::string>()),
                                               json.at("set").get<std::vector<std::string>>());
    options.mode = session::mode_from_name(json.at("mode").get<std::string>()).value();
    options.cores_per_device = json.at("logical_nc_config");
    options.chips = json.at("chips");
    options.strict = json.at("strict");
    const std::int64_t cores = options.machine.chip.cores;
    if (options.cores_per_device < 1 || options.chips < 1 || options.chips > chips_max ||
        cores % options.cores_per_device != 0)
      throw Failure(ErrorCode::invalid_argument, "the counts of the topology are out of range");
    return options;
  } catch (const nlohmann::json::exception& error) {
    throw Failure(ErrorCode::invalid_argument,
                  fmt::format("not a serialised topology of this plugin: {}", error.what()));
  } catch (const std::bad_optional_access&) {
    throw Failure(ErrorCode::invalid_argument, "the topology names an unknown mode");
  }
}

void serve(TopologyDescriptionCreateArgs& args) {
  require_room(args, args.topology);
  const std::string_view name = args.topology_name == nullptr
                                    ? std::string_view()
                                    : std::string_view(args.topology_name, args.topology_name_size);
  args.topology = std::make_unique<TopologyDescription>(
                      topology_options(name, values_of(args.create_options, args.num_options)))
                      .release();
}

void serve(TopologyDescriptionDestroyArgs& args) {
  const std::unique_ptr<TopologyDescription> owned(args.topology);
}

void serve(TopologyDescriptionPlatformNameArgs& args) {
  set_text(args.platform_name, args.platform_name_size, platform_name);
}

void serve(TopologyDescriptionPlatformVersionArgs& args) {
  set_text(args.platform_version, args.platform_version_size, checked(args.topology).version);
}

void serve(TopologyDescriptionGetDeviceDescriptionsArgs& args) {
  const TopologyDescription& topology = checked(args.topology);
  args.descriptions = topology.descriptions.data();
  args.num_descriptions = topology.descriptions.size();
}

void serve(TopologyDescriptionSerializeArgs& args) {
  hand_out(serialize(checked(args.topology).options), args.serialized_bytes,
           args.serialized_bytes_size, args.serialized_topology, args.serialized_topology_deleter);
}

void serve(TopologyDescriptionDeserializeArgs& args) {
  require(args.serialized_topology, "serialized_topology");
  args.topology =
      std::make_unique<TopologyDescription>(
          deserialize_topology({args.serialized_topology, args.serialized_topology_size}))
          .release();
}

void serve(TopologyDescriptionAttributesArgs& args) {
  const auto values = checked(args.topology).attributes.values();
  args.attributes = values.data();
  args.num_attributes = values.size();
}

void serve(TopologyDescriptionFingerprintArgs& args) {
  args.fingerprint = checked(args.topology).fingerprint();
}

void serve(TopologyDescriptionGetMemorySpaceKindIdsArgs& args) {
  static constexpr int kinds[] = {0, 1};  // MemoryKind::device, pinned_host
  args.memory_space_kind_ids = kinds;
  args.num_memory_space_kind_ids = std::size(kinds);
}

void serve(DeviceDescriptionIdArgs& args) { args.id = checked(args.device_description).id; }
void serve(DeviceDescriptionProcessIndexArgs& args) {
  args.process_index = checked(args.device_description).process;
}
void serve(DeviceDescriptionAttributesArgs& args) {
  const auto values = checked(args.device_description).attributes.values();
  args.attributes = values.data();
  args.num_attributes = values.size();
}
void serve(DeviceDescriptionKindArgs& args) {
  set_text(args.device_kind, args.device_kind_size, checked(args.device_description).kind);
}
void serve(DeviceDescriptionDebugStringArgs& args) {
  set_text(args.debug_string, args.debug_string_size,
           checked(args.device_description).debug_string);
}
void serve(DeviceDescriptionToStringArgs& args) {
  set_text(args.to_string, args.to_string_size, checked(args.device_description).text);
}

}  // namespace trainyard::pjrt

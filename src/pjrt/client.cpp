#include "pjrt/client.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <utility>

#include "pjrt/error.h"
#include "pjrt/event.h"
#include "pjrt/serve.h"
#include "session/host.h"

namespace trainyard::pjrt {

namespace {

const Client& checked(const Client* client) {
  require(client, "client");
  return *client;
}

const Device& checked(const Device* device) {
  require(device, "device");
  return *device;
}

std::unique_ptr<Device> make_device(Client* client, DeviceDescription* description,
                                    const std::shared_ptr<const machine::Machine>& machine) {
  auto device = std::make_unique<Device>(
      Device{.client = client,
             .description = description,
             .simulated = std::make_shared<const runtime::Device>(machine, 0)});
  const std::int32_t id = description->id;
  device->hbm = std::make_unique<Memory>(2 * id, MemoryKind::device, device.get(), id,
                                         client->options().hbm_bytes());
  device->host = std::make_unique<Memory>(2 * id + 1, MemoryKind::pinned_host, device.get(), id,
                                          std::numeric_limits<std::int64_t>::max());
  device->memories = {device->hbm.get(), device->host.get()};
  return device;
}

}  // namespace

Client::Client(Options options, std::shared_ptr<const Job> of)
    : topology(std::move(options)), job(std::move(of)) {
  const session::Host* const host = this->options().outside.host;
  const auto machine = std::make_shared<const machine::Machine>(
      host != nullptr ? host->machine() : this->options().machine);
  std::map<std::int32_t, std::int32_t> counts;  // devices of each process
  for (DeviceDescription* description : topology.descriptions) {
    if (job != nullptr) description->process = job->process_of_device(description->id);
    owned.push_back(make_device(this, description, machine));
    Device* const device = owned.back().get();
    device->local_id = counts[description->process]++;
    device->is_addressable = description->process == process_index();
    devices.push_back(device);
    if (!device->is_addressable) continue;
    addressed.push_back(device);
    memories.insert(memories.end(), device->memories.begin(), device->memories.end());
  }
}

Device* Client::device(std::int64_t id) const {
  if (id < 0 || id >= std::ssize(devices)) {
    throw Failure(ErrorCode::invalid_argument,
                  fmt::format("there is no device {}; the client has {} (chips = {}, {} to a chip)",
                              id, devices.size(), options().chips, options().devices_per_chip()));
  }
  return devices[static_cast<std::size_t>(id)];
}

void serve(ClientCreateArgs& args) {
  require_room(args, args.client);
  if (args.num_options > 0) require(args.create_options, "create_options");
  Options options = read_options({args.create_options, args.num_options}, process_environment);
  std::shared_ptr<const Job> job = join(options, args);
  args.client = std::make_unique<Client>(std::move(options), std::move(job)).release();
}

void serve(ClientDestroyArgs& args) { const std::unique_ptr<Client> owned(args.client); }

void serve(ClientPlatformNameArgs& args) {
  set_text(args.platform_name, args.platform_name_size, platform_name);
}
void serve(ClientPlatformVersionArgs& args) {
  set_text(args.platform_version, args.platform_version_size,
           checked(args.client).topology.version);
}
void serve(ClientProcessIndexArgs& args) {
  args.process_index = checked(args.client).process_index();
}

void serve(ClientDevicesArgs& args) {
  args.devices = checked(args.client).devices.data();
  args.num_devices = args.client->devices.size();
}
void serve(ClientAddressableDevicesArgs& args) {
  args.addressable_devices = checked(args.client).addressed.data();
  args.num_addressable_devices = args.client->addressed.size();
}
void serve(ClientLookupDeviceArgs& args) { args.device = checked(args.client).device(args.id); }
void serve(ClientLookupAddressableDeviceArgs& args) {
  const std::vector<Device*>& mine = checked(args.client).addressed;
  if (args.local_hardware_id < 0 || args.local_hardware_id >= std::ssize(mine)) {
    throw Failure(ErrorCode::invalid_argument,
                  fmt::format("this process has no device {}; it has {}", args.local_hardware_id,
                              mine.size()));
  }
  args.addressable_device = mine[static_cast<std::size_t>(args.local_hardware_id)];
}
void serve(ClientAddressableMemoriesArgs& args) {
  args.addressable_memories = checked(args.client).memories.data();
  args.num_addressable_memories = args.client->memories.size();
}
void serve(ClientTopologyDescriptionArgs& args) {
  require(args.client, "client");
  args.topology = &args.client->topology;
}

void serve(ClientDefaultDeviceAssignmentArgs& args) {
  const Client& client = checked(args.client);
  const std::int64_t wanted = std::int64_t{args.num_replicas} * args.num_partitions;
  if (args.num_replicas < 1 || args.num_partitions < 1 || wanted > std::ssize(client.devices) ||
      static_cast<std::size_t>(wanted) > args.default_assignment_size) {
    throw Failure(ErrorCode::invalid_argument,
                  fmt::format("{} replicas x {} partitions do not fit {} devices",
                              args.num_replicas, args.num_partitions, client.devices.size()));
  }
  require(args.default_assignment, "default_assignment");
  for (std::int64_t i = 0; i < wanted; ++i) args.default_assignment[i] = static_cast<int>(i);
}

// Whether processes of the job live, as the framework sees it; the mesh hears of one that ends at
// once.
void serve(ClientUpdateGlobalProcessInfoArgs& args) { static_cast<void>(checked(args.client)); }

void serve(DeviceGetDescriptionArgs& args) {
  args.device_description = checked(args.device).description;
}
void serve(DeviceIsAddressableArgs& args) {
  args.is_addressable = checked(args.device).is_addressable;
}
void serve(DeviceLocalHardwareIdArgs& args) {
  args.local_hardware_id = checked(args.device).local_id;
}
void serve(DeviceAddressableMemoriesArgs& args) {
  args.memories = checked(args.device).memories.data();
  args.num_memories = args.device->memories.size();
}
void serve(DeviceDefaultMemoryArgs& args) { args.memory = checked(args.device).hbm.get(); }

void serve(DeviceMemoryStatsArgs& args) {
  const Account& account = *checked(args.device).hbm->account;
  const Account::Totals totals = account.totals();
  args = {.header = args.header, .device = args.device};  // callers leave what comes back unset
  args.bytes_in_use = totals.in_use;
  args.peak_bytes_in_use = totals.peak;
  args.num_allocs = totals.allocations;
  args.largest_alloc_size = totals.largest;
  args.bytes_limit = account.limit();
  args.peak_bytes_in_use_is_set = args.num_allocs_is_set = args.largest_alloc_size_is_set =
      args.bytes_limit_is_set = true;
}
void serve(DeviceClearMemoryStatsArgs& args) { checked(args.device).hbm->account->clear_peaks(); }

void serve(DeviceGetAttributesArgs& args) {
  const auto values = checked(args.device).description->attributes.values();
  args.attributes = values.data();
  args.num_attributes = values.size();
  args.device_attributes = nullptr;  // they live as long as the device
  args.attributes_deleter = [](DeviceAttributes*) {};
}

}  // namespace trainyard::pjrt

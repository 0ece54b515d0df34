#include "pjrt/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "pjrt/error.h"
#include "pjrt/named_values.h"
#include "pjrt/serve.h"

namespace trainyard::pjrt {

namespace {

void* get_user_data(Memory* memory, const void* key) {
  const std::lock_guard lock(memory->user_data_mutex);
  const auto found = memory->user_data.find(key);
  return found == memory->user_data.end() ? nullptr : found->second.data;
}

void release(const Memory::UserData& entry) {
  if (entry.destructor != nullptr && entry.data != nullptr) entry.destructor(entry.data);
}

void set_user_data(Memory* memory, const void* key, void* data, void (*destructor)(void*)) {
  const std::lock_guard lock(memory->user_data_mutex);
  auto [entry, is_new] = memory->user_data.try_emplace(key, Memory::UserData{data, destructor});
  if (is_new) return;
  release(entry->second);
  entry->second = {data, destructor};
}

const MemoryFunctions memory_functions{.struct_size = sizeof(MemoryFunctions),
                                       .extension_start = nullptr,
                                       .instance_struct_size = sizeof(Memory),
                                       .get_user_data = get_user_data,
                                       .set_user_data = set_user_data};

const Memory& checked(const Memory* memory) {
  require(memory, "memory");
  return *memory;
}

}  // namespace

std::int64_t Account::allocate(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::optional<std::int64_t> address = allocator_.allocate(bytes);
  if (!address) {
    throw Failure(ErrorCode::resource_exhausted,
                  fmt::format("{}: {} bytes are asked for, {} of {} are in use", place_, bytes,
                              allocator_.in_use(), limit()));
  }
  largest_ = std::max(largest_, bytes);
  ++allocations_;
  return *address;
}

void Account::free(std::int64_t address) {
  const std::lock_guard lock(mutex_);
  static_cast<void>(allocator_.free(address));
}

Account::Totals Account::totals() const {
  const std::lock_guard lock(mutex_);
  return {.in_use = allocator_.in_use(),
          .peak = allocator_.in_use_peak(),
          .allocations = allocations_,
          .largest = largest_};
}

void Account::clear_peaks() {
  const std::lock_guard lock(mutex_);
  allocator_.forget_peak();
  allocations_ = largest_ = 0;
}

std::string_view name(MemoryKind kind) {
  return kind == MemoryKind::device ? "device" : "pinned_host";
}

Memory::Memory(std::int32_t id_, MemoryKind kind_, Device* device_, std::int32_t device_id,
               std::int64_t limit)
    : functions(&memory_functions),
      id(id_),
      kind(kind_),
      device(device_),
      text(fmt::format("{} of neuron:{}", kind == MemoryKind::device ? "HBM" : "pinned host memory",
                       device_id)),
      account(std::make_shared<Account>(text, limit)) {}

Memory::~Memory() {
  for (const auto& [key, entry] : user_data) release(entry);
}

void serve(MemoryIdArgs& args) { args.id = checked(args.memory).id; }
void serve(MemoryKindArgs& args) {
  set_text(args.kind, args.kind_size, name(checked(args.memory).kind));
}
void serve(MemoryKindIdArgs& args) {
  args.kind_id = static_cast<std::int32_t>(checked(args.memory).kind);
}
void serve(MemoryDebugStringArgs& args) {
  set_text(args.debug_string, args.debug_string_size, checked(args.memory).text);
}
void serve(MemoryToStringArgs& args) {
  set_text(args.to_string, args.to_string_size, checked(args.memory).text);
}
void serve(MemoryAddressableByDevicesArgs& args) {
  args.devices = &checked(args.memory).device;
  args.num_devices = 1;
}

}  // namespace trainyard::pjrt

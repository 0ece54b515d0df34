// A memory of a device, or of its host: who lives in it and how much that is.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "pjrt/abi/common.h"
#include "runtime/allocator.h"

namespace trainyard::pjrt {

// Which bytes of one memory are taken; shared by the memory and all that lives in it, since a
// framework may destroy a buffer after its client. The content lies on the host.
class Account {
 public:
  struct Totals {
    std::int64_t in_use = 0, peak = 0, allocations = 0, largest = 0;
  };
  Account(std::string place, std::int64_t limit) : place_(std::move(place)), allocator_(limit) {}

  // The address. Throws Failure resource_exhausted.
  [[nodiscard]] std::int64_t allocate(std::int64_t bytes);
  void free(std::int64_t address);
  [[nodiscard]] Totals totals() const;
  void clear_peaks();
  [[nodiscard]] std::int64_t limit() const { return allocator_.size(); }

 private:
  std::string place_;
  mutable std::mutex mutex_;
  runtime::Allocator allocator_;
  std::int64_t allocations_ = 0, largest_ = 0;  // since clear_peaks()
};

// Bytes held for as long as this lives.
class Allocation {
 public:
  Allocation(std::shared_ptr<Account> account, std::int64_t bytes)
      : account_(std::move(account)), address_(account_->allocate(bytes)) {}
  ~Allocation() { account_->free(address_); }
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

 private:
  std::shared_ptr<Account> account_;
  std::int64_t address_;
};

enum class MemoryKind : std::int32_t { device, pinned_host };
[[nodiscard]] std::string_view name(MemoryKind kind);

struct Memory {
  Memory(std::int32_t id, MemoryKind kind, Device* device, std::int32_t device_id,
         std::int64_t limit);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  const MemoryFunctions* functions;  // must come first
  std::int32_t id;
  MemoryKind kind;
  Device* device;
  std::string text;  // "HBM of neuron:0"
  std::shared_ptr<Account> account;
  struct UserData {
    void* data;
    void (*destructor)(void*);
  };
  std::mutex user_data_mutex;
  std::map<const void*, UserData> user_data;
};

}  // namespace trainyard::pjrt

#include "pjrt/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "pjrt/abi/key_value.h"
#include "pjrt/error.h"
#include "transport/launch.h"

namespace trainyard::pjrt {

namespace {

constexpr std::chrono::seconds patience{120};  // for processes that start later

// The framework's store, which all its processes read and write.
class Store {
 public:
  explicit Store(const ClientCreateArgs& args)
      : get_(reinterpret_cast<KeyValueGet*>(args.kv_get_callback)),
        put_(reinterpret_cast<KeyValuePut*>(args.kv_put_callback)),
        get_argument_(args.kv_get_user_arg),
        put_argument_(args.kv_put_user_arg) {
    if (get_ != nullptr && put_ != nullptr) return;
    throw Failure(ErrorCode::invalid_argument,
                  "a client of several processes needs the framework's key-value store: call "
                  "jax.distributed.initialize() before the first use of JAX");
  }

  void put(const std::string& key, const std::string& value) const {
    KeyValuePutArgs args{.header = {sizeof args, nullptr},
                         .key = key.data(),
                         .key_size = key.size(),
                         .value = value.data(),
                         .value_size = value.size(),
                         .callback_error = &make_,
                         .user_arg = put_argument_};
    check(put_(&args), key);
  }
  [[nodiscard]] std::string get(const std::string& key) const {
    KeyValueGetArgs args{
        .header = {sizeof args, nullptr},
        .key = key.data(),
        .key_size = key.size(),
        .timeout_in_ms = static_cast<int>(std::chrono::milliseconds(patience).count()),
        .callback_error = &make_,
        .user_arg = get_argument_};
    check(get_(&args), key);
    std::string value(args.value, args.value_size);
    if (args.value_deleter != nullptr) args.value_deleter(args.value);
    return value;
  }

 private:
  static void check(Error* error, const std::string& key) {
    const std::unique_ptr<Error> owned(error);
    if (owned == nullptr) return;
    throw Failure(owned->code, fmt::format("the processes of the job do not meet ({}): {}", key,
                                           owned->message));
  }

  inline static CallbackError* make_ = [](ErrorCode code, const char* message, std::size_t size) {
    return make_error(code, std::string(message, size));
  };

  KeyValueGet* get_;
  KeyValuePut* put_;
  void *get_argument_, *put_argument_;
};

// As many devices for each process, or what the user says.
std::vector<int> divided(const Options& options, int processes) {
  std::vector<std::int64_t> counts = options.devices_of_processes;
  const std::int64_t all = options.device_count();
  if (counts.empty() && all % processes == 0)
    counts.assign(static_cast<std::size_t>(processes), all / processes);
  if (std::ssize(counts) != processes ||
      std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) != all) {
    throw Failure(
        ErrorCode::invalid_argument,
        fmt::format("{} devices (TRAINYARD_CHIPS = {}) are not divided over {} processes: start a "
                    "number of processes that divides them, or say how many each one has "
                    "(NEURON_PJRT_PROCESSES_NUM_DEVICES=\"4,12\")",
                    all, options.chips, processes));
  }
  std::vector<int> result;
  for (int p = 0; p < processes; ++p)
    result.insert(result.end(), static_cast<std::size_t>(counts[static_cast<std::size_t>(p)]), p);
  return result;
}

void add_region(base::WordHash& hash, const graph::Function& function,
                const graph::Region& region) {
  for (const graph::Op& op : region.ops) {
    base::put_varint(hash, static_cast<std::uint64_t>(op.kind));
    for (const graph::ValueId value : op.operands) base::put_signed(hash, value);
    for (const graph::ValueId value : op.results)
      base::put_string(hash, graph::to_string(function.type(value)));
    for (const graph::Region& inner : op.regions) add_region(hash, function, inner);
  }
}

// "jit_f 1c2d3e4f": by operations, operands and types. Attributes may be a process's own: where its
// callbacks are.
std::string told_apart(const graph::Module& module) {
  base::WordHash hash;
  for (const graph::Function& function : module.functions)
    add_region(hash, function, function.body);
  return fmt::format("{} {:08x}", module.name, hash.value() & 0xFFFFFFFFu);
}

std::shared_ptr<transport::Mesh> meet_by_framework(const Options& options, const Store& store) {
  static std::atomic<int> made = 0;  // clients of this process: keys are written once
  const std::string prefix = fmt::format("trainyard/client/{}/", made++);
  const transport::Door door = transport::Door::opened(options.host_address);
  store.put(fmt::format("{}{}", prefix, options.process_index), door.card.text());
  std::vector<transport::Card> cards;
  for (int p = 0; p < options.process_count; ++p) {
    cards.push_back(p == options.process_index
                        ? door.card
                        : transport::Card::read(store.get(fmt::format("{}{}", prefix, p))));
  }
  return std::make_shared<transport::Mesh>(options.process_index, door, std::move(cards),
                                           std::chrono::steady_clock::now() + patience);
}

}  // namespace

plan::Placement Job::placement(const std::vector<std::int64_t>& devices,
                               const graph::Module& module) const {
  plan::Placement result{
      .mesh = mesh, .process_of = {}, .is_whole = is_whole, .program = told_apart(module)};
  for (std::size_t d = 0; d < devices.size(); ++d) {
    result.process_of.push_back(
        is_whole ? static_cast<int>(d * static_cast<std::size_t>(mesh->size()) / devices.size())
                 : process_of.at(static_cast<std::size_t>(devices[d])));
  }
  return result;
}

std::shared_ptr<const Job> join(const Options& options, const ClientCreateArgs& args) {
  auto job = std::make_shared<Job>();
  if (options.process_count > 1) {
    job->process_of = divided(options, options.process_count);
    job->mesh = meet_by_framework(options, Store(args));
  } else if (const auto launch = transport::launched(process_environment)) {
    job->is_whole = true;
    job->mesh = transport::meet(*launch, std::chrono::steady_clock::now() + patience);
  } else {
    return nullptr;
  }
  fmt::print(stderr, "trainyard: process {} of {} computes {} of {} devices\n", job->mesh->rank(),
             job->mesh->size(),
             job->is_whole
                 ? "its share"
                 : fmt::format("{}", std::ranges::count(job->process_of, job->mesh->rank())),
             options.device_count());
  return job;
}

}  // namespace trainyard::pjrt

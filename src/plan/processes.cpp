#include "plan/processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <set>
#include <utility>

#include "base/bytes.h"
#include "base/error.h"
#include "plan/messages.h"

namespace trainyard::plan {

namespace {

std::uint64_t hash_of(std::span<const std::vector<Shared>> arguments) {
  base::WordHash hash;
  for (const std::vector<Shared>& each : arguments) {
    for (const Shared& value : each) {
      base::put_string(
          hash, {reinterpret_cast<const char*>(value->content.data()), value->content.size()});
    }
  }
  return hash.value();
}

}  // namespace

Processes::Processes(const Plan& plan, const Placement& placement)
    : plan_(plan), placement_(placement), several_(placement.mesh != nullptr) {
  for (std::size_t d = 0; d < plan.devices; ++d)
    if (is_mine(d)) mine_.push_back(d);
  if (!several_) return;
  std::set<int> all(placement.process_of.begin(), placement.process_of.end());
  for (int p = 0; placement.is_whole && p < placement.mesh->size(); ++p) all.insert(p);
  all.erase(placement.mesh->rank());
  others_.assign(all.begin(), all.end());
}

bool Processes::is_mine(std::size_t device) const {
  return !several_ || placement_.process_of.at(device) == placement_.mesh->rank();
}

std::vector<std::size_t> Processes::devices_of(int process) const {
  std::vector<std::size_t> all;
  for (std::size_t d = 0; d < plan_.devices; ++d)
    if (placement_.process_of.at(d) == process) all.push_back(d);
  return all;
}

std::string Processes::about(std::string_view what) const {
  return fmt::format("{}: {}", placement_.program, what);
}

std::vector<std::string> Processes::gather(const std::string& mine, std::string_view what) const {
  return placement_.mesh->exchange(others_, std::vector(others_.size(), mine), about(what));
}

void Processes::check_same(std::span<const std::vector<Shared>> arguments) const {
  if (!several_ || !placement_.is_whole) return;
  std::string mine;
  base::put_fixed64(mine, hash_of(arguments));
  const std::vector<std::string> all = gather(mine, "arguments");
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == mine) continue;
    throw base::InputError(
        {"processes.order", "processes that divide a program give it the same arguments",
         placement_.program,
         fmt::format("processes {} and {} give different ones", placement_.mesh->rank(),
                     others_[i]),
         "make arguments of fixed seeds and of the same files, not of time, rank or chance; or "
         "call jax.distributed.initialize() and give each process its own part; or set "
         "TRAINYARD_PROCESS_COUNT=1 where each process has work of its own"});
  }
}

void Processes::take(std::string_view message, std::span<const std::size_t> devices,
                     std::span<const ValueId> values, std::vector<std::vector<Shared>>& to) const {
  base::ByteReader reader(message, from_another, message_format);
  for (const std::size_t d : devices) {
    for (std::size_t i = 0; i < values.size(); ++i)
      to[d].at(i) = take_literal(reader, plan_.main().type(values[i]));
  }
  reader.expect_end();
}

Meet Processes::with_others(const Meet& meet, std::vector<std::vector<Shared>>& given) const {
  if (!several_) return meet;
  Meet own = meet;
  std::erase_if(own.groups, [&](const Partitions& group) {
    return std::ranges::none_of(group, [&](std::size_t d) { return is_mine(d); });
  });
  std::vector<std::size_t> members;
  for (const Partitions& group : own.groups)
    members.insert(members.end(), group.begin(), group.end());
  std::ranges::sort(members);
  const auto shares = [&](std::size_t device, int process) {
    return std::ranges::any_of(own.groups, [&](const Partitions& group) {
      return std::ranges::find(group, device) != group.end() &&
             std::ranges::any_of(
                 group, [&](std::size_t d) { return placement_.process_of[d] == process; });
    });
  };
  std::vector<int> with;
  std::vector<std::string> messages;
  std::vector<std::vector<std::size_t>> from;
  for (const int other : others_) {
    std::vector<std::size_t> theirs;  // that share a group with one of mine
    std::ranges::copy_if(members, std::back_inserter(theirs),
                         [&](std::size_t d) { return placement_.process_of[d] == other; });
    if (theirs.empty()) continue;
    std::string message;
    for (const std::size_t d : mine_) {
      if (!shares(d, other)) continue;
      for (const Shared& value : given[d]) put(message, *value);
    }
    with.push_back(other);
    messages.push_back(std::move(message));
    from.push_back(std::move(theirs));
  }
  const std::vector<std::string> received =
      placement_.mesh->exchange(with, messages, about(graph::name(meet.op->kind)));
  for (std::size_t i = 0; i < received.size(); ++i)
    take(received[i], from[i], meet.op->operands, given);
  return own;
}

std::vector<std::int64_t> Processes::all_of(std::vector<std::int64_t> mine,
                                            std::string_view what) const {
  std::set<std::int64_t> all(mine.begin(), mine.end());
  if (several_) {
    std::string message;
    for (const std::int64_t each : all) base::put_signed(message, each);
    for (const std::string& each : gather(message, what)) {
      base::ByteReader reader(each, from_another, message_format);
      while (!reader.at_end()) all.insert(reader.signed_varint());
    }
  }
  return {all.begin(), all.end()};
}

Work Processes::all_of(Work mine) const {
  if (!several_) return mine;
  std::string message;
  base::put_signed(message, mine.time.value);
  base::put_fixed64(message, std::bit_cast<std::uint64_t>(mine.joules));
  std::vector<std::string> all = gather(message, "time");
  const auto own = std::ranges::lower_bound(others_, placement_.mesh->rank());
  all.insert(all.begin() + (own - others_.begin()), message);  // sums go in the order of ranks
  mine.joules = 0;
  for (const std::string& each : all) {
    base::ByteReader reader(each, from_another, message_format);
    mine.time = std::max(mine.time, base::Ticks{reader.signed_varint()});
    mine.joules += std::bit_cast<double>(reader.fixed64());
  }
  return mine;
}

void Processes::share(std::vector<std::vector<Shared>>& results) const {
  if (!several_ || !placement_.is_whole) return;
  const std::span<const ValueId> values = plan_.main().results();
  std::string message;
  for (const std::size_t d : mine_)
    for (const Shared& value : results[d]) put(message, *value);
  const std::vector<std::string> all = gather(message, "results");
  for (std::size_t i = 0; i < all.size(); ++i)
    take(all[i], devices_of(others_[i]), values, results);
}

}  // namespace trainyard::plan

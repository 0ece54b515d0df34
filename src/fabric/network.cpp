#include "fabric/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace trainyard::fabric {

namespace {

using machine::Join;
using machine::Level;

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

void use(Path& path, std::uint32_t resource, float weight) {
  if (weight == 0) return;
  const auto before = std::ranges::find(path.uses, resource, &Use::resource);
  if (before != path.uses.end())
    before->weight += weight;
  else
    path.uses.push_back({resource, weight});
}

// Ports of a chip at a level, in the order of their resources.
std::vector<std::string> ports(const Level& level) {
  if (level.join == Join::ring) {
    if (level.size == 2) return {level.name + " link"};
    return {level.name + "+ link", level.name + "- link"};
  }
  if (level.join == Join::direct) {
    std::vector<std::string> labels;
    for (std::int64_t i = 1; i < level.size; ++i)
      labels.push_back(level.size == 2 ? level.name + " link"
                                       : fmt::format("{} link +{}", level.name, i));
    return labels;
  }
  return {level.name + " link out", level.name + " link in"};
}

}  // namespace

Network::Network(machine::System system, std::int64_t cores_per_rank)
    : system_(std::move(system)), cores_per_rank_(cores_per_rank), chips_(system_.chips()) {
  const machine::Chip& chip = system_.chip.chip;
  if (cores_per_rank < 1 || chip.cores % cores_per_rank != 0) {
    throw base::InputError(
        {"fabric.ranks", "a rank is one logical core, and logical cores divide a chip",
         system_.name, fmt::format("{} cores a rank, {} a chip", cores_per_rank, chip.cores),
         "use LNC 1 or 2"});
  }
  ranks_per_chip_ = chip.cores / cores_per_rank;
  // A rank of several logical cores, such as a whole chip, has the channels of all of them.
  const std::int64_t logical = std::max<std::int64_t>(1, cores_per_rank / chip.cores_per_logical);
  channel_ = static_cast<double>(system_.transport.channel.bytes_per_second * logical);
  dma_ = add(
      {.kind = "DMA of a rank",
       .each = 1,
       .owners = chips_ * ranks_per_chip_,
       .capacity = static_cast<double>(system_.transport.rank.bytes_per_second * cores_per_rank),
       .labels = {"DMA engines"},
       .owner = "rank",
       .energy = system_.chip.interval("energy.dma_byte")});
  // A rank of several stacks spreads its buffers over them: they are one resource.
  cores_per_memory_ = std::max(cores_per_rank, chip.hbm.cores_per_stack);
  memories_ = chip.cores / cores_per_memory_;
  std::vector<std::string> labels;
  for (std::int64_t m = 0; m < memories_; ++m)
    labels.push_back(memories_ == 1                 ? "HBM"
                     : memories_ == chip.hbm.stacks ? fmt::format("HBM stack {}", m)
                                                    : fmt::format("HBM of its rank {}", m));
  hbm_ = add({.kind = "HBM",
              .each = memories_,
              .owners = chips_,
              .capacity = static_cast<double>(chip.hbm.bandwidth.bytes_per_second) /
                          static_cast<double>(memories_),
              .labels = std::move(labels),
              .owner = "chip",
              .energy = system_.chip.interval("energy.hbm_byte")});
  links_begin_ = resources_;
  for (std::size_t l = 0; l < system_.levels.size(); ++l) add_level(l);
}

std::uint32_t Network::add(Block block) {
  block.first = resources_;
  resources_ += static_cast<std::uint32_t>(block.each * block.owners);
  blocks_.push_back(std::move(block));
  return blocks_.back().first;
}

void Network::add_level(std::size_t l) {
  const Level& level = system_.levels[l];
  below_.push_back(system_.chips_below(l));
  std::vector<std::string> labels = ports(level);
  const bool switched = level.join == Join::switched || level.join == Join::network;
  machine::Interval energy = system_.picojoules_per_byte(level);
  for (double* each : {&energy.low, &energy.value, &energy.high}) *each /= switched ? 2 : 1;
  const auto each = static_cast<std::int64_t>(labels.size());
  first_.push_back(add({.kind = level.name + " link",
                        .each = each,
                        .owners = level.size == 1 ? 0 : chips_,
                        .capacity = system_.bytes_per_second(level),
                        .labels = std::move(labels),
                        .owner = "chip",
                        .energy = energy}));
  core_.push_back(none);
  if (!switched || level.oversubscription.value <= 1) return;
  const std::int64_t members = below_[l] * level.size;
  core_.back() = add({.kind = level.name + " switch core",
                      .each = 1,
                      .owners = chips_ / members,
                      .capacity = system_.bytes_per_second(level) * static_cast<double>(members) /
                                  level.oversubscription.value,
                      .labels = {"switch core"},
                      .owner = level.name});
}

const Network::Block& Network::block_of(std::uint32_t resource) const {
  base::check(resource < resources_, "a resource of the network");
  const auto after = std::ranges::upper_bound(blocks_, resource, {}, &Block::first);
  auto block = std::prev(after);
  while (block->owners == 0) --block;
  return *block;
}

double Network::capacity(std::uint32_t resource) const {
  double result = block_of(resource).capacity;
  for (const auto& [which, share] : scaled_) {
    if (which == resource) result *= share;
  }
  return result;
}

std::string Network::kind(std::uint32_t resource) const { return block_of(resource).kind; }

std::string Network::name(std::uint32_t resource) const {
  const Block& block = block_of(resource);
  const std::int64_t at = resource - block.first;
  return fmt::format("{} {}, {}", block.owner, at / block.each,
                     block.labels[static_cast<std::size_t>(at % block.each)]);
}

bool Network::is_link(std::uint32_t resource) const { return resource >= links_begin_; }

machine::Interval Network::picojoules_per_byte(std::uint32_t resource) const {
  return block_of(resource).energy;
}

void Network::scale(std::uint32_t resource, double share) { scaled_.emplace_back(resource, share); }

std::vector<std::uint32_t> Network::find(const std::string& name) const {
  std::vector<std::uint32_t> found;
  for (const Block& block : blocks_) {
    for (std::int64_t i = 0; i < block.each * block.owners; ++i) {
      const auto resource = static_cast<std::uint32_t>(block.first + i);
      if (this->name(resource).starts_with(name)) found.push_back(resource);
    }
  }
  return found;
}

std::vector<Dimension> Network::dimensions() const {
  std::vector<Dimension> list{{.size = cores_per_memory_ / cores_per_rank_, .is_on_chip = true},
                              {.size = memories_, .is_on_chip = true}};
  for (const Level& level : system_.levels) {
    const bool ring = level.join == Join::ring;
    list.push_back({.size = level.size,
                    .is_ordered = ring || level.join == Join::direct,
                    .stride = ring && level.size > 2 && level.size % 2 == 0 ? 2 : 1});
  }
  return list;
}

std::uint32_t Network::moved(std::uint32_t resource, std::span<const std::int64_t> rank_to) const {
  const Block& block = block_of(resource);
  const std::int64_t owner = (resource - block.first) / block.each;
  std::int64_t port = (resource - block.first) % block.each;
  const std::int64_t ranks = ranks_per_chip_ * chips_ / block.owners;  // of an owner
  std::int64_t rank = owner * ranks;
  const bool is_memory = block.first == hbm_;
  const std::int64_t of_memory = cores_per_memory_ / cores_per_rank_;
  if (is_memory) rank += port * of_memory;
  const std::int64_t to = rank_to[static_cast<std::size_t>(rank)];
  if (is_memory) port = to % ranks_per_chip_ / of_memory;
  return static_cast<std::uint32_t>(block.first + to / ranks * block.each + port);
}

// Steps around a ring the shorter way. Of two equal ways, chips at even places go up and those at
// odd ones down, so that both directions carry the same.
template <typename Hop>
std::int64_t Network::around(std::int64_t chip, std::int64_t to, std::size_t l, Hop&& hop,
                             base::Ticks& latency) const {
  const std::int64_t size = system_.levels[l].size;
  const std::int64_t at = chip / below_[l] % size;
  const std::int64_t up = (to / below_[l] % size - at + size) % size;
  const bool rises = up * 2 < size || (up * 2 == size && at % 2 == 0) || size == 2;
  const std::int64_t hops = rises ? up : size - up;
  const std::int64_t base = chip - at * below_[l];
  const std::int64_t each = size == 2 ? 1 : 2;
  for (std::int64_t i = 0; i < hops; ++i) {
    const std::int64_t here = base + ((at + (rises ? i : -i)) % size + size) % size * below_[l];
    hop(static_cast<std::uint32_t>(first_[l] + here * each + (rises ? 0 : each - 1)));
    latency += system_.levels[l].latency;
  }
  return base + (to / below_[l] % size) * below_[l];
}

// From the outermost level where the chips differ inwards. A switch delivers to any chip below it;
// rings and cables lead to the chip at the same place of another block.
template <typename Hop>
base::Ticks Network::walk(std::int64_t from, std::int64_t to, Hop&& hop) const {
  base::Ticks latency;
  for (std::size_t l = system_.levels.size(); l-- > 0 && from != to;) {
    const Level& level = system_.levels[l];
    const std::int64_t here = from / below_[l] % level.size;
    const std::int64_t there = to / below_[l] % level.size;
    if (here == there) continue;
    if (level.join == Join::ring) {
      from = around(from, to, l, hop, latency);
      continue;
    }
    latency += level.latency;
    if (level.join == Join::direct) {
      const std::int64_t cable = (there - here + level.size) % level.size - 1;
      hop(static_cast<std::uint32_t>(first_[l] + from * (level.size - 1) + cable));
      from += (there - here) * below_[l];
      continue;
    }
    hop(static_cast<std::uint32_t>(first_[l] + from * 2));
    if (core_[l] != none)
      hop(static_cast<std::uint32_t>(core_[l] + from / (below_[l] * level.size)));
    hop(static_cast<std::uint32_t>(first_[l] + to * 2 + 1));
    from = to;
  }
  base::check(from == to, "a route ends at its target");
  return latency;
}

void Network::path(std::int64_t source, std::int64_t target, Move move, Path& result,
                   Memory memory) const {
  result.uses.clear();
  const std::int64_t from = chip_of(source), to = chip_of(target);
  const auto use_memory = [&](std::int64_t rank, float weight) {
    if (memory != Memory::hbm) return;
    const std::int64_t core = rank % ranks_per_chip_ * cores_per_rank_;
    const std::int64_t which = chip_of(rank) * memories_ + core / cores_per_memory_;
    use(result, static_cast<std::uint32_t>(hbm_ + which), weight);
  };
  const auto dma = static_cast<std::uint32_t>(dma_ + source);
  const double slower = move == Move::add ? 1 / system_.transport.reduce.value : 1;
  use(result, dma, static_cast<float>(slower));
  use_memory(source, move == Move::add ? 2.0F : move == Move::copy ? 1.0F : 0.0F);
  result.latency = walk(from, to, [&](std::uint32_t resource) { use(result, resource, 1); });
  use_memory(target, 1);
}

std::vector<std::int64_t> Network::route(std::int64_t source, std::int64_t target) const {
  std::vector<std::int64_t> chips;
  const auto chip_at = [&](std::uint32_t resource) {
    const Block& block = block_of(resource);
    return block.owner == "chip" ? (resource - block.first) / block.each : -1;
  };
  walk(chip_of(source), chip_of(target), [&](std::uint32_t resource) {
    const std::int64_t chip = chip_at(resource);
    if (chip >= 0 && (chips.empty() || chips.back() != chip)) chips.push_back(chip);
  });
  if (chips.empty() || chips.back() != chip_of(target)) chips.push_back(chip_of(target));
  return chips;
}

}  // namespace trainyard::fabric

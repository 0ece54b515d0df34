// Blocks of the cache that requests have: taken, found, named and given back, in each group of
// layers.
#include <algorithm>

#include "base/error.h"
#include "serving/groups.h"
#include "serving/scheduler.h"

namespace trainyard::serving {

std::int64_t most_blocks(const Settings& settings, std::int64_t tokens) {
  const auto blocks = [&](std::int64_t many) {
    return (many + settings.block_tokens - 1) / settings.block_tokens;
  };
  const std::int64_t step = std::max(settings.chunk_tokens_max, 1 + settings.draft_tokens);
  std::int64_t sum = 0;
  for (const std::int32_t window : settings.windows)
    sum += window == 0 ? blocks(tokens) : std::min(blocks(tokens), blocks(window - 1 + step) + 1);
  return sum;
}

std::int32_t longest_request(const Settings& settings) {
  std::int32_t low = 0;
  for (std::int32_t high = settings.context_max + 1; high - low > 1;) {
    const std::int32_t middle = low + (high - low) / 2;
    // The last token is never read.
    const std::int64_t needed = most_blocks(settings, middle - 1 + settings.draft_tokens);
    (needed <= settings.blocks ? low : high) = middle;
  }
  return low;
}

std::int32_t Scheduler::blocks_for(std::int64_t tokens) const {
  return static_cast<std::int32_t>((tokens + settings_.block_tokens - 1) / settings_.block_tokens);
}

std::int32_t Scheduler::first_seen(std::size_t group, std::int32_t computed) const {
  return first_block_seen(settings_.windows[group], computed, settings_.block_tokens);
}

void Scheduler::extend_keys(Live& one) const {
  const auto block = static_cast<std::size_t>(settings_.block_tokens);
  const BlockKey root =
      one.request.prefix == 0 ? BlockKey{} : extend(BlockKey{}, one.request.prefix);
  while ((one.keys.size() + 1) * block <= one.request.tokens.size()) {
    BlockKey key = one.keys.empty() ? root : one.keys.back();
    const std::size_t first = one.keys.size() * block;
    for (std::size_t i = first; i < first + block; ++i)
      key = extend(key, static_cast<std::uint32_t>(one.request.tokens[i]));
    one.keys.push_back(key);
  }
}

// The keys of the prompt's full blocks, as far as others may have them.
std::vector<BlockKey> Scheduler::keys_of(const Live& one) const {
  std::vector<BlockKey> keys;
  const Request& request = one.request;
  const std::int32_t block = settings_.block_tokens;
  BlockKey key{};
  if (!request.contents.empty()) {
    for (std::int32_t i = 0; (i + 1) * block <= request.prompt; ++i) {
      const auto content = static_cast<std::size_t>(i * block / request.content_tokens);
      if (content >= request.contents.size()) break;
      key = extend(extend(key, request.contents[content]),
                   static_cast<std::uint64_t>(i * block % request.content_tokens));
      keys.push_back(key);
    }
    return keys;
  }
  key = extend(key, request.prefix);
  for (std::int32_t i = 0; (i + 1) * block <= std::min(request.shared, request.prompt); ++i) {
    key = extend(key, static_cast<std::uint64_t>(i));
    keys.push_back(key);
  }
  return keys;
}

namespace {

// Of the groups behind the first: the same tokens in other layers. No token is so large.
BlockKey key_in(const BlockKey& key, std::size_t group) {
  return group == 0 ? key : extend(key, ~static_cast<std::uint64_t>(group));
}

}  // namespace

// Blocks for the first `tokens` of a request, as far as they are seen; false: there are too few.
bool Scheduler::reserve(Live& one, std::int32_t tokens) {
  const std::int32_t end = blocks_for(tokens);
  std::int32_t more = 0;
  for (std::size_t group = 0; group < one.held.size(); ++group)
    more += std::max(0, end - std::max(one.held[group].end(), first_seen(group, one.computed)));
  if (more > pool_.free()) return false;
  for (std::size_t group = 0; group < one.held.size(); ++group) {
    Held& held = one.held[group];
    if (const std::int32_t first = first_seen(group, one.computed); held.end() < first) {
      base::check(held.begin == held.end(), "a request holds blocks that it does not see");
      held.blocks.resize(static_cast<std::size_t>(first), no_block);
      held.begin = held.named = first;
    }
    while (held.end() < end) held.blocks.push_back(pool_.allocate());
  }
  return true;
}

// Those that hold what was computed and is still seen.
std::vector<std::int32_t> Scheduler::computed_blocks(const Live& one) const {
  std::vector<std::int32_t> found;
  const std::int32_t end = blocks_for(one.computed);
  for (const Held& held : one.held)
    found.insert(found.end(), held.blocks.begin() + held.begin, held.blocks.begin() + end);
  return found;
}

void Scheduler::release_blocks(Live& one) {
  // From the end: the beginning of a prompt is what others are likely to share.
  for (Held& held : one.held) {
    for (std::int32_t i = held.end(); i-- > held.begin;)
      pool_.release(held.blocks[static_cast<std::size_t>(i)]);
    held.blocks.clear();
    held.begin = held.named = 0;
  }
}

// What no layer of a group sees any more.
void Scheduler::release_passed(Live& one) {
  for (std::size_t group = 0; group < one.held.size(); ++group) {
    Held& held = one.held[group];
    for (const std::int32_t first = first_seen(group, one.computed); held.begin < first;
         ++held.begin) {
      std::int32_t& block = held.blocks[static_cast<std::size_t>(held.begin)];
      pool_.release(block);
      block = no_block;
    }
  }
}

void Scheduler::name_blocks(Live& one) {
  if (!settings_.caches_prefixes) return;
  extend_keys(one);
  const std::int32_t full =
      std::min(one.computed / settings_.block_tokens, static_cast<std::int32_t>(one.keys.size()));
  for (std::size_t group = 0; group < one.held.size(); ++group) {
    Held& held = one.held[group];
    for (; held.named < full; ++held.named) {
      const auto i = static_cast<std::size_t>(held.named);
      pool_.name(held.blocks[i], key_in(one.keys[i], group));
    }
  }
}

// How many of the first `most` blocks the cache saves: those behind which each group finds what it
// sees.
std::int32_t Scheduler::count_cached(const std::vector<BlockKey>& keys, std::int32_t most) const {
  auto limit = std::min(most, static_cast<std::int32_t>(keys.size()));
  const auto has = [&](std::int32_t i, std::size_t group) {
    return pool_.find(key_in(keys[static_cast<std::size_t>(i)], group)).has_value();
  };
  for (std::size_t group = 0; group < settings_.windows.size(); ++group) {
    if (settings_.windows[group] > 0) continue;
    std::int32_t found = 0;
    while (found < limit && has(found, group)) ++found;
    limit = found;
  }
  // From the end, one window after the other: the last block that is missing is where to go on.
  for (std::size_t group = 0; limit > 0 && group < settings_.windows.size();) {
    const std::int32_t first = first_seen(group, limit * settings_.block_tokens);
    std::int32_t i = settings_.windows[group] > 0 ? limit : first;
    while (i > first && has(i - 1, group)) --i;
    if (i == first) {
      ++group;
    } else {
      limit = i - 1;
      group = 0;
    }
  }
  return limit;
}

// What the cache holds of the prompt, all but its last token at most: that one gives the logits.
void Scheduler::take_prefix(Live& one) {
  if (!settings_.caches_prefixes) return;
  if (one.keys.empty()) {
    if (!one.request.tokens.empty())
      extend_keys(one);
    else if (one.request.shared > 0 || !one.request.contents.empty())
      one.keys = keys_of(one);
  }
  const std::int32_t end = count_cached(one.keys, (one.total() - 1) / settings_.block_tokens);
  one.computed = end * settings_.block_tokens;
  for (std::size_t group = 0; group < one.held.size(); ++group) {
    Held& held = one.held[group];
    held.begin = first_seen(group, one.computed);
    held.named = end;
    held.blocks.assign(static_cast<std::size_t>(held.begin), no_block);
    for (std::int32_t i = held.begin; i < end; ++i) {
      const auto found = pool_.find(key_in(one.keys[static_cast<std::size_t>(i)], group));
      pool_.acquire(*found);
      held.blocks.push_back(*found);
    }
  }
}

// Whether all that decode find blocks for so many steps, whatever is given back meanwhile: others
// may use it, too.
bool Scheduler::fits_steady(std::int32_t steps) const {
  std::int64_t more = 0;
  for (const std::uint32_t slot : decode_slots_) {
    const Live& one = slots_[slot];
    const std::int32_t end = blocks_for(std::int64_t{one.computed} + steps);
    for (const Held& held : one.held) more += end - held.end();
  }
  return more <= pool_.free();
}

bool Scheduler::has_windows() const {
  return std::ranges::any_of(settings_.windows, [](auto window) { return window > 0; });
}

// As one step after the other takes them and gives them back; those of the first one are there.
void Scheduler::take_steady_blocks(std::int32_t steps) {
  const std::int32_t each = has_windows() ? 1 : steps;
  for (std::int32_t done = 0; done < steps; done += each) {
    for (const std::uint32_t slot : decode_slots_) {
      Live& one = slots_[slot];
      const bool has_room = reserve(one, one.computed + each);
      base::check(has_room, "steps that are alike need other blocks");
    }
    for (const std::uint32_t slot : decode_slots_) {
      slots_[slot].computed += each;
      release_passed(slots_[slot]);
    }
  }
}

}  // namespace trainyard::serving

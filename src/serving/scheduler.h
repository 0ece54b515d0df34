// The scheduler of a server: which requests the next step of the device computes, and in which
// blocks of the KV cache. It knows no model and no clock: whoever runs steps says how long each
// took, be it the exact engine or the planned one.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "serving/blocks.h"
#include "serving/request.h"

namespace trainyard::serving {

// What becomes of a request that must give its blocks to others: its cache is copied to the host,
// or computed again.
enum class Preemption : std::uint8_t { recompute, swap };

struct Settings {
  std::int32_t block_tokens = 16;
  std::int32_t blocks = 1;                  // of the cache
  std::vector<std::int32_t> windows = {0};  // of groups of layers (groups.h), each with its blocks
  std::int32_t requests_max = 256;          // running at once
  std::int32_t step_tokens_max = 2048;      // computed in a step
  std::int32_t chunk_tokens_max = 512;      // of one prompt in a step
  std::int32_t prompts_max = 1 << 20;       // read in a step
  std::int64_t waiting_max = 1LL << 40;
  std::int32_t context_max = 1 << 20;  // prompt and output of a request
  Preemption preemption = Preemption::recompute;
  bool caches_prefixes = true;
  std::int32_t draft_tokens = 0;  // of each request in a step, which may all be accepted
};

// Blocks that a request of so many tokens holds at once at most; behind a window, those of what it
// sees and of a step.
[[nodiscard]] std::int64_t most_blocks(const Settings& settings, std::int64_t tokens);
// Tokens of the longest request, prompt and output, that fits the cache; 0: none does.
[[nodiscard]] std::int32_t longest_request(const Settings& settings);

// Tokens of one request in a step: `count` from position `start`. The last one's logits give a
// token where `samples`; all of a decode item's do.
struct Item {
  std::uint32_t request = 0;
  std::int32_t start = 0, count = 1;
  bool samples = true;
};

// Blocks of a request, group by group, that a step copies to the host or from it before it
// computes.
struct Swap {
  std::uint32_t request = 0;
  std::vector<std::int32_t> blocks = {};
};

struct Step {
  std::vector<Item> prefills = {}, decodes = {};
  std::vector<Swap> swaps_out = {}, swaps_in = {};
  [[nodiscard]] bool is_empty() const { return prefills.empty() && decodes.empty(); }
  [[nodiscard]] bool only_decodes() const {
    return prefills.empty() && swaps_out.empty() && swaps_in.empty();
  }
};

// What a sampling item gave.
struct Outcome {
  std::int32_t tokens = 1;
  bool is_stopped = false;             // by a stop token or sequence
  std::vector<std::int32_t> ids = {};  // of the tokens, where they are known
};

struct Counters {
  std::int64_t steps = 0, prompt_tokens = 0, generated_tokens = 0, preemptions = 0;
  std::int64_t prefix_queries = 0, prefix_hits = 0;  // tokens
  std::int64_t rejections = 0;
  std::int64_t peak_blocks = 0, peak_running = 0, peak_waiting = 0;
};

class Scheduler {
 public:
  // Throws InputError with every setting that is out of range.
  explicit Scheduler(const Settings& settings);

  // The number of a new request; state rejected where it can never fit or too many wait.
  std::uint32_t add(Request request, bool is_watched = false);
  // Gives its blocks back at once. The step that is under way must be complete.
  void cancel(std::uint32_t request, std::int64_t now);
  // Requests that are not over, by number, as another scheduler takes them over: with what was
  // generated, without what was computed.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, Request>> unfinished() const;
  // The device has lost its memory between two steps: who runs waits again, in its order, and is
  // computed from the beginning. What is on the host stays.
  void lose_cache(std::int64_t now);

  // The next step. Each call is followed by complete(), complete_steady() or abandon(), unless it
  // is empty.
  const Step& schedule(std::int64_t now);
  // The step is over: `outcomes` are those of its sampling items, prefills first; `parts` are told
  // of requests that are watched.
  void complete(std::int64_t end, double joules, std::span<const Outcome> outcomes,
                const StepParts& parts = {});

  // The step has failed: who was in it ends without an outcome, and the others are as before.
  // Whoever has lost the cache with it says so by lose_cache().
  void abandon(std::int64_t now);

  // How many steps like the one that schedule() gave follow each other with one token of each
  // request and nothing else, arrivals aside: 1 where it is not one of decoding only.
  [[nodiscard]] std::int64_t count_steady() const;
  // `steps` of them are over: the first one ended at `first_end`, the last one at `end`.
  void complete_steady(std::int64_t steps, std::int64_t first_end, std::int64_t end, double joules);

  // Whether a request that arrives now would be looked at in the next step.
  [[nodiscard]] bool would_admit() const { return waiting_.empty(); }
  [[nodiscard]] bool is_idle() const { return running_.empty() && waiting_.empty(); }
  [[nodiscard]] std::size_t running() const { return running_.size(); }
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
  [[nodiscard]] std::int32_t used_blocks() const { return pool_.size() - pool_.free(); }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] const Counters& counters() const { return counters_; }
  [[nodiscard]] const std::vector<Record>& records() const { return records_; }
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  // Of a request that runs: where its cache is, of a group of layers; no_block where it was given
  // back.
  static constexpr std::int32_t no_block = -1;
  [[nodiscard]] std::span<const std::int32_t> table(std::uint32_t request,
                                                    std::size_t group = 0) const;
  // Requests that ended in the step that was completed last.
  [[nodiscard]] std::span<const std::uint32_t> ended() const { return ended_; }
  // Ticks between the tokens that the last complete() gave and those before them, by request.
  struct Gap {
    std::int64_t ticks;
    std::int64_t tokens;
  };
  [[nodiscard]] std::span<const Gap> gaps() const { return gaps_; }

 private:
  static constexpr std::uint32_t no_slot = 0xFFFFFFFFu;

  // What a request has of the cache in a group of layers: `blocks` from `begin` on.
  struct Held {
    std::vector<std::int32_t> blocks = {};
    std::int32_t begin = 0;
    std::int32_t named = 0;  // blocks that were named, or never will be
    [[nodiscard]] std::int32_t end() const { return static_cast<std::int32_t>(blocks.size()); }
  };

  // A request that waits or runs.
  struct Live {
    Request request = {};
    std::uint32_t number = 0;
    std::int32_t computed = 0;  // tokens in the cache
    std::int32_t generated = 0;
    std::int32_t swapped = 0;  // blocks on the host
    std::int32_t brought = 0;  // tokens whose keys and values came along, until it is admitted
    std::int64_t last_token = -1;
    std::vector<Held> held = {};      // by group
    std::vector<BlockKey> keys = {};  // of full blocks, as far as their content is known
    bool is_watched = false;
    [[nodiscard]] std::int32_t total() const { return request.prompt + generated; }
    [[nodiscard]] bool decodes() const { return generated > 0 && total() - computed == 1; }
    [[nodiscard]] std::int32_t left() const { return request.output - generated; }
  };

  [[nodiscard]] std::int32_t blocks_for(std::int64_t tokens) const;
  [[nodiscard]] std::int32_t first_seen(std::size_t group, std::int32_t computed) const;
  [[nodiscard]] const Live& live(std::uint32_t request) const;
  [[nodiscard]] std::vector<BlockKey> keys_of(const Live& one) const;
  void extend_keys(Live& one) const;
  bool reserve(Live& one, std::int32_t tokens);
  void schedule_decodes(std::int64_t now, std::int32_t& budget);
  void schedule_prompts(std::int64_t now, std::int32_t& budget);
  [[nodiscard]] std::int32_t draft_count(const Live& one) const;
  [[nodiscard]] std::int32_t chunk_count(const Live& one, std::int32_t budget) const;
  void schedule_waiting(std::int64_t now, std::int32_t& budget);
  [[nodiscard]] bool admit(Live& one, std::int32_t& budget, std::int64_t now);
  void take_prefix(Live& one);
  [[nodiscard]] std::int32_t count_cached(const std::vector<BlockKey>& keys,
                                          std::int32_t most) const;
  [[nodiscard]] std::vector<std::int32_t> computed_blocks(const Live& one) const;
  void place_item(Live& one, std::int32_t count, std::int32_t& budget);
  void preempt_last(std::int64_t now);
  void release_blocks(Live& one);
  void release_passed(Live& one);
  void name_blocks(Live& one);
  void take_steady_blocks(std::int32_t steps);
  [[nodiscard]] bool fits_steady(std::int32_t steps) const;
  [[nodiscard]] bool has_windows() const;
  void advance(Live& one, const Item& item, std::int64_t end, const Outcome* outcome);
  void finish(Live& one, std::int64_t end, State state);
  void remove_finished();
  void note(const Live& one, Event event);

  Settings settings_;
  std::int32_t longest_;  // request that may come, in tokens
  BlockPool pool_;
  Counters counters_;
  std::vector<Record> records_;
  std::vector<Event> events_;
  std::vector<Live> slots_;
  std::vector<std::uint32_t> spare_;    // slots
  std::vector<std::uint32_t> slot_of_;  // by request
  std::deque<std::uint32_t> waiting_;   // slots, first come first
  std::vector<std::uint32_t> running_;  // slots, in the order of admission
  Step step_;
  std::vector<std::uint32_t> prefill_slots_, decode_slots_;  // of the step's items
  std::int64_t begin_ = 0;
  bool has_preempted_ = false;  // in the step, which then lets nobody in
  std::vector<std::uint32_t> ended_;
  std::vector<Gap> gaps_;
};

}  // namespace trainyard::serving

// What a client asks of a server, and the record of what it got and when. Times are ticks of the
// simulated clock (base/units.h); the host's clock is in none of them.
#pragma once

#include <cstdint>
#include <vector>

namespace trainyard::serving {

struct Request {
  std::int64_t arrival = 0;
  std::int32_t prompt = 1;   // tokens
  std::int32_t output = 1;   // tokens at most; a planned request gets exactly so many
  std::int32_t shared = 0;   // of the prompt, its first tokens that all requests of `prefix` share
  std::uint64_t prefix = 0;  // names them; of known tokens: who computes them, 0 the model itself
  std::vector<std::int32_t> tokens = {};     // of the prompt, where they are known
  std::vector<std::uint64_t> contents = {};  // else names of its blocks of `content_tokens`
  std::int32_t content_tokens = 0;
  // Of one that began elsewhere: what it has been given there, when, and how many of its tokens
  // come with their keys and values.
  std::int32_t generated = 0, computed = 0;
  std::int64_t first_token = -1, last_token = -1;
};

enum class State : std::uint8_t { waiting, running, swapped, finished, cancelled, rejected };

// `first_scheduled`, `first_token` and `end` are -1 until they have happened.
struct Record {
  std::int64_t arrival = 0, first_scheduled = -1, first_token = -1, end = -1;
  std::int64_t prefill_ticks = 0, decode_ticks = 0;  // of the steps that it took part in, by phase
  double joules = 0;                                 // its share of them, by tokens
  std::int32_t prompt = 0, output = 0;               // tokens, read and generated
  std::int32_t cached = 0;                           // of the prompt, found in the cache
  std::int32_t chunks = 0, decodes = 0, preemptions = 0;
  State state = State::waiting;
};

// Ticks of a step that are not spent computing.
struct StepParts {
  std::int64_t collectives = 0;  // as far as nothing hides them
  std::int64_t launches = 0;  // with other fixed costs, of the device and of the host's scheduler
  std::int64_t swaps = 0;     // blocks on their way to the host, or back
};

// One thing that happened to a request that is watched.
struct Event {
  enum class Kind : std::uint8_t {
    queued,
    admitted,
    prefill,
    decode,
    preempted,
    resumed,
    finished,
    cancelled,
  };
  std::uint32_t request = 0;
  Kind kind = Kind::queued;
  std::int64_t begin = 0, end = 0;
  std::int64_t steps = 1;
  std::int32_t tokens = 0;  // that it computed, or found in the cache when it was admitted
  std::int32_t batch = 0;   // requests of the step
  StepParts parts = {};     // of it
};

}  // namespace trainyard::serving

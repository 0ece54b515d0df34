// When requests arrive and how long they are, drawn from a seed. The same on every host: logarithms
// and powers are computed here, not by the host's library.
#pragma once

#include <cstdint>
#include <vector>

#include "serving/request.h"

namespace trainyard::serving {

struct Load {
  std::int64_t requests = 1000;
  double rate = 1;                     // a second; 0: all at once
  double burstiness = 1;               // the shape of gamma-distributed gaps; 1: Poisson arrivals
  double prompt = 1024, output = 128;  // tokens in the mean
  double range = 0;         // lengths are uniform within this share of the mean, up and down
  std::int32_t shared = 0;  // first tokens that requests of a prefix share
  std::int64_t prefixes = 1;
  std::uint64_t seed = 0;
};

// Sorted by arrival. Throws InputError "serve.load" with every field that is out of range.
[[nodiscard]] std::vector<Request> draw_requests(const Load& load);

// ln x, x > 0, and e^x, to 1e-15 of them.
[[nodiscard]] double natural_log(double x);
[[nodiscard]] double exponential(double x);

}  // namespace trainyard::serving

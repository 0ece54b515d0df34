#include "serving/arrivals.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "base/units.h"
#include "serving/bounds.h"

namespace trainyard::serving {

namespace {

constexpr double ln2 = 0x1.62e42fefa39efp-1;

void check_load(const Load& load) {
  std::vector<base::Violation> violations;
  const auto in = [&](std::string_view name, double value) {
    check_bound(load_bounds, "serve.load", name, value, violations);
  };
  in("requests", static_cast<double>(load.requests));
  in("rate", load.rate);
  in("burstiness", load.burstiness);
  in("prompt", load.prompt);
  in("output", load.output);
  in("range", load.range);
  in("shared", load.shared);
  in("prefixes", static_cast<double>(load.prefixes));
  if (!violations.empty()) throw base::InputError(std::move(violations));
}

// In (0, 1).
double positive_uniform(base::Random& random) { return 1 - random.uniform() * (1 - 0x1p-53); }

// Marsaglia's polar method.
double normal(base::Random& random) {
  for (int tries = 0; tries < 1000; ++tries) {
    const double x = 2 * random.uniform() - 1, y = 2 * random.uniform() - 1;
    const double square = x * x + y * y;
    if (square > 0 && square < 1) return x * std::sqrt(-2 * natural_log(square) / square);
  }
  base::fail("a thousand points lie outside the unit circle");
}

// With mean `shape`: Marsaglia and Tsang, "A Simple Method for Generating Gamma Variables", 2000.
double gamma(double shape, base::Random& random) {
  if (shape == 1) return -natural_log(positive_uniform(random));
  if (shape < 1)
    return gamma(shape + 1, random) * exponential(natural_log(positive_uniform(random)) / shape);
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (int tries = 0; tries < 1000; ++tries) {
    const double x = normal(random);
    const double v = (1 + c * x) * (1 + c * x) * (1 + c * x);
    if (v <= 0) continue;
    if (natural_log(positive_uniform(random)) < x * x / 2 + d - d * v + d * natural_log(v))
      return d * v;
  }
  base::fail("a thousand gamma variates are refused");
}

std::int32_t length(double mean, double range, base::Random& random) {
  const double low = mean * (1 - range), high = mean * (1 + range);
  const double drawn = range > 0 ? low + random.uniform() * (high - low) : mean;
  return static_cast<std::int32_t>(std::max(1.0, std::floor(drawn + 0.5)));
}

}  // namespace

double natural_log(double x) {
  base::check(x > 0 && std::isfinite(x), "a logarithm of what is not positive");
  int exponent = 0;
  double fraction = std::frexp(x, &exponent);  // exact, in [1/2, 1)
  if (fraction < 0x1.6a09e667f3bcdp-1) {
    fraction *= 2;
    --exponent;
  }
  // 2 atanh of at most 0.172, whose powers vanish below the last bit after 11 terms.
  const double s = (fraction - 1) / (fraction + 1);
  double sum = 0;
  for (int term = 23; term >= 1; term -= 2) sum = sum * s * s + 1.0 / term;
  return exponent * ln2 + 2 * s * sum;
}

double exponential(double x) {
  if (x < -700) return 0;
  base::check(x < 700, "an exponential that no double holds");
  const double times = std::floor(x / ln2 + 0.5);
  const double rest = x - times * ln2;
  double sum = 1;
  for (int term = 20; term >= 1; --term) sum = 1 + sum * rest / term;
  return std::ldexp(sum, static_cast<int>(times));
}

std::vector<Request> draw_requests(const Load& load) {
  check_load(load);
  base::Random random(load.seed);
  std::vector<Request> requests(static_cast<std::size_t>(load.requests));
  double seconds = 0;
  for (Request& request : requests) {
    if (load.rate > 0) seconds += gamma(load.burstiness, random) / load.burstiness / load.rate;
    request.arrival = std::llround(seconds * 1e9 * static_cast<double>(base::ticks_per_nanosecond));
    request.prompt = length(load.prompt, load.range, random);
    request.output = length(load.output, load.range, random);
    request.shared = std::min(load.shared, request.prompt);
    request.prefix = random.below(static_cast<std::uint64_t>(load.prefixes));
  }
  return requests;
}

}  // namespace trainyard::serving

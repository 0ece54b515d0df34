#include "planner/recommend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "base/stable_sort.h"
#include "planner/links.h"
#include "planner/memory.h"

namespace trainyard::planner {

namespace {

constexpr int halvings = 50;
constexpr int powers_most = 30;  // of two, of requests at once

// The steps of one replica: pieces of prompts and decoding, one launch after the other, as the
// scheduler of `serving` runs them.
class Replica {
 public:
  Replica(const Model& model, const Chip& chip, const Plan& plan, const Serving& serving,
          const Service& service)
      : m_(model), chip_(chip), plan_(plan), serving_(serving), service_(service) {
    for (double read = 0; read < serving.input; read += service.chunk) {
      const double tokens = std::min(service.chunk, serving.input - read);
      pieces_ += 1;
      prompt_ += step({.samples = 1, .tokens = tokens, .context = read}, chip.fixed_prefill);
    }
    whole_ = step({.samples = 1, .tokens = serving.input}, chip.fixed_prefill);
    accepted_ = 1;
    for (double i = 1, taken = service.acceptance; i <= service.drafts; ++i) {
      accepted_ += taken;
      taken *= service.acceptance;
    }
    tokens_left_ = std::max(0.0, serving.output - 1);  // the first one is the prompt's
  }

  // Seconds of a step in which `requests` decode: linear between powers of two, as in the tables of
  // plan serve, whose collectives are simulated.
  [[nodiscard]] double decode(double requests) const {
    const double place = std::log2(std::clamp(requests, 1.0, std::exp2(powers_most)));
    const auto below = static_cast<std::size_t>(std::min(place, powers_most - 1.0));
    const double from = std::exp2(below);
    const double share = (std::max(requests, 1.0) - from) / from;
    return known(below) + share * (known(below + 1) - known(below));
  }
  // Seconds between the tokens of a request, with nobody's prompt between them.
  [[nodiscard]] double between_tokens(double requests) const {
    return decode(requests) / accepted_;
  }
  [[nodiscard]] double prompt() const { return prompt_; }
  [[nodiscard]] double whole_prompt() const { return std::min(prompt_, whole_); }
  [[nodiscard]] double pieces() const { return pieces_; }
  [[nodiscard]] double tokens_left() const { return tokens_left_; }

  // The most requests a second if prompts and decoding never waited for each other, and requests
  // came when there is room: the longer of both, at the largest batch that is fast enough.
  [[nodiscard]] double rate_at_most(double batch) const {
    const ServiceLevel& level = service_.level;
    if (whole_prompt() > level.ttft || between_tokens(1) > level.tpot) return 0;
    double most = 1;
    double high = batch;
    if (between_tokens(batch) <= level.tpot) {
      most = batch;
    } else {
      for (int i = 0; i < halvings; ++i) {
        const double middle = (most + high) / 2;
        (between_tokens(middle) <= level.tpot ? most : high) = middle;
      }
    }
    // Of prompts of equal right several are read in one step, but none in less than its time.
    double rate = 1 / whole_prompt();
    if (tokens_left_ > 0) rate = std::min(rate, most / (tokens_left_ * between_tokens(most)));
    return rate;
  }

  // Requests come at random: what the share of them gets. Prompts take turns as customers of one
  // server (M/D/1, whose wait falls off exponentially), each piece followed by a step of decoding;
  // decoding has the rest of the time, and a request meets more prompts than the mean.
  [[nodiscard]] Load at(double rate, double batch) const {
    Load load{.rate = rate};
    load.busy = rate * prompt_;
    const double never = 1e9;
    if (load.busy >= 1)
      return {.rate = rate, .requests = batch, .ttft = never, .tpot = never, .busy = load.busy};
    double requests = 1;
    for (int i = 0; i < 2 * halvings; ++i) {
      const double each = between_tokens(requests) / (1 - load.busy);
      const double next = rate * (tokens_left_ * each + prompt_ + pieces_ * decode(requests));
      if (next > 4 * batch) {
        requests = next;
        break;
      }
      requests += (next - requests) / 2;
    }
    load.requests = requests;
    const double tail = -std::log(1 - service_.level.share);
    const double crowded = quantile(requests, tail);
    if (crowded > batch)
      return {.rate = rate, .requests = requests, .ttft = never, .tpot = never, .busy = load.busy};
    const double beside = decode(crowded);
    const double service = prompt_ + pieces_ * beside;
    const double busy = rate * service;
    if (busy >= 1)
      return {.rate = rate, .requests = requests, .ttft = never, .tpot = never, .busy = load.busy};
    const double wait = std::max(0.0, tail + std::log(busy)) * service * busy / (2 * (1 - busy));
    // What is under way when a request comes: a step with a piece of each prompt that waits. Those
    // that come behind it share its steps.
    load.ttft = wait + service + beside + prompt_ + busy * service;
    // A request that meets many prompts stays longer, and meets more.
    load.tpot = between_tokens(crowded);
    for (int i = 0; i < halvings && tokens_left_ > 0 && load.tpot < never; ++i)
      load.tpot = between_tokens(crowded) +
                  quantile(rate * tokens_left_ * load.tpot, tail) * prompt_ / tokens_left_;
    return load;
  }

  [[nodiscard]] bool keeps(const Load& load) const {
    return load.ttft <= service_.level.ttft && load.tpot <= service_.level.tpot;
  }

  // The most requests a second that at() keeps the level for; 0: none.
  [[nodiscard]] double rate_for_sure(double batch, double most) const {
    double low = 0;
    double high = most;
    if (!keeps(at(most * 1e-6, batch))) return 0;
    if (keeps(at(most, batch))) return most;
    for (int i = 0; i < halvings; ++i) {
      const double middle = (low + high) / 2;
      (keeps(at(middle, batch)) ? low : high) = middle;
    }
    return low;
  }

 private:
  // Of a Poisson count of that mean, what it exceeds with the chance e^-tail; from above.
  static double quantile(double mean, double tail) {
    return mean + std::sqrt(2 * mean * tail) + tail / 3;
  }

  // Of a step in which a power of two decode; each is computed once.
  [[nodiscard]] double known(std::size_t power) const {
    std::optional<double>& one = decodes_.at(power);
    if (!one)
      one = step({.samples = std::exp2(power),
                  .tokens = 1 + service_.drafts,
                  .context = serving_.input + serving_.output / 2},
                 0);
    return *one;
  }

  [[nodiscard]] double step(Pass pass, double fixed) const {
    pass.format = serving_.weights;
    pass.cache = serving_.cache;
    Work work = forward(m_, plan_, chip_, pass);
    work.fixed += fixed;
    return seconds(work, chip_);
  }

  const Model& m_;
  const Chip& chip_;
  const Plan plan_;
  const Serving& serving_;
  const Service& service_;
  mutable std::array<std::optional<double>, powers_most + 1> decodes_ = {};
  double pieces_ = 0, prompt_ = 0, whole_ = 0, accepted_ = 1, tokens_left_ = 0;
};

// The most requests at once that fit; 0: not even one.
double batch_that_fits(const Model& m, const Plan& plan, const Chip& chip, Serving serving,
                       double most) {
  const auto fits = [&](double batch) {
    serving.batch = batch;
    return serving_memory(m, plan, chip, serving).fits();
  };
  if (!fits(1)) return 0;
  double low = 1;
  double high = most + 1;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

std::string broken_by(const Load& load, const Service& service, double replicas) {
  const ServiceLevel& level = service.level;
  const std::string what = fmt::format("with {:.0f} replica{}", replicas, replicas == 1 ? "" : "s");
  if (load.ttft >= 1e8)
    return fmt::format("{} more requests come than it can finish or hold", what);
  if (load.ttft > level.ttft)
    return fmt::format("{} the first token takes {:.0f} ms for one in {:.0f}", what,
                       1e3 * load.ttft, 1 / (1 - level.share));
  return fmt::format("{} a token takes {:.1f} ms for one in {:.0f}", what, 1e3 * load.tpot,
                     1 / (1 - level.share));
}

std::int64_t count_for(double rate, double each) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(rate / each - 1e-9)));
}

// Prompts and decoding on the same chips.
std::optional<Sizing> aggregated(const Replica& replica, const Plan& plan, const Serving& serving,
                                 const Service& service) {
  Sizing result{.plan = plan, .serving = serving};
  result.rate_high = replica.rate_at_most(serving.batch);
  if (result.rate_high <= 0) return std::nullopt;
  result.rate_low = replica.rate_for_sure(serving.batch, result.rate_high);
  if (result.rate_low <= 0) return std::nullopt;
  result.replicas = count_for(service.rate, result.rate_low);
  result.replicas_low = count_for(service.rate, result.rate_high);
  result.chips = real(result.replicas) * plan.chips();
  result.chips_low = real(result.replicas_low) * plan.chips();
  result.load = replica.at(service.rate / real(result.replicas), serving.batch);
  if (result.replicas > 1) {
    const double fewer = real(result.replicas) - 1;
    result.why_not_fewer =
        broken_by(replica.at(service.rate / fewer, serving.batch), service, fewer);
  } else {
    result.why_not_fewer = "one replica is the least";
  }
  return result;
}

// What breaks with a replica less in either pool. `first`: seconds to the first token by how busy a
// replica of prompts is.
std::string pools_without_one(const Replica& replica, const Service& service, const Sizing& pools,
                              const std::function<double(double)>& first) {
  const double prefills = real(pools.prefill_replicas) - 1;
  const double decoding = real(pools.replicas - pools.prefill_replicas) - 1;
  const double busy = prefills > 0 ? service.rate * replica.whole_prompt() / prefills : 1;
  const std::string of_prompts =
      prefills < 1 ? "one replica for prompts is the least"
      : busy >= 1  ? fmt::format("{:.0f} for prompts cannot read them all", prefills)
                  : fmt::format("with {:.0f} for prompts the first token takes {:.0f} ms", prefills,
                                1e3 * first(busy));
  if (decoding < 1) return of_prompts + "; one that decodes is the least";
  return fmt::format("{}; {:.0f} that decode carry {:.3g} of {:.3g} requests a second", of_prompts,
                     decoding, decoding * pools.rate_low, service.rate);
}

// Prompts have replicas of their own, of the same plan, and hand their caches on over the network.
std::optional<Sizing> disaggregated(const Model& m, const Chip& chip, const Replica& replica,
                                    const Plan& plan, const Serving& serving,
                                    const Service& service) {
  const ServiceLevel& level = service.level;
  if (replica.tokens_left() <= 0) return std::nullopt;
  const double cache = request_elements(m, serving.input) * bytes_of(serving.cache) /
                       (plan.chips() * chip.levels.back().bandwidth);
  const double tail = -std::log(1 - level.share);
  const double prompt = replica.whole_prompt();
  // M/D/1, as of prompts that share chips with decoding.
  const auto first = [&](double busy) {
    return std::max(0.0, tail + std::log(busy)) * prompt * busy / (2 * (1 - busy)) + prompt + cache;
  };
  if (first(1e-6) > level.ttft || replica.between_tokens(1) > level.tpot) return std::nullopt;
  double busy = 0;
  double high = 1;
  for (int i = 0; i < halvings; ++i) {
    const double middle = (busy + high) / 2;
    (first(middle) <= level.ttft ? busy : high) = middle;
  }
  double batch = serving.batch;
  while (batch > 1 && replica.between_tokens(batch) > level.tpot) batch -= 1;
  const double mean = std::max(1.0, batch - std::sqrt(2 * batch * tail));
  Sizing result{.plan = plan, .serving = serving, .is_disaggregated = true};
  result.rate_low = mean / (replica.tokens_left() * replica.between_tokens(mean));
  result.rate_high = batch / (replica.tokens_left() * replica.between_tokens(batch));
  result.prefill_replicas = count_for(service.rate * prompt, busy);
  const std::int64_t decoding = count_for(service.rate, result.rate_low);
  result.replicas = decoding + result.prefill_replicas;
  result.replicas_low =
      count_for(service.rate, result.rate_high) + count_for(service.rate * prompt, 1);
  result.chips = real(result.replicas) * plan.chips();
  result.chips_low = real(result.replicas_low) * plan.chips();
  result.load = {
      .rate = service.rate / real(decoding),
      .requests = mean,
      .ttft = first(std::max(1e-6, service.rate * prompt / real(result.prefill_replicas))),
      .tpot = replica.between_tokens(batch),
      .busy = 0};
  result.why_not_fewer = pools_without_one(replica, service, result, first);
  return result;
}

}  // namespace

Recommendation recommend(const Model& m, const Chip& chip, const Serving& serving,
                         const Service& service, const Wanted& wanted) {
  Recommendation result;
  double fastest_prompt = 1e9;
  double fastest_token = 1e9;
  bool has_room = false;
  for (const Plan& plan : serving_plans(m, chip, wanted)) {
    if (plan.pp > 1) continue;
    Serving chosen = serving;
    chosen.batch = batch_that_fits(m, plan, chip, serving, service.requests_max * real(plan.dp));
    if (chosen.batch < 1) continue;
    has_room = true;
    const Replica replica(m, chip, plan, chosen, service);
    fastest_prompt = std::min(fastest_prompt, replica.whole_prompt());
    fastest_token = std::min(fastest_token, replica.between_tokens(1));
    if (const double most = replica.rate_at_most(chosen.batch); most > 0) {
      const double least = real(count_for(service.rate, most)) * plan.chips();
      if (result.chips_low == 0 || least < result.chips_low) result.chips_low = least;
    }
    if (auto one = aggregated(replica, plan, chosen, service)) result.sizings.push_back(*one);
    if (auto one = disaggregated(m, chip, replica, plan, chosen, service))
      result.sizings.push_back(*one);
  }
  base::stable_sort(result.sizings, [](const Sizing& a, const Sizing& b) {
    return std::pair(a.chips, a.plan.chips()) < std::pair(b.chips, b.plan.chips());
  });
  for (const Sizing& one : result.sizings)
    result.chips_low =
        std::min(result.chips_low > 0 ? result.chips_low : one.chips_low, one.chips_low);
  if (!result.sizings.empty()) return result;
  result.why = !has_room
                   ? "no plan within a system holds the weights and one request"
                   : fmt::format(
                         "alone, the fastest plans take {:.0f} ms to the first token and {:.1f} "
                         "ms a token, and no plan keeps {:.0f} and {:.1f} with requests at "
                         "random",
                         1e3 * fastest_prompt, 1e3 * fastest_token, 1e3 * service.level.ttft,
                         1e3 * service.level.tpot);
  return result;
}

}  // namespace trainyard::planner

// The best ways to train a model on a number of chips, as a JSON document: plans ranked, the best
// one with its parts, its place on the fabric, its days, energy and dollars with interruptions.
#pragma once

#include "planner/documents.h"

namespace trainyard::planner {

// What of a plan is fixed; absent or empty: searched. The rest of the question is in Options:
// chips, tokens, sequence, global_batch, training_format, sum_fp32, price, region, settings.
struct PlanOptions {
  std::optional<std::int64_t> tp = {}, cp = {}, ep = {}, pp = {}, dp = {}, zero = {}, copies = {};
  std::optional<double> microbatch = {}, interleave = {};
  std::string recompute = {}, schedule = {}, placement = {};
  std::optional<bool> sequence_parallel = {};
  double idle_share = 0.05;           // of the chips that may stay without work
  std::optional<double> spares = {};  // chips that stand by; as many as it takes
  std::optional<double> power_cap =
      {};  // W that all chips may draw from the grid, spares among them
  double gradient_bytes = 4, state_bytes = 12;
  std::int64_t kept = 100;  // plans in the document
};

// Throws InputError for a name or an option that is wrong.
[[nodiscard]] std::string plan_training_document(const std::string& model,
                                                 const std::string& machine, const Options& options,
                                                 const PlanOptions& plan);

// What somebody asks of a service: the rest of the question is in Options (input, output, weights,
// cache, price, region, settings, tp, dp).
struct ServiceOptions {
  double rate = 1;  // requests a second
  double ttft = 0.5, tpot = 0.03, share = 0.99;
  double chunk = 512, requests_max = 256, drafts = 0, acceptance = 0;
};

// The fewest chips, and the cheapest, that serve the load within its level. Throws InputError.
[[nodiscard]] std::string recommend_document(const std::string& model, const std::string& machine,
                                             const Options& options, const ServiceOptions& service);

}  // namespace trainyard::planner

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "planner/json_parts.h"
#include "planner/plan_documents.h"
#include "planner/questions.h"
#include "planner/recommend.h"

namespace trainyard::planner {

namespace {

using nlohmann::json;

void check_service(const Model& m, const ServiceOptions& o) {
  std::vector<base::Violation> wrong;
  const auto in = [&](std::string_view what, double value, double low, double high) {
    if (value >= low && value <= high) return;  // false for NaN
    wrong.push_back({"plan.range", fmt::format("{} is {} to {}", what, low, high),
                     std::string(what), fmt::format("{}", value), "correct the option"});
  };
  in("rate", o.rate, 1e-6, 1e9);
  in("ttft", o.ttft, 1e-6, 1e6);
  in("tpot", o.tpot, 1e-6, 1e6);
  in("share", o.share, 0.5, 0.99999);
  in("chunk", o.chunk, 1, 1e8);
  in("requests_max", o.requests_max, 1, 1e6);
  in("drafts", o.drafts, 0, 64);
  in("acceptance", o.acceptance, 0, 1);
  if (m.family != Family::decoder)
    wrong.push_back({"plan.input", "a service answers with tokens", "model",
                     fmt::format("{}, which is a {}", m.name, name(m.family)),
                     "name a language model; compare sizes others"});
  if (!wrong.empty()) throw base::InputError(std::move(wrong));
}

json json_of(const Sizing& one, const std::optional<double>& dollars) {
  json result = {{"plan", planner::json_of(one.plan)},
                 {"workload", planner::json_of(one.serving)},
                 {"disaggregated", one.is_disaggregated},
                 {"prefill_replicas", one.prefill_replicas},
                 {"replicas", one.replicas},
                 {"replicas_low", one.replicas_low},
                 {"chips", one.chips},
                 {"chips_low", one.chips_low},
                 {"rate_low", one.rate_low},
                 {"rate_high", one.rate_high},
                 {"requests", one.load.requests},
                 {"ttft", one.load.ttft},
                 {"tpot", one.load.tpot},
                 {"prompts_busy", one.load.busy},
                 {"why_not_fewer", one.why_not_fewer}};
  if (dollars) {
    result["usd_per_hour"] = *dollars * one.chips;
    result["usd_per_hour_low"] = *dollars * one.chips_low;
  }
  return result;
}

}  // namespace

std::string recommend_document(const std::string& model, const std::string& machine,
                               const Options& options, const ServiceOptions& o) {
  const Question q(model, machine, options);
  check_service(q.model(), o);
  const Service service{.level = {.ttft = o.ttft, .tpot = o.tpot, .share = o.share},
                        .rate = o.rate,
                        .chunk = o.chunk,
                        .requests_max = o.requests_max,
                        .drafts = o.drafts,
                        .acceptance = o.acceptance};
  Wanted wanted = q.wanted_serving();
  wanted.chips.reset();
  wanted.batch.reset();
  const Recommendation found = recommend(q.model(), q.chip(), q.serving(), service, wanted);
  std::vector<std::string> unknown;
  const auto dollars = hourly_rate(q.sheet(), q.purchase(), unknown);
  json document = {{"schema", "trainyard.recommendation/1"},
                   {"model", planner::json_of(q.model())},
                   {"machine", {{"name", q.sheet().machine()}, {"title", q.sheet().title()}}},
                   {"system_chips", q.chip().system_chips},
                   {"price", price_key(q.sheet(), q.purchase())},
                   {"unknown", unknown},
                   {"rate", o.rate},
                   {"why", found.why},
                   {"chips_low", found.chips_low},
                   {"sizings", json::array()}};
  if (const auto watts = q.sheet().find("power.all_in")) document["watts_of_chip"] = *watts;
  if (dollars) document["usd_per_chip_hour"] = *dollars;
  for (const Sizing& one : found.sizings) document["sizings"].push_back(json_of(one, dollars));
  return document.dump();
}

}  // namespace trainyard::planner

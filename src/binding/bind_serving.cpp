// The scheduler of a server and the planned engine; the exact engine of trainyard.serving drives
// the same scheduler from Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <map>
#include <span>
#include <string>
#include <tuple>

#include "base/error.h"
#include "binding/bindings.h"
#include "serving/arrivals.h"
#include "serving/bounds.h"
#include "serving/fleet.h"
#include "serving/simulate.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

using serving::CostTable;
using serving::Load;
using serving::Record;
using serving::Request;
using serving::Scheduler;
using serving::Settings;
using serving::Simulated;
using serving::Simulation;
using serving::StepCosts;

constexpr std::array state_names = {"waiting",  "running",   "swapped",
                                    "finished", "cancelled", "rejected"};
constexpr std::array event_names = {"queued",    "admitted", "prefill",  "decode",
                                    "preempted", "resumed",  "finished", "cancelled"};

// A field of all of them, as an array's bytes.
template <typename Row, typename Field>
nb::bytes column(const std::vector<Row>& rows, Field Row::*field) {
  std::vector<Field> values;
  values.reserve(rows.size());
  for (const Row& row : rows) values.push_back(row.*field);
  return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Field));
}

nb::dict record_columns(const std::vector<Record>& rows) {
  nb::dict result;
  const auto add = [&](const char* name, const char* type, auto field) {
    result[name] = nb::make_tuple(type, column(rows, field));
  };
  add("arrival", "int64", &Record::arrival);
  add("first_scheduled", "int64", &Record::first_scheduled);
  add("first_token", "int64", &Record::first_token);
  add("end", "int64", &Record::end);
  add("prefill_ticks", "int64", &Record::prefill_ticks);
  add("decode_ticks", "int64", &Record::decode_ticks);
  add("joules", "float64", &Record::joules);
  add("prompt", "int32", &Record::prompt);
  add("output", "int32", &Record::output);
  add("cached", "int32", &Record::cached);
  add("chunks", "int32", &Record::chunks);
  add("decodes", "int32", &Record::decodes);
  add("preemptions", "int32", &Record::preemptions);
  add("state", "uint8", &Record::state);
  return result;
}

nb::dict step_columns(const Simulated& simulated) {
  using serving::StepRecord;
  const std::vector<StepRecord>& rows = simulated.steps;
  nb::dict result;
  const auto add = [&](const char* name, const char* type, auto field) {
    result[name] = nb::make_tuple(type, column(rows, field));
  };
  add("begin", "int64", &StepRecord::begin);
  add("end", "int64", &StepRecord::end);
  add("prefills", "int32", &StepRecord::prefills);
  add("prefill_tokens", "int32", &StepRecord::prefill_tokens);
  add("decodes", "int32", &StepRecord::decodes);
  add("steps", "int64", &StepRecord::steps);
  add("waiting", "int32", &StepRecord::waiting);
  add("blocks", "int32", &StepRecord::blocks);
  return result;
}

nb::list event_list(const std::vector<serving::Event>& events) {
  nb::list result;
  for (const serving::Event& event : events) {
    nb::dict one;
    one["request"] = event.request;
    one["kind"] = event_names.at(static_cast<std::size_t>(event.kind));
    one["begin"] = event.begin;
    one["end"] = event.end;
    one["tokens"] = event.tokens;
    one["batch"] = event.batch;
    one["collectives"] = event.parts.collectives;
    one["launches"] = event.parts.launches;
    one["swaps"] = event.parts.swaps;
    result.append(one);
  }
  return result;
}

nb::dict counter_dict(const serving::Counters& counters) {
  nb::dict result;
  result["steps"] = counters.steps;
  result["prompt_tokens"] = counters.prompt_tokens;
  result["generated_tokens"] = counters.generated_tokens;
  result["preemptions"] = counters.preemptions;
  result["prefix_queries"] = counters.prefix_queries;
  result["prefix_hits"] = counters.prefix_hits;
  result["rejections"] = counters.rejections;
  result["peak_blocks"] = counters.peak_blocks;
  result["peak_running"] = counters.peak_running;
  result["peak_waiting"] = counters.peak_waiting;
  return result;
}

nb::list unfinished_list(const Scheduler& scheduler) {
  nb::list found;
  for (const auto& [number, request] : scheduler.unfinished())
    found.append(
        nb::make_tuple(number, request.generated, request.first_token, request.last_token));
  return found;
}

nb::dict record_dict(const Record& record) {
  nb::dict result;
  result["arrival"] = record.arrival;
  result["first_scheduled"] = record.first_scheduled;
  result["first_token"] = record.first_token;
  result["end"] = record.end;
  result["prefill_ticks"] = record.prefill_ticks;
  result["decode_ticks"] = record.decode_ticks;
  result["joules"] = record.joules;
  result["prompt"] = record.prompt;
  result["output"] = record.output;
  result["cached"] = record.cached;
  result["chunks"] = record.chunks;
  result["decodes"] = record.decodes;
  result["preemptions"] = record.preemptions;
  result["state"] = state_names.at(static_cast<std::size_t>(record.state));
  return result;
}

void bind_settings(nb::module_& module) {
  nb::class_<Settings>(module, "ServingSettings", "Limits of a scheduler and of its cache.")
      .def(nb::init<>())
      .def_rw("block_tokens", &Settings::block_tokens)
      .def_rw("blocks", &Settings::blocks)
      .def_rw("windows", &Settings::windows)
      .def_prop_ro("longest", &serving::longest_request)
      .def_rw("requests_max", &Settings::requests_max)
      .def_rw("step_tokens_max", &Settings::step_tokens_max)
      .def_rw("chunk_tokens_max", &Settings::chunk_tokens_max)
      .def_rw("prompts_max", &Settings::prompts_max)
      .def_rw("waiting_max", &Settings::waiting_max)
      .def_rw("context_max", &Settings::context_max)
      .def_rw("caches_prefixes", &Settings::caches_prefixes)
      .def_rw("draft_tokens", &Settings::draft_tokens)
      .def_prop_rw(
          "swaps", [](const Settings& s) { return s.preemption == serving::Preemption::swap; },
          [](Settings& s, bool swaps) {
            s.preemption = swaps ? serving::Preemption::swap : serving::Preemption::recompute;
          });
  nb::class_<Load>(module, "ServingLoad", "Requests that are drawn from a seed.")
      .def(nb::init<>())
      .def_rw("requests", &Load::requests)
      .def_rw("rate", &Load::rate)
      .def_rw("burstiness", &Load::burstiness)
      .def_rw("prompt", &Load::prompt)
      .def_rw("output", &Load::output)
      .def_rw("range", &Load::range)
      .def_rw("shared", &Load::shared)
      .def_rw("prefixes", &Load::prefixes)
      .def_rw("seed", &Load::seed);
  nb::class_<Simulation>(module, "ServingSimulation", "How the planned engine serves.")
      .def(nb::init<>())
      .def_rw("users", &Simulation::users)
      .def_rw("acceptance", &Simulation::acceptance)
      .def_rw("seed", &Simulation::seed)
      .def_rw("watched", &Simulation::watched)
      .def_rw("keeps_steps", &Simulation::keeps_steps)
      .def_rw("one_by_one", &Simulation::one_by_one);
}

// A cost as (seconds, joules).
template <serving::StepCost StepCosts::*field>
auto cost_getter() {
  return [](const StepCosts& costs) {
    return std::pair((costs.*field).seconds, (costs.*field).joules);
  };
}
template <serving::StepCost StepCosts::*field>
auto cost_setter() {
  return [](StepCosts& costs, std::pair<double, double> cost) {
    costs.*field = {cost.first, cost.second};
  };
}

using ItemRow = std::tuple<std::uint32_t, std::int32_t, std::int32_t, bool>;

std::vector<serving::Item> items_of(const std::vector<ItemRow>& rows) {
  std::vector<serving::Item> items;
  items.reserve(rows.size());
  for (const auto& [request, start, count, samples] : rows)
    items.push_back({request, start, count, samples});
  return items;
}

void bind_costs(nb::module_& module) {
  nb::class_<CostTable>(module, "CostTable", "Seconds and joules of steps on a grid.")
      .def(nb::init<std::vector<double>, std::vector<double>, std::vector<double>,
                    std::vector<double>>(),
           nb::arg("rows"), nb::arg("columns"), nb::arg("seconds"), nb::arg("joules"))
      .def("at", [](const CostTable& table, double row, double column) {
        const serving::StepCost cost = table.at(row, column);
        return std::pair(cost.seconds, cost.joules);
      });
  nb::class_<StepCosts>(module, "StepCosts", "What a step of the planned engine takes.")
      .def("__init__",
           [](StepCosts* self, const CostTable& prefill, const CostTable& decode) {
             new (self) StepCosts{.prefill = prefill, .decode = decode};
           })
      .def_ro("prefill", &StepCosts::prefill)
      .def_ro("decode", &StepCosts::decode)
      .def_rw("by_longest", &StepCosts::by_longest)
      .def_prop_rw("launch", cost_getter<&StepCosts::launch>(), cost_setter<&StepCosts::launch>())
      .def_prop_rw("scheduling", cost_getter<&StepCosts::scheduling>(),
                   cost_setter<&StepCosts::scheduling>())
      .def_prop_rw("swapped_block", cost_getter<&StepCosts::swapped_block>(),
                   cost_setter<&StepCosts::swapped_block>());
  module.def(
      "step_cost",
      [](const std::vector<ItemRow>& prefills, const std::vector<ItemRow>& decodes,
         std::size_t swapped_blocks, const StepCosts& costs) {
        serving::Step step{.prefills = items_of(prefills), .decodes = items_of(decodes)};
        if (swapped_blocks > 0)
          step.swaps_out.push_back({.blocks = std::vector<std::int32_t>(swapped_blocks)});
        const serving::StepCost cost = serving::cost_of(step, costs);
        return std::pair(cost.seconds, cost.joules);
      },
      nb::arg("prefills"), nb::arg("decodes"), nb::arg("swapped_blocks"), nb::arg("costs"),
      "Seconds and joules of a step as a scheduler gives it.");
}

// Each request as (arrival in ticks, prompt, output, names of the blocks of its prompt).
using TraceRow = std::tuple<std::int64_t, std::int32_t, std::int32_t, std::vector<std::uint64_t>>;

std::vector<Request> requests_of(const std::vector<TraceRow>& rows, std::int32_t content_tokens) {
  std::vector<Request> requests;
  for (const auto& [arrival, prompt, output, contents] : rows)
    requests.push_back({.arrival = arrival,
                        .prompt = prompt,
                        .output = output,
                        .contents = contents,
                        .content_tokens = content_tokens});
  return requests;
}

void bind_simulated(nb::module_& module) {
  nb::class_<Simulated>(module, "ServingRun", "What the planned engine served.")
      .def("records", [](const Simulated& s) { return record_columns(s.records); })
      .def("steps", &step_columns)
      .def("events", [](const Simulated& s) { return event_list(s.events); })
      .def("counters", [](const Simulated& s) { return counter_dict(s.counters); })
      .def("gap_quantile", [](const Simulated& s, double share) { return s.gaps.quantile(share); })
      .def_prop_ro("gap_mean", [](const Simulated& s) { return s.gaps.mean(); })
      .def_prop_ro("gap_deviation", [](const Simulated& s) { return s.gaps.deviation(); })
      .def_prop_ro("gap_count", [](const Simulated& s) { return s.gaps.count(); })
      .def_ro("tokens_per_second_max", &Simulated::tokens_per_second_max)
      .def_ro("end", &Simulated::end)
      .def_ro("busy", &Simulated::busy)
      .def_ro("joules", &Simulated::joules);
  module.def(
      "simulate_load",
      [](const Load& load, const Settings& settings, const StepCosts& costs,
         const Simulation& simulation) {
        return serving::simulate(serving::draw_requests(load), settings, costs, simulation);
      },
      nb::arg("load"), nb::arg("settings"), nb::arg("costs"), nb::arg("simulation"),
      nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "simulate_trace",
      [](const std::vector<TraceRow>& rows, std::int32_t content_tokens, const Settings& settings,
         const StepCosts& costs, const Simulation& simulation) {
        std::vector<Request> requests = requests_of(rows, content_tokens);
        const nb::gil_scoped_release release;
        return serving::simulate(std::move(requests), settings, costs, simulation);
      },
      nb::arg("rows"), nb::arg("content_tokens"), nb::arg("settings"), nb::arg("costs"),
      nb::arg("simulation"));
}

void bind_fleet(nb::module_& module) {
  using serving::FleetSettings;
  nb::class_<FleetSettings>(module, "FleetSettings", "Replicas behind a router.")
      .def(nb::init<>())
      .def_rw("replicas", &FleetSettings::replicas)
      .def_rw("readers", &FleetSettings::readers)
      .def_rw("seed", &FleetSettings::seed)
      .def_prop_rw(
          "routing", [](const FleetSettings& f) { return static_cast<int>(f.routing); },
          [](FleetSettings& f, int routing) { f.routing = static_cast<serving::Routing>(routing); })
      .def_prop_rw(
          "sent", [](const FleetSettings& f) { return std::pair(f.sent.seconds, f.sent.joules); },
          [](FleetSettings& f, std::pair<double, double> cost) {
            f.sent = {cost.first, cost.second};
          })
      .def_prop_rw(
          "sent_token",
          [](const FleetSettings& f) {
            return std::pair(f.sent_token.seconds, f.sent_token.joules);
          },
          [](FleetSettings& f, std::pair<double, double> cost) {
            f.sent_token = {cost.first, cost.second};
          })
      .def("add_outage",
           [](FleetSettings& f, std::int32_t replica, std::int64_t from, std::int64_t until) {
             f.outages.push_back({replica, from, until});
           })
      .def("scale",
           [](FleetSettings& f, std::int64_t period, std::int64_t cold_start, std::int64_t patience,
              double target, std::int32_t least, std::int32_t most) {
             f.scaling = {period, cold_start, patience, target, least, most};
           });
}

void bind_fleet_runs(nb::module_& module) {
  using serving::Fleet;
  using serving::FleetSettings;
  nb::class_<Fleet>(module, "FleetRun", "What a fleet served; besides its own, as ServingRun.")
      .def("records", [](const Fleet& f) { return record_columns(f.records); })
      .def("counters", [](const Fleet& f) { return counter_dict(f.counters); })
      .def("sizes",
           [](const Fleet& f) {
             nb::list result;
             for (const serving::FleetSize& one : f.sizes)
               result.append(nb::make_tuple(one.time, one.serving, one.starting));
             return result;
           })
      .def("gap_quantile", [](const Fleet& f, double share) { return f.gaps.quantile(share); })
      .def_prop_ro("gap_mean", [](const Fleet& f) { return f.gaps.mean(); })
      .def_prop_ro("gap_deviation", [](const Fleet& f) { return f.gaps.deviation(); })
      .def_prop_ro("gap_count", [](const Fleet& f) { return f.gaps.count(); })
      .def_ro("tokens_per_second_max", &Fleet::tokens_per_second_max)
      .def_ro("busy_of", &Fleet::busy)
      .def_ro("moved", &Fleet::moved)
      .def_ro("sent_ticks", &Fleet::sent_ticks)
      .def_ro("paid", &Fleet::paid)
      .def_ro("end", &Fleet::end)
      .def_ro("joules", &Fleet::joules);
  module.def(
      "fleet_load",
      [](const Load& load, const Settings& settings, const StepCosts& costs,
         const Simulation& simulation, const FleetSettings& fleet) {
        return serving::serve_fleet(serving::draw_requests(load), settings, costs, simulation,
                                    fleet);
      },
      nb::arg("load"), nb::arg("settings"), nb::arg("costs"), nb::arg("simulation"),
      nb::arg("fleet"), nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "fleet_trace",
      [](const std::vector<TraceRow>& rows, std::int32_t content_tokens, const Settings& settings,
         const StepCosts& costs, const Simulation& simulation, const FleetSettings& fleet) {
        std::vector<Request> requests = requests_of(rows, content_tokens);
        const nb::gil_scoped_release release;
        return serving::serve_fleet(std::move(requests), settings, costs, simulation, fleet);
      },
      nb::arg("rows"), nb::arg("content_tokens"), nb::arg("settings"), nb::arg("costs"),
      nb::arg("simulation"), nb::arg("fleet"));
}

nb::list item_list(const std::vector<serving::Item>& items) {
  nb::list result;
  for (const serving::Item& item : items)
    result.append(nb::make_tuple(item.request, item.start, item.count, item.samples));
  return result;
}

nb::list swap_list(const std::vector<serving::Swap>& swaps) {
  nb::list result;
  for (const serving::Swap& swap : swaps) result.append(nb::make_tuple(swap.request, swap.blocks));
  return result;
}

std::vector<std::int32_t> block_table(const Scheduler& scheduler, std::uint32_t request,
                                      std::size_t group) {
  const auto blocks = scheduler.table(request, group);
  return {blocks.begin(), blocks.end()};
}

void bind_scheduler(nb::module_& module) {
  nb::class_<Scheduler>(module, "ServingScheduler",
                        "Which requests the next step computes, and in which blocks.")
      .def(nb::init<const Settings&>(), nb::arg("settings"))
      .def(
          "add",
          [](Scheduler& self, std::int64_t arrival, std::vector<std::int32_t> tokens,
             std::int32_t output, bool is_watched, std::uint64_t prefix, std::int32_t generated,
             std::int64_t first_token, std::int64_t last_token, std::int32_t computed) {
            const auto prompt = static_cast<std::int32_t>(tokens.size()) - generated;
            return self.add({.arrival = arrival,
                             .prompt = prompt,
                             .output = output,
                             .prefix = prefix,
                             .tokens = std::move(tokens),
                             .generated = generated,
                             .computed = computed,
                             .first_token = first_token,
                             .last_token = last_token},
                            is_watched);
          },
          nb::arg("arrival"), nb::arg("tokens"), nb::arg("output"), nb::arg("is_watched") = false,
          nb::arg("prefix") = 0, nb::arg("generated") = 0, nb::arg("first_token") = -1,
          nb::arg("last_token") = -1, nb::arg("computed") = 0)
      .def("unfinished", &unfinished_list,
           "(number, tokens generated, ticks of the first and the last of them) of requests that "
           "are not over.")
      .def("cancel", &Scheduler::cancel, nb::arg("request"), nb::arg("now"))
      .def("lose_cache", &Scheduler::lose_cache, nb::arg("now"))
      .def("abandon", &Scheduler::abandon, nb::arg("now"))
      .def(
          "schedule",
          [](Scheduler& self, std::int64_t now) {
            const serving::Step& step = self.schedule(now);
            return nb::make_tuple(item_list(step.prefills), item_list(step.decodes),
                                  swap_list(step.swaps_out), swap_list(step.swaps_in));
          },
          nb::arg("now"))
      .def(
          "complete",
          [](Scheduler& self, std::int64_t end, double joules,
             const std::vector<std::pair<std::vector<std::int32_t>, bool>>& outcomes) {
            std::vector<serving::Outcome> made;
            for (const auto& [ids, is_stopped] : outcomes)
              made.push_back({.tokens = static_cast<std::int32_t>(ids.size()),
                              .is_stopped = is_stopped,
                              .ids = ids});
            self.complete(end, joules, made);
          },
          nb::arg("end"), nb::arg("joules"), nb::arg("outcomes"))
      .def("table", &block_table, nb::arg("request"), nb::arg("group") = 0)
      .def("record", [](const Scheduler& self,
                        std::uint32_t request) { return record_dict(self.records().at(request)); })
      .def("events", [](const Scheduler& self) { return event_list(self.events()); })
      .def("counters", [](const Scheduler& self) { return counter_dict(self.counters()); })
      .def_prop_ro("ended",
                   [](const Scheduler& self) {
                     const auto ended = self.ended();
                     return std::vector<std::uint32_t>(ended.begin(), ended.end());
                   })
      .def_prop_ro("is_idle", &Scheduler::is_idle)
      .def_prop_ro("running", &Scheduler::running)
      .def_prop_ro("waiting", &Scheduler::waiting)
      .def_prop_ro("used_blocks", &Scheduler::used_blocks);
}

}  // namespace

void bind_serving(nb::module_& module) {
  bind_settings(module);
  bind_costs(module);
  bind_simulated(module);
  bind_fleet(module);
  bind_fleet_runs(module);
  bind_scheduler(module);
  bind_replica(module);
  module.def(
      "serving_bounds",
      [] {
        std::map<std::string, std::pair<double, double>> result;
        const auto add = [&](std::span<const serving::Bound> bounds) {
          for (const serving::Bound& one : bounds)
            result.emplace(one.name, std::pair(one.low, one.high));
        };
        add(serving::load_bounds);
        add(serving::setting_bounds);
        add(serving::fleet_bounds);
        return result;
      },
      "The least and the most that each number of ServingLoad, ServingSettings and FleetSettings "
      "may be, by its name.");
  module.attr("TICKS_PER_SECOND") = base::ticks_per_nanosecond * 1'000'000'000;
}

}  // namespace trainyard::binding

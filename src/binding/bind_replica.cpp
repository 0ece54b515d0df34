// A replica of the planned engine: what its steps take, by formulas or by layers that Python
// simulates.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "base/error.h"
#include "binding/bindings.h"
#include "planner/json_parts.h"
#include "serving/groups.h"
#include "serving/replica.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

planner::ExpertLayout layout_from(const std::string& word) {
  using planner::ExpertLayout;
  for (const auto layout : {ExpertLayout::even, ExpertLayout::divided, ExpertLayout::whole})
    if (planner::name(layout) == word) return layout;
  throw base::InputError(
      {"serve.experts", "experts lie even, divided or whole", "experts", word, "name one of them"});
}

// A trainyard.layers document.
std::string replica_layers(const serving::ReplicaPlan& plan, const std::string& phase, double row,
                           double column, std::int64_t cores) {
  const auto which = phase == "prefill" ? serving::CostPhase::prefill : serving::CostPhase::decode;
  return planner::json_of(serving::replica_layers(plan, which, row, column, cores)).dump();
}

// What describe_replica() finds.
nb::dict described(const serving::ReplicaPlan& plan, double prompt, double context) {
  const serving::Replica found = serving::describe_replica(plan, prompt, context);
  nb::dict result;
  result["chips"] = found.chips;
  result["windows"] = found.windows;
  result["cache_tokens"] = found.cache_tokens;
  result["requests_max"] = found.requests_max;
  result["cache_bytes_per_token"] = found.cache_bytes_per_token;
  result["group_bytes_per_token"] = found.group_bytes_per_token;
  result["state_bytes"] = found.state_bytes;
  result["idle_watts"] = found.idle_watts;
  result["provisioned_watts"] = found.provisioned_watts;
  result["usd_per_hour"] = found.usd_per_hour;
  result["unknown"] = found.unknown;
  result["system_chips"] = found.system_chips;
  result["experts"] = found.experts;
  result["weight_bytes"] = found.weight_bytes;
  result["send_bytes_per_second"] = found.send_bytes_per_second;
  result["send_latency"] = found.send_latency;
  result["send_joules_per_byte"] = found.send_joules_per_byte;
  return result;
}

}  // namespace

void bind_groups(nb::module_& module) {
  module.def(
      "group_layers",
      [](const std::vector<std::pair<std::int32_t, double>>& rows) {
        std::vector<serving::CachedLayers> layers;
        for (const auto& [window, elements] : rows) layers.push_back({window, elements});
        const serving::Groups groups = serving::group_layers(layers);
        return std::pair(groups.windows, groups.elements);
      },
      nb::arg("layers"),
      "(window of each group, elements of a token in one) of (window, elements) of layers.");
  module.def("kept_tokens", &serving::kept_tokens, nb::arg("windows"), nb::arg("tokens"),
             "Of so many tokens, those that each group of layers keeps, all groups together.");
  module.def("first_block_seen", &serving::first_block_seen, nb::arg("window"), nb::arg("computed"),
             nb::arg("block_tokens"),
             "The first block that layers of a window read behind `computed` tokens.");
}

void bind_replica(nb::module_& module) {
  bind_groups(module);
  using serving::ReplicaPlan;
  nb::class_<ReplicaPlan>(module, "ReplicaPlan", "A replica of a model on chips.")
      .def(nb::init<>())
      .def_rw("model", &ReplicaPlan::model)
      .def_rw("machine", &ReplicaPlan::machine)
      .def_prop_rw(
          "tp", [](const ReplicaPlan& p) { return p.plan.tp; },
          [](ReplicaPlan& p, std::int64_t tp) { p.plan.tp = tp; })
      .def_prop_rw(
          "dp", [](const ReplicaPlan& p) { return p.plan.dp; },
          [](ReplicaPlan& p, std::int64_t dp) { p.plan.dp = dp; })
      .def_prop_rw(
          "experts",
          [](const ReplicaPlan& p) { return std::string(planner::name(p.plan.experts)); },
          [](ReplicaPlan& p, const std::string& layout) { p.plan.experts = layout_from(layout); })
      .def_prop_rw(
          "price", [](const ReplicaPlan& p) { return p.purchase.basis; },
          [](ReplicaPlan& p, std::string basis) { p.purchase.basis = std::move(basis); })
      .def_prop_rw(
          "region", [](const ReplicaPlan& p) { return p.purchase.region; },
          [](ReplicaPlan& p, std::string region) { p.purchase.region = std::move(region); })
      .def_rw("weights", &ReplicaPlan::weights)
      .def_rw("cache", &ReplicaPlan::cache)
      .def_rw("settings", &ReplicaPlan::settings)
      .def_rw("requests_max", &ReplicaPlan::requests_max)
      .def_rw("draft_tokens", &ReplicaPlan::draft_tokens)
      .def_rw("draft_layers", &ReplicaPlan::draft_layers);
  module.def("describe_replica", &described, nb::arg("plan"), nb::arg("prompt"),
             nb::arg("context"));
  // `simulated(phase, row, column)`: (computing, collective) in seconds, or None.
  using Times =
      std::function<std::optional<std::pair<double, double>>(std::string, double, double)>;
  module.def("replica_layers", &replica_layers, nb::arg("plan"), nb::arg("phase"), nb::arg("row"),
             nb::arg("column"), nb::arg("cores"));
  module.def(
      "replica_costs",
      [](const ReplicaPlan& plan, const std::array<std::vector<double>, 4>& axes,
         const std::optional<Times>& simulated) {
        serving::LayerTimes times;
        if (simulated) {
          times = [&](serving::CostPhase phase, double row, double column) {
            const char* name = phase == serving::CostPhase::prefill ? "prefill" : "decode";
            const auto found = (*simulated)(name, row, column);
            std::optional<planner::LayerSeconds> seconds;
            if (found) seconds = planner::LayerSeconds{found->first, found->second};
            return seconds;
          };
        }
        return serving::replica_costs(plan, {axes[0], axes[1], axes[2], axes[3]}, times);
      },
      nb::arg("plan"), nb::arg("axes"), nb::arg("simulated") = nb::none());
}

}  // namespace trainyard::binding

// The analytic model: options in, JSON documents out; trainyard.planner makes results of them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <vector>

#include "binding/bindings.h"
#include "economics/manufacturing.h"
#include "machine/accelerator.h"
#include "planner/documents.h"
#include "planner/json_parts.h"
#include "planner/plan_documents.h"
#include "planner/read_model.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

template <typename T>
constexpr const char* option_kind = "number";
template <>
constexpr const char* option_kind<bool> = "truth";
template <>
constexpr const char* option_kind<std::int64_t> = "whole";
template <>
constexpr const char* option_kind<std::string> = "text";
template <>
constexpr const char* option_kind<std::vector<std::string>> = "texts";
template <typename T>
constexpr const char* option_kind<std::optional<T>> = option_kind<T>;

// A class of options. Its `_kinds` says what each of them is: an absent value does not.
template <typename O>
class BoundOptions {
 public:
  BoundOptions(nb::module_& module, const char* name, const char* doc) : class_(module, name, doc) {
    class_.def(nb::init<>());
    class_.attr("_kinds") = kinds_;
  }
  template <typename T>
  BoundOptions& add(const char* name, T O::*field) {
    class_.def_rw(name, field);
    kinds_[name] = option_kind<T>;
    return *this;
  }

 private:
  nb::class_<O> class_;
  nb::dict kinds_;
};

void bind_planner_options(nb::module_& module) {
  using O = planner::Options;
  BoundOptions<O>(module, "PlannerOptions",
                  "Options of a question; 0 and empty mean that Trainyard chooses.")
      .add("input", &O::input)
      .add("output", &O::output)
      .add("prefills", &O::prefills)
      .add("batch", &O::batch)
      .add("weights", &O::weights)
      .add("cache", &O::cache)
      .add("interactivity", &O::interactivity)
      .add("price", &O::price)
      .add("region", &O::region)
      .add("chips", &O::chips)
      .add("tp", &O::tp)
      .add("pp", &O::pp)
      .add("dp", &O::dp)
      .add("tokens", &O::tokens)
      .add("sequence", &O::sequence)
      .add("global_batch", &O::global_batch)
      .add("microbatch", &O::microbatch)
      .add("interleave", &O::interleave)
      .add("training_format", &O::training_format)
      .add("recompute", &O::recompute)
      .add("pads_heads", &O::pads_heads)
      .add("zero", &O::zero)
      .add("sum_fp32", &O::sum_fp32)
      .add("settings", &O::settings)
      .add("software", &O::software)
      .add("plans", &O::plans)
      .add("intervals", &O::intervals);
}

void bind_plan_options(nb::module_& module) {
  using O = planner::PlanOptions;
  BoundOptions<O>(module, "PlanOptions",
                  "What of a plan of training is fixed; else it is searched.")
      .add("tp", &O::tp)
      .add("cp", &O::cp)
      .add("ep", &O::ep)
      .add("pp", &O::pp)
      .add("dp", &O::dp)
      .add("zero", &O::zero)
      .add("copies", &O::copies)
      .add("microbatch", &O::microbatch)
      .add("interleave", &O::interleave)
      .add("recompute", &O::recompute)
      .add("schedule", &O::schedule)
      .add("placement", &O::placement)
      .add("sequence_parallel", &O::sequence_parallel)
      .add("idle_share", &O::idle_share)
      .add("spares", &O::spares)
      .add("power_cap", &O::power_cap)
      .add("gradient_bytes", &O::gradient_bytes)
      .add("state_bytes", &O::state_bytes)
      .add("kept", &O::kept);
}

void bind_service_options(nb::module_& module) {
  using O = planner::ServiceOptions;
  BoundOptions<O>(module, "ServiceOptions", "The load of a service and its level.")
      .add("rate", &O::rate)
      .add("ttft", &O::ttft)
      .add("tpot", &O::tpot)
      .add("share", &O::share)
      .add("chunk", &O::chunk)
      .add("requests_max", &O::requests_max)
      .add("drafts", &O::drafts)
      .add("acceptance", &O::acceptance);
}

// Asks Python, which simulates layers: time(pass) is (computing, collective) in seconds, or a text
// that says why not. A pass is a trainyard.layers document.
class AskedTimer final : public planner::LayerTimer {
 public:
  AskedTimer(nb::callable time, std::int64_t cores) : time_(std::move(time)), cores_(cores) {}
  [[nodiscard]] std::int64_t cores() const override { return cores_; }
  [[nodiscard]] planner::Timed time(const planner::LayerPass& pass) const override {
    const nb::object found = time_(planner::json_of(pass).dump());
    if (nb::isinstance<nb::str>(found)) return {.why = nb::cast<std::string>(found)};
    const auto [computing, collective] = nb::cast<std::pair<double, double>>(found);
    return {.seconds = planner::LayerSeconds{computing, collective}};
  }

 private:
  nb::callable time_;
  std::int64_t cores_;
};

using Document = std::string (*)(const std::string&, const std::string&, const planner::Options&,
                                 const planner::LayerTimer*);

// `document` with `time` of Python, or without.
auto timed(Document document) {
  return [document](const std::string& model, const std::string& machine,
                    const planner::Options& options, const std::optional<nb::callable>& time,
                    std::int64_t cores) {
    if (!time) return document(model, machine, options, nullptr);
    const AskedTimer timer(*time, cores);
    return document(model, machine, options, &timer);
  };
}

// low, value, high of what a chip costs to make, by part and in all, and of what it is sold for.
nb::dict manufacturing(const std::string& chip) {
  const economics::Manufacturing cost =
      economics::manufacturing_cost(economics::load_prices(), chip);
  nb::dict result;
  const auto add = [&](const char* name, const economics::Estimate<economics::Dollars>& part) {
    result[name] = nb::make_tuple(part.low.value, part.value.value, part.high.value);
  };
  add("dies", cost.dies);
  add("memory", cost.memory);
  add("packaging", cost.packaging);
  add("test", cost.test);
  add("total", cost.total());
  add("sold", cost.sold);
  return result;
}

// The price list as dictionaries, in order of the keys.
nb::list prices() {
  nb::list list;
  for (const auto& [key, price] : economics::load_prices().entries) {
    nb::dict entry;
    entry["key"] = key;
    entry["low"] = price.amount.low;
    entry["value"] = price.amount.value;
    entry["high"] = price.amount.high;
    entry["unit"] = price.figure.unit;
    entry["kind"] = std::string(machine::name(price.figure.kind));
    entry["date"] = price.figure.date;
    entry["source"] = price.figure.source;
    list.append(entry);
  }
  return list;
}

}  // namespace

void bind_planner(nb::module_& module) {
  bind_planner_options(module);
  bind_plan_options(module);
  bind_service_options(module);
  module.def("recommend_document", &planner::recommend_document, nb::arg("model"),
             nb::arg("machine"), nb::arg("options"), nb::arg("service"));
  module.def("plan_training_document", &planner::plan_training_document, nb::arg("model"),
             nb::arg("machine"), nb::arg("options"), nb::arg("plan"));
  module.def("accelerators", &machine::available_accelerators, "Machines that can be compared.");
  module.def("models", &planner::available_models, "Models that are known by name.");
  module.def("model_document", &planner::model_document, nb::arg("model"));
  module.def("accelerator_document", &planner::accelerator_document, nb::arg("machine"));
  module.def("fit_document", &planner::fit_document, nb::arg("model"), nb::arg("machine"),
             nb::arg("options"));
  module.def("serving_document", timed(&planner::serving_document), nb::arg("model"),
             nb::arg("machine"), nb::arg("options"), nb::arg("time") = nb::none(),
             nb::arg("cores") = 1);
  module.def("training_document", timed(&planner::training_document), nb::arg("model"),
             nb::arg("machine"), nb::arg("options"), nb::arg("time") = nb::none(),
             nb::arg("cores") = 1);
  module.def("layers_document", &planner::layers_document, nb::arg("model"), nb::arg("machine"),
             nb::arg("phase"), nb::arg("options"), nb::arg("cores"));
  module.def("collective_document", &planner::collective_document, nb::arg("machine"),
             nb::arg("operation"), nb::arg("bytes"), nb::arg("chips"));
  module.def("ratio_document", &planner::ratio_document, nb::arg("model"), nb::arg("machine"),
             nb::arg("other"), nb::arg("phase"), nb::arg("options"));
  module.def("manufacturing", &manufacturing, nb::arg("chip"));
  module.def("prices", &prices, "Every price with its range, date and source.");
}

}  // namespace trainyard::binding

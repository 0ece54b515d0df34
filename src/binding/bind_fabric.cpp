// Systems of chips and their collectives: descriptions, prices, values.
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.h"
#include "binding/bindings.h"
#include "fabric/beside.h"
#include "fabric/cost_table.h"
#include "fabric/faults.h"
#include "fabric/link_loads.h"
#include "fabric/select.h"
#include "fabric/values.h"
#include "machine/topology.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

using fabric::Group;
using machine::System;

double microseconds(base::Ticks time) { return base::to_nanoseconds(time) / 1e3; }

fabric::CollectiveOp operation_from(const std::string& name) {
  constexpr auto last = static_cast<int>(fabric::CollectiveOp::barrier);
  std::string known;
  for (int i = 0; i <= last; ++i) {
    const auto operation = static_cast<fabric::CollectiveOp>(i);
    if (fabric::name(operation) == name) return operation;
    known += (i == 0 ? "" : ", ") + std::string(fabric::name(operation));
  }
  throw base::InputError(
      {"fabric.operation", "the operation is known", "", name, "one of " + known});
}

nb::list figures(const std::vector<machine::Figure>& list) {
  nb::list result;
  for (const machine::Figure& figure : list) {
    nb::dict entry;
    entry["key"] = figure.key;
    entry["value"] = figure.value;
    entry["unit"] = figure.unit;
    entry["kind"] = std::string(machine::name(figure.kind));
    entry["low"] = figure.range ? figure.range->low : figure.value;
    entry["high"] = figure.range ? figure.range->high : figure.value;
    entry["source"] = figure.source;
    result.append(entry);
  }
  return result;
}

nb::list levels(const System& system) {
  nb::list result;
  for (std::size_t l = 0; l < system.levels.size(); ++l) {
    const machine::Level& level = system.levels[l];
    nb::dict entry;
    entry["name"] = level.name;
    entry["join"] = std::string(machine::name(level.join));
    entry["size"] = level.size;
    entry["chips"] = system.chips_below(l + 1);
    entry["links"] = level.links;
    entry["link_gbps"] = level.link.gigabytes_per_second();
    entry["gbps"] = system.bytes_per_second(level) / 1e9;
    entry["latency_ns"] = base::to_nanoseconds(level.latency);
    entry["oversubscription"] = level.oversubscription.value;
    result.append(entry);
  }
  return result;
}

nb::dict price_dict(const fabric::Price& price) {
  nb::dict result;
  result["operation"] = std::string(fabric::name(price.operation));
  result["bytes"] = price.bytes;
  result["ranks"] = price.ranks;
  result["algorithm"] = price.algorithm;
  result["time_us"] = microseconds(price.time);
  result["bound_us"] = microseconds(price.bound);
  result["events"] = price.events;
  result["transfers"] = price.transfers;
  result["classes"] = price.classes;
  result["stuck"] = price.stuck;
  result["link_joules"] = price.link_joules.value;
  result["link_joules_low"] = price.link_joules.low;
  result["link_joules_high"] = price.link_joules.high;
  result["memory_joules"] = price.memory_joules.value;
  result["memory_joules_low"] = price.memory_joules.low;
  result["memory_joules_high"] = price.memory_joules.high;
  nb::list candidates, loads;
  for (const fabric::Candidate& candidate : price.candidates) {
    nb::dict entry;
    entry["algorithm"] = candidate.algorithm;
    entry["time_us"] = microseconds(candidate.time);
    entry["was_run"] = candidate.was_run;
    entry["steps"] = candidate.steps;
    candidates.append(entry);
  }
  for (const fabric::Saturated& load : price.loads) {
    nb::dict entry;
    entry["name"] = load.name;
    entry["kind"] = load.kind;
    entry["share"] = load.share;
    entry["bytes"] = load.bytes;
    loads.append(entry);
  }
  result["candidates"] = candidates;
  result["loads"] = loads;
  return result;
}

// A system with its network for ranks of so many cores.
struct Fabric {
  Fabric(const System& system, std::int64_t cores_per_rank)
      : network(system, cores_per_rank), table(network) {}
  Fabric(const Fabric&) = delete;
  Fabric& operator=(const Fabric&) = delete;

  const fabric::Network network;
  fabric::CostTable table;  // refers to the network
};

fabric::Buffer buffer_of(const nb::bytes& bytes) {
  fabric::Buffer buffer(bytes.size());
  std::memcpy(buffer.data(), bytes.c_str(), bytes.size());
  return buffer;
}

nb::list execute(Fabric& fabric, const std::string& operation, const std::string& dtype,
                 const std::vector<nb::bytes>& inputs, const Group& group,
                 const std::string& algorithm, std::int32_t root) {
  const fabric::CollectiveOp which = operation_from(operation);
  const auto format = numerics::dtype_from_name(dtype);
  if (!format) {
    throw base::InputError({"fabric.dtype", "the element type is known", "", dtype,
                            "for instance float32 or bfloat16"});
  }
  std::vector<fabric::Buffer> buffers;
  for (const nb::bytes& input : inputs) buffers.push_back(buffer_of(input));
  // The price checks the group, and knows the algorithm where none is named.
  const double bytes = buffers.empty() ? 0 : static_cast<double>(buffers[0].size());
  const std::string chosen =
      fabric.table
          .price(which, bytes, std::span(&group, 1), {.folds_ranks = true, .algorithm = algorithm})
          .algorithm;
  nb::list results;
  for (const fabric::Schedule& schedule : fabric::schedules(fabric.network, which, group, root)) {
    if (schedule.algorithm != chosen) continue;
    for (const auto& result : fabric::execute(schedule, which, *format, buffers, root))
      results.append(nb::bytes(reinterpret_cast<const char*>(result.data()), result.size()));
  }
  return results;
}

fabric::Memory memory_of(bool sbuf) { return sbuf ? fabric::Memory::sbuf : fabric::Memory::hbm; }

void look_for_signals() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

nb::dict exchange(Fabric& fabric, const std::vector<std::vector<double>>& counts, double bytes,
                  const Group& group, bool folds, const std::vector<std::string>& faults,
                  bool sbuf) {
  const fabric::Schedule schedule = fabric::uneven_exchange(counts);
  if (counts.size() != group.size()) {
    throw base::InputError({"fabric.counts",
                            "counts are a row for each rank with its parts for all", "",
                            fmt::format("{} rows, {} ranks", counts.size(), group.size()),
                            "name as many ranks as the counts have rows"});
  }
  fabric::Options options{.folds_ranks = folds};
  options.memory = memory_of(sbuf);
  options.look = look_for_signals;
  for (const std::string& fault : faults) fabric::add_fault(fabric.network, fault, options);
  return price_dict(fabric::run(fabric.network, fabric::CollectiveOp::all_to_all, bytes,
                                std::span(&group, 1), std::span(&schedule, 1), options));
}

using JobArguments = std::tuple<std::string, double, Group, std::string>;

nb::list beside(Fabric& fabric, const std::vector<JobArguments>& jobs, bool sbuf) {
  std::vector<fabric::Job> list;
  for (const auto& [operation, bytes, group, algorithm] : jobs)
    list.push_back({operation_from(operation), bytes, group, algorithm});
  nb::list result;
  for (const fabric::JobTime& time :
       fabric::beside(fabric.network, list, memory_of(sbuf), look_for_signals)) {
    nb::dict entry;
    entry["algorithm"] = time.algorithm;
    entry["alone_us"] = microseconds(time.alone);
    entry["beside_us"] = microseconds(time.beside);
    entry["runs"] = time.runs;
    result.append(entry);
  }
  return result;
}

nb::dict price(Fabric& fabric, const std::string& operation, double bytes,
               const std::vector<Group>& groups, const std::string& algorithm, bool folds,
               const std::vector<std::string>& faults, std::int32_t root, double events_max,
               bool sbuf) {
  fabric::Options options{.folds_ranks = folds, .algorithm = algorithm};
  options.root = root;
  options.events_max = events_max;
  options.memory = memory_of(sbuf);
  options.look = look_for_signals;
  for (const std::string& fault : faults) fabric::add_fault(fabric.network, fault, options);
  // Under the interpreter's lock: the table is shared by those who ask.
  return price_dict(fabric.table.price(operation_from(operation), bytes, groups, options));
}

// By link, while the algorithm that price() takes runs.
nb::list link_loads(Fabric& fabric, const std::string& operation, double bytes,
                    const std::vector<Group>& groups, const std::string& algorithm, bool sbuf) {
  const fabric::CollectiveOp which = operation_from(operation);
  const fabric::Price found = fabric.table.price(
      which, bytes, groups,
      {.algorithm = algorithm, .memory = memory_of(sbuf), .look = look_for_signals});
  std::vector<fabric::Schedule> plans;
  for (const Group& group : groups) {
    for (fabric::Schedule& one : fabric::schedules(fabric.network, which, group)) {
      if (one.algorithm == found.algorithm) plans.push_back(std::move(one));
    }
  }
  nb::list result;
  if (plans.size() != groups.size()) return result;  // a group of one rank moves nothing
  for (const fabric::LinkLoad& load :
       fabric::link_loads(fabric.network, groups, plans, bytes, found.time, memory_of(sbuf))) {
    nb::dict entry;
    entry["name"] = load.name;
    entry["kind"] = load.kind;
    entry["share"] = load.share;
    result.append(entry);
  }
  return result;
}

void bind_systems(nb::module_& module) {
  nb::class_<System>(module, "System", "Chips and how they are joined; see machines/*.toml.")
      .def_ro("name", &System::name)
      .def_ro("title", &System::title)
      .def_ro("chip", &System::chip)
      .def_prop_ro("chips", &System::chips)
      .def_prop_ro("levels", &levels, "Innermost first: join, size, links, rates.")
      .def("with_overrides",
           [](System system, const std::vector<std::string>& settings) {
             for (const std::string& setting : settings)
               system = machine::apply_override(std::move(system), setting);
             return system;
           })
      .def("at_ends", &machine::at_ends, nb::arg("slow"),
           "With all figures that have a range at their fast or at their slow ends.")
      .def("provenance", [](const System& system) { return figures(system.figures); })
      .def("uncertain", [](const System& system) {
        std::vector<machine::Figure> list;
        for (const machine::Figure* figure : system.uncertain()) list.push_back(*figure);
        return figures(list);
      });
  module.def("load_system", &machine::load_system, nb::arg("name_or_path"),
             "The system called `name_or_path`: a path ending in .toml, or a known name.");
  module.def("systems", &machine::available_systems, "The names that load_system finds.");
}

}  // namespace

void bind_fabric(nb::module_& module) {
  bind_systems(module);
  nb::class_<Fabric>(module, "Fabric", "The links of a system, for ranks of some cores each.")
      .def(
          "__init__",
          [](Fabric* place, const System& system, std::int64_t cores_per_rank) {
            new (place) Fabric(system, cores_per_rank);
          },
          nb::arg("system"), nb::arg("cores_per_rank") = 1)
      .def_prop_ro("ranks", [](const Fabric& f) { return f.network.ranks(); })
      .def_prop_ro("ranks_per_chip", [](const Fabric& f) { return f.network.ranks_per_chip(); })
      .def(
          "route",
          [](const Fabric& f, std::int64_t source, std::int64_t target) {
            if (std::min(source, target) < 0 || std::max(source, target) >= f.network.ranks()) {
              throw base::InputError({"fabric.group", "a rank of the system", "",
                                      fmt::format("{} to {}", source, target),
                                      fmt::format("ranks 0 to {}", f.network.ranks() - 1)});
            }
            return f.network.route(source, target);
          },
          nb::arg("source"), nb::arg("target"), "The chips on the way of a message.")
      .def("price", &price, nb::arg("operation"), nb::arg("bytes"), nb::arg("groups"),
           nb::arg("algorithm") = "", nb::arg("folds") = true,
           nb::arg("faults") = std::vector<std::string>{}, nb::arg("root") = 0,
           nb::arg("events_max") = 1e18, nb::arg("sbuf") = false,
           "What a collective takes: the fastest algorithm, the others, the busiest links.")
      .def("exchange", &exchange, nb::arg("counts"), nb::arg("bytes"), nb::arg("group"),
           nb::arg("folds") = true, nb::arg("faults") = std::vector<std::string>{},
           nb::arg("sbuf") = false,
           "What an all-to-all takes whose parts are counts[source][target], in any unit; `bytes` "
           "is the largest sum of a row or a column.")
      .def("beside", &beside, nb::arg("jobs"), nb::arg("sbuf") = false,
           "Times of (operation, bytes, group, algorithm) alone and with the others beside it: "
           "these begin again until the first one has ended.")
      .def("link_loads", &link_loads, nb::arg("operation"), nb::arg("bytes"), nb::arg("groups"),
           nb::arg("algorithm") = "", nb::arg("sbuf") = false,
           "Each link and switch core: its name, kind and the share that it is busy for.")
      .def("execute", &execute, nb::arg("operation"), nb::arg("dtype"), nb::arg("inputs"),
           nb::arg("group"), nb::arg("algorithm") = "", nb::arg("root") = 0,
           "The bytes that each rank of `group` ends up with.");
  module.def("bus_factor", [](const std::string& operation, std::int64_t ranks) {
    return fabric::bus_factor(operation_from(operation), ranks);
  });
}

}  // namespace trainyard::binding

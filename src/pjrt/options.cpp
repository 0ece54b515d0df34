#include "pjrt/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "machine/runtime_rounding.h"
#include "machine/topology.h"
#include "pjrt/error.h"
#include "pjrt/host_functions.h"
#include "session/compiler_flags.h"
#include "transport/socket.h"

namespace trainyard::pjrt {

namespace {

// One setting: its create-option and the variables that stand in for it, first one first.
struct Setting {
  std::string_view option;
  std::array<const char*, 2> variables;
};
constexpr std::array settings{
    Setting{"machine", {"TRAINYARD_MACHINE", "NEURON_PLATFORM_TARGET_OVERRIDE"}},
    Setting{"set", {"TRAINYARD_SET", nullptr}},
    Setting{"stochastic_rounding", {machine::rounding_variable, nullptr}},
    Setting{"stochastic_rounding_seed", {machine::rounding_seed_variable, nullptr}},
    Setting{"mode", {"TRAINYARD_MODE", nullptr}},
    Setting{"chips", {"TRAINYARD_CHIPS", nullptr}},
    Setting{"logical_nc_config", {"NEURON_LOGICAL_NC_CONFIG", "NEURON_RT_VIRTUAL_CORE_SIZE"}},
    Setting{"visible_cores", {"NEURON_RT_VISIBLE_CORES", nullptr}},
    Setting{"num_cores", {"NEURON_RT_NUM_CORES", nullptr}},
    Setting{"strict", {"TRAINYARD_STRICT", nullptr}},
    Setting{"compiler_flags", {"NEURON_CC_FLAGS", nullptr}},
    Setting{"host", {nullptr, nullptr}},
    Setting{"host_functions", {nullptr, nullptr}},
    Setting{"node_id", {nullptr, nullptr}},
    Setting{"num_nodes", {nullptr, nullptr}},
    Setting{"processes_num_devices", {"NEURON_PJRT_PROCESSES_NUM_DEVICES", nullptr}},
    Setting{"coordinator_address", {nullptr, nullptr}},
    Setting{"host_address", {"TRAINYARD_HOST_ADDRESS", nullptr}},
};

struct Given {
  std::string value;
  std::string source;  // "the option `mode`", "TRAINYARD_MODE"
};
using GivenByOption = std::map<std::string, Given, std::less<>>;

[[noreturn]] void refuse(const Given& given, std::string_view expected) {
  throw Failure(ErrorCode::invalid_argument,
                fmt::format("{} is \"{}\"; expected {}", given.source, given.value, expected));
}

std::string text_of(const NamedValue& value) {
  switch (value.type) {
    case NamedValueType::string: return {value.string_value, value.value_size};
    case NamedValueType::int64: return fmt::format("{}", value.int64_value);
    case NamedValueType::boolean: return value.bool_value ? "true" : "false";
    case NamedValueType::float32: return fmt::format("{}", value.float_value);
    case NamedValueType::int64_list: break;
  }
  throw Failure(ErrorCode::invalid_argument,
                fmt::format("the option `{}` must not be a list",
                            std::string_view(value.name, value.name_size)));
}

GivenByOption collect(std::span<const NamedValue> create_options, const Environment& environment) {
  GivenByOption given;
  for (const NamedValue& value : create_options) {
    const std::string name(value.name, value.name_size);
    if (std::ranges::find(settings, name, &Setting::option) == settings.end()) {
      throw Failure(
          ErrorCode::invalid_argument,
          fmt::format("unknown create-option `{}`; known are machine, set, stochastic_rounding, "
                      "stochastic_rounding_seed, mode, chips, "
                      "logical_nc_config, visible_cores, num_cores, strict, compiler_flags",
                      name));
    }
    given[name] = {text_of(value), fmt::format("the option `{}`", name)};
  }
  for (const Setting& setting : settings) {
    for (const char* variable : setting.variables) {
      if (variable == nullptr || given.contains(setting.option)) continue;
      if (auto value = environment(variable); value && !value->empty())
        given[std::string(setting.option)] = {*std::move(value), variable};
    }
  }
  return given;
}

std::int64_t integer(const Given& given, std::string_view expected, std::int64_t least = 1) {
  std::int64_t value = 0;
  const char* const end = given.value.data() + given.value.size();
  const auto [rest, error] = std::from_chars(given.value.data(), end, value);
  if (error != std::errc() || rest != end || value < least) refuse(given, expected);
  return value;
}

// "4,4,8". Source: AWS Neuron SDK, NEURON_PJRT_PROCESSES_NUM_DEVICES.
std::vector<std::int64_t> integers(const Given& given, std::string_view expected) {
  std::vector<std::int64_t> all;
  std::string_view rest = given.value;
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    all.push_back(integer({std::string(rest.substr(0, comma)), given.source}, expected));
    if (comma == rest.size()) return all;
    rest.remove_prefix(comma + 1);
  }
}

// How many devices "0-3" or "0,2" names, each once. Source: AWS Neuron SDK, Neuron runtime
// configuration, NEURON_RT_VISIBLE_CORES.
std::int64_t count_visible(const Given& given, std::int64_t there_are) {
  const std::string expected = fmt::format(
      "logical cores from 0 to {}, each once, as in \"0\", \"0-3\" or \"0,2\"", there_are - 1);
  std::vector<bool> seen(static_cast<std::size_t>(there_are), false);
  const char* at = given.value.data();
  const char* const end = at + given.value.size();
  const auto number = [&] {
    std::int64_t value = -1;
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value < 0 || value >= there_are) refuse(given, expected);
    at = rest;
    return value;
  };
  while (true) {
    const std::int64_t first = number();
    const bool is_range = at != end && *at == '-';
    if (is_range) ++at;
    const std::int64_t last = is_range ? number() : first;
    if (last < first) refuse(given, expected);
    for (std::int64_t core = first; core <= last; ++core) {
      if (seen[static_cast<std::size_t>(core)]) refuse(given, expected);
      seen[static_cast<std::size_t>(core)] = true;
    }
    if (at == end) return std::ranges::count(seen, true);
    if (*at++ != ',') refuse(given, expected);
  }
}

void check_chips(const Options& options, const Given& given) {
  try {
    machine::check_chips(options.machine, options.chips);
  } catch (const base::InputError& error) {
    refuse(given, fmt::format("a part of one server, or whole servers; {}",
                              error.violations().front().fix));
  }
}

bool flag(const Given& given) {
  if (given.value == "1" || given.value == "true") return true;
  if (given.value == "0" || given.value == "false") return false;
  refuse(given, "1, true, 0 or false");
}

session::Mode mode_of(const Given& given) {
  if (const auto mode = session::mode_from_name(given.value)) return *mode;
  refuse(given,
         "\"reference\" (values by the evaluator on the host) or \"machine\" (the compiled "
         "program on the simulated machine)");
}

template <typename Target>
Target* at_address(const Given& given) {
  std::uintptr_t address = 0;
  const char* const end = given.value.data() + given.value.size();
  const auto [rest, error] = std::from_chars(given.value.data(), end, address);
  if (error != std::errc() || rest != end || address == 0) refuse(given, "an address");
  return reinterpret_cast<Target*>(address);  // NOLINT(performance-no-int-to-ptr)
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

machine::Machine machine_of(const GivenByOption& given) {
  const auto name = given.find("machine");
  machine::Machine machine = machine::load(name != given.end() ? name->second.value : "trn3");
  const auto text = [&](std::string_view option) -> std::optional<std::string> {
    const auto found = given.find(option);
    return found == given.end() ? std::nullopt : std::optional(found->second.value);
  };
  std::vector<std::string> overrides = split(text("set").value_or(""));
  for (std::string& rounding :
       machine::rounding_overrides(text("stochastic_rounding"), text("stochastic_rounding_seed")))
    overrides.push_back(std::move(rounding));
  return machine::apply_overrides(std::move(machine), overrides);
}

}  // namespace

std::int64_t Options::hbm_bytes() const {
  const machine::Hbm& hbm = machine.chip.hbm;
  return hbm.stacks * hbm.stack_size.value / devices_per_chip();
}

std::string Options::device_kind() const {
  switch (machine.core.generation) {
    case machine::Generation::gen2: return "NC_v2";
    case machine::Generation::gen3: return "NC_v3";
    case machine::Generation::gen4: return "NC_v4";
  }
  return "NC";
}

namespace {

// Source: AWS Neuron SDK, NCC_EARG001.
void check_logical_cores(const Options& options) {
  if (options.cores_per_device == 1 || options.machine.core.features.core_pairs) return;
  throw base::InputError({"NCC_EARG001", "the machine has logical NeuronCores of that size",
                          options.machine.name,
                          fmt::format("logical_nc_config = {}", options.cores_per_device),
                          "use 1; trn2 and trn3 join two cores"});
}

}  // namespace

namespace {

using Find = std::function<const Given*(std::string_view option)>;

void read_processes(Options& options, const Find& find) {
  constexpr std::int64_t processes_max = 4096;
  if (const Given* count = find("num_nodes"))
    options.process_count = static_cast<int>(
        std::min(integer(*count, "a number of processes from 1 on"), processes_max));
  if (const Given* index = find("node_id"))
    options.process_index = static_cast<int>(
        std::min(integer(*index, "the number of this process, from 0 on", 0), processes_max));
  if (options.process_index >= options.process_count)
    refuse(*find("node_id"), fmt::format("a number below {}", options.process_count));
  if (const Given* counts = find("processes_num_devices"))
    options.devices_of_processes =
        integers(*counts, "the number of devices of each process, as in \"4,4\"");
  if (const Given* address = find("coordinator_address"))
    options.host_address = transport::host_towards(transport::Address::read(address->value));
  if (const Given* address = find("host_address")) options.host_address = address->value;
}

}  // namespace

std::optional<std::string> process_environment(const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

Options read_options(std::span<const NamedValue> create_options, const Environment& environment) {
  const GivenByOption given = collect(create_options, environment);
  const auto find = [&](std::string_view option) -> const Given* {
    const auto found = given.find(option);
    return found == given.end() ? nullptr : &found->second;
  };
  Options options;
  session::Host*& watcher = options.outside.host;
  if (const Given* const host = find("host")) watcher = at_address<session::Host>(*host);
  if (const Given* const function = find("host_functions"))
    options.outside.functions = host_functions(at_address<HostFunction>(*function));
  options.machine = watcher != nullptr ? watcher->machine() : machine_of(given);
  options.cores_per_device = options.machine.chip.cores_per_logical;
  if (const Given* lnc = find("logical_nc_config")) {
    const std::string expected = fmt::format("a divisor of the chip's {} cores (1 or 2 on silicon)",
                                             options.machine.chip.cores);
    options.cores_per_device = integer(*lnc, expected);
    if (options.machine.chip.cores % options.cores_per_device != 0) refuse(*lnc, expected);
  }
  if (const Given* chips = find("chips")) {
    const std::string expected = fmt::format("a number of chips from 1 to {}", chips_max);
    options.chips = integer(*chips, expected);
    if (options.chips > chips_max) refuse(*chips, expected);
    check_chips(options, *chips);
  }
  const std::int64_t there_are = options.device_count();
  if (const Given* visible = find("visible_cores")) {
    options.devices_used = count_visible(*visible, there_are);
  } else if (const Given* count = find("num_cores")) {
    const std::string expected = fmt::format("a number of logical cores from 1 to {}", there_are);
    options.devices_used = integer(*count, expected);
    if (options.device_count() > there_are) refuse(*count, expected);
  }
  if (const Given* mode = find("mode")) {
    options.mode = mode_of(*mode);
  } else if (watcher == nullptr) {
    fmt::print(stderr,
               "trainyard: values are those of the simulated machine; "
               "TRAINYARD_MODE=reference gives the reference evaluator's\n");
  }
  read_processes(options, find);
  if (const Given* strict = find("strict")) options.strict = flag(*strict);
  if (const Given* flags = find("compiler_flags")) {
    const session::CompilerFlags read = session::read_compiler_flags(flags->value);
    options.precision = read.precision;
    options.permissions = read.permissions;
    if (const std::string words = session::unknown_in_words(read, options.strict); !words.empty())
      fmt::print(stderr, "trainyard: {}: {}\n", flags->source, words);
  }
  if (options.strict) check_logical_cores(options);
  if (watcher != nullptr) options.mode = session::Mode::machine;
  if (options.mode == session::Mode::reference &&
      options.machine.core.policy.cast_rounding == machine::Rounding::stochastic)
    fmt::print(stderr, "trainyard: rounding is stochastic in TRAINYARD_MODE=machine only\n");
  return options;
}

}  // namespace trainyard::pjrt

#include "pjrt/compiled.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/no_room.h"
#include "graph/donation.h"
#include "graph/partition.h"
#include "graph/replicas.h"
#include "graph/text.h"
#include "graph/verify.h"
#include "pjrt/element_types.h"
#include "pjrt/error.h"
#include "pjrt/hlo_module.h"
#include "pjrt/largest.h"
#include "pjrt/memory.h"
#include "plan/collectives.h"
#include "session/refusals.h"

namespace trainyard::pjrt {

namespace {

constexpr base::ByteFormat executable_format{
    .label = "pjrt.serialized_executable",
    .rule = "a serialised executable begins with its mark and holds options, program and code",
    .fix = "clear the compilation cache; executables of other versions are compiled again",
};
constexpr std::string_view mark = "trainyard-executable-2";

std::int64_t sum_bytes(const std::vector<graph::Type>& types) {
  return std::accumulate(
      types.begin(), types.end(), std::int64_t{0},
      [](std::int64_t sum, const graph::Type& type) { return sum + type.bytes(); });
}

std::vector<graph::Type> types_of(const graph::Function& function,
                                  std::span<const graph::ValueId> values) {
  std::vector<graph::Type> types;
  for (const graph::ValueId value : values) types.push_back(function.type(value));
  return types;
}

void list_results(Compiled& compiled) {
  for (const graph::Type& type : compiled.results) {
    compiled.result_types.push_back(
        type.kind == graph::Type::Kind::token ? BufferType::token : buffer_type(type.element));
    compiled.result_dims.insert(compiled.result_dims.end(), type.shape.begin(), type.shape.end());
    compiled.result_ranks.push_back(type.shape.size());
  }
  const std::string_view kind = name(MemoryKind::device);
  compiled.result_memory_kinds.assign(compiled.results.size(), kind.data());
  compiled.result_memory_kind_sizes.assign(compiled.results.size(), kind.size());
  compiled.argument_memory_kinds.assign(compiled.arguments.size(), kind.data());
  compiled.argument_memory_kind_sizes.assign(compiled.arguments.size(), kind.size());
}

// What one of several devices does; says on stderr what no rule divides.
graph::Partitioned divided(const graph::Module& module) {
  graph::Partitioned result = graph::partition(module);
  for (const std::string& each : result.computed_whole)
    fmt::print(stderr, "trainyard: {}: not divided, computed whole on every device: {}\n",
               module.name, each);
  return result;
}

bool runs_apart(const graph::Module& module) {
  return std::ranges::none_of(module.entry().body.ops,
                              [&](const graph::Op& op) { return plan::meets(module, op); });
}

// Whether XLA cannot read the program back: of one for a single device, readers leave out Shardy's
// operations, which XLA does not know behind its own partitioner.
bool names_shardings(std::string_view artifact) {
  return std::ranges::any_of(
      std::array{"sharding_constraint", "manual_computation", "reshard"},
      [&](std::string_view name) { return artifact.find(name) != std::string_view::npos; });
}
graph::Partitioned on_one_device(const graph::Module& module) {
  const graph::Function& entry = module.entry();
  graph::Partitioned whole;
  whole.module = module;
  whole.arguments.resize(entry.body.arguments.size());
  whole.results.resize(entry.results().size());
  return whole;
}

// By replica or partition.
std::vector<std::int64_t> device_ids(const CompileOptions& options) {
  std::vector<std::int64_t> ids = options.device_ids;
  for (std::int64_t i = std::ssize(ids); i < options.replicas * options.partitions; ++i)
    ids.push_back(i);
  return ids;
}

session::Mode mode_of(const Options& options, const CompileOptions& compile_options) {
  const auto asked = compile_options.overrides.find("mode");
  if (asked == compile_options.overrides.end()) return options.mode;
  if (const auto mode = session::mode_from_name(asked->second)) return *mode;
  throw Failure(ErrorCode::invalid_argument,
                fmt::format("the compiler option `mode` is \"{}\"; expected \"reference\" or "
                            "\"machine\"",
                            asked->second));
}

std::string fingerprint_of(const Compiled& compiled, const Options& options, session::Mode mode) {
  const std::string rest = fmt::format(
      "{};{};{};{};{};{}", TRAINYARD_VERSION, options.machine.hash(), options.cores_per_device,
      options.strict, session::name(mode), graph::key(options.precision));
  std::uint64_t hash = base::hash_bytes(std::as_bytes(std::span(compiled.artifact)));
  hash = base::hash_bytes(std::as_bytes(std::span(compiled.option_bytes)), hash);
  return fmt::format("{:016x}", base::hash_bytes(std::as_bytes(std::span(rest)), hash));
}

}  // namespace

namespace {

void tell_divided(const Compiled& compiled, graph::Partitioned& partitioned,
                  const Options& options) {
  if (options.outside.host == nullptr) return;
  options.outside.host->divided({.shell = {.name = partitioned.module.name,
                                           .attributes = partitioned.module.attributes,
                                           .locations = partitioned.module.locations},
                                 .products = std::move(partitioned.products),
                                 .machine = options.machine,
                                 .precision = precision_of(compiled.options, options.precision),
                                 .cores = static_cast<int>(options.cores_per_device),
                                 .devices = device_ids(compiled.options)});
}

// What a program takes and gives at once must lie in a device's share of HBM.
void check_size(const Compiled& compiled, const Options& options) {
  const std::int64_t needed =
      compiled.argument_bytes() + compiled.result_bytes() - compiled.alias_bytes();
  if (needed <= options.hbm_bytes()) return;
  throw Failure(ErrorCode::resource_exhausted,
                fmt::format("{}{} bytes are asked for by the arguments and results of {}, a "
                            "device has {}{}",
                            options.strict ? "NCC_EVRF009: " : "", needed, compiled.name,
                            options.hbm_bytes(), compiled.largest));
}

void check_strictly(const graph::Module& module, const Options& options) {
  std::vector<base::Violation> refusals =
      session::documented_refusals(module, options.machine.core.generation, options.permissions);
  if (!refusals.empty()) throw base::InputError(std::move(refusals));
}

// What AWS's compiler finds out when it has generated code.
void check_code_strictly(const Compiled& compiled, const Options& options) {
  if (auto refusal = session::refused_length(
          compiled.name, compiled.program->unrolled_instructions(), options.permissions))
    throw base::InputError(std::move(*refusal));
  const std::int64_t outside =
      compiled.argument_bytes() + compiled.result_bytes() - compiled.alias_bytes();
  const std::int64_t between = compiled.program->temporary_bytes();
  if (outside + between <= options.hbm_bytes()) return;
  throw Failure(
      ErrorCode::resource_exhausted,
      fmt::format("NCC_EOOM001: {} needs {} bytes for arguments and results, and {} "
                  "between its programs; a device has {}{}",
                  compiled.name, outside, between, options.hbm_bytes(), compiled.largest));
}

}  // namespace

std::int64_t Compiled::argument_bytes() const { return sum_bytes(arguments); }
std::int64_t Compiled::result_bytes() const { return sum_bytes(results); }
std::int64_t Compiled::alias_bytes() const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < donated.size(); ++i) sum += donated[i] ? arguments[i].bytes() : 0;
  return sum;
}

std::span<const NamedValue> Compiled::costs() const {
  std::call_once(costs_once_, [this] {
    const session::Spent spent = program->estimate();
    costs_.add("bytes accessed", static_cast<float>(argument_bytes() + result_bytes()));
    costs_.add("cycles", static_cast<float>(spent.cycles));
    costs_.add("seconds", static_cast<float>(spent.seconds));
    costs_.add("joules", static_cast<float>(spent.joules));
    if (spent.collective_seconds)
      costs_.add("collective seconds", static_cast<float>(*spent.collective_seconds));
    if (spent.exposed_seconds)
      costs_.add("exposed collective seconds", static_cast<float>(*spent.exposed_seconds));
    if (spent.counted_once > 0)
      costs_.add("data-dependent loops counted once", static_cast<float>(spent.counted_once));
    if (spent.dollars) costs_.add("dollars", static_cast<float>(*spent.dollars));
  });
  return costs_.values();
}

std::shared_ptr<const Compiled> compile(const Options& options, const Job* job,
                                        std::string_view artifact, std::string_view compile_options,
                                        std::string_view code) {
  auto compiled = std::make_shared<Compiled>();
  compiled->artifact = artifact;
  compiled->option_bytes = compile_options;
  compiled->options = read_compile_options(compile_options);
  const session::Mode mode = mode_of(options, compiled->options);
  const std::int64_t devices = compiled->options.replicas * compiled->options.partitions;
  if (compiled->options.replicas > 1 && compiled->options.partitions > 1) {
    throw Failure(ErrorCode::unimplemented,
                  fmt::format("a program of {} replicas of {} partitions: the plugin `neuron` runs "
                              "programs of several replicas or of several partitions",
                              compiled->options.replicas, compiled->options.partitions));
  }
  graph::Module module = graph::read_program(std::as_bytes(std::span(artifact)), "program");
  graph::require_static(module);
  if (compiled->options.replicas > 1) {
    module = graph::of_replicas(std::move(module));
    compiled->runs_apart = runs_apart(module);
  } else if (devices != 1) {
    graph::Partitioned partitioned = divided(module);
    compiled->hlo = hlo_module(partitioned);
    tell_divided(*compiled, partitioned, options);
    module = std::move(partitioned.module);
  } else if (names_shardings(artifact)) {
    compiled->hlo = hlo_module(on_one_device(module));
  }
  const graph::Function& entry = module.entry();
  compiled->name = module.name;
  compiled->arguments = types_of(entry, entry.body.arguments);
  compiled->results = types_of(entry, entry.results());
  compiled->donated = graph::donated_arguments(entry);
  if (options.strict) check_strictly(module, options);
  const graph::Precision precision = precision_of(compiled->options, options.precision);
  if (compiled->options.overrides.contains("precision")) {
    const std::string words = graph::unused_in_words(graph::class_uses(module, precision));
    if (!words.empty()) fmt::print(stderr, "trainyard: {}: {}\n", compiled->name, words);
  }
  compiled->largest = largest_values(module);
  check_size(*compiled, options);
  session::Outside outside = options.outside;
  std::vector<std::int64_t> ids = device_ids(compiled->options);
  if (compiled->runs_apart) ids.resize(1);
  if (job != nullptr && ids.size() > 1) outside.placement = job->placement(ids, module);
  try {
    compiled->program = session::make_executable(
        std::move(module), mode, options.machine, precision, std::move(outside),
        static_cast<int>(options.cores_per_device), code, ids);
  } catch (const base::NoRoom& error) {
    if (error.memory() != base::MemoryLevel::hbm) throw;
    throw Failure(ErrorCode::resource_exhausted,
                  fmt::format("{}{}: {}{}", options.strict ? "NCC_EOOM001: " : "", compiled->name,
                              error.what(), compiled->largest));
  }
  if (options.strict) check_code_strictly(*compiled, options);
  compiled->fingerprint = fingerprint_of(*compiled, options, mode);
  list_results(*compiled);
  return compiled;
}

std::string serialize(const Compiled& compiled) {
  std::string out;
  base::put_string(out, mark);
  base::put_string(out, compiled.option_bytes);
  base::put_string(out, compiled.artifact);
  base::put_string(out, compiled.program->code());
  return out;
}

std::shared_ptr<const Compiled> deserialize(const Options& options, const Job* job,
                                            std::string_view bytes,
                                            std::optional<std::string_view> overridden) {
  base::ByteReader reader(bytes, "serialised executable", executable_format);
  if (reader.string() != mark) reader.malformed("another mark at the beginning");
  const std::string_view kept_options = reader.string();
  const std::string_view artifact = reader.string();
  const std::string_view code = reader.string();
  reader.expect_end();
  return compile(options, job, artifact, overridden.value_or(kept_options), code);
}

}  // namespace trainyard::pjrt

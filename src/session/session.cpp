#include "session/session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/error.h"
#include "engines/core_state.h"
#include "isa/semantics/execution.h"
#include "session/describe.h"

namespace trainyard::session {

namespace {

bool is_shared(const isa::Tensor& tensor) {
  return tensor.space == isa::Space::hbm && tensor.shared;
}

// Instances of a grid find each other's shared tensors by the order in which they create them.
void check_same(const isa::Program& program, const isa::Tensor& tensor, const isa::Tensor& first) {
  if (tensor.shape == first.shape && tensor.dtype == first.dtype) return;
  throw base::InputError(
      {"grid.shared", "all instances of a grid create the same shared tensors in the same order",
       program.describe_location(tensor.location),
       fmt::format("'{}' ({}) {} where the first instance has '{}' ({}) {}", tensor.name,
                   fmt::join(tensor.shape, ", "), numerics::name(tensor.dtype), first.name,
                   fmt::join(first.shape, ", "), numerics::name(first.dtype)),
       "create shared tensors before any code that depends on nl.program_id, or use private_hbm"});
}

[[noreturn]] void refuse(const Instance& instance, std::string found) {
  throw base::InputError({"run.binding", "what is written and read is an HBM tensor of the program",
                          instance.program().name, std::move(found),
                          "name a tensor of the program that was loaded, and pass all its bytes"});
}
[[noreturn]] void refuse(const Instance& instance, isa::TensorId tensor) {
  refuse(instance, fmt::format("tensor {} of {}", tensor, instance.program().tensors.size()));
}

// The memory of a tensor of so many bytes.
runtime::BufferRef buffer_of(const Instance& instance, isa::TensorId tensor, std::size_t bytes) {
  runtime::BufferRef buffer = instance.loaded()->buffer(tensor);
  if (buffer == nullptr) refuse(instance, tensor);
  if (static_cast<std::size_t>(buffer->bytes()) != bytes)
    refuse(instance, fmt::format("{} bytes for a tensor of {}", bytes, buffer->bytes()));
  return buffer;
}

ProgramCache::Grids or_throw(std::variant<ProgramCache::Grids, compiler::Shortage> compiled) {
  if (auto* const missing = std::get_if<compiler::Shortage>(&compiled))
    throw compiler::error_of(std::move(*missing));
  return std::get<ProgramCache::Grids>(std::move(compiled));
}

}  // namespace

std::shared_ptr<Instance> Session::load(isa::Program kernel, const compiler::Options& options,
                                        std::int32_t rank) {
  std::vector<std::vector<isa::Program>> grids(1);
  grids[0].push_back(std::move(kernel));
  const ProgramCache::Grids made = or_throw(compile_grids(std::move(grids), options));
  return load(made[0][0], compiler::schedule_name(options), rank, shared_[rank]);
}

std::variant<ProgramCache::Grids, compiler::Shortage> Session::compile_grids(
    std::vector<std::vector<isa::Program>> grids, const compiler::Options& options) {
  return programs_.compile_grids(std::move(grids), machine(), options);
}

std::vector<std::shared_ptr<Instance>> Session::unplaced(
    std::span<const ProgramCache::Body> compiled, const compiler::Options& options) const {
  std::vector<std::shared_ptr<Instance>> instances;
  for (const ProgramCache::Body& made : compiled) {
    const runtime::Body body(made, &made->program);
    instances.push_back(
        std::make_shared<Instance>(runtime::LoadedProgram::unplaced(devices_->device(0), body),
                                   made, compiler::schedule_name(options)));
  }
  return instances;
}

std::shared_ptr<Instance> Session::load(const ProgramCache::Body& made, std::string_view schedule,
                                        std::int32_t rank, std::vector<Shared>& shared) {
  const runtime::Body body(made, &made->program);
  std::vector<runtime::Binding> bound;
  std::size_t known = 0;
  for (isa::TensorId t = 0; t < body->tensors.size() && known < shared.size(); ++t) {
    if (!is_shared(body->tensors[t])) continue;
    const Shared& first = shared[known++];
    check_same(*body, body->tensors[t], first.tensor);
    bound.push_back({t, first.buffer});
  }
  const runtime::ProgramRef loaded =
      runtime::loaded(runtime::LoadedProgram::load(devices_->device(rank), body, bound));
  if (shared.empty()) {
    for (isa::TensorId t = 0; t < body->tensors.size(); ++t) {
      if (is_shared(body->tensors[t])) shared.push_back({body->tensors[t], loaded->buffer(t)});
    }
  }
  return std::make_shared<Instance>(loaded, made, schedule);
}

void Session::write(const Instance& instance, isa::TensorId tensor,
                    std::span<const std::byte> content) {
  buffer_of(instance, tensor, content.size())->write(content);
}

void Session::read(const Instance& instance, isa::TensorId tensor,
                   std::span<std::byte> content) const {
  buffer_of(instance, tensor, content.size())->read(content);
}

void Session::read(const Instance& instance, const isa::View& view, std::span<std::byte> content) {
  const isa::Tile tile = isa::tile_of(view);
  if (instance.loaded()->buffer(tile.tensor) == nullptr) refuse(instance, tile.tensor);
  base::check(static_cast<std::size_t>(tile.bytes()) == content.size(),
              "a buffer has the size of the HBM view it receives");
  state::Core core(engines::sizes_of(machine().core),
                   instance.loaded()->device().memory()->stack());
  isa::Execution execution{.core = core,
                           .program = instance.program(),
                           .hbm_base = instance.hbm_base(),
                           .machine = machine().core};
  isa::load_bits(tile, execution, 0, content.data());
}

namespace {

// What the run tells, where it is one that compiling the program has simulated.
const runtime::TimedRun* simulated_run(std::span<const std::shared_ptr<Instance>> instances,
                                       const Options& options) {
  const bool is_time_alone = options.timed && !options.values && !options.record && !options.system;
  if (!is_time_alone || !options.faults.empty() || instances.size() != 1) return nullptr;
  const std::optional<runtime::TimedRun>& simulated = instances.front()->ordered().simulated;
  return simulated ? &*simulated : nullptr;
}

std::vector<runtime::Result> results_of(std::span<const std::shared_ptr<Instance>> instances,
                                        const Options& options) {
  if (const runtime::TimedRun* const timing = simulated_run(instances, options)) {
    std::vector<runtime::Result> one(1);
    one[0].instructions = static_cast<std::uint64_t>(timing->result.activity.instructions);
    one[0].timing = *timing;
    return one;
  }
  std::vector<runtime::ProgramRef> programs;
  for (const auto& instance : instances) programs.push_back(instance->loaded());
  return runtime::run(programs, options);
}

}  // namespace

std::vector<Run> Session::run(std::span<const std::shared_ptr<Instance>> instances,
                              const Options& options) {
  if (options.timed && !prices_) prices_ = economics::load_prices();
  return described(instances, results_of(instances, options), machine(),
                   prices_ ? &*prices_ : nullptr, options);
}

}  // namespace trainyard::session

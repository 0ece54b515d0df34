#include "isa/builder/builder.h"

#include <fmt/format.h>

#include <string>

#include "checks/registry.h"
#include "isa/core/control_flow.h"
#include "isa/core/register_use.h"
#include "isa/instructions/branch.h"
#include "isa/instructions/loop_end.h"
#include "isa/rules/validate.h"

namespace trainyard::isa {

Builder::Builder(std::string name, machine::Core core, Validation validation, SizeLimits limits)
    : core_(std::move(core)),
      validation_(validation),
      limits_(limits),
      registers_(std::make_shared<RegisterPool>(core_.registers)) {
  program_.name = std::move(name);
  program_.generation = 2 + static_cast<int>(core_.generation);
}

Program Builder::take() {
  base::check(!taken_, "a program is taken once");
  taken_ = true;
  location_ = 0;
  return std::exchange(program_, Program{});
}

Builder::Call::Call(Builder& builder, const SourcePlace& place)
    : builder_(builder), before_(builder.location_) {
  Program& program = builder.program_;
  SourceTable& sources = builder.sources_;
  const Location around = program.locations[before_];
  const std::uint32_t frame = sources.frame(
      {sources.string(place.file), sources.string(place.function), place.line, around.frame});
  for (std::uint32_t k = 0; k < around.index_count; ++k)
    program.loop_indices.push_back(LoopIndex{program.loop_indices[around.first_index + k]});
  for (const auto& [name, value] : place.indices)
    program.loop_indices.push_back({sources.string(name), value});
  builder.location_ = sources.location(frame, around.index_count + place.indices.size());
}

std::vector<base::Violation> Builder::placed(std::vector<base::Violation> violations,
                                             TensorId tensor) const {
  const std::string place = program_.describe_location(location_);
  for (base::Violation& violation : violations) {
    if (violation.place.empty()) violation.place = place;
    if (tensor == no_tensor || !violation.sides.empty()) continue;
    const base::Side made = created(program_, tensor);
    violation.sides = {{.role = "views", .what = made.what, .place = place}, made};
  }
  return violations;
}

std::vector<base::Violation> Builder::placed(std::vector<base::Violation> violations,
                                             const InstructionInfo& what,
                                             const void* record) const {
  const std::string line = program_.describe_location(location_);
  for (base::Violation& violation : violations) {
    violation.place = fmt::format("{}{}({})", line, line.empty() ? "" : " ", what.mnemonic);
    violation.sides = sides_of(program_, what, record, line);
  }
  return violations;
}

void Builder::check_size() const {
  if (program_.instructions.size() < limits_.instructions &&
      program_.tensors.size() < limits_.tensors)
    return;
  throw base::InputError({"kernel.size",
                          fmt::format("a kernel has at most {} instructions and {} tensors",
                                      limits_.instructions, limits_.tensors),
                          program_.describe_location(location_), "one more",
                          "look for a Python loop that does not end; otherwise use a hardware loop "
                          "(nl.dynamic_range), or "
                          "several kernels"});
}

TensorId Builder::declare(TensorSpec spec) {
  if (validation_ == Validation::at_once) {
    check_size();
    here([&] { check(spec, core_); });
  }
  if (spec.name.empty()) spec.name = "t" + std::to_string(program_.tensors.size());
  Tensor tensor = made_from(std::move(spec));
  tensor.location = location_;
  tensor.created = static_cast<std::uint32_t>(program_.instructions.size());
  program_.tensors.push_back(std::move(tensor));
  return static_cast<TensorId>(program_.tensors.size() - 1);
}

namespace {

base::Violation out_of_scope(const Program& program, TensorId tensor) {
  const Tensor& storage = program.tensors[tensor];
  return {"loop.scope",
          "a tensor declared in the body of a hardware loop is used only there",
          {},
          fmt::format("'{}', declared at {}", storage.name,
                      program.describe_location(storage.location)),
          "declare it before the loop"};
}

base::Violation unset(const InstructionInfo& what, Register reg) {
  const checks::Check& check = checks::find("register.unset");
  return {std::string(check.id),
          std::string(check.rule),
          {},
          fmt::format("{} reads register {}, which nothing has set", what.mnemonic, reg.index),
          std::string(check.fix)};
}

}  // namespace

void Builder::check_scope(TensorId tensor) const {
  if (scopes_.is_closed(tensor)) throw base::InputError(placed({out_of_scope(program_, tensor)}));
}

void Builder::share(TensorId tensor) {
  Tensor& storage = program_.tensors.at(tensor);
  storage.shared = storage.shared || storage.space == Space::hbm;
}

void Builder::mark_output(TensorId tensor) {
  check_scope(tensor);
  Tensor& storage = program_.tensors.at(tensor);
  if (storage.role != TensorRole::internal) return;
  if (storage.space != Space::hbm || !storage.shared) {
    throw base::InputError(
        {"kernel.output", "a kernel returns tensors in shared HBM",
         program_.describe_location(storage.location),
         fmt::format("'{}' in {}", storage.name,
                     storage.space == Space::hbm ? "private_hbm" : name(storage.space)),
         "write the result to an nl.ndarray(..., buffer=nl.shared_hbm) and return that"});
  }
  storage.role = TensorRole::output;
}

RegisterRef Builder::take_register() {
  if (const std::optional<std::uint8_t> index = registers_->take())
    return std::make_shared<const RegisterLease>(registers_, *index);
  throw base::InputError(
      {"registers.capacity", fmt::format("a kernel uses at most {} registers", core_.registers),
       program_.describe_location(location_), "one more", "reuse a register with register_move"});
}

RegisterRef Builder::take_register(Register reg) {
  registers_->take(reg.index);
  return std::make_shared<const RegisterLease>(registers_, reg.index);
}

// Reading a register that has no value is refused in the order of the text: what the body of a loop
// writes further down comes too late for its first iteration.
std::vector<base::Violation> Builder::violations_of(const InstructionInfo& what, const void* record,
                                                    Engine engine) const {
  std::vector<base::Violation> found;
  if (scopes_.any_closed()) {
    for (const OperandInfo& operand : what.operands) {
      for_each_tile_of(operand, record, [&](const Tile& tile) {
        if (found.empty() && scopes_.is_closed(tile.tensor))
          found.push_back(out_of_scope(program_, tile.tensor));
      });
    }
  }
  for_each_register(what, record, program_.dynamics, [&](Register reg, bool written) {
    if (found.empty() && !written && reg.index < core_.registers && !registers_->is_set(reg))
      found.push_back(unset(what, reg));
  });
  return found.empty() ? violations(what, record, engine, program_, core_, runner_) : found;
}

std::uint32_t Builder::emit_raw(Opcode opcode, const void* record, Engine engine) {
  if (validation_ == Validation::at_once) {
    const InstructionInfo& what = info(opcode);
    std::vector<base::Violation> broken = violations_of(what, record, engine);
    if (!broken.empty()) refuse(what, placed(std::move(broken), what, record));
    check_size();
  }
  const std::uint32_t instruction = program_.append_raw(opcode, record, engine, location_);
  follow(instruction);
  return instruction;
}

// Keeps the books of registers, which only validation reads, and of loops.
void Builder::follow(std::uint32_t instruction) {
  if (validation_ == Validation::at_once) {
    for_each_register(program_, instruction, [&](Register reg, bool written) {
      if (written) registers_->set(reg);
    });
  }
  if (flow_of(program_, instruction) == Flow::loop_begin) {
    registers_->enter_loop();
    scopes_.enter(instruction, program_.tensors.size());
  } else if (flow_of(program_, instruction) == Flow::loop_end) {
    base::check(scopes_.is_open() && scopes_.innermost() == begin_of(program_, instruction),
                "the loop that began last ends first");
    registers_->leave_loop();
    scopes_.leave();
  }
}

void Builder::check_engine(const InstructionInfo& what, const void* record, Engine engine) const {
  if (what.nameable == nullptr || what.nameable(record).contains(engine)) return;
  const ConstraintInfo& rule = what.naming;
  throw base::InputError(placed({{std::string(rule.label),
                                  std::string(rule.rule),
                                  {},
                                  std::string(name(engine)),
                                  std::string(rule.fix)}},
                                what, record));
}

void Builder::add_edge(std::uint32_t producer, std::uint32_t consumer) {
  program_.schedule_edges.push_back({producer, consumer});
}

void Builder::end_loop() {
  base::check(scopes_.is_open(), "a loop ends that has begun");
  emit(LoopEnd{.begin = static_cast<std::int32_t>(scopes_.innermost())});
}

// The target is known when the body has been built.
std::uint32_t Builder::begin_skip(RegisterOrInt left, numerics::AluOp op, RegisterOrInt right) {
  const auto next = static_cast<std::int32_t>(program_.instructions.size());
  return emit(Branch{.left = left, .op = op, .right = right, .target = next});
}

void Builder::end_skip(std::uint32_t branch) {
  static_cast<Branch*>(program_.record(branch))->target =
      static_cast<std::int32_t>(program_.instructions.size());
}

}  // namespace trainyard::isa

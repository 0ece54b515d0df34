#include "compiler/balance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "compiler/dependences.h"
#include "compiler/engines.h"
#include "compiler/estimate.h"
#include "isa/core/control_flow.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/tensor_copy.h"
#include "isa/instructions/tensor_scalar.h"
#include "isa/instructions/tensor_tensor.h"
#include "isa/rules/predicates.h"

namespace trainyard::compiler {

namespace {

using base::Ticks;
using isa::Activation;
using isa::Engine;
using isa::Program;
using isa::Scalar;
using isa::Tile;
using numerics::AluOp;

// Integers wider than fp32's mantissa keep their bits on Vector only.
bool is_real(const Tile& tile) {
  return numerics::is_float(tile.dtype) && isa::rules::computable(tile) && tile.dynamic == 0;
}

// Scalar adds columns, and numbers where the machine has them as a bias.
bool can_add(const Scalar& operand, const machine::Core& core) {
  return operand.is_tile() ? operand.tile.dynamic == 0 : core.features.activation_number_bias;
}
bool can_scale(const Scalar& operand) { return !operand.is_tile() || operand.tile.dynamic == 0; }

std::optional<Activation> as_activation(const isa::TensorCopy& op) {
  if (!is_real(op.dst) || !is_real(op.src)) return std::nullopt;
  Activation made;
  made.dst = op.dst;
  made.data = op.src;
  return made;
}

std::optional<Activation> as_activation(const isa::TensorScalar& op, const machine::Core& core) {
  if (!is_real(op.dst) || !is_real(op.data)) return std::nullopt;
  Activation made;
  made.dst = op.dst;
  made.data = op.data;
  // Plus zero as a limit is a function of Scalar's; minus zero is not: relu gives plus zero.
  if (op.op0 == AluOp::add && op.op1 == AluOp::maximum && !op.operand1.is_tile() &&
      op.operand1.constant == 0 && !std::signbit(op.operand1.constant) && !op.reverse0 &&
      !op.reverse1 && can_add(op.operand0, core)) {
    made.op = numerics::ActivationFunction::relu;
    made.bias = op.operand0;
    return made;
  }
  const bool scales = op.op0 == AluOp::multiply;
  const Scalar* added = scales ? &op.operand1 : &op.operand0;
  const AluOp last = scales ? op.op1 : op.op0;
  if (!scales && op.op1 != AluOp::bypass) return std::nullopt;
  if (scales) {
    if (!can_scale(op.operand0)) return std::nullopt;
    made.scale = op.operand0;
  }
  if (last == AluOp::bypass) return made;
  if (last != AluOp::add || !can_add(*added, core)) return std::nullopt;
  made.bias = *added;
  return made;
}

std::optional<Activation> as_activation(const Program& program, std::uint32_t i,
                                        const machine::Core& core) {
  if (program.is<isa::TensorCopy>(i)) return as_activation(program.as<isa::TensorCopy>(i));
  if (program.is<isa::TensorScalar>(i))
    return as_activation(program.as<isa::TensorScalar>(i), core);
  return std::nullopt;
}

void put_on_scalar(Program& program, std::uint32_t i, const Activation& op) {
  program.append(op, Engine::scalar, program.instructions[i].location);
  program.instructions[i] = program.instructions.back();
  program.instructions.pop_back();
}

// Runs the program in the author's order on engines that take one instruction at a time.
class Balancer {
 public:
  Balancer(Program& program, const machine::Core& core, const std::vector<bool>& open)
      : program_(program), core_(core), open_(open), end_(program.instructions.size()) {}

  void run() {
    DependenceTracker tracker(program_, false);
    for (std::uint32_t i = 0; i < end_.size(); ++i) {
      if (const isa::Flow flow = isa::flow_of(program_, i);
          flow == isa::Flow::loop_begin || flow == isa::Flow::loop_end)
        meet(tracker);
      Ticks ready{0};
      for (const Dependence& d : tracker.next(i)) ready = std::max(ready, end_[d.producer]);
      if (open_[i] && program_.instructions[i].engine == Engine::vector) choose(i, ready);
      issue(i, ready);
    }
  }

 private:
  [[nodiscard]] Ticks& free(Engine engine) { return free_[static_cast<std::size_t>(engine)]; }

  // All engines wait for each other at both ends of a hardware loop.
  void meet(DependenceTracker& tracker) {
    tracker.barrier();
    free_.fill(latest_);
  }

  void choose(std::uint32_t i, Ticks ready) {
    const std::optional<Activation> other = as_activation(program_, i, core_);
    if (!other) return;
    const Ticks here =
        std::max(ready, free(Engine::vector)) + estimate(program_, i, Engine::vector, core_).result;
    const Ticks there =
        std::max(ready, free(Engine::scalar)) +
        core_.scalar.clock(
            isa::Definition<Activation>::cycles(*other, Engine::scalar, core_).latency);
    if (here > there) put_on_scalar(program_, i, *other);
  }

  void issue(std::uint32_t i, Ticks ready) {
    const Engine engine = program_.instructions[i].engine;
    if (engine == Engine::any) return;
    const Ticks begin = std::max(ready, free(engine));
    const Estimate takes = estimate(program_, i, engine, core_);
    end_[i] = begin + takes.result;
    latest_ = std::max(latest_, end_[i]);
    free(engine) = begin + takes.engine;
  }

  Program& program_;
  const machine::Core& core_;
  const std::vector<bool>& open_;
  std::vector<Ticks> end_;
  std::array<Ticks, isa::engine_count> free_{};
  Ticks latest_;  // end of all so far
};

// Adds up what instructions take, one after the other.
class Loads {
 public:
  Loads(const Program& program, const machine::Core& core, const EngineLoads& before)
      : program_(program), core_(core), all_(before) {}

  void add(std::uint32_t i) {
    const isa::InstructionInfo& info = program_.info_at(i);
    if (info.kind == isa::Kind::control) return;
    const bool moves = info.kind == isa::Kind::dma;
    if (moves && info.meeting != nullptr) return;
    Engine engine = program_.instructions[i].engine;
    if (engine == Engine::any)
      engine = moves ? issuer_of(program_, i) : info.choose(program_.record(i), core_);
    const Estimate takes = estimate(program_, i, engine, core_);
    if (moves) all_.moving += takes.moving;
    all_.of(engine) +=
        moves ? estimate_issue(program_, i, engine, is_prepared(engine), core_) : takes.engine;
    if (engine == Engine::gpsimd) gpsimd_computed_ = !moves;
  }
  void add_from(std::uint32_t first) {
    const auto end = static_cast<std::uint32_t>(program_.instructions.size());
    for (std::uint32_t i = first; i < end; ++i) add(i);
  }
  // Whether something that takes so long on one engine better goes to another; it has gone.
  bool move(Engine from, Ticks here, Engine to, Ticks there) {
    if (all_.of(to) + there >= all_.of(from)) return false;
    all_.of(from) -= here;
    all_.of(to) += there;
    return true;
  }
  [[nodiscard]] EngineLoads& all() { return all_; }

 private:
  // GpSimd prepares the descriptors of a transfer that follows what it computes from the start.
  [[nodiscard]] bool is_prepared(Engine engine) const {
    return engine != Engine::gpsimd || !gpsimd_computed_;
  }

  const Program& program_;
  const machine::Core& core_;
  EngineLoads all_;
  bool gpsimd_computed_ = true;
};

// A pair of real numbers, element by element, that Vector would take and GpSimd can.
bool is_open_pair(const Program& program, std::uint32_t i, const machine::Core& core) {
  if (program.instructions[i].engine != Engine::any || !program.is<isa::TensorTensor>(i))
    return false;
  const auto& op = program.as<isa::TensorTensor>(i);
  return (op.op == AluOp::add || op.op == AluOp::multiply || op.op == AluOp::subtract) &&
         is_real(op.dst) && is_real(op.data1) && is_real(op.data2) &&
         isa::rules::in_sbuf(op.dst, op.data1, op.data2) &&
         isa::Definition<isa::TensorTensor>::choose(op, core) == Engine::vector;
}

}  // namespace

std::vector<bool> open_engines(const Program& program) {
  std::vector<bool> open;
  open.reserve(program.instructions.size());
  for (const isa::Instruction& one : program.instructions)
    open.push_back(one.engine == Engine::any);
  return open;
}

void spread_engines(Program& program, std::uint32_t first, const machine::Core& core,
                    const EngineLoads& before) {
  if (core.policy.cast_rounding == machine::Rounding::stochastic) return;
  Loads loads(program, core, before);
  loads.add_from(first);
  const auto end = static_cast<std::uint32_t>(program.instructions.size());
  for (std::uint32_t i = first; i < end; ++i) {
    if (program.instructions[i].engine != Engine::any) continue;
    const std::optional<Activation> other = as_activation(program, i, core);
    if (!other || program.info_at(i).choose(program.record(i), core) != Engine::vector) continue;
    const Ticks here = estimate(program, i, Engine::vector, core).engine;
    const Ticks there = core.scalar.clock(
        isa::Definition<Activation>::cycles(*other, Engine::scalar, core).occupancy);
    if (loads.move(Engine::vector, here, Engine::scalar, there)) put_on_scalar(program, i, *other);
  }
}

void spread_pairs(Program& program, std::uint32_t first, const machine::Core& core,
                  const EngineLoads& before) {
  if (core.policy.cast_rounding == machine::Rounding::stochastic) return;
  Loads loads(program, core, before);
  loads.add_from(first);
  const auto end = static_cast<std::uint32_t>(program.instructions.size());
  for (std::uint32_t i = first; i < end; ++i) {
    if (!is_open_pair(program, i, core)) continue;
    auto op = program.as<isa::TensorTensor>(i);
    const Ticks there = estimate(program, i, Engine::gpsimd, core).engine;
    // Vector's costs least where one of a pair comes from PSUM.
    op.data1.space = isa::Space::psum;
    const Ticks here = core.vector.clock(
        isa::Definition<isa::TensorTensor>::cycles(op, Engine::vector, core).occupancy);
    if (loads.move(Engine::vector, here, Engine::gpsimd, there))
      program.instructions[i].engine = Engine::gpsimd;
  }
}

EngineLoads spread_transfers(Program& program, std::uint32_t first, const machine::Core& core,
                             EngineLoads before) {
  Loads loads(program, core, before);
  const auto end = static_cast<std::uint32_t>(program.instructions.size());
  for (std::uint32_t i = first; i < end; ++i) {
    isa::Instruction& one = program.instructions[i];
    const isa::InstructionInfo& info = program.info_at(i);
    const Ticks gpsimd = loads.all().of(Engine::gpsimd);
    loads.add(i);
    if (info.kind != isa::Kind::dma || info.meeting != nullptr) continue;
    const Ticks here = loads.all().of(Engine::gpsimd) - gpsimd;
    if (here.value == 0 || loads.all().of(Engine::gpsimd) < loads.all().moving ||
        isa::needs_software(info, program.record(i)))
      continue;
    const Ticks there = estimate(program, i, Engine::sync, core).engine;
    if (loads.move(Engine::gpsimd, here, Engine::sync, there)) one.engine = Engine::sync;
  }
  return loads.all();
}

void balance_engines(Program& program, const machine::Core& core, const std::vector<bool>& open) {
  // Which random bits round a result may depend on the instruction.
  if (core.policy.cast_rounding == machine::Rounding::stochastic) return;
  Balancer(program, core, open).run();
}

}  // namespace trainyard::compiler

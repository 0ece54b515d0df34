#include "report/work.h"

#include <algorithm>

#include "base/error.h"

namespace trainyard::report {

std::string_view name(MacRate rate) {
  switch (rate) {
    case MacRate::fp32: return "fp32";
    case MacRate::bf16: return "bf16";
    case MacRate::fp8: return "fp8";
    case MacRate::mx: return "mx";
  }
  base::fail("unknown rate of the tensor engine");
}

machine::Rate rate_of(MacRate rate, const machine::Core& core) {
  switch (rate) {
    case MacRate::fp32: return core.array.macs_fp32;
    case MacRate::bf16: return core.array.macs_bf16;
    case MacRate::fp8:
      return core.features.double_row ? core.array.macs_double_row : core.array.macs_bf16;
    case MacRate::mx: return core.array.macs_mx;
  }
  base::fail("unknown rate of the tensor engine");
}

std::int64_t Work::macs(MacRate rate) const {
  switch (rate) {
    case MacRate::fp32: return activity.macs_fp32;
    case MacRate::bf16: return activity.macs_bf16;
    case MacRate::fp8: return activity.macs_fp8;
    case MacRate::mx: return activity.macs_mx;
  }
  base::fail("unknown rate of the tensor engine");
}

std::int64_t Work::flops() const {
  return 2 * (activity.macs_fp32 + activity.macs_bf16 + activity.macs_fp8 + activity.macs_mx);
}

base::Ticks Work::mac_ticks_min(const machine::Core& core) const {
  base::Ticks sum;
  for (const MacRate rate : mac_rates) {
    const std::int64_t per_element =
        base::ceil_div(macs(rate), core.array.rows * core.array.columns);
    if (per_element > 0) sum += core.tensor.clock(rate_of(rate, core)(per_element));
  }
  return sum;
}

namespace {

BytesMoved& bytes_of(isa::Space space, Work& work) {
  switch (space) {
    case isa::Space::hbm: return work.hbm;
    case isa::Space::psum: return work.psum;
    default: return work.sbuf;
  }
}

// What was read and written of each tensor in HBM.
using BytesOfTensors = std::vector<BytesMoved>;

void add_bytes(const isa::Program& program, std::uint32_t i, std::int64_t times, Work& work,
               BytesOfTensors& of_tensors) {
  BytesMoved moved;
  program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access access) {
    BytesMoved& bytes = bytes_of(tile.space, work);
    const std::int64_t size = tile.bytes();
    const std::int64_t read = isa::reads(access) ? size : 0;
    const std::int64_t written = isa::writes(access) ? size : 0;
    if (tile.space == isa::Space::hbm) {
      of_tensors[tile.tensor].read += read * times;
      of_tensors[tile.tensor].written += written * times;
    }
    bytes.read += read * times;
    bytes.written += written * times;
    moved.read += read;
    moved.written += written;
    if (tile.dynamic != 0) work.uses_run_time_addresses = true;
  });
  if (program.info_at(i).kind == isa::Kind::dma) {
    work.dma_bytes += std::max(moved.read, moved.written) * times;
    work.dma_transfers += times;
  }
}

std::int64_t least_bytes(const isa::Program& program, const BytesOfTensors& of_tensors) {
  std::int64_t sum = 0;
  for (isa::TensorId t = 0; t < program.tensors.size(); ++t) {
    const isa::Tensor& tensor = program.tensors[t];
    if (tensor.space != isa::Space::hbm || tensor.role == isa::TensorRole::internal) continue;
    if (tensor.role != isa::TensorRole::output) sum += std::min(of_tensors[t].read, tensor.bytes());
    sum += std::min(of_tensors[t].written, tensor.bytes());
  }
  return sum;
}

// A transpose multiplies nothing: it moves each element through the columns of the array, however
// the instruction counts it.
bool is_transpose(const isa::Program& program, std::uint32_t i) {
  const isa::InstructionInfo& info = program.info_at(i);
  return info.passes != nullptr && info.moves_values(program.record(i));
}

void add_transpose(const isa::Activity& each, std::int64_t times, const machine::Core& core,
                   economics::Activity& activity) {
  activity.macs_transpose +=
      (each.macs > 0 ? each.macs : each.elements * core.array.columns) * times;
}

void add_activity(const isa::Activity& each, isa::Engine engine, std::int64_t times,
                  economics::Activity& activity) {
  activity.add_macs(each.mac_format, each.macs * times);
  switch (engine) {
    case isa::Engine::vector: activity.vector_elements += each.elements * times; break;
    case isa::Engine::scalar: activity.scalar_elements += each.elements * times; break;
    case isa::Engine::gpsimd: activity.gpsimd_elements += each.elements * times; break;
    default: break;  // the other engines have no elementwise pipeline
  }
}

// The least time that an engine is taken by instructions like this one when they never wait. On the
// tensor engine disjoint tiles of the array work side by side, and where the machine moves bits
// beside products, the two share no time: `transposing`.
void add_least_time(const isa::InstructionInfo& info, const void* record, isa::Engine engine,
                    std::int64_t times, const machine::Core& core, Work& work,
                    base::Ticks& transposing) {
  base::Ticks& busy = work.busy_min[static_cast<std::size_t>(engine)];
  if (info.kind == isa::Kind::dma) {
    const isa::DescriptorMaker maker = isa::maker_of(info, record, engine, core);
    busy += isa::issue_time(maker, engine, true, core) * times;
    return;
  }
  base::Ticks least =
      core.engine(engine).clock(info.cycles(record, engine, core).occupancy * times);
  if (info.passes == nullptr || engine != isa::Engine::tensor) {
    busy += least;
    return;
  }
  const isa::Passes passes = info.passes(record, core);
  if (passes.part.rows != 0)
    least.value /= core.array.rows / passes.part.rows * (core.array.columns / passes.part.columns);
  const bool beside = passes.transposes && core.array.transposes_go_beside_products();
  (beside ? transposing : busy) += least;
}

void note_transfer(const isa::Program& program, std::uint32_t i, const machine::Core& core,
                   Work& work) {
  const isa::InstructionInfo& info = program.info_at(i);
  const isa::Engine engine = program.instructions[i].engine;
  work.issues_dma[static_cast<std::size_t>(engine)] = true;
  if (info.meeting != nullptr) return;
  const isa::Transfer transfer = isa::transfer_of(info, program.record(i), core);
  const isa::DescriptorMaker made = isa::maker_of(info, program.record(i), engine, core);
  work.descriptors[static_cast<std::size_t>(made)] = true;
  work.transposes_dma = work.transposes_dma || transfer.kind == isa::TransferKind::transpose;
}

void add_engine(const isa::Program& program, std::uint32_t i, std::int64_t times,
                const machine::Core& core, Work& work, base::Ticks& transposing) {
  const isa::Engine engine = program.instructions[i].engine;
  // A control instruction of every engine has no engine of its own, and costs none of them more
  // than its issue.
  if (engine == isa::Engine::any) return;
  const isa::InstructionInfo& info = program.info_at(i);
  const auto e = static_cast<std::size_t>(engine);
  if (info.kind == isa::Kind::dma) note_transfer(program, i, core, work);
  work.instructions[e] += times;
  work.activity.instructions += times;
  const isa::Activity activity = info.activity(program.record(i));
  if (engine == isa::Engine::tensor && is_transpose(program, i)) {
    add_transpose(activity, times, core, work.activity);
  } else {
    add_activity(activity, engine, times, work.activity);
  }
  add_least_time(info, program.record(i), engine, times, core, work, transposing);
}

}  // namespace

Work work_of(const isa::Program& program, const trace::Summary& summary,
             const machine::Core& core) {
  base::check(summary.instruction_count() == program.instructions.size(),
              "a summary is not of its program");
  Work work;
  base::Ticks transposing;
  BytesOfTensors of_tensors(program.tensors.size());
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const std::int64_t times = summary.executions(i);
    if (times == 0) continue;
    add_engine(program, i, times, core, work, transposing);
    add_bytes(program, i, times, work, of_tensors);
    if (program.info_at(i).kind == isa::Kind::control) work.control_instructions += times;
  }
  base::Ticks& tensor = work.busy_min[static_cast<std::size_t>(isa::Engine::tensor)];
  tensor = std::max(tensor, transposing);
  work.hbm_least = least_bytes(program, of_tensors);
  work.activity.hbm = {work.hbm.read + work.hbm.written};
  work.activity.sbuf = {work.sbuf.read + work.sbuf.written};
  work.activity.psum = {work.psum.read + work.psum.written};
  work.activity.dma = {work.dma_bytes};
  return work;
}

}  // namespace trainyard::report

#include "rig.h"

namespace trainyard::fidelity {

isa::TensorId Rig::tensor(isa::Space space, std::int64_t rows, std::int64_t columns,
                          isa::DType dtype, std::int64_t address) {
  isa::Tensor t;
  t.name = "t" + std::to_string(program_.tensors.size());
  t.shape = {rows, columns};
  t.dtype = dtype;
  t.space = space;
  t.address = address;
  program_.tensors.push_back(t);
  return static_cast<isa::TensorId>(program_.tensors.size() - 1);
}

isa::Tile Rig::sbuf(std::int64_t partitions, std::int64_t columns, isa::DType dtype,
                    std::int32_t stride) {
  isa::Tile tile{.space = isa::Space::sbuf, .dtype = dtype, .rank = 1};
  const std::int64_t bytes = columns * stride * numerics::size_in_bytes(dtype);
  // Time does not look at what an address holds, so the memory may be used over and over.
  if (next_sbuf_ + bytes > machine_.core.sbuf.partition_size.value) next_sbuf_ = 0;
  tile.tensor = tensor(isa::Space::sbuf, partitions, columns * stride, dtype, next_sbuf_);
  tile.partitions = static_cast<std::uint16_t>(partitions);
  tile.offset = next_sbuf_;
  tile.dims[0] = {stride, static_cast<std::int32_t>(columns)};
  next_sbuf_ += bytes;
  return tile;
}

isa::Tile Rig::psum(std::int64_t bank, std::int64_t partitions, std::int64_t columns,
                    isa::DType dtype) {
  isa::Tile tile{.space = isa::Space::psum, .dtype = dtype, .rank = 1};
  tile.offset = bank % machine_.core.psum.banks * machine_.core.psum.bank_size.value;
  tile.tensor = tensor(isa::Space::psum, partitions, columns, dtype, tile.offset);
  tile.partitions = static_cast<std::uint16_t>(partitions);
  tile.dims[0] = {1, static_cast<std::int32_t>(columns)};
  return tile;
}

isa::Tile Rig::hbm(std::int64_t rows, std::int64_t columns, isa::DType dtype) {
  isa::Tile tile{.space = isa::Space::hbm, .dtype = dtype, .rank = 2};
  tile.tensor = tensor(isa::Space::hbm, rows, columns, dtype, -1);
  tile.dims[0] = {static_cast<std::int32_t>(columns), static_cast<std::int32_t>(rows)};
  tile.dims[1] = {1, static_cast<std::int32_t>(columns)};
  return tile;
}

isa::Tile Rig::at_register(isa::Tile tile) {
  program_.dynamics.push_back({.reg = {0}});
  tile.dynamic = static_cast<std::uint32_t>(program_.dynamics.size());
  return tile;
}

void Rig::schedule(isa::Engine engine, std::uint32_t instruction, const Order& order) {
  isa::StreamItem item;
  item.instruction = instruction;
  item.first_wait = static_cast<std::uint32_t>(program_.waits.size());
  item.first_signal = static_cast<std::uint32_t>(program_.signals.size());
  item.wait_count = static_cast<std::uint16_t>(order.waits.size());
  item.signal_count = static_cast<std::uint16_t>(order.signals.size());
  item.depends_back = order.depends_back;
  for (const isa::Wait& wait : order.waits) {
    program_.waits.push_back(wait);
    program_.semaphore_count = std::max<std::uint16_t>(
        program_.semaphore_count, static_cast<std::uint16_t>(wait.semaphore + 1));
  }
  for (const isa::Signal& signal : order.signals) {
    program_.signals.push_back(signal);
    program_.semaphore_count = std::max<std::uint16_t>(
        program_.semaphore_count, static_cast<std::uint16_t>(signal.semaphore + 1));
  }
  program_.instructions[instruction].engine = engine;
  program_.instructions[instruction].queue = order.queue;
  program_.streams[static_cast<std::size_t>(engine)].push_back(item);
}

system::RunResult Rig::run(trace::Recorder* recorder) const {
  return system::time(program_, machine_, recorder);
}

double Rig::nanoseconds() const { return base::to_nanoseconds(run().time); }

double spacing(const machine::Machine& machine, int few, int many,
               const std::function<void(Rig&, int i)>& add) {
  const auto length = [&](int count) {
    Rig rig(machine);
    for (int i = 0; i < count; ++i) add(rig, i);
    return rig.nanoseconds();
  };
  return (length(many) - length(few)) / (many - few);
}

}  // namespace trainyard::fidelity

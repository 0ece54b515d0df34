// A program and whole-tensor tiles by short calls, for tests of compiler passes.
#pragma once

#include <string>
#include <vector>

#include "isa/instructions/dma_copy.h"
#include "isa/instructions/loop_begin.h"
#include "isa/instructions/loop_end.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/tensor_copy.h"
#include "isa/instructions/tensor_tensor.h"
#include "isa/views/view.h"
#include "machine/machine.h"

namespace trainyard::compiler {

using isa::Space;
using isa::Tile;
using numerics::DType;

inline const machine::Machine& trn3() {
  static const machine::Machine machine = machine::load("trn3");
  return machine;
}

class Kernel {
 public:
  isa::Program program;

  Tile tensor(Space space, std::vector<std::int64_t> shape, DType dtype = DType::float32,
              isa::TensorRole role = isa::TensorRole::internal) {
    isa::Tensor tensor;
    tensor.name = "t" + std::to_string(program.tensors.size());
    tensor.shape = std::move(shape);
    tensor.dtype = dtype;
    tensor.space = space;
    tensor.role = role;
    program.tensors.push_back(tensor);
    return isa::tile_of(
        isa::view_of(program, static_cast<isa::TensorId>(program.tensors.size() - 1)));
  }
  Tile at(Space space, std::int64_t address, std::vector<std::int64_t> shape) {
    const Tile tile = tensor(space, std::move(shape));
    program.tensors[tile.tensor].manual_address = true;
    program.tensors[tile.tensor].address = address;
    return tile;
  }
  // The tile, moved by as many strides as the number in `index` says.
  Tile by_tile(Tile tile, const Tile& index, std::int64_t stride = 1) {
    program.dynamics.push_back(
        {.kind = isa::DynamicAddress::Kind::tile_offset, .index = index, .stride = stride});
    tile.dynamic = static_cast<std::uint32_t>(program.dynamics.size());
    return tile;
  }
  std::uint32_t load(const Tile& dst, const Tile& src) {
    return program.append(isa::DmaCopy{.dst = dst, .src = src});
  }
  std::uint32_t copy(const Tile& dst, const Tile& src, isa::Engine engine = isa::Engine::vector) {
    return program.append(isa::TensorCopy{.dst = dst, .src = src}, engine);
  }
  std::uint32_t fill(const Tile& dst) { return program.append(isa::Memset{.dst = dst}); }
  // A hardware loop that counts in register `reg`; returns its loop_begin.
  std::uint32_t begin_loop(int reg, int times) {
    return program.append(
        isa::LoopBegin{.counter = {static_cast<std::uint8_t>(reg)}, .stop = {.constant = times}});
  }
  void end_loop(std::uint32_t begin) {
    program.append(isa::LoopEnd{.begin = static_cast<std::int32_t>(begin)});
  }
  std::uint32_t add(const Tile& dst, const Tile& a, const Tile& b) {
    return program.append(isa::TensorTensor{.dst = dst, .data1 = a, .data2 = b});
  }
};

}  // namespace trainyard::compiler

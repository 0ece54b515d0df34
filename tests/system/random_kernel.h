// Random kernels in the author's form: loads, elementwise instructions on four engines, matrix
// products, stores and hardware loops over random tensors, to be compiled and run in every way.
#pragma once

#include <cstring>
#include <vector>

#include "base/random.h"
#include "isa/core/program.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/loop_begin.h"
#include "isa/instructions/loop_end.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/tensor_copy.h"
#include "isa/instructions/tensor_tensor.h"

namespace trainyard::system {

class RandomKernel {
 public:
  explicit RandomKernel(std::uint64_t seed) : random_(seed) {
    input_ =
        tensor(isa::Space::hbm, {rows, columns * 8}, isa::DType::bfloat16, isa::TensorRole::input);
    output_ = tensor(isa::Space::hbm, {rows, columns * 32}, isa::DType::bfloat16,
                     isa::TensorRole::output);
    for (int i = 0; i < 4; ++i) load();
    const int steps = 10 + static_cast<int>(random_.below(20));
    for (int i = 0; i < steps; ++i) step();
    if (random_.below(2) == 0) loop();
    for (const isa::Tile& tile : ready_) store(tile);
  }

  [[nodiscard]] const isa::Program& program() const { return program_; }
  [[nodiscard]] isa::TensorId input() const { return input_; }
  [[nodiscard]] isa::TensorId output() const { return output_; }

 private:
  static constexpr std::int64_t rows = 128;
  static constexpr std::int32_t columns = 64;

  isa::TensorId tensor(isa::Space space, std::vector<std::int64_t> shape, isa::DType dtype,
                       isa::TensorRole role) {
    isa::Tensor t;
    t.name = "t" + std::to_string(program_.tensors.size());
    t.shape = std::move(shape);
    t.dtype = dtype;
    t.space = space;
    t.role = role;
    program_.tensors.push_back(t);
    return static_cast<isa::TensorId>(program_.tensors.size() - 1);
  }
  isa::Tile on_chip(isa::Space space, isa::DType dtype) {
    isa::Tile tile{.space = space, .dtype = dtype, .rank = 1, .partitions = rows};
    tile.tensor = tensor(space, {rows, columns}, dtype, isa::TensorRole::internal);
    tile.dims[0] = {1, columns};
    return tile;
  }
  [[nodiscard]] isa::Tile in_hbm(isa::TensorId id, std::int32_t column) const {
    isa::Tile tile{
        .space = isa::Space::hbm, .dtype = isa::DType::bfloat16, .rank = 2, .tensor = id};
    tile.offset = column * tile.element_bytes();
    tile.dims[0] = {static_cast<std::int32_t>(program_.tensors[id].shape[1]), rows};
    tile.dims[1] = {1, columns};
    return tile;
  }
  // Mostly a recent result, so that chains form.
  const isa::Tile& operand() {
    const std::uint64_t back = 1 + random_.below(std::min<std::uint64_t>(ready_.size(), 5));
    return ready_[ready_.size() - back];
  }
  void load() {
    const isa::Tile tile = on_chip(isa::Space::sbuf, isa::DType::bfloat16);
    const auto column = static_cast<std::int32_t>(random_.below(8)) * columns;
    program_.append(isa::DmaCopy{.dst = tile, .src = in_hbm(input_, column)});
    ready_.push_back(tile);
  }
  void store(const isa::Tile& tile) {
    if (stored_ == 31) return;
    program_.append(isa::DmaCopy{.dst = in_hbm(output_, stored_++ * columns), .src = tile});
  }
  void step() {
    const isa::Tile result = on_chip(isa::Space::sbuf, isa::DType::bfloat16);
    switch (random_.below(6)) {
      case 0: {
        isa::Activation op;
        op.dst = result;
        op.data = operand();
        op.op = random_.below(2) == 0 ? numerics::ActivationFunction::relu
                                      : numerics::ActivationFunction::exp;
        program_.append(op);
        break;
      }
      case 1:
        program_.append(isa::TensorCopy{.dst = result, .src = operand()},
                        random_.below(2) == 0 ? isa::Engine::gpsimd : isa::Engine::scalar);
        break;
      case 2: load(); return;
      case 3: {
        isa::NcMatmul product;
        product.dst = on_chip(isa::Space::psum, isa::DType::float32);
        product.dst.partitions = columns;
        product.stationary = operand();
        product.moving = operand();
        program_.append(product);
        product.stationary = operand();
        program_.append(product);
        isa::Tile narrow = result;
        narrow.partitions = columns;
        program_.append(isa::TensorCopy{.dst = narrow, .src = product.dst});
        store_narrow(narrow);
        return;
      }
      default: {
        // Sometimes in place: what others still read must be left alone until they have.
        const isa::Tile target = random_.below(4) == 0 ? operand() : result;
        program_.append(isa::TensorTensor{
            .dst = target, .data1 = operand(), .data2 = operand(), .op = numerics::AluOp::add});
        if (target.tensor != result.tensor) return;
      }
    }
    ready_.push_back(result);
  }
  void store_narrow(const isa::Tile& tile) {
    if (stored_ == 31) return;
    isa::Tile target = in_hbm(output_, stored_++ * columns);
    target.dims[0].count = columns;
    program_.append(isa::DmaCopy{.dst = target, .src = tile});
  }
  // Adds all column blocks of the input to a tile, one an iteration.
  void loop() {
    const isa::Tile sum = on_chip(isa::Space::sbuf, isa::DType::bfloat16);
    const isa::Tile block = on_chip(isa::Space::sbuf, isa::DType::bfloat16);
    program_.append(isa::TensorCopy{.dst = sum, .src = operand()});
    program_.dynamics.push_back({.reg = {3}, .stride = columns, .limit = 8});
    isa::Tile moving = in_hbm(input_, 0);
    moving.dynamic = static_cast<std::uint32_t>(program_.dynamics.size());
    isa::LoopBegin begin;
    begin.counter = {3};
    begin.stop = {.constant = static_cast<std::int64_t>(random_.below(9)), .reg = {}};
    const auto at = static_cast<std::int32_t>(program_.append(begin));
    program_.append(isa::DmaCopy{.dst = block, .src = moving});
    program_.append(
        isa::TensorTensor{.dst = sum, .data1 = sum, .data2 = block, .op = numerics::AluOp::add});
    program_.append(isa::LoopEnd{.begin = at});
    ready_.push_back(sum);
  }

  base::Random random_;
  isa::Program program_;
  isa::TensorId input_ = 0, output_ = 0;
  std::vector<isa::Tile> ready_;
  std::int32_t stored_ = 0;
};

}  // namespace trainyard::system

// A small program to try one instruction in: tensors on demand, the machine trn3, and the labels
// that validation reports. Tests change `core` to stand for an older core.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/core/program.h"
#include "isa/rules/validate.h"
#include "machine/machine.h"

namespace trainyard::isa {

struct Bench {
  Bench() : core(trn3()) {}

  Program program;
  machine::Core core;
  Engine engine = Engine::any;          // the engine the instruction is checked for
  std::optional<LogicalCore> runner{};  // who runs it, likewise

  // A tile that covers a new tensor: `free` are the sizes of its free dimensions.
  Tile sbuf(DType dtype, int partitions, std::initializer_list<int> free) {
    return on_chip(Space::sbuf, dtype, partitions, free);
  }
  Tile psum(DType dtype, int partitions, std::initializer_list<int> free) {
    return on_chip(Space::psum, dtype, partitions, free);
  }
  Tile hbm(DType dtype, std::initializer_list<int> shape) {
    Tile tile = dense(Space::hbm, dtype, shape);
    return own(tile, std::vector<std::int64_t>(shape.begin(), shape.end()));
  }

  // The same tile with an address that is computed at run time.
  Tile by_register(Tile tile, int index, std::int64_t stride = 1, std::int64_t limit = 0) {
    return dynamic(tile, {.kind = DynamicAddress::Kind::register_offset,
                          .reg = {static_cast<std::uint8_t>(index)},
                          .stride = stride,
                          .limit = limit});
  }
  Tile by_tile(Tile tile, const Tile& index, std::int64_t stride = 1, std::int64_t limit = 0) {
    return dynamic(tile, {.kind = DynamicAddress::Kind::tile_offset,
                          .index = index,
                          .stride = stride,
                          .limit = limit});
  }
  Tile by_rows(Tile tile, const Tile& index, std::int64_t stride, std::int64_t limit = 0) {
    return dynamic(tile, {.kind = DynamicAddress::Kind::vector_offset,
                          .index = index,
                          .stride = stride,
                          .limit = limit});
  }
  // An .indirect() view of the first `count` elements that `index` names, 16 or 32 rows a group.
  Tile indirect(Tile tile, const Tile& index, int count, std::int64_t group) {
    const std::int64_t extent = tile.free_elements();
    tile.rank = 1;
    tile.dims = {};
    tile.dims[0] = {1, count};
    return dynamic(
        tile,
        {.kind = DynamicAddress::Kind::indirect, .index = index, .stride = group, .limit = extent});
  }
  Tile dynamic(Tile tile, const DynamicAddress& how) {
    program.dynamics.push_back(how);
    tile.dynamic = static_cast<std::uint32_t>(program.dynamics.size());
    return tile;
  }

  // The labels that the record breaks, in the order of the report.
  template <typename Record>
  [[nodiscard]] std::vector<std::string> broken(const Record& record) const {
    std::vector<std::string> labels;
    for (const base::Violation& v :
         violations(info_of<Record>(), &record, engine, program, core, runner))
      labels.push_back(v.label);
    return labels;
  }

 private:
  static const machine::Core& trn3() {
    static const machine::Machine machine = machine::load("trn3");
    return machine.core;
  }

  static Tile dense(Space space, DType dtype, std::initializer_list<int> sizes) {
    Tile tile{.space = space, .dtype = dtype, .rank = static_cast<std::uint8_t>(sizes.size())};
    int step = 1;
    std::size_t at = sizes.size();
    for (auto size = std::rbegin(sizes); size != std::rend(sizes); ++size) {
      tile.dims[--at] = {step, *size};
      step *= *size;
    }
    return tile;
  }

  Tile on_chip(Space space, DType dtype, int partitions, std::initializer_list<int> free) {
    Tile tile = dense(space, dtype, free);
    tile.partitions = static_cast<std::uint16_t>(partitions);
    std::vector<std::int64_t> shape{partitions};
    shape.insert(shape.end(), free.begin(), free.end());
    return own(tile, std::move(shape));
  }

  Tile own(Tile tile, std::vector<std::int64_t> shape) {
    tile.tensor = static_cast<TensorId>(program.tensors.size());
    Tensor tensor;
    tensor.name = "t" + std::to_string(tile.tensor);
    tensor.shape = std::move(shape);
    tensor.dtype = tile.dtype;
    tensor.space = tile.space;
    program.tensors.push_back(std::move(tensor));
    return tile;
  }
};

}  // namespace trainyard::isa

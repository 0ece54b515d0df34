// What one rank runs in tests of random programs: tiles in SBUF, blocks in HBM, and collectives
// drawn by a seed that all ranks share.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/random.h"
#include "isa/core/program.h"
#include "isa/instructions/collective_permute.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/memset.h"

namespace trainyard::system {

class RankKernel {
 public:
  RankKernel(const RankKernel&) = delete;
  RankKernel& operator=(const RankKernel&) = delete;
  virtual ~RankKernel() = default;
  [[nodiscard]] const isa::Program& program() const { return program_; }

 protected:
  // `count` tiles of [rows, columns], filled with numbers of this rank's, and as many blocks.
  RankKernel(std::uint64_t seed, std::int32_t me, std::int32_t rows, std::int32_t columns,
             std::size_t count)
      : random_(seed), me_(me), rows_(rows), columns_(columns) {
    const auto partitions = static_cast<std::uint16_t>(rows);
    for (std::size_t i = 0; i < count; ++i) {
      tiles_.push_back(own({.space = isa::Space::sbuf, .rank = 1, .partitions = partitions}, {1}));
      program_.append(
          isa::Memset{.dst = tiles_.back(), .value = 1.0 + static_cast<double>(i) + 10 * me_});
    }
    for (std::size_t i = 0; i < count; ++i) {
      blocks_.push_back(own({.space = isa::Space::hbm, .rank = 2}, {columns, 1}));
      program_.append(isa::DmaCopy{.dst = blocks_.back(), .src = tiles_[i]});
    }
  }
  // Who takes part in the next collective.
  virtual isa::RankGroups groups() = 0;

  // The tiles go to the blocks.
  void store() {
    for (std::size_t i = 0; i < tiles_.size(); ++i)
      program_.append(isa::DmaCopy{.dst = blocks_[i], .src = tiles_[i]});
  }
  const isa::Tile& any(const std::vector<isa::Tile>& list) {
    return list[random_.below(list.size())];
  }
  template <typename Record>
  [[nodiscard]] Record between(const std::vector<isa::Tile>& list) {
    Record record;
    record.src = any(list);
    record.dst = any(list);
    record.groups = groups();
    return record;
  }

  base::Random random_;
  std::int32_t me_;
  isa::Program program_;
  std::vector<isa::Tile> tiles_, blocks_;

 private:
  isa::Tile own(isa::Tile tile, std::initializer_list<std::int32_t> steps) {
    isa::Tensor t;
    t.name = "t" + std::to_string(program_.tensors.size());
    t.shape = {rows_, columns_};
    t.space = tile.space;
    tile.tensor = static_cast<isa::TensorId>(program_.tensors.size());
    program_.tensors.push_back(t);
    std::size_t d = 0;
    for (const std::int32_t step : steps) tile.dims[d++] = {step, step == 1 ? columns_ : rows_};
    return tile;
  }

  std::int32_t rows_, columns_;
};

}  // namespace trainyard::system

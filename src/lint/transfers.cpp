#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "isa/core/region.h"
#include "isa/cost/transfer.h"
#include "lint/lint.h"
#include "lint/report.h"

namespace trainyard::lint {

namespace {

using isa::Tile;

// A piece whose bytes take two thirds of its time on the DMA engine, or more; the rest is the fixed
// cost of a packet.
std::int64_t efficient_piece(const machine::Core& core) {
  std::int64_t bytes = 1;
  while (core.dma.packet_rate({bytes}) < core.dma.hardware.packet_overhead * 2) bytes *= 2;
  return bytes;
}

class Transfers {
 public:
  Transfers(const isa::Program& program, const machine::Core& core, checkers::Findings& findings)
      : program_(program), core_(core), efficient_(efficient_piece(core)), findings_(findings) {}

  void apply(std::uint32_t i) {
    const isa::InstructionInfo& info = program_.info_at(i);
    const bool collective = info.encounter(program_.record(i)) == isa::Encounter::collective;
    if (info.kind == isa::Kind::dma && !collective) check_shape(i, info);
    program_.for_each_tile(i, [&](const isa::OperandInfo&, const Tile& tile, isa::Access access) {
      if (tile.space != isa::Space::hbm || tile.dynamic != 0) return;
      if (isa::writes(access)) written(i, tile);
      if (isa::reads(access) && !isa::writes(access) && info.kind == isa::Kind::dma)
        loaded(i, tile);
    });
  }

 private:
  // Enough for every DMA engine to have an efficient piece of its own.
  [[nodiscard]] bool is_large(std::int64_t bytes) const {
    return bytes >= efficient_ * core_.dma.engines;
  }

  void check_shape(std::uint32_t i, const isa::InstructionInfo& info) {
    const isa::Transfer transfer = isa::transfer_of(info, program_.record(i), core_);
    if (transfer.kind != isa::TransferKind::copy || !is_large(transfer.written.value)) return;
    const std::int64_t pieces =
        base::ceil_div(transfer.written.value, std::max<std::int64_t>(1, transfer.piece.value));
    std::int64_t element = 1;
    program_.for_each_tile(i, [&](const isa::OperandInfo&, const Tile& tile, isa::Access access) {
      if (isa::writes(access)) element = tile.element_bytes();
    });
    if (transfer.piece.value < efficient_) {
      const bool single = transfer.piece.value <= element;
      report(findings_, single ? "dma.element_wise" : "dma.small", {"moves", i}, std::nullopt, [&] {
        return fmt::format(
            "{} moves {} bytes in {} pieces of {} bytes; from {} bytes on, most of "
            "a piece's time goes to its bytes",
            info.mnemonic, transfer.written.value, pieces, transfer.piece.value, efficient_);
      });
    }
    const std::int64_t engines =
        std::ranges::count_if(transfer.pieces, [](std::int32_t n) { return n > 0; });
    if (2 * engines > core_.dma.engines) return;
    report(findings_, "dma.few_engines", {"moves", i}, std::nullopt, [&] {
      return fmt::format("{} of {} bytes uses {} of {} DMA engines", info.mnemonic,
                         transfer.written.value, engines, core_.dma.engines);
    });
  }

  // What tells loads of the same bytes.
  using Key = std::tuple<isa::TensorId, std::int64_t, std::int64_t, std::array<std::int32_t, 8>,
                         std::array<std::int32_t, 8>>;

  void loaded(std::uint32_t i, const Tile& tile) {
    const isa::Region region = isa::region_of(program_, tile);
    if (is_large(tile.bytes()) && region.dense) {
      const Key key{region.tensor, region.first_byte, region.end_byte, region.low, region.high};
      const auto [entry, is_new] = loads_.try_emplace(key, i);
      if (!is_new) {
        report(findings_, "dma.reload", {"loads again", i}, Party{"loads first", entry->second},
               [&] {
                 return fmt::format("{} bytes of '{}' are loaded again; the first time at {}",
                                    tile.bytes(), program_.tensors[tile.tensor].name,
                                    program_.place(entry->second));
               });
      }
    }
    const isa::Tensor& tensor = program_.tensors[tile.tensor];
    const auto store = stores_.find(tile.tensor);
    if (store == stores_.end() || tensor.shared || tensor.role != isa::TensorRole::internal) return;
    report(findings_, "dma.spill", {"loads", i}, Party{"stored", store->second}, [&] {
      return fmt::format("{} bytes of '{}' come back from HBM; they were stored at {}",
                         tile.bytes(), tensor.name, program_.place(store->second));
    });
  }

  void written(std::uint32_t i, const Tile& tile) {
    stores_[tile.tensor] = i;
    std::erase_if(loads_,
                  [&](const auto& entry) { return std::get<0>(entry.first) == tile.tensor; });
  }

  const isa::Program& program_;
  const machine::Core& core_;
  std::int64_t efficient_;
  checkers::Findings& findings_;
  std::map<Key, std::uint32_t> loads_;             // the first load since the tensor was written
  std::map<isa::TensorId, std::uint32_t> stores_;  // the last instruction that wrote the tensor
};

}  // namespace

void inspect_transfers(const isa::Program& program, const machine::Core& core,
                       checkers::Findings& findings) {
  Transfers transfers(program, core, findings);
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) transfers.apply(i);
}

}  // namespace trainyard::lint

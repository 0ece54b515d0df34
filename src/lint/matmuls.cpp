#include <fmt/format.h>

#include <map>
#include <vector>

#include "lint/lint.h"
#include "lint/report.h"

namespace trainyard::lint {

namespace {

using isa::Tile;

class Matmuls {
 public:
  Matmuls(const isa::Program& program, const machine::Core& core, checkers::Findings& findings)
      : program_(program),
        core_(core),
        findings_(findings),
        loads_(program.tensors.size()),
        read_(static_cast<std::size_t>(core.psum.banks), false) {}

  void apply(std::uint32_t i) {
    const isa::InstructionInfo& info = program_.info_at(i);
    if (info.with(isa::Role::moving) != nullptr) {
      const auto tile = [&](isa::Role role) -> const Tile& {
        return info.with(role)->in<Tile>(program_.record(i));
      };
      matmul(i, tile(isa::Role::stationary), tile(isa::Role::moving),
             info.passes(program_.record(i), core_));
    }
    const bool array = program_.instructions[i].engine == isa::Engine::tensor;
    program_.for_each_tile(i, [&](const isa::OperandInfo&, const Tile& tile, isa::Access access) {
      if (tile.space == isa::Space::psum && tile.dynamic == 0)
        bank(i, array, tile, access);
      else if (isa::writes(access))
        loads_[tile.tensor].clear();
    });
  }

 private:
  // How often a stationary operand may be loaded before it is worth a word.
  static constexpr int loads_max = 3;
  struct Load {
    Tile tile;
    int times = 0;
  };

  void matmul(std::uint32_t i, const Tile& stationary, const Tile& moving,
              const isa::Passes& passes) {
    if (passes.count > 1 && !passes.transposes) {
      report(findings_, "perf.fp32_matmul", {"multiplies", i}, std::nullopt, [&] {
        return fmt::format("{} x {} goes through the array {} times, {} cycles each",
                           describe(stationary), describe(moving), passes.count, passes.move.value);
      });
    }
    const auto rows = std::int64_t{stationary.partitions};
    if (!passes.transposes && passes.part.rows == 0 && passes.moved >= core_.array.columns &&
        (2 * rows < core_.array.rows || 2 * passes.loaded < core_.array.columns)) {
      report(findings_, "perf.array_idle", {"multiplies", i}, std::nullopt, [&] {
        return fmt::format("{} of {} rows and {} of {} columns of the array are used", rows,
                           core_.array.rows, passes.loaded, core_.array.columns);
      });
    }
    load(i, stationary);
  }

  void load(std::uint32_t i, const Tile& stationary) {
    const bool stays = stationary == loaded_;
    loaded_ = stationary;
    if (stays || stationary.dynamic != 0) return;
    std::vector<Load>& list = loads_[stationary.tensor];
    for (Load& load : list) {
      if (load.tile != stationary) continue;
      if (++load.times <= loads_max) return;
      report(findings_, "perf.weights_again", {"loads", i}, std::nullopt, [&] {
        return fmt::format("{} of '{}' is loaded for the {}th time", describe(stationary),
                           program_.tensors[stationary.tensor].name, load.times);
      });
      return;
    }
    list.push_back({stationary, 1});
  }

  void bank(std::uint32_t i, bool array, const Tile& tile, isa::Access access) {
    const auto b = static_cast<std::size_t>(tile.low_byte() / core_.psum.bank_size.value);
    if (b >= read_.size()) return;
    if (!array) {
      if (isa::reads(access)) read_[b] = true, reader_ = i;
      return;
    }
    if (!isa::writes(access)) return;
    if (!isa::reads(access) && b == last_bank_ && read_[b]) {
      report(findings_, "perf.psum_bank", {"overwrites", i}, Party{"reads", reader_}, [&] {
        return fmt::format(
            "bank {} is written again after {} at {} has read it, and no other bank "
            "between",
            b, program_.info_at(reader_).mnemonic, program_.place(reader_));
      });
    }
    if (!isa::reads(access)) read_[b] = false;
    last_bank_ = b;
  }

  const isa::Program& program_;
  const machine::Core& core_;
  checkers::Findings& findings_;
  std::vector<std::vector<Load>> loads_;  // by tensor: stationary tiles since it was written
  Tile loaded_{};                         // what the array holds
  std::vector<bool> read_;                // by PSUM bank: since it was written
  std::uint32_t reader_ = 0;              // the last instruction that read a bank
  std::size_t last_bank_ = ~std::size_t{0};
};

}  // namespace

void inspect_matmuls(const isa::Program& program, const machine::Core& core,
                     checkers::Findings& findings) {
  Matmuls matmuls(program, core, findings);
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) matmuls.apply(i);
}

}  // namespace trainyard::lint

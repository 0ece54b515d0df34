#include "compiler/rewrites.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "isa/core/control_flow.h"
#include "isa/cost/transfer.h"

namespace trainyard::compiler {

namespace {

using isa::Engine;
using isa::Program;
using isa::Tile;

// Calls f(instruction, into_sbuf) for the transfers that any queue may do.
template <typename F>
void for_each_plain_transfer(const Program& program, F&& f) {
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const isa::InstructionInfo& info = program.info_at(i);
    if (info.kind != isa::Kind::dma || info.meeting != nullptr) continue;
    const void* record = program.record(i);
    if (isa::is_plain(info, record)) f(i, isa::goes_into_sbuf(info, record));
  }
}

// Who generates the descriptors of a transfer; null where it has no choice.
isa::DgeMode* mode_of(Program& program, std::uint32_t i) {
  for (const isa::OperandInfo& operand : program.info_at(i).operands)
    if (operand.is<isa::DgeMode>()) return &operand.in<isa::DgeMode>(program.record(i));
  return nullptr;
}

// Gives the transfers of one direction to engines in turn: Sync and Scalar with descriptors made by
// hardware, GpSimd by software, as dma_copy takes them.
bool spread(Program& program, bool loads, std::initializer_list<Engine> engines) {
  std::size_t turn = 0;
  bool changed = false;
  for_each_plain_transfer(program, [&](std::uint32_t i, bool into_sbuf) {
    isa::DgeMode* mode = mode_of(program, i);
    if (into_sbuf != loads || mode == nullptr) return;
    Engine& now = program.instructions[i].engine;
    const Engine usual = loads ? Engine::sync : Engine::gpsimd;
    const Engine engine = std::data(engines)[turn++ % engines.size()];
    changed = changed || (now == Engine::any ? usual : now) != engine;
    now = engine;
    *mode = engine == Engine::gpsimd ? isa::DgeMode::swdge : isa::DgeMode::hwdge;
  });
  return changed;
}

// The descriptors of all transfers are made in one way, on the engines that are usual then.
bool make_descriptors(Program& program, isa::DgeMode mode) {
  bool changed = false;
  for_each_plain_transfer(program, [&](std::uint32_t i, bool) {
    isa::DgeMode* now = mode_of(program, i);
    if (now == nullptr) return;
    changed = changed || *now != mode;
    *now = mode;
    program.instructions[i].engine = Engine::any;
  });
  return changed;
}

// --- More buffers ---

bool covers(const Tile& tile, const isa::Tensor& tensor) {
  return tile.dynamic == 0 && tile.bytes() == tensor.bytes() &&
         std::ranges::none_of(tile.free(),
                              [](const isa::Dim& dim) { return dim.step == 0 && dim.count > 1; });
}

// The tensor that an instruction writes whole without looking at what it held, or none.
isa::TensorId written_afresh(const Program& program, std::uint32_t i) {
  isa::TensorId whole = isa::no_tensor;
  bool reads_it = false, is_plain = true;
  program.for_each_tile(i, [&](const isa::OperandInfo&, const Tile& tile, isa::Access access) {
    is_plain = is_plain && tile.dynamic == 0;
    if (access == isa::Access::write && tile.on_chip() &&
        covers(tile, program.tensors[tile.tensor]))
      whole = tile.tensor;
  });
  program.for_each_tile(i, [&](const isa::OperandInfo&, const Tile& tile, isa::Access access) {
    reads_it = reads_it || (tile.tensor == whole && access != isa::Access::write);
  });
  return is_plain && !reads_it ? whole : isa::no_tensor;
}

// Tensors whose place nothing but the compiler chooses.
std::vector<bool> movable(const Program& program) {
  std::vector<bool> result;
  for (const isa::Tensor& tensor : program.tensors)
    result.push_back(tensor.space != isa::Space::hbm && !tensor.manual_address);
  for (const isa::DynamicAddress& how : program.dynamics)
    if (how.index) result[how.index.tensor] = false;
  return result;
}

bool has_control(const Program& program) {
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i)
    if (program.info_at(i).kind == isa::Kind::control) return true;
  return false;
}

// A tensor that is written whole again becomes another one from there on. Returns the names of
// those, in the order of the program.
std::vector<std::string> give_each_turn_a_buffer(Program& program) {
  std::vector<std::string> names;
  if (has_control(program)) return names;
  const std::vector<bool> may_move = movable(program);
  std::vector<isa::TensorId> now(program.tensors.size());
  std::vector<bool> used(program.tensors.size(), false);
  for (isa::TensorId t = 0; t < now.size(); ++t) now[t] = t;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const isa::TensorId fresh = written_afresh(program, i);
    if (fresh != isa::no_tensor && may_move[fresh] && used[fresh]) {
      isa::Tensor copy = program.tensors[fresh];
      copy.created = i;
      if (std::ranges::find(names, copy.name) == names.end()) names.push_back(copy.name);
      now[fresh] = static_cast<isa::TensorId>(program.tensors.size());
      program.tensors.push_back(std::move(copy));
    }
    program.for_each_tile_mutable(i, [&](Tile& tile) {
      if (tile.tensor >= now.size()) return;
      used[tile.tensor] = true;
      tile.tensor = now[tile.tensor];
    });
  }
  return names;
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k)
    text += fmt::format("{}'{}'", k == 0 ? "" : ", ", names[k]);
  return names.size() > most ? text + " ..." : text;
}

}  // namespace

std::vector<Rewrite> rewrites(const Program& kernel, const Options& options,
                              const machine::Core& core) {
  std::vector<Rewrite> list;
  const auto add = [&](std::string text, auto&& change) {
    Rewrite rewrite{std::move(text), kernel, options};
    if (change(rewrite.kernel)) list.push_back(std::move(rewrite));
  };
  if (options.order == Order::author) {
    list.push_back({"let the compiler reorder it (schedule=\"list\")", kernel, options});
    list.back().options.order = Order::list;
  }
  Rewrite buffers{"", kernel, options};
  if (const auto names = give_each_turn_a_buffer(buffers.kernel); !names.empty()) {
    buffers.text =
        fmt::format("give each iteration its own tile instead of writing {} again (more buffers)",
                    some_of(names));
    list.push_back(std::move(buffers));
  }
  const auto issue = [&](bool loads, std::string_view from, auto... engines) {
    add(fmt::format("issue the {} from {}", loads ? "loads" : "stores", from),
        [=](Program& p) { return spread(p, loads, {engines...}); });
  };
  if (core.features.hardware_dge) {
    issue(true, "Sync and Scalar in turn (dge_mode.hwdge, engine=)", Engine::sync, Engine::scalar);
    issue(true, "Sync, Scalar and GpSimd in turn (dge_mode.hwdge, engine=; dge_mode.swdge)",
          Engine::sync, Engine::scalar, Engine::gpsimd);
    issue(true, "Sync (dge_mode.hwdge, engine=)", Engine::sync);
    issue(false, "Sync (dge_mode.hwdge, engine=)", Engine::sync);
    issue(false, "Scalar (dge_mode.hwdge, engine=)", Engine::scalar);
    issue(false, "GpSimd (dge_mode.swdge)", Engine::gpsimd);
    add("let hardware make the descriptors (dge_mode.hwdge)",
        [](Program& p) { return make_descriptors(p, isa::DgeMode::hwdge); });
  }
  add("have the descriptors made before the run (dge_mode.none)",
      [](Program& p) { return make_descriptors(p, isa::DgeMode::none); });
  return list;
}

}  // namespace trainyard::compiler

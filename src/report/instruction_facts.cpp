#include "report/instruction_facts.h"

#include <array>
#include <map>
#include <string>

#include "base/error.h"
#include "isa/cost/transfer.h"
#include "numerics/dtype.h"
#include "report/work.h"

namespace trainyard::report {
namespace {

// Keys stay in the order written, so that equal programs are equal text.
using Json = nlohmann::ordered_json;

std::string_view name(isa::DescriptorMaker maker) {
  switch (maker) {
    case isa::DescriptorMaker::fixed: return "fixed";
    case isa::DescriptorMaker::hardware: return "hardware";
    case isa::DescriptorMaker::software: return "software";
    case isa::DescriptorMaker::collective: return "collective";
  }
  base::fail("unknown maker of descriptors");
}

// Bytes of one run of an instruction, by memory.
struct Moved {
  BytesMoved hbm, sbuf, psum;

  BytesMoved& of(isa::Space space) {
    switch (space) {
      case isa::Space::hbm: return hbm;
      case isa::Space::psum: return psum;
      default: return sbuf;
    }
  }
};

// Each distinct tile once: instructions name it by its number.
class Tiles {
 public:
  explicit Tiles(const isa::Program& program) : program_(program) {}

  std::int64_t number_of(const isa::Tile& tile) {
    const Json told = json(tile);
    const auto [found, is_new] =
        numbers_.emplace(told.dump(-1, ' ', false, Json::error_handler_t::replace), list.size());
    if (is_new) list.push_back(told);
    return static_cast<std::int64_t>(found->second);
  }

  Json list = Json::array();

 private:
  [[nodiscard]] Json json(const isa::Tile& tile) const {
    Json steps = Json::array(), counts = Json::array();
    for (const isa::Dim& dim : tile.free()) {
      steps.push_back(dim.step);
      counts.push_back(dim.count);
    }
    Json told = {
        {"space", isa::name(tile.space)},
        {"tensor", tile.tensor < program_.tensors.size() ? program_.tensors[tile.tensor].name
                                                         : std::string()},
        {"dtype", numerics::name(tile.dtype)},
        {"offset", tile.offset},
        {"steps", steps},
        {"counts", counts}};
    if (tile.on_chip()) told["partitions"] = {tile.partition_start, tile.partitions};
    return told;
  }

  const isa::Program& program_;
  std::map<std::string, std::size_t> numbers_;
};

// The largest tile that a transfer reads, and that it writes: further ones hold addresses.
struct Ends {
  isa::Tile read, written;

  void see(const isa::Tile& tile, isa::Access access) {
    if (isa::reads(access) && (!read || tile.bytes() > read.bytes())) read = tile;
    if (isa::writes(access) && (!written || tile.bytes() > written.bytes())) written = tile;
  }
};

// What each instruction takes before it starts, and raises once its work is done. Empty for a
// program without streams.
Json semaphores_of(const isa::Program& program) {
  std::array<Json, 6> columns;
  columns.fill(Json::array());
  const auto add = [&](std::size_t first, std::uint32_t instruction, std::uint16_t semaphore,
                       std::uint32_t amount) {
    columns[first].push_back(instruction);
    columns[first + 1].push_back(semaphore);
    columns[first + 2].push_back(amount);
  };
  for (const auto& stream : program.streams) {
    for (const isa::StreamItem& item : stream) {
      for (const isa::Wait& wait : program.waits_of(item))
        add(0, item.instruction, wait.semaphore, wait.value);
      for (const isa::Signal& signal : program.signals_of(item))
        add(3, item.instruction, signal.semaphore, signal.amount);
    }
  }
  const auto told = [&](std::size_t first) {
    return Json{{"instruction", columns[first]},
                {"semaphore", columns[first + 1]},
                {"amount", columns[first + 2]}};
  };
  return {{"waits", told(0)}, {"signals", told(3)}};
}

}  // namespace

Json instruction_facts(const isa::Program& program, const machine::Core& core) {
  constexpr std::array<std::string_view, 9> names{"hbm_read",     "hbm_written", "sbuf_read",
                                                  "sbuf_written", "psum_read",   "psum_written",
                                                  "transposes",   "macs",        "elements"};
  std::array<Json, names.size()> columns;
  columns.fill(Json::array());
  Json number = Json::array(), maker = Json::array(), read = Json::array(), written = Json::array(),
       format = Json::array();
  Tiles tiles(program);
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const isa::InstructionInfo& info = program.info_at(i);
    Moved moved;
    Ends ends;
    program.for_each_tile(i,
                          [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access access) {
                            if (isa::reads(access)) moved.of(tile.space).read += tile.bytes();
                            if (isa::writes(access)) moved.of(tile.space).written += tile.bytes();
                            ends.see(tile, access);
                          });
    const isa::Activity activity = info.activity(program.record(i));
    const bool transposes = info.passes != nullptr && info.moves_values(program.record(i));
    const std::array<std::int64_t, names.size()> facts{
        moved.hbm.read,     moved.hbm.written, moved.sbuf.read, moved.sbuf.written, moved.psum.read,
        moved.psum.written, transposes,        activity.macs,   activity.elements};
    for (std::size_t c = 0; c < names.size(); ++c) columns[c].push_back(facts[c]);
    format.push_back(activity.macs > 0 ? numerics::name(activity.mac_format) : "");
    if (info.kind != isa::Kind::dma) continue;
    number.push_back(i);
    maker.push_back(
        name(isa::maker_of(info, program.record(i), program.instructions[i].engine, core)));
    read.push_back(ends.read ? tiles.number_of(ends.read) : -1);
    written.push_back(ends.written ? tiles.number_of(ends.written) : -1);
  }
  Json instructions;
  for (std::size_t c = 0; c < names.size(); ++c) instructions[std::string(names[c])] = columns[c];
  instructions["format"] = format;
  return {{"instructions", instructions},
          {"transfers",
           {{"instruction", number}, {"maker", maker}, {"read", read}, {"written", written}}},
          {"tiles", tiles.list},
          {"semaphores", semaphores_of(program)}};
}

}  // namespace trainyard::report

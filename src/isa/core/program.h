// The waist: a program for one NeuronCore. Instructions in the order the author wrote them, the
// tensors they use, and, once compiled, one stream of instructions for each engine with the
// semaphores that order them. Everything above produces one; everything below consumes one.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/growing_bytes.h"
#include "isa/core/instruction_set.h"
#include "isa/core/operand.h"
#include "isa/core/rank_lists.h"
#include "isa/core/tile.h"
#include "machine/dma.h"

namespace trainyard::isa {

enum class TensorRole : std::uint8_t { internal, input, output, constant };
template <>
struct EnumRecord<TensorRole> {
  static constexpr std::array<std::string_view, 4> names{"internal", "input", "output", "constant"};
};

// Storage that tiles point into.
struct Tensor {
  std::string name;
  std::vector<std::int64_t> shape;  // on chip: shape[0] is the partition count
  DType dtype = DType::float32;
  Space space = Space::none;
  TensorRole role = TensorRole::internal;
  bool shared = false;          // shared_hbm: seen by every core of the grid
  bool manual_address = false;  // the author chose it; otherwise the compiler fills it in
  std::uint16_t partition_start = 0;
  std::int64_t address =
      -1;  // on chip: byte within the partition; HBM: byte in the stack; -1 = not placed
  std::uint32_t location = 0;       // where it was created
  std::uint32_t created = 0;        // instructions before its creation; until compiled
  std::vector<std::byte> constant;  // content of a constant, row-major

  [[nodiscard]] std::int64_t elements() const {
    std::int64_t n = 1;
    for (const std::int64_t extent : shape) n *= extent;
    return n;
  }
  [[nodiscard]] std::int64_t bytes() const { return elements() * numerics::size_in_bytes(dtype); }
  [[nodiscard]] std::int64_t partitions() const { return space == Space::hbm ? 1 : shape.at(0); }
  // Bytes in each partition (on chip); all bytes (HBM).
  [[nodiscard]] std::int64_t bytes_per_partition() const {
    if (partitions() == 0) return 0;
    std::int64_t n = numerics::size_in_bytes(dtype);
    for (std::size_t d = space == Space::hbm ? 0 : 1; d < shape.size(); ++d) n *= shape[d];
    return n;
  }
};

// An address that is only known at run time. Applied by the sequencer (or the DMA engine) before
// the instruction runs.
struct DynamicAddress {
  enum class Kind : std::uint8_t {
    register_offset,  // offset += reg * stride elements
    tile_offset,      // offset += the one int32 in `index` * stride elements
    vector_offset,  // HBM row p of the pattern starts at index[p] * stride elements (DMA gather and
                    // scatter)
    indirect,  // element i of the free pattern is at index[i mod group, i div group] elements (on
               // chip, v4)
  };
  Kind kind = Kind::register_offset;
  Register reg{};
  Tile index{};             // SBUF
  std::int64_t stride = 1;  // elements of the addressed tensor
  std::int64_t limit = 0;   // first index that is out of bounds; 0 = as far as the tensor goes
  friend bool operator==(const DynamicAddress&, const DynamicAddress&) = default;
};

template <>
struct EnumRecord<DynamicAddress::Kind> {
  static constexpr std::array<std::string_view, 4> names{"register_offset", "tile_offset",
                                                         "vector_offset", "indirect"};
};
template <>
struct StructRecord<DynamicAddress> {
  static constexpr auto fields =
      std::tuple{Field{"kind", &DynamicAddress::kind}, Field{"reg", &DynamicAddress::reg},
                 Field{"index", &DynamicAddress::index}, Field{"stride", &DynamicAddress::stride},
                 Field{"limit", &DynamicAddress::limit}};
};

// A place in the author's source. Frames link to their caller, so that equal stacks are stored
// once.
struct Frame {
  std::uint32_t file = 0;      // index into Program::strings
  std::uint32_t function = 0;  // index into Program::strings
  std::uint32_t line = 0;
  std::uint32_t caller = 0;  // index into Program::frames; 0 = none
  friend bool operator==(const Frame&, const Frame&) = default;
};
struct LoopIndex {
  std::uint32_t name = 0;  // index into Program::strings
  std::int64_t value = 0;
  friend bool operator==(const LoopIndex&, const LoopIndex&) = default;
};
struct Location {
  std::uint32_t frame = 0;
  std::uint32_t first_index = 0;  // into Program::loop_indices, outermost first
  std::uint32_t index_count = 0;
};

struct Instruction {
  Opcode opcode = 0;
  Engine engine = Engine::any;
  std::uint8_t queue = 0;      // DMA ring
  std::uint32_t location = 0;  // index into Program::locations; 0 = unknown
  std::uint64_t record = 0;    // byte offset into the record arena
};

// DMA rings are numbered by the engine that issues on them and the way the bytes go.
[[nodiscard]] constexpr std::uint8_t queue_of(Engine issuer, bool into_sbuf) {
  return static_cast<std::uint8_t>(2 * static_cast<int>(issuer) + (into_sbuf ? 0 : 1));
}
// Behind those, exchanges between cores have rings of their own: one that waits for its peer holds
// up no other transfer. Three pipes a path are independent of each other.
inline constexpr std::uint8_t exchange_queue_first = 2 * engine_count;
inline constexpr std::uint8_t exchange_pipes = 3;
// Collectives run beside the DMA rings of the core: each channel is a stream of the CC-cores.
inline constexpr std::uint8_t collective_queue_first = exchange_queue_first + 2 * exchange_pipes;
static_assert(collective_queue_first <= machine::Dma::rings_named);
inline constexpr std::uint8_t collective_channels = 4;  // nki.collectives: at most 4 channels
inline constexpr std::uint8_t queue_count = collective_queue_first + collective_channels;
[[nodiscard]] constexpr std::uint8_t collective_queue(std::int32_t channel) {
  return static_cast<std::uint8_t>(collective_queue_first +
                                   static_cast<std::uint32_t>(channel) % collective_channels);
}
[[nodiscard]] constexpr bool is_collective_queue(std::uint8_t queue) {
  return queue >= collective_queue_first && queue < queue_count;
}
[[nodiscard]] constexpr std::uint8_t exchange_queue(DmaPath path, std::int32_t pipe) {
  return static_cast<std::uint8_t>(exchange_queue_first +
                                   (path == DmaPath::gpsimd_dma ? exchange_pipes : 0) +
                                   static_cast<std::uint32_t>(pipe) % exchange_pipes);
}
[[nodiscard]] std::string queue_name(std::uint8_t queue);  // "sync loads"

// A counting semaphore: a wait blocks until the count reaches `value`, then takes `value` away
// again, so that a balanced loop body leaves every count as it found it.
struct Wait {
  std::uint16_t semaphore = 0;
  std::uint32_t value = 1;
  friend bool operator==(const Wait&, const Wait&) = default;
};
struct Signal {
  std::uint16_t semaphore = 0;
  std::uint32_t amount = 1;
  friend bool operator==(const Signal&, const Signal&) = default;
};

// One entry of an engine's stream.
struct StreamItem {
  std::uint32_t instruction = 0;
  std::uint32_t first_wait = 0;    // into Program::waits
  std::uint32_t first_signal = 0;  // into Program::signals
  std::uint16_t wait_count = 0;
  std::uint16_t signal_count = 0;
  // 1 + distance back in this stream to the latest item whose result this one needs; 0 = none.
  std::uint32_t depends_back = 0;
};

// An extra edge the author asked for (depends_on, with_schedule): `consumer` waits for `producer`
// to complete.
struct ScheduleEdge {
  std::uint32_t producer = 0, consumer = 0;
};

struct Program {
  std::string name = "kernel";
  int generation = 4;                    // 2, 3, 4 = NeuronCore version
  std::vector<std::string> strings{""};  // file, function and variable names
  std::vector<Tensor> tensors;
  std::vector<Instruction> instructions;
  std::vector<DynamicAddress> dynamics;
  std::vector<Frame> frames{Frame{}};
  std::vector<LoopIndex> loop_indices;
  std::vector<Location> locations{Location{}};
  std::vector<ScheduleEdge> schedule_edges;
  std::vector<IndexedRankLists> rank_groups;  // of RankGroups k + 1; each is there once

  bool compiled = false;  // the fields below are valid
  std::array<std::vector<StreamItem>, engine_count> streams;
  std::vector<Wait> waits;
  std::vector<Signal> signals;
  std::uint16_t semaphore_count = 0;

  template <typename Record>
  std::uint32_t append(const Record& record, Engine engine = Engine::any,
                       std::uint32_t location = 0) {
    return append_raw(opcode_of<Record>, &record, engine, location);
  }
  std::uint32_t append_raw(Opcode opcode, const void* record, Engine engine,
                           std::uint32_t location);

  // A second record equal to that of instruction `i`, for a copy of it; returns its place in the
  // arena.
  [[nodiscard]] std::uint64_t copy_record(std::uint32_t i);

  [[nodiscard]] const InstructionInfo& info_at(std::uint32_t i) const {
    return info(instructions[i].opcode);
  }
  [[nodiscard]] const void* record(std::uint32_t i) const {
    return records_.data() + instructions[i].record;
  }
  [[nodiscard]] void* record(std::uint32_t i) { return records_.data() + instructions[i].record; }
  template <typename Record>
  [[nodiscard]] const Record& as(std::uint32_t i) const {
    base::check(instructions[i].opcode == opcode_of<Record>,
                "an instruction is read as what it is");
    return *static_cast<const Record*>(record(i));
  }
  template <typename Record>
  [[nodiscard]] bool is(std::uint32_t i) const {
    return instructions[i].opcode == opcode_of<Record>;
  }

  // The number of these groups, which is new where nobody has named them before.
  [[nodiscard]] RankGroups groups_of(RankLists lists);
  [[nodiscard]] std::span<const std::vector<std::int32_t>> groups(RankGroups groups) const {
    if (groups.id == 0) return {};
    return rank_groups[groups.id - 1].lists();
  }
  // Where among them a rank is.
  [[nodiscard]] std::span<const RankPlace> places_of(RankGroups groups, std::int32_t rank) const {
    if (groups.id == 0) return {};
    return rank_groups[groups.id - 1].places_of(rank);
  }
  // The one among them that a rank is in; empty where it is in none.
  [[nodiscard]] std::span<const std::int32_t> group_with(RankGroups groups,
                                                         std::int32_t rank) const;

  [[nodiscard]] std::span<const Wait> waits_of(const StreamItem& s) const {
    return {waits.data() + s.first_wait, s.wait_count};
  }
  [[nodiscard]] std::span<const Signal> signals_of(const StreamItem& s) const {
    return {signals.data() + s.first_signal, s.signal_count};
  }

  // Everything the instruction touches: see for_each_tile below.
  // f(const OperandInfo&, const Tile&, Access)
  template <typename F>
  void for_each_tile(std::uint32_t i, F&& f) const;
  // f(Tile&) for every operand's whole tile: for passes that rewrite addresses. The index tiles of
  // run-time addresses are in `dynamics`.
  template <typename F>
  void for_each_tile_mutable(std::uint32_t i, F&& f);

  // "file.py:12 in kernel, k=3, m=0" and the callers below it, one a line.
  [[nodiscard]] std::string describe_location(std::uint32_t location) const;
  [[nodiscard]] std::string place(std::uint32_t instruction) const {
    return describe_location(instructions[instruction].location);
  }

  [[nodiscard]] std::span<const std::byte> arena() const { return records_.span(); }

 private:
  // Room for one more record: its place in the arena.
  [[nodiscard]] std::uint64_t room_for(std::size_t bytes);

  base::GrowingBytes records_;
};

// Calls f(tile) for every tile that one operand holds, absent ones left out. `record` may be const
// or not; f gets the tile accordingly.
template <typename RecordPointer, typename F>
void for_each_tile_of(const OperandInfo& operand, RecordPointer record, F&& f) {
  for_each_held<Tile>(operand, record, [&](auto& tile) {
    if (tile) f(tile);
  });
}

// Calls f(k, tile, access) for every tile of a record, k being the number of its operand.
template <typename RecordPointer, typename F>
void for_each_operand_tile(const InstructionInfo& info, RecordPointer record, F&& f) {
  for (const std::uint8_t k : info.tiled) {
    const OperandInfo& operand = info.operands[k];
    const Access access = operand.is<Tile>() ? info.access(record, k) : Access::read;
    for_each_tile_of(operand, record, [&](auto& tile) { f(k, tile, access); });
  }
}

// Calls f(piece) for the pieces of operand `k`'s tile that the instruction says it uses, or for the
// tile itself.
template <typename F>
void for_each_piece(const InstructionInfo& info, const void* record, std::size_t k,
                    const Tile& tile, F&& f) {
  if (info.parts == nullptr) return f(tile);
  std::array<Tile, parts_max> parts;
  const int count = info.parts(record, k, parts);
  if (count == 0) f(tile);
  for (int i = 0; i < count; ++i) f(parts[static_cast<std::size_t>(i)]);
}

// Calls f(operand, tile, piece, access) for what one record touches of its operands' tiles.
template <typename F>
void for_each_operand_piece(const InstructionInfo& info, const void* record, F&& f) {
  for_each_operand_tile(info, record, [&](std::size_t k, const Tile& tile, Access access) {
    for_each_piece(info, record, k, tile,
                   [&](const Tile& piece) { f(info.operands[k], tile, piece, access); });
  });
}

// Calls f(operand, tile, index) for the tiles of one record that have a run-time index tile.
template <typename F>
void for_each_index(const InstructionInfo& info, const void* record,
                    std::span<const DynamicAddress> dynamics, F&& f) {
  for (const std::uint8_t k : info.tiled) {
    const OperandInfo& operand = info.operands[k];
    for_each_tile_of(operand, record, [&](const Tile& tile) {
      if (tile.dynamic == 0) return;
      const Tile& index = dynamics[tile.dynamic - 1].index;
      if (index) f(operand, tile, index);
    });
  }
}

// Calls f(operand, tile, access) for what one record touches: the tiles of its operands, or the
// pieces of them that the instruction says it uses, and the run-time index tiles.
template <typename F>
void for_each_tile(const InstructionInfo& info, const void* record,
                   std::span<const DynamicAddress> dynamics, F&& f) {
  bool is_dynamic = false;
  for_each_operand_piece(
      info, record,
      [&](const OperandInfo& operand, const Tile& tile, const Tile& piece, Access access) {
        is_dynamic = is_dynamic || tile.dynamic != 0;
        f(operand, piece, access);
      });
  if (!is_dynamic) return;
  for_each_index(info, record, dynamics,
                 [&](const OperandInfo& operand, const Tile&, const Tile& index) {
                   f(operand, index, Access::read);
                 });
}

template <typename F>
void Program::for_each_tile(std::uint32_t i, F&& f) const {
  isa::for_each_tile(info_at(i), record(i), dynamics, f);
}

template <typename F>
void Program::for_each_tile_mutable(std::uint32_t i, F&& f) {
  const InstructionInfo& info = info_at(i);
  for (const std::uint8_t k : info.tiled) for_each_tile_of(info.operands[k], record(i), f);
}

}  // namespace trainyard::isa

// What an instruction's execute() works on: a core's state, the addresses that the program left
// open, and scratch rows. It has no clock. Rows are read and written in the pattern's order,
// slowest dimension first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isa/core/operand.h"
#include "isa/core/program.h"
#include "isa/core/tile.h"
#include "numerics/convert.h"
#include "numerics/tensor_engine.h"
#include "state/core.h"

namespace trainyard::isa {

// What one core sends to others.
struct Message {
  std::vector<std::byte> bytes{};
  // Of a checked run: the bytes whose value depends on memory that nothing wrote, and who read it
  // first. Empty: none.
  std::vector<bool> undetermined{};
  std::string origin{};
};

// What the ranks of a meeting add up, kept so that it is done once for all that need the same.
struct SharedSum {
  struct Of {
    numerics::AluOp op{};
    DType dtype{};
    std::size_t begin = 0, bytes = 0;
    friend bool operator==(const Of&, const Of&) = default;
  };
  std::optional<Of> of{};  // nothing yet
  std::vector<float> floats{};
  std::vector<std::int32_t> integers{};  // of 32-bit integers, instead
};

// Runs instructions in the place of their Definitions: on other values than the ones that tiles
// hold (engines/float32_shadow.h).
class StandIn {
 public:
  StandIn() = default;
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;
  virtual ~StandIn() = default;
  // What the free functions of these names do.
  virtual void execute(const InstructionInfo& info, const void* record, Execution& execution) = 0;
  [[nodiscard]] virtual std::vector<std::byte> outgoing(const InstructionInfo& info,
                                                        const void* record,
                                                        Execution& execution) = 0;
};

// What the format of a result did not hold: finite values that became infinite or NaN, integers of
// 16 or 32 bits that saturated or wrapped around. Of one instruction.
struct Overflows {
  enum class What : std::uint8_t { infinite, saturated, wrapped };
  struct First {
    What what{};
    DType dtype{};
    double value = 0;  // before it was stored
    int partition = 0;
    std::size_t element = 0;
  };
  std::uint64_t count = 0;
  First first{};

  void add(const First& found) {
    if (count++ == 0) first = found;
  }
};

struct Execution {
  state::Core& core;
  const Program& program;
  std::span<const std::int64_t>
      hbm_base;  // by tensor: where the stack holds it; -1 for on-chip tensors
  const machine::Core& machine;
  // The engine that runs the instruction: whose arithmetic and random generator it uses, and whose
  // registers a control instruction uses. any: a control instruction acts on every engine (the
  // untimed run in program order), others run on the engine that their Definition chooses.
  Engine engine = Engine::any;
  std::int32_t rank = 0;  // the logical core that it runs on
  // What each core of a meeting sends, in their order. Set by the runner for an instruction that
  // receives.
  std::span<const Message> received{};
  SharedSum* shared_sum = nullptr;  // of `received`; null where no other core receives the same
  StandIn* stand_in = nullptr;      // null: instructions do what their Definitions say
  Overflows* overflows = nullptr;   // where they are counted; null: nobody asks

  // Scratch that instructions reuse, so that running one allocates nothing.
  std::array<std::vector<float>, 6> rows{};
  std::array<std::vector<std::byte>, 6> raw{};
  std::vector<std::uint32_t> random{};
  numerics::MatmulScratch matmul{};
};

// Runs an instruction, by the run's stand-in where it has one.
void execute(const InstructionInfo& info, const void* record, Execution& execution);
// What an instruction sends to other cores.
[[nodiscard]] std::vector<std::byte> outgoing(const InstructionInfo& info, const void* record,
                                              Execution& execution);

// --- Places ---

// The first byte of partition `p` of an on-chip tile (0 = the tile's first), or of an HBM tile (p
// ignored).
[[nodiscard]] std::byte* place(const Tile& tile, Execution& execution, int p);

// --- Rows: one partition's elements (on chip), or all elements (HBM) ---

// Copies the elements' bits, in pattern order, to or from a dense buffer of free_elements() *
// element_bytes().
void load_bits(const Tile& tile, Execution& execution, int p, std::byte* out);
void store_bits(const Tile& tile, Execution& execution, int p, const std::byte* in);

// Dense bits of the row: in place where the pattern is contiguous, else gathered into `scratch`.
[[nodiscard]] const std::byte* bits(const Tile& tile, Execution& execution, int p,
                                    std::vector<std::byte>& scratch);

// The row as fp32 (every engine computes in fp32): in place for contiguous float32, else widened
// into `scratch`.
[[nodiscard]] const float* floats(const Tile& tile, Execution& execution, int p,
                                  std::vector<float>& scratch);

// Casts a row of fp32 results to the tile's dtype and stores it; does nothing when `row` is the row
// itself.
void store_floats(const Tile& tile, Execution& execution, int p, const float* row);

// Integer rows for bit operations: zero-extended to 32 bits from the tile's unsigned bit pattern.
void load_patterns(const Tile& tile, Execution& execution, int p, std::uint32_t* out);
void store_patterns(const Tile& tile, Execution& execution, int p, const std::uint32_t* in);

// The value a Scalar has for partition p, as fp32.
[[nodiscard]] float value(const Scalar& scalar, Execution& execution, int p);
// Its bits for integer operations: the constant modulo 2^32, or the tile element's bits.
[[nodiscard]] std::uint32_t pattern(const Scalar& scalar, Execution& execution, int p);

// --- Sequencer registers of execution.engine: 32 bits, held as a signed number ---

[[nodiscard]] std::int32_t read_register(Register reg, const Execution& execution);
[[nodiscard]] std::int32_t read(const RegisterOrInt& value, const Execution& execution);
void write_register(Register reg, std::int32_t value, Execution& execution);
// The same registers as holding 64 bits, which int64 scalars of NKI 0.7 need.
[[nodiscard]] std::int64_t read_wide_register(Register reg, const Execution& execution);
[[nodiscard]] std::int64_t read_wide(const RegisterOrInt& value, const Execution& execution);
void write_wide_register(Register reg, std::int64_t value, Execution& execution);

// --- Addresses known only at run time ---

// Element [p, column] of an index tile as a number.
[[nodiscard]] std::int64_t index_value(const Tile& index, Execution& execution, int p,
                                       std::int64_t column);
// Where element i of an indirect row lies, whose index list begins in row `first` of the index
// tile.
[[nodiscard]] std::int64_t picked_place(const DynamicAddress& how, Execution& execution, int first,
                                        std::int64_t i);
// True when the record holds an address that needs resolve().
[[nodiscard]] bool is_dynamic(const InstructionInfo& info, const void* record);
// Copies the record with register and tile offsets added in, and registers' values in the place of
// the registers that a compute instruction reads. vector_offset and indirect tiles stay: load_bits
// and store_bits follow their index lists. A tile whose offset is out of bounds stays too where the
// record says oob_mode.skip: nothing of it is moved. Else throws Fault out_of_bounds.
void resolve(const InstructionInfo& info, const void* record, Engine engine, Execution& execution,
             void* resolved);

}  // namespace trainyard::isa

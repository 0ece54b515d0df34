// An instruction as an entry of the instruction set: what follows from its Definition, with its
// record's C++ type forgotten.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/core/held_parts.h"
#include "isa/core/operand_spec.h"
#include "isa/core/operand_types.h"
#include "isa/core/traits.h"
#include "machine/fwd.h"

namespace trainyard::isa {

struct Program;  // isa/core/program.h
struct Site;     // isa/core/definition.h

// Where the fact is published, and how sure it is.
enum class Fidelity : std::uint8_t { published, derived, estimated, assumed };
struct Source {
  std::string_view text;
  Fidelity fidelity = Fidelity::published;
};

inline constexpr std::size_t record_bytes_max = 1280;

// The run-time view of one operand: type and place in the record.
struct OperandInfo {
  std::string_view name;
  std::string_view doc;
  std::string_view default_value;
  OperandType type;
  Access access = Access::none;
  std::size_t offset = 0;  // bytes from the start of the record
  bool own_start_rule = false, indirect = false, may_be_none = false;  // see OperandSpec
  bool decides = false;
  Role role = Role::none;
  // Bytes from the start of the record.
  std::int32_t taken_by_offset = -1, kind_of_offset = -1, axes_of_offset = -1;

  template <typename T>
  [[nodiscard]] constexpr bool is() const {
    return type == OperandType::of<T>();
  }
  [[nodiscard]] constexpr bool is_tiled() const {
    return visit_among(
        type, [](auto*) {}, TypesHolding<Tile>{});
  }
  template <typename T>
  [[nodiscard]] const T& in(const void* record) const {
    return *reinterpret_cast<const T*>(static_cast<const char*>(record) + offset);
  }
  template <typename T>
  [[nodiscard]] T& in(void* record) const {
    return *reinterpret_cast<T*>(static_cast<char*>(record) + offset);
  }
  // The operator that takes it; null where none does.
  [[nodiscard]] const numerics::AluOp* taken_by(const void* record) const {
    return at<numerics::AluOp>(record, taken_by_offset);
  }
  // The tile whose kind of number it has; null where it is free.
  [[nodiscard]] const Tile* kind_of(const void* record) const {
    return at<Tile>(record, kind_of_offset);
  }
  // The tile whose dimensions it counts; null where it counts none.
  [[nodiscard]] const Tile* axes_of(const void* record) const {
    return at<Tile>(record, axes_of_offset);
  }

 private:
  template <typename T>
  [[nodiscard]] static const T* at(const void* record, std::int32_t place) {
    return place < 0 ? nullptr
                     : reinterpret_cast<const T*>(static_cast<const char*>(record) + place);
  }
};

// Calls f(part) for each Part that one operand is or holds. `record` may be const or not; f gets
// the part accordingly.
template <typename Part, typename RecordPointer, typename F>
void for_each_held(const OperandInfo& operand, RecordPointer record, F&& f) {
  visit_among(
      operand.type, [&]<typename T>(T*) { for_each_held<Part>(operand.in<T>(record), f); },
      TypesHolding<Part>{});
}

struct ConstraintInfo {
  std::string_view label, rule, fix;
  bool unpublished = false;
};

// Everything about one instruction that does not depend on its record's C++ type.
struct InstructionInfo {
  std::string_view mnemonic, summary;
  // The facts of Traits that are the same for all records.
  Kind kind = Kind::compute;
  Interface interface = Interface::isa;
  EngineParameter engine_parameter = EngineParameter::where_several;
  Earlier earlier{};
  Flow flow = Flow::none;
  HiddenState hidden = HiddenState::none;
  bool any_partitions = false, reads_first = false, looks_up_addresses = false;
  TransferKind transfer = TransferKind::copy;
  bool adds_at_destination = false;
  EngineSet engines;            // the engines that can run it
  Engine engine = Engine::any;  // the one it runs on when the author does not say
  std::span<const OperandInfo> operands;
  std::span<const std::uint8_t> tiled;  // the numbers of those that can hold tiles
  std::span<const ConstraintInfo> constraints;
  ConstraintInfo naming;  // the rule on the engines that `nameable` gives
  Source source;
  std::size_t record_bytes = 0;

  void (*construct)(void*) = nullptr;  // default-constructs a record
  bool (*holds)(std::size_t constraint, const void* record, const machine::Core&,
                const Site&) = nullptr;
  Timing (*cycles)(const void* record, Engine, const machine::Core&) = nullptr;  // of no transfer
  Activity (*activity)(const void* record) = nullptr;
  void (*execute)(const void* record, Execution&) = nullptr;
  Spread (*spread)(const void* record) = nullptr;
  bool (*moves_values)(const void* record) = nullptr;
  Access (*access)(const void* record, std::size_t operand) = nullptr;
  // Any = every one of `engines`.
  Engine (*choose)(const void* record, const machine::Core&) = nullptr;

  // The hooks of Traits; null where a Definition has none.
  int (*parts)(const void* record, std::size_t operand, std::span<Tile, parts_max> out) = nullptr;
  bool (*by_format)(const void* record, const machine::Core&) = nullptr;
  EngineSet (*nameable)(const void* record) = nullptr;
  Passes (*passes)(const void* record, const machine::Core&) = nullptr;
  std::optional<double> (*fills)(const void* record) = nullptr;
  Copied (*copies)(const void* record) = nullptr;
  LoopBounds (*loop)(const void* record) = nullptr;
  Condition (*condition)(const void* record) = nullptr;
  Meeting (*meeting)(const void* record) = nullptr;
  std::vector<std::byte> (*outgoing)(const void* record, Execution&) = nullptr;
  std::string (*mismatch)(const void* record, const void* other) = nullptr;

  [[nodiscard]] Encounter encounter(const void* record) const {
    return meeting == nullptr ? Encounter::none : meeting(record).encounter;
  }
  // Its operand of a role; null where it has none.
  [[nodiscard]] const OperandInfo* with(Role role) const {
    const std::int8_t k = by_role[static_cast<std::size_t>(role)];
    return k < 0 ? nullptr : &operands[static_cast<std::size_t>(k)];
  }
  // The value of its first operand of a type; null where it has none.
  template <typename T>
  [[nodiscard]] const T* first(const void* record) const {
    for (const OperandInfo& operand : operands) {
      if (operand.is<T>()) return &operand.in<T>(record);
    }
    return nullptr;
  }

  std::array<std::int8_t, role_count> by_role{};  // the number of an operand, or -1
};

}  // namespace trainyard::isa

#include "checkers/values.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <type_traits>

#include "checks/registry.h"
#include "numerics/activation.h"

namespace trainyard::checkers {

using isa::DType;
using isa::Tile;

namespace {

// Whether any of n patterns, without their sign, is above infinity's.
template <typename Bits>
bool any_above(const std::byte* bytes, std::size_t n, Bits infinity) {
  constexpr Bits magnitude = std::numeric_limits<std::make_signed_t<Bits>>::max();
  bool found = false;
  for (std::size_t i = 0; i < n; ++i) {
    Bits bits;
    std::memcpy(&bits, bytes + i * sizeof(Bits), sizeof(Bits));
    found |= static_cast<Bits>(bits & magnitude) > infinity;
  }
  return found;
}

bool has_nan(DType dtype, const std::byte* bytes, std::size_t n) {
  switch (dtype) {
    case DType::float32:
    case DType::tfloat32: return any_above<std::uint32_t>(bytes, n, 0x7F800000u);
    case DType::bfloat16: return any_above<std::uint16_t>(bytes, n, 0x7F80u);
    case DType::float16: return any_above<std::uint16_t>(bytes, n, 0x7C00u);
    // By formats: the pattern of infinity, or the largest one where there is none.
    case DType::float8_e5m2: return any_above<std::uint8_t>(bytes, n, 0x7Cu);
    case DType::float8_e4m3: return any_above<std::uint8_t>(bytes, n, 0x78u);
    case DType::float8_e4m3fn: return any_above<std::uint8_t>(bytes, n, 0x7Eu);
    case DType::float8_e3m4: return any_above<std::uint8_t>(bytes, n, 0x70u);
    default: return false;
  }
}

// Formats that have NaN and are scanned for it.
bool is_scanned(DType dtype) {
  switch (dtype) {
    case DType::float32:
    case DType::tfloat32:
    case DType::bfloat16:
    case DType::float16:
    case DType::float8_e5m2:
    case DType::float8_e4m3:
    case DType::float8_e4m3fn:
    case DType::float8_e3m4: return true;
    default: return false;
  }
}

// Whether a source may hold a NaN that nobody looks for. Integers hold none.
bool may_hide_nan(DType dtype) { return !is_scanned(dtype) && !numerics::is_integer(dtype); }

bool loses_bits(numerics::AluOp op) {
  return op != numerics::AluOp::bypass && !numerics::is_bitwise(op);
}

}  // namespace

void ValueCheck::before(std::uint32_t instruction, isa::Engine engine,
                        const isa::InstructionInfo& info, const void* record) {
  check_range(instruction, info, record);
  if (engine != isa::Engine::gpsimd) check_integers(instruction, info, record);
}

void ValueCheck::after(std::uint32_t instruction, const isa::InstructionInfo& info,
                       const void* record, bool determined) {
  const isa::OperandInfo* culprit = nullptr;
  Tile bad;
  bool any_source = false, clean = true, casts = false;
  isa::for_each_tile(info, record, program_.dynamics,
                     [&](const isa::OperandInfo& operand, const Tile& tile, isa::Access access) {
                       if (isa::reads(access)) {
                         any_source = true;
                         clean = clean && !has_nan_[tile.tensor] && !may_hide_nan(tile.dtype);
                       }
                       if (isa::writes(access) && culprit == nullptr && gives_nan(tile)) {
                         culprit = &operand;
                         bad = tile;
                       }
                     });
  if (culprit == nullptr) return;
  has_nan_[bad.tensor] = true;
  isa::for_each_tile(info, record, program_.dynamics,
                     [&](const isa::OperandInfo&, const Tile& tile, isa::Access access) {
                       casts = casts || (isa::reads(access) && tile.dtype != bad.dtype);
                     });
  // A copy makes no NaN, unless it casts.
  const bool moves = info.kind == isa::Kind::dma || (info.moves_values(record) && !casts);
  if (determined && any_source && clean && !moves) report_nan(instruction, *culprit, bad);
}

bool ValueCheck::gives_nan(const Tile& tile) {
  if (tile.dynamic != 0 || !tile.on_chip() || !is_scanned(tile.dtype)) return false;
  const auto n = static_cast<std::size_t>(tile.free_elements());
  for (int p = 0; p < tile.partitions; ++p) {
    if (has_nan(tile.dtype, isa::bits(tile, execution_, p, bits_), n)) return true;
  }
  return false;
}

void ValueCheck::report_nan(std::uint32_t instruction, const isa::OperandInfo& operand,
                            const Tile& tile) {
  findings_.report(
      checks::find("numerics.nan"), program_.instructions[instruction].location, 0, [&] {
        const isa::InstructionInfo& info = program_.info_at(instruction);
        Findings::Details details{
            .found = fmt::format("{} of {} ('{}') gets NaN, which none of its sources holds",
                                 operand.name, info.mnemonic, program_.tensors[tile.tensor].name),
            .sides = {history_.side("writes", instruction)}};
        program_.for_each_tile(
            instruction, [&](const isa::OperandInfo&, const Tile& source, isa::Access access) {
              if (!isa::reads(access)) return;
              if (const auto writer = history_.last_write(source, instruction))
                details.sides.push_back(history_.side("wrote a source", *writer));
            });
        return details;
      });
}

void ValueCheck::report_overflows(std::uint32_t instruction, const isa::InstructionInfo& info,
                                  const void* record, const isa::Overflows& overflows) {
  const isa::Overflows::First& first = overflows.first;
  const isa::OperandInfo* target = nullptr;
  std::string_view tensor;
  std::int64_t elements = 0;
  isa::for_each_tile(info, record, program_.dynamics,
                     [&](const isa::OperandInfo& operand, const Tile& tile, isa::Access access) {
                       if (!isa::writes(access) || tile.dtype != first.dtype) return;
                       if (target == nullptr) {
                         target = &operand;
                         tensor = program_.tensors[tile.tensor].name;
                       }
                       elements = std::max(elements, tile.elements());
                     });
  if (target == nullptr) return;  // stored for others, by a collective: they are told
  const auto becomes = [&]() -> std::string_view {
    switch (first.what) {
      case isa::Overflows::What::infinite:
        return first.dtype == DType::float8_e4m3fn ? "becomes NaN" : "becomes infinite";
      case isa::Overflows::What::saturated: return "is cut to the nearest that it holds";
      case isa::Overflows::What::wrapped: return "wraps around";
    }
    base::fail("an overflow is of a kind");
  };
  findings_.report(
      checks::find("numerics.overflow"), program_.instructions[instruction].location, 0, [&] {
        Findings::Details details{
            .found = fmt::format("{:g} {} in {} of {} ('{}', {}), partition {}, element {}; so do "
                                 "{} of {} values",
                                 first.value, becomes(), target->name, info.mnemonic, tensor,
                                 numerics::name(first.dtype), first.partition, first.element,
                                 overflows.count, elements),
            .sides = {history_.side("writes", instruction)}};
        program_.for_each_tile(
            instruction, [&](const isa::OperandInfo&, const Tile& source, isa::Access access) {
              if (!isa::reads(access)) return;
              if (const auto writer = history_.last_write(source, instruction))
                details.sides.push_back(history_.side("wrote a source", *writer));
            });
        return details;
      });
}

// The argument of a function of data * scale + bias.
void ValueCheck::check_range(std::uint32_t instruction, const isa::InstructionInfo& info,
                             const void* record) {
  const isa::OperandInfo* scaled_by = info.with(isa::Role::scale);
  const isa::OperandInfo* shifted_by = info.with(isa::Role::bias);
  if (scaled_by == nullptr || shifted_by == nullptr) return;
  const auto& function = *info.first<numerics::ActivationFunction>(record);
  const auto& data = info.with(isa::Role::data)->in<Tile>(record);
  const auto& scales = scaled_by->in<isa::Scalar>(record);
  const auto& biases = shifted_by->in<isa::Scalar>(record);
  const numerics::Domain domain = numerics::domain(function);
  if (data.dynamic != 0 || numerics::contains(domain, std::numeric_limits<float>::max())) return;
  const auto n = static_cast<std::size_t>(data.free_elements());
  for (int p = 0; p < data.partitions; ++p) {
    const float* in = isa::floats(data, execution_, p, row_);
    const float scale = isa::value(scales, execution_, p);
    const float bias = biases.is_absent() ? 0.0f : isa::value(biases, execution_, p);
    for (std::size_t i = 0; i < n; ++i) {
      const float x = in[i] * scale + bias;
      if (numerics::contains(domain, x)) continue;
      findings_.report(
          checks::find("numerics.range"), program_.instructions[instruction].location, 0, [&] {
            return Findings::Details{
                .found = fmt::format("{} of {} in partition {}, where {} is valid for {}[{}, {}]",
                                     numerics::name(function), x, data.partition_start + p,
                                     numerics::name(function), domain.of_magnitude ? "+-" : "",
                                     domain.low, domain.high),
                .sides = {history_.side("reads", instruction)}};
          });
      return;
    }
  }
}

void ValueCheck::check_integers(std::uint32_t instruction, const isa::InstructionInfo& info,
                                const void* record) {
  for (const isa::OperandInfo& operand : info.operands) {
    if (!operand.is<Tile>() || operand.taken_by(record) == nullptr) continue;
    const Tile* source = &operand.in<Tile>(record);
    if (!loses_bits(*operand.taken_by(record)) || source->dynamic != 0) continue;
    const bool is_signed = source->dtype == DType::int32;
    if (!is_signed && source->dtype != DType::uint32) continue;
    const auto n = static_cast<std::size_t>(source->free_elements());
    for (int p = 0; p < source->partitions; ++p) {
      const std::byte* bytes = isa::bits(*source, execution_, p, bits_);
      for (std::size_t i = 0; i < n; ++i) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, bytes + 4 * i, sizeof bits);
        const std::int64_t x = is_signed ? static_cast<std::int32_t>(bits) : std::int64_t{bits};
        if (static_cast<std::int64_t>(static_cast<float>(x)) == x) continue;
        findings_.report(
            checks::find("numerics.integer"), program_.instructions[instruction].location, 0, [&] {
              Findings::Details details{
                  .found =
                      fmt::format("{} computes with {} in fp32, which holds {:.0f}", info.mnemonic,
                                  x, static_cast<double>(static_cast<float>(x))),
                  .sides = {history_.side("reads", instruction)}};
              if (const auto writer = history_.last_write(*source, instruction))
                details.sides.push_back(history_.side("wrote the source", *writer));
              return details;
            });
        return;
      }
    }
  }
}

}  // namespace trainyard::checkers

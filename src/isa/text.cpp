#include "isa/text.h"

#include <fmt/format.h>

namespace trainyard::isa {

namespace {

std::string describe(const Scalar& s) {
  if (s.is_absent()) return {};
  return s.is_tile() ? isa::describe(s.tile) : fmt::format("{}", s.constant);
}
std::string describe(const RegisterOrInt& r) {
  return r.reg ? fmt::format("r{}", r.reg.index) : std::to_string(r.constant);
}
std::string describe(const Pattern& pattern) {
  std::string text;
  for (const Dim& dim : pattern.span())
    text += fmt::format("{}[{}, {}]", text.empty() ? "" : ", ", dim.step, dim.count);
  return "[" + text + "]";
}
template <typename T, std::size_t capacity>
std::string describe(const List<T, capacity>& list) {
  return list.count == 0 ? std::string{} : fmt::format("[{}]", fmt::join(list.span(), ", "));
}
std::string describe(const TileList& list) {
  std::string text;
  for (const Tile& tile : list.span())
    text += fmt::format("{}{}", text.empty() ? "" : ", ", isa::describe(tile));
  return text;
}

}  // namespace

std::string describe_operand(const OperandInfo& operand, const void* record) {
  switch (operand.type) {
    case OperandType::tile: {
      const Tile& tile = operand.in<Tile>(record);
      return tile ? isa::describe(tile) : std::string{};
    }
    case OperandType::scalar: return describe(operand.in<Scalar>(record));
    case OperandType::boolean: return operand.in<bool>(record) ? "True" : "";
    case OperandType::int32: return std::to_string(operand.in<std::int32_t>(record));
    case OperandType::int64: return std::to_string(operand.in<std::int64_t>(record));
    case OperandType::float64: return fmt::format("{}", operand.in<double>(record));
    case OperandType::alu_op:
      return std::string(numerics::name(operand.in<numerics::AluOp>(record)));
    case OperandType::activation_function:
      return std::string(numerics::name(operand.in<numerics::ActivationFunction>(record)));
    case OperandType::reduce_cmd: return std::string(name(operand.in<ReduceCmd>(record)));
    case OperandType::dge_mode: return std::string(name(operand.in<DgeMode>(record)));
    case OperandType::oob_mode: return std::string(name(operand.in<OobMode>(record)));
    case OperandType::matmul_perf_mode:
      return std::string(name(operand.in<MatmulPerfMode>(record)));
    case OperandType::accumulate: return std::string(name(operand.in<Accumulate>(record)));
    case OperandType::engine: return std::string(name(operand.in<Engine>(record)));
    case OperandType::register_: {
      const Register r = operand.in<Register>(record);
      return r ? fmt::format("r{}", r.index) : std::string{};
    }
    case OperandType::register_or_int: return describe(operand.in<RegisterOrInt>(record));
    case OperandType::pattern: return describe(operand.in<Pattern>(record));
    case OperandType::int_list: return describe(operand.in<IntList>(record));
    case OperandType::int_pair: return describe(operand.in<IntPair>(record));
    case OperandType::float_list: return describe(operand.in<FloatList>(record));
    case OperandType::tile_list: return describe(operand.in<TileList>(record));
    case OperandType::loop_kind: return std::string(name(operand.in<LoopKind>(record)));
  }
  base::fail("unknown operand type");
}

}  // namespace trainyard::isa

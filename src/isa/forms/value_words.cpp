#include "isa/forms/value_words.h"

namespace trainyard::isa::value_words {

std::string of(const Tile& tile) { return tile ? describe(tile) : std::string{}; }
std::string of(const Scalar& scalar) {
  if (scalar.is_absent()) return {};
  return scalar.is_tile() ? of(scalar.tile) : of(scalar.constant);
}
std::string of(bool value) { return value ? "True" : ""; }
std::string of(std::int32_t value) {
  return value == no_integer ? std::string{} : std::to_string(value);
}
std::string of(std::int64_t value) { return std::to_string(value); }
std::string of(double value) { return fmt::format("{}", value); }
std::string of(Register reg) { return reg ? fmt::format("r{}", reg.index) : std::string{}; }
std::string of(const RegisterOrInt& value) {
  return value.reg ? of(value.reg) : of(value.constant);
}
std::string of(const Dim& dim) { return fmt::format("[{}, {}]", dim.step, dim.count); }

}  // namespace trainyard::isa::value_words

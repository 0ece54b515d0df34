// Which dimensions of an operation go through the same elements. A factor is such a set: its
// elements can be divided between devices, alike in every operand and result that has it. One
// record for each kind of operation (factors_of.cpp) is all that dividing it takes.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "graph/module.h"
#include "graph/sharding.h"

namespace trainyard::graph {

struct Factor {
  enum class Kind : std::uint8_t {
    kept,      // each device has its part of the results
    summed,    // each device has a summand of the results
    combined,  // likewise, combined by the operation's own region
    picked,    // a device has the results that its part of an indexed dimension holds, else zeros
  };
  std::int64_t size = 1;
  Kind kind = Kind::kept;
};

// Of each dimension of a value the factors that it consists of, the slowest first. What is not a
// factor lies whole in every part.
using FactorsOfDims = std::vector<std::vector<std::size_t>>;

struct Factors {
  std::vector<Factor> all{};  // whose axes are chosen first, first
  std::vector<FactorsOfDims> operands{}, results{};
};

// A function without calls, and who makes and reads its values.
class Facts {
 public:
  explicit Facts(const Function& function);

  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }
  [[nodiscard]] const Op* maker(ValueId value) const { return makers_[value]; }  // or null
  [[nodiscard]] bool is_read_once(ValueId value) const { return readers_[value] == 1; }
  [[nodiscard]] bool is_zero(ValueId value) const;  // a constant
  // Whether a value costs less to compute in any part than to move: numbered elements, broadcasts
  // of much less, and what is computed of such element by element, as one-hot vectors.
  [[nodiscard]] bool is_remade(ValueId value, int depth = 0) const;
  // Whether a value follows from one argument of the function alone, as weights do: converted,
  // transposed, a layer's part of a stack, quantised.
  [[nodiscard]] bool is_stored(ValueId value) const { return origins_[value] < mixed; }

 private:
  // The argument that a value follows from, as its number.
  static constexpr std::uint32_t mixed = ~std::uint32_t{1}, none = ~std::uint32_t{0};

  void add(const Region& region);
  void add_origins(const Op& op);

  const Function& function_;
  std::vector<const Op*> makers_;
  std::vector<std::int32_t> readers_;
  std::vector<std::uint32_t> origins_;
};

// Nothing for an operation that nobody knows how to divide.
[[nodiscard]] std::optional<Factors> factors_of(const Op& op, const Facts& facts);
// The same of one that computes each element of its results from those in the same place.
[[nodiscard]] std::optional<Factors> factors_of_elementwise(const Op& op, const Facts& facts);

// An operation's attributes that say sizes, on parts: in how many each dimension of its first
// operand, of that shape, and of its result is.
void to_parts(Op& op, const std::vector<std::int64_t>& operand,
              const std::vector<std::int64_t>& operand_ways,
              const std::vector<std::int64_t>& result_ways);
// A constant of one number, of that type.
void to_part(Op& constant, Type type);

// The axes of each factor, none twice: those that operands lie along, and what wanted results or
// other operands can be cut along at no cost.
struct Chosen {
  std::shared_ptr<const Mesh> mesh{};
  std::vector<Axes> axes{};

  // How a value of those factors lies then.
  [[nodiscard]] Sharding sharding(const Factors& factors, const FactorsOfDims& dims) const;
};
// An axis that two operands lie along in different factors is contested: tokens of activations and
// columns of a matrix. One of both moves. The result decides where it lies along the axis; of two
// values that are computed the smaller one moves; else the first factor gets the axis, or that of
// the weights.
struct Contest {
  std::vector<bool> stored{};                           // of each operand, as Facts says
  std::vector<double> operand_bytes{}, result_bytes{};  // nothing for what is made again
  std::set<std::string> of_weights{};                   // names of axes that weights get
  bool is_open = false;           // what no result decides is given to no factor
  std::set<std::string> names{};  // of axes that no result decided: choose() adds to them
};
[[nodiscard]] Chosen choose(const Factors& factors, const std::vector<const Sharding*>& operands,
                            const std::vector<const Sharding*>& results, Contest& contest);

}  // namespace trainyard::graph

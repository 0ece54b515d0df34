#include "compiler/lowering/patterns/recognize.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include "compiler/lowering/canonical/definitions.h"
#include "compiler/lowering/patterns/gelu_gradient.h"
#include "compiler/lowering/patterns/words.h"
#include "graph/residuals.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::ValueId;

// --- erfc, which StableHLO spells out as rational functions of x in three ranges ---

// A hash of the operations between `value` and `x`, which is all that they may start from.
class Fingerprint {
 public:
  Fingerprint(const Definitions& definitions, ValueId x) : definitions_(definitions), x_(x) {}

  std::uint64_t operator()(ValueId value) {
    if (value == x_) return 1;
    if (const auto found = known_.find(value); found != known_.end()) return found->second;
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    if (const std::optional<double> number = definitions_.number(value)) {
      mix(hash, std::bit_cast<std::uint32_t>(static_cast<float>(*number)));
    } else if (const Op* const op = definitions_.of(value)) {
      for (const char letter : graph::name(op->kind)) mix(hash, static_cast<unsigned char>(letter));
      if (op->kind == OpKind::compare) {
        for (const char letter : op->text("comparison_direction"))
          mix(hash, static_cast<unsigned char>(letter));
      }
      for (const ValueId operand : op->operands) mix(hash, (*this)(operand));
    }
    known_[value] = hash;
    return hash;
  }

 private:
  static void mix(std::uint64_t& hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x100000001b3ULL;
    hash ^= hash >> 29U;
  }
  const Definitions& definitions_;
  ValueId x_;
  std::map<ValueId, std::uint64_t> known_;
};

// What the chlo-legalize-to-stablehlo pass makes of chlo.erfc in float32.
constexpr std::uint64_t erfc_fingerprint = 0x4291b695e6da6650ULL;
constexpr std::string_view erfc_name = "chlo.erfc";

// x where the value is erfc(x): in text CHLO's operation, in artifacts spelled out.
std::optional<ValueId> erfc_of(const Definitions& definitions, ValueId value) {
  const Op* const named = definitions.of(value, OpKind::composite);
  if (named != nullptr && named->text("name") == erfc_name) return named->operands[0];
  const Op* const choice = definitions.of(value, OpKind::select);
  if (choice == nullptr) return std::nullopt;
  const Op* const test = definitions.of(choice->operands[0], OpKind::compare);
  if (test == nullptr || !definitions.is_number(test->operands[1], 1)) return std::nullopt;
  const Op* const size = definitions.of(test->operands[0], OpKind::abs);
  if (size == nullptr) return std::nullopt;
  const ValueId x = size->operands[0];
  const std::uint64_t found = Fingerprint(definitions, x)(value);
  return found == erfc_fingerprint ? std::optional(x) : std::nullopt;
}

// --- Functions, each as the operand of the value that it computes ---

using Match = std::optional<ValueId> (*)(const Definitions&, const Op&);

// x/2 erfc(-x / sqrt(2)), where erfc may be computed in a wider format
std::optional<ValueId> gelu(const Definitions& d, const Op& root) {
  if (root.kind != OpKind::multiply) return std::nullopt;
  for (const std::size_t side : {0U, 1U}) {
    const auto x = d.beside(root.operands[side], OpKind::multiply, 0.5);
    if (!x) continue;
    const auto argument = erfc_of(d, d.uncast(root.operands[1 - side]));
    if (!argument) continue;
    const auto opposite = d.beside(d.uncast(*argument), OpKind::multiply, std::sqrt(0.5));
    if (!opposite) continue;
    const Op* const negated = d.of(*opposite, OpKind::negate);
    if (negated != nullptr && negated->operands[0] == *x) return x;
  }
  return std::nullopt;
}

// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
std::optional<ValueId> gelu_by_tanh(const Definitions& d, const Op& root) {
  if (root.kind != OpKind::multiply) return std::nullopt;
  for (const std::size_t side : {0U, 1U}) {
    const ValueId x = root.operands[side];
    const auto sum = d.beside(root.operands[1 - side], OpKind::multiply, 0.5);
    const auto curve = sum ? d.beside(*sum, OpKind::add, 1) : std::nullopt;
    const Op* const tanh = curve ? d.of(*curve, OpKind::tanh) : nullptr;
    if (tanh != nullptr && gelu_tanh_argument(d, *tanh) == x) return x;
  }
  return std::nullopt;
}

// 1 / (1 + exp(-x))
std::optional<ValueId> logistic(const Definitions& d, const Op& root) {
  if (root.kind == OpKind::logistic) return root.operands[0];
  if (root.kind != OpKind::divide || !d.is_number(root.operands[0], 1)) return std::nullopt;
  const auto power = d.beside(root.operands[1], OpKind::add, 1);
  const Op* const exponential = power ? d.of(*power, OpKind::exponential) : nullptr;
  if (exponential == nullptr) return std::nullopt;
  const Op* const negated = d.of(exponential->operands[0], OpKind::negate);
  return negated == nullptr ? std::nullopt : std::optional(negated->operands[0]);
}

// x logistic(x)
std::optional<ValueId> silu(const Definitions& d, const Op& root) {
  if (root.kind != OpKind::multiply) return std::nullopt;
  for (const std::size_t side : {0U, 1U}) {
    const Op* const other = d.of(root.operands[1 - side]);
    const auto x = other != nullptr ? logistic(d, *other) : std::nullopt;
    if (x == root.operands[side]) return x;
  }
  return std::nullopt;
}

// log(1 + exp(x)) as max(x, 0) + log(1 + exp(-|x|)), where x is a number
std::optional<ValueId> softplus(const Definitions& d, const Op& root) {
  if (root.kind != OpKind::select) return std::nullopt;
  const Op* const test = d.of(root.operands[0], OpKind::compare);
  const Op* const sum = d.of(root.operands[2], OpKind::add);
  if (test == nullptr || sum == nullptr || test->operands[0] != test->operands[1] ||
      test->text("comparison_direction") != "NE")
    return std::nullopt;
  for (const std::size_t side : {0U, 1U}) {
    const auto x = d.beside(sum->operands[side], OpKind::maximum, 0);
    const Op* const log = d.of(sum->operands[1 - side], OpKind::log_plus_one);
    const Op* const power = log != nullptr ? d.of(log->operands[0], OpKind::exponential) : nullptr;
    const Op* const negated = power != nullptr ? d.of(power->operands[0], OpKind::negate) : nullptr;
    const Op* const size = negated != nullptr ? d.of(negated->operands[0], OpKind::abs) : nullptr;
    if (!x || size == nullptr || size->operands[0] != test->operands[0]) continue;
    const Op* const difference = d.of(size->operands[0], OpKind::subtract);
    const bool is_x =
        size->operands[0] == *x || (difference != nullptr && difference->operands[0] == *x &&
                                    d.is_number(difference->operands[1], 0));
    if (is_x) return x;
  }
  return std::nullopt;
}

constexpr auto functions = std::to_array<std::pair<std::string_view, Match>>({
    {"trainyard.gelu", gelu},
    {"trainyard.gelu_tanh", gelu_by_tanh},
    {"trainyard.silu", silu},
    {"trainyard.softplus", softplus},
    {"trainyard.logistic", logistic},
});

// --- A value times the derivative of a function ---

void add_factors(const Definitions& d, ValueId value, std::vector<ValueId>& all) {
  constexpr std::size_t most = 8;
  const Op* const product = d.of(value, OpKind::multiply);
  if (product == nullptr || all.size() >= most) return all.push_back(value);
  for (const ValueId operand : product->operands) add_factors(d, operand, all);
}

bool take(std::vector<ValueId>& from, ValueId value) {
  const auto found = std::ranges::find(from, value);
  if (found == from.end()) return false;
  from.erase(found);
  return true;
}

// t s + x t s (1 - s), where s = logistic(x)
std::optional<Scaled> silu_gradient(const Definitions& d, const Op& root) {
  if (root.kind != OpKind::add) return std::nullopt;
  for (const std::size_t side : {0U, 1U}) {
    const Op* const first = d.of(root.operands[side], OpKind::multiply);
    if (first == nullptr) continue;
    for (const std::size_t place : {0U, 1U}) {
      const ValueId s = first->operands[place];
      const Op* const op = d.of(s);
      const auto x = op != nullptr ? logistic(d, *op) : std::nullopt;
      if (!x) continue;
      std::vector<ValueId> ours, others;
      add_factors(d, root.operands[side], ours);
      add_factors(d, root.operands[1 - side], others);
      if (!std::ranges::all_of(ours, [&](ValueId each) { return take(others, each); }) ||
          !take(others, *x) || others.size() != 1)
        continue;
      const Op* const rest = d.of(others[0], OpKind::subtract);
      if (rest != nullptr && d.is_number(rest->operands[0], 1) && rest->operands[1] == s)
        return Scaled{first->operands[1 - place], *x};
    }
  }
  return std::nullopt;
}

std::optional<Scaled> exact_gelu_gradient(const Definitions& d, const Op& root) {
  return gelu_gradient(d, root, [&](ValueId value) { return erfc_of(d, value); });
}

using MatchGradient = std::optional<Scaled> (*)(const Definitions&, const Op&);
constexpr auto gradients = std::to_array<std::pair<std::string_view, MatchGradient>>({
    {"trainyard.gelu_dx", exact_gelu_gradient},
    {"trainyard.gelu_tanh_dx", gelu_tanh_gradient},
    {"trainyard.silu_dx", silu_gradient},
});

bool computes_only(const Op& op) {
  if (op.results.size() != 1) return false;
  if (op.kind == OpKind::composite)
    return op.text("name") == erfc_name || op.text("name").starts_with("trainyard.");
  return !graph::has_effect(op) && !graph::is(op.kind, graph::Trait::collective);
}

using ReadCounts = std::map<ValueId, int>;

void count_reads(const graph::Region& region, int by, ReadCounts& readers) {
  for (const Op& op : region.ops) {
    for (const ValueId value : op.operands) readers[value] += by;
    for (const graph::Region& nested : op.regions) count_reads(nested, by, readers);
  }
}

void drop_unread_in(graph::Region& region, ReadCounts& readers) {
  std::vector<Op> kept;
  std::vector<Op>& ops = region.ops;
  for (std::size_t i = ops.size(); i-- > 0;) {
    Op& op = ops[i];
    if (computes_only(op) && readers[op.results[0]] == 0) {
      for (const ValueId value : op.operands) --readers[value];
      for (const graph::Region& nested : op.regions) count_reads(nested, -1, readers);
    } else {
      for (graph::Region& nested : op.regions) drop_unread_in(nested, readers);
      kept.push_back(std::move(op));
    }
  }
  std::ranges::reverse(kept);
  ops = std::move(kept);
}

// A format that engines compute in.
bool is_computed(graph::ElementType type) {
  return graph::is_float(type) && graph::bits(type) <= 32;
}

// The operations to replace, each with its function's name and operand, and what that is to be
// multiplied with.
struct Found {
  std::size_t op;
  std::string_view name;
  ValueId operand;
  std::optional<ValueId> factor{};
};
std::vector<Found> find_in(const Function& function, const graph::Region& region) {
  const Definitions definitions(function);
  std::vector<Found> all;
  for (std::size_t i = 0; i < region.ops.size(); ++i) {
    const Op& op = region.ops[i];
    if (op.results.size() != 1 || op.kind == OpKind::logistic) continue;
    for (const auto& [name, match] : gradients) {
      const std::optional<Scaled> scaled = match(definitions, op);
      if (scaled && is_computed(function.type(scaled->x).element))
        all.push_back({i, name, scaled->x, scaled->factor});
    }
    for (const auto& [name, match] : functions) {
      const std::optional<ValueId> x = match(definitions, op);
      if (!x || !is_computed(function.type(*x).element)) continue;
      all.push_back({i, name, *x});
      break;
    }
  }
  return all;
}

void write_out_squares(graph::Region& region) {
  for (Op& op : region.ops) {
    for (graph::Region& nested : op.regions) write_out_squares(nested);
    if (op.kind != OpKind::composite || op.text("name") != "chlo.square") continue;
    op.kind = OpKind::multiply;
    op.operands = {op.operands[0], op.operands[0]};
    op.attributes.clear();
  }
}

// In loops and branches, too; regions that fold or compare elements have none.
void recognize_in(Function& function, graph::Region& region) {
  std::vector<Op>& ops = region.ops;
  for (Op& op : ops) {
    if (!graph::is(op.kind, graph::Trait::control)) continue;
    for (graph::Region& nested : op.regions) recognize_in(function, nested);
  }
  std::vector<Found> all = find_in(function, region);
  std::ranges::reverse(all);
  for (const Found& found : all) {
    Op op{.kind = OpKind::composite,
          .operands = {found.operand},
          .results = ops[found.op].results,
          .attributes = {{"name", {std::string(found.name)}}},
          .location = ops[found.op].location};
    if (!found.factor) {
      ops[found.op] = std::move(op);
      continue;
    }
    const auto derivative = static_cast<ValueId>(function.types.size());
    function.types.push_back(function.type(found.operand));
    ops[found.op].kind = OpKind::multiply;
    ops[found.op].operands = {*found.factor, derivative};
    ops[found.op].attributes.clear();
    op.results = {derivative};
    ops.insert(ops.begin() + static_cast<std::ptrdiff_t>(found.op), std::move(op));
  }
}

}  // namespace

void recognize_functions(graph::Module& module) {
  for (Function& function : module.functions) {
    write_out_squares(function.body);
    rewrite_words(function);
    recognize_in(function, function.body);
  }
}

void drop_unread(graph::Module& module) {
  for (Function& function : module.functions) {
    ReadCounts readers;
    count_reads(function.body, 1, readers);
    drop_unread_in(function.body, readers);
  }
}

}  // namespace trainyard::compiler

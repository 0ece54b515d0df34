#include "compiler/lowering/walk/filled_states.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "compiler/lowering/tiles/literal.h"
#include "graph/reads.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::ValueId;

std::int64_t readers(const Region& region, ValueId value) {
  return std::ranges::count_if(region.ops, [&](const Op& op) {
    std::set<ValueId> read;
    graph::add_read(op, read);
    return read.contains(value);
  });
}

// The whole numbers of a body that follow from counters.
class BodyCounts {
 public:
  using Outside = std::function<std::optional<Counted>(ValueId)>;
  BodyCounts(const Function& function, const Region& body,
             const std::vector<std::optional<Counted>>& counts, const Outside& outside)
      : outside_(outside) {
    for (std::size_t i = 0; i < counts.size(); ++i) inside_[body.arguments[i]] = counts[i];
    for (const Op& op : body.ops) {
      for (const ValueId value : op.results) inside_[value] = std::nullopt;
      const bool is_scalar = op.results.size() == 1 && op.regions.empty() &&
                             function.type(op.results[0]).kind == graph::Type::Kind::tensor &&
                             function.type(op.results[0]).shape.empty();
      if (is_scalar) inside_[op.results[0]] = made(op, function.type(op.results[0]).element);
    }
  }

  [[nodiscard]] std::optional<Counted> of(ValueId value) const {
    const auto found = inside_.find(value);
    return found == inside_.end() ? outside_(value) : found->second;
  }

 private:
  [[nodiscard]] std::optional<Counted> made(const Op& op, graph::ElementType element) const {
    if (op.kind == OpKind::constant) {
      const std::optional<double> number = one_number(op.literal("value"));
      if (!number || !graph::is_integer(element)) return std::nullopt;
      return Counted{.constant = static_cast<std::int64_t>(*number)};
    }
    std::vector<Counted> operands;
    for (const ValueId value : op.operands) {
      const std::optional<Counted> each = of(value);
      if (!each && (op.kind != OpKind::select || operands.empty())) return std::nullopt;
      operands.push_back(each.value_or(Counted{}));
    }
    if (op.kind != OpKind::select) return counted(op, operands, element);
    if (!operands[0].is_known()) return std::nullopt;
    return of(op.operands[operands[0].constant != 0 ? 1 : 2]);
  }

  const Outside& outside_;
  std::map<ValueId, std::optional<Counted>> inside_;
};

// Whether the counts begin parts of that size that lie side by side and fill all of it.
bool fills(const Counted& start, std::int64_t part, std::int64_t size) {
  if (start.low() != 0 || start.high() + part != size) return false;
  if (start.is_known()) return true;
  const auto reach = [](const Counted::Term& term) { return std::abs(term.scale); };
  return start.terms.size() == 1 && reach(start.terms[0]) == part;
}

}  // namespace

bool is_filled(const Op& loop, const Function& function, std::size_t state,
               const std::vector<std::optional<Counted>>& counts,
               const std::function<std::optional<Counted>(ValueId)>& outside) {
  const Region &condition = loop.regions.at(0), &body = loop.regions.at(1);
  const ValueId argument = body.arguments[state], next = body.ops.back().operands[state];
  if (readers(condition, condition.arguments[state]) > 0 || readers(body, argument) != 1)
    return false;
  const auto update = std::ranges::find_if(body.ops, [&](const Op& op) {
    return op.kind == OpKind::dynamic_update_slice && op.results[0] == next &&
           op.operands[0] == argument;
  });
  if (update == body.ops.end()) return false;
  const BodyCounts known(function, body, counts, outside);
  const auto& size = function.type(next).shape;
  const auto& part = function.type(update->operands[1]).shape;
  std::size_t counted_dims = 0;
  for (std::size_t d = 0; d < size.size(); ++d) {
    const std::optional<Counted> start = known.of(update->operands[2 + d]);
    if (!start || !fills(*start, part[d], size[d])) return false;
    if (!start->is_known()) ++counted_dims;
  }
  return counted_dims <= 1;
}

}  // namespace trainyard::compiler

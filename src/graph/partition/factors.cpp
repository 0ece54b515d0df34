#include "graph/partition/factors.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "base/stable_sort.h"
#include "graph/values.h"

namespace trainyard::graph {

namespace {

bool holds(const Axes& axes, std::size_t axis) {
  return std::ranges::find(axes, axis) != axes.end();
}

bool is_on(const Sharding& sharding, const std::shared_ptr<const Mesh>& mesh) {
  return sharding.mesh == mesh || (sharding.mesh != nullptr && *sharding.mesh == *mesh);
}

// Chooses axes factor by factor.
class Choosing {
 public:
  Choosing(const Factors& factors, const std::vector<const Sharding*>& operands,
           const std::vector<const Sharding*>& results, Contest& contest)
      : factors_(factors), contest_(contest) {
    for (const Sharding* each : {by_parts(operands), by_parts(results)}) {
      if (each != nullptr && chosen_.mesh == nullptr) chosen_.mesh = each->mesh;
    }
    chosen_.axes.resize(factors.all.size());
    if (chosen_.mesh == nullptr) return;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      add(operands_, operands[i], factors.operands[i]);
      operands_.back().is_stored = contest.stored.at(i);
      operands_.back().bytes = contest.operand_bytes.at(i);
    }
    base::stable_sort(operands_, std::ranges::greater(),
                      [](const Value& value) { return value.sharding->parts(); });
    for (std::size_t i = 0; i < results.size(); ++i) {
      add(results_, results[i], factors.results[i]);
      results_.back().bytes = contest.result_bytes.at(i);
    }
  }

  Chosen run() {
    for (std::size_t f = 0; chosen_.mesh != nullptr && f < factors_.all.size(); ++f) {
      if (!is_reached(f)) continue;
      const Axes axes = factors_.all[f].kind == Factor::Kind::kept ? kept(f) : summed(f);
      used_.insert(axes.begin(), axes.end());
      chosen_.axes[f] = axes;
    }
    return std::move(chosen_);
  }

 private:
  struct Value {
    const Sharding* sharding = nullptr;
    const FactorsOfDims* dims = nullptr;
    bool is_stored = false;
    double bytes = 0;
  };

  static const Sharding* by_parts(const std::vector<const Sharding*>& all) {
    const auto most = std::ranges::max_element(
        all, {}, [](const Sharding* each) { return each == nullptr ? 0 : each->parts(); });
    return most == all.end() || *most == nullptr || (*most)->is_whole() ? nullptr : *most;
  }
  void add(std::vector<Value>& values, const Sharding* sharding, const FactorsOfDims& dims) const {
    if (sharding != nullptr && is_on(*sharding, chosen_.mesh))
      values.push_back({sharding, &dims});
    else
      values.push_back({&whole_, &dims});
  }

  // Whether slower factors of each dimension are divided to the last element.
  [[nodiscard]] bool is_reached(std::size_t f) const {
    const auto reaches = [&](const FactorsOfDims& dims) {
      return std::ranges::all_of(dims, [&](const std::vector<std::size_t>& list) {
        const auto at = std::ranges::find(list, f);
        return at == list.end() || std::all_of(list.begin(), at, [&](std::size_t slower) {
                 return size_of(*chosen_.mesh, chosen_.axes[slower]) == factors_.all[slower].size;
               });
      });
    };
    return std::ranges::all_of(factors_.operands, reaches) &&
           std::ranges::all_of(factors_.results, reaches);
  }

  // The axes that divide the factor in a value; nothing where the value lacks it.
  [[nodiscard]] std::optional<Axes> axes(const Value& value, std::size_t f) const {
    for (std::size_t d = 0; d < value.dims->size(); ++d) {
      const std::vector<std::size_t>& list = (*value.dims)[d];
      if (std::ranges::find(list, f) == list.end()) continue;
      Axes mine;
      std::size_t at = 0;
      std::int64_t left = factors_.all[list[0]].size;
      for (const std::size_t axis : value.sharding->axes(d)) {
        while (left == 1 && at + 1 < list.size()) left = factors_.all[list[++at]].size;
        const std::int64_t size = chosen_.mesh->axes[axis].size;
        if (left % size != 0) break;
        left /= size;
        if (list[at] == f) mine.push_back(axis);
      }
      return mine;
    }
    return std::nullopt;
  }

  // Whether a value lies along the axis in a dimension that the operation needs whole.
  [[nodiscard]] static bool lies_whole(const Value& value, std::size_t axis) {
    for (std::size_t d = 0; d < value.dims->size(); ++d) {
      if ((*value.dims)[d].empty() && holds(value.sharding->axes(d), axis)) return true;
    }
    return false;
  }

  // Whether cutting a value along an axis of the factor costs nothing, or less than what it has to
  // be moved for anyway.
  [[nodiscard]] bool is_free(const Value& value, std::size_t f, std::size_t axis) const {
    if (!value.sharding->uses(axis) || value.bytes == 0 || lies_whole(value, axis)) return true;
    const std::optional<Axes> mine = axes(value, f);
    return mine && holds(*mine, axis);
  }

  void extend(Axes& axes, const Axes& by, std::size_t f, auto may) const {
    if (!starts_with(by, axes)) return;
    std::int64_t ways = size_of(*chosen_.mesh, axes);
    for (std::size_t i = axes.size(); i < by.size(); ++i) {
      ways *= chosen_.mesh->axes[by[i]].size;
      if (used_.contains(by[i]) || !may(by[i]) || factors_.all[f].size % ways != 0) return;
      axes.push_back(by[i]);
    }
  }

  // Whether a value lies along the axis in that factor, before which no axis is taken otherwise.
  [[nodiscard]] bool claims(const Value& value, std::size_t f, std::size_t axis) const {
    const auto mine = axes(value, f);
    if (!mine) return false;
    const auto place = std::ranges::find(*mine, axis);
    return place != mine->end() && std::none_of(mine->begin(), place, [&](std::size_t before) {
             return used_.contains(before) || rival(f, before) != nullptr;
           });
  }

  // An operand that lies along the axis in another factor, which each device keeps.
  [[nodiscard]] const Value* rival(std::size_t f, std::size_t axis) const {
    for (const Value& value : operands_) {
      for (std::size_t g = 0; g < factors_.all.size(); ++g) {
        if (g == f || factors_.all[g].kind != Factor::Kind::kept) continue;
        const auto theirs = axes(value, g);
        if (theirs && holds(*theirs, axis)) return &value;
      }
    }
    return nullptr;
  }

  // Whether a factor leaves an axis that `mine` lies along to another one.
  [[nodiscard]] bool yields(const Value& mine, std::size_t f, std::size_t axis) {
    const auto decides = [&](std::size_t factor) {
      return std::ranges::any_of(results_,
                                 [&](const Value& value) { return claims(value, factor, axis); });
    };
    for (std::size_t g = 0; g < factors_.all.size(); ++g) {
      if (g == f || factors_.all[g].kind != Factor::Kind::kept) continue;
      const auto theirs = std::ranges::find_if(
          operands_, [&](const Value& value) { return claims(value, g, axis); });
      if (theirs == operands_.end()) continue;
      if (decides(f)) return false;
      if (decides(g)) return true;
      const std::string& name = chosen_.mesh->axes[axis].name;
      contest_.names.insert(name);
      if (contest_.is_open) return true;
      if (mine.is_stored == theirs->is_stored) return moved(g, axis) < moved(f, axis);
      return contest_.of_weights.contains(name) && theirs->is_stored;
    }
    return false;
  }

  [[nodiscard]] static bool has(const Value& value, std::size_t f) {
    return std::ranges::any_of(*value.dims, [&](const std::vector<std::size_t>& list) {
      return std::ranges::find(list, f) != list.end();
    });
  }

  // A factor that results are summed over or picked from, which an operand that lacks `f` lies
  // along.
  [[nodiscard]] bool lies_summed(const Value& value, std::size_t f, std::size_t axis) const {
    if (has(value, f)) return false;
    for (std::size_t g = 0; g < factors_.all.size(); ++g) {
      const auto theirs = axes(value, g);
      if (!theirs || factors_.all[g].kind == Factor::Kind::kept || !holds(*theirs, axis)) continue;
      return std::ranges::none_of(operands_, [&](const Value& other) {
        return other.bytes > 0 && has(other, f) && has(other, g);
      });
    }
    return false;
  }

  // Of a value that is not divided along the axis.
  [[nodiscard]] double bytes(const Value& value, std::size_t axis) const {
    const std::int64_t parts = value.sharding->parts();
    const std::int64_t ways = value.sharding->uses(axis) ? chosen_.mesh->axes[axis].size : 1;
    return value.bytes * static_cast<double>(ways) / static_cast<double>(parts);
  }

  // What other operands receive where the factor gets the axis: pieces, or what they lack.
  [[nodiscard]] double moved(std::size_t f, std::size_t axis) const {
    double all = 0;
    for (const Value& value : operands_) {
      const auto mine = axes(value, f);
      if (!value.sharding->uses(axis) || (mine && holds(*mine, axis))) continue;
      all += has(value, f) ? value.bytes / static_cast<double>(value.sharding->parts())
                           : bytes(value, axis);
    }
    return all;
  }

  // Lists of places and a table, both along one axis: whether the table is gathered, or what is
  // found in its parts added up, is decided by what has fewer bytes.
  [[nodiscard]] bool is_better_summed(std::size_t f, std::size_t axis) const {
    double gathered = 0, summed = 0;
    for (const Value& value : operands_) {
      const auto mine = axes(value, f);
      if (lies_summed(value, f, axis)) gathered += bytes(value, axis);
      if (mine && holds(*mine, axis)) summed += bytes(value, axis);
    }
    for (const Value& value : results_) summed += bytes(value, axis);
    return gathered > 0 && summed < gathered;
  }

  [[nodiscard]] Axes kept(std::size_t f) {
    Axes result;
    for (const Value& value : operands_) {
      if (const auto mine = axes(value, f)) {
        extend(result, *mine, f, [&](std::size_t axis) {
          return !yields(value, f, axis) && !is_better_summed(f, axis);
        });
      }
    }
    const auto cuts = [&](std::size_t axis) {
      return !is_better_summed(f, axis) && std::ranges::all_of(operands_, [&](const Value& value) {
        return is_free(value, f, axis) || lies_summed(value, f, axis);
      });
    };
    for (const Value& value : results_) {
      if (const auto mine = axes(value, f)) extend(result, *mine, f, cuts);
    }
    return result;
  }

  [[nodiscard]] Axes summed(std::size_t f) const {
    Axes longest;
    for (const Value& value : operands_) {
      const auto mine = axes(value, f);
      if (mine && mine->size() > longest.size()) longest = *mine;
    }
    const bool agree = std::ranges::all_of(operands_, [&](const Value& value) {
      const auto mine = axes(value, f);
      return !mine || starts_with(longest, *mine);
    });
    Axes result;
    if (agree) {
      extend(result, longest, f, [&](std::size_t axis) {
        return std::ranges::all_of(operands_, [&](const Value& value) {
          return !axes(value, f) || is_free(value, f, axis);
        });
      });
    }
    return result;
  }

  const Factors& factors_;
  Contest& contest_;
  const Sharding whole_{};
  std::vector<Value> operands_, results_;
  std::set<std::size_t> used_;
  Chosen chosen_;
};

}  // namespace

Facts::Facts(const Function& function)
    : function_(function),
      makers_(function.types.size()),
      readers_(function.types.size()),
      origins_(function.types.size(), mixed) {
  for (const ValueId argument : function.body.arguments) origins_[argument] = argument;
  add(function.body);
}

void Facts::add(const Region& region) {
  for (const Op& op : region.ops) {
    for (const ValueId value : op.operands) ++readers_[value];
    for (const ValueId value : op.results) makers_[value] = &op;
    add_origins(op);
    for (const Region& inner : op.regions) add(inner);
  }
}

// Numbers that places are computed from are of no account; what a loop hands on unchanged is what
// it was given.
void Facts::add_origins(const Op& op) {
  constexpr std::int64_t places_max = 16;
  if (op.kind == OpKind::while_) {
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      const ValueId carried = op.regions.at(1).arguments.at(i);
      if (op.regions.at(1).ops.back().operands.at(i) == carried)
        origins_[carried] = origins_[op.results[i]] = origins_[op.operands[i]];
    }
    return;
  }
  if (op.kind == OpKind::optimization_barrier) {
    for (std::size_t i = 0; i < op.operands.size(); ++i)
      origins_[op.results[i]] = origins_[op.operands[i]];
    return;
  }
  std::uint32_t origin = none;
  for (const ValueId value : op.operands) {
    const Type& given = type(value);
    const bool is_place =
        given.kind == Type::Kind::tensor && given.is_static() && given.elements() <= places_max;
    if (is_place || origins_[value] == none || origins_[value] == origin) continue;
    origin = origin == none ? origins_[value] : mixed;
  }
  for (const ValueId value : op.results) origins_[value] = origin;
}

bool Facts::is_zero(ValueId value) const {
  const Op* const op = maker(value);
  if (op == nullptr) return false;
  if (op->kind == OpKind::broadcast_in_dim || op->kind == OpKind::convert)
    return is_zero(op->operands[0]);
  return op->kind == OpKind::constant && is_all_zero(op->literal("value"));
}

bool Facts::is_remade(ValueId value, int depth) const {
  constexpr int depth_max = 6;
  constexpr std::int64_t times_smaller = 8;
  const Op* const op = maker(value);
  if (op == nullptr || depth > depth_max || !type(value).is_static()) return false;
  if (op->kind == OpKind::iota) return true;
  if (op->kind == OpKind::constant) return op->literal("value").splat;
  if (op->kind == OpKind::broadcast_in_dim) {
    return is_remade(op->operands[0], depth + 1) ||
           type(op->operands[0]).elements() * times_smaller <= type(value).elements();
  }
  return is(op->kind, Trait::elementwise) && op->regions.empty() && op->results.size() == 1 &&
         std::ranges::all_of(op->operands, [&](ValueId each) {
           return type(each).shape == type(value).shape && is_remade(each, depth + 1);
         });
}

Sharding Chosen::sharding(const Factors& factors, const FactorsOfDims& dims) const {
  Sharding result{.dims = std::vector<Axes>(dims.size())};
  for (std::size_t d = 0; d < dims.size(); ++d) {
    for (const std::size_t f : dims[d]) {
      result.dims[d].insert(result.dims[d].end(), axes[f].begin(), axes[f].end());
      if (mesh == nullptr || size_of(*mesh, axes[f]) != factors.all[f].size) break;
    }
  }
  if (!std::ranges::all_of(result.dims, &Axes::empty)) result.mesh = mesh;
  return result;
}

Chosen choose(const Factors& factors, const std::vector<const Sharding*>& operands,
              const std::vector<const Sharding*>& results, Contest& contest) {
  return Choosing(factors, operands, results, contest).run();
}

}  // namespace trainyard::graph

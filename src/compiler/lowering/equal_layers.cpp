#include "compiler/lowering/equal_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/stable_sort.h"
#include "compiler/lowering/attention/attention_pattern.h"
#include "graph/op_hash.h"
#include "graph/reads.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::ValueId;

constexpr std::string_view locations_name = "locations", compiled_name = "compiled";
constexpr std::string_view layer_prefix = "trainyard.layer_";

// Between two programs the core drains and fills again, about 15 us on trn3: a hundredth of this.
constexpr base::Ticks time_min{base::ticks_per_nanosecond * 1'000'000};
// Fewer pieces are soon compiled together.
constexpr std::size_t pieces_min = 4;
// A larger constant is not worth its copy in each layer.
constexpr std::size_t constant_bytes_max = 4096;
constexpr std::size_t layers_max = 64;       // different ones of a module
constexpr std::size_t distances_tried = 16;  // between products that look alike

bool is_large(const Op& op) {
  return op.kind == OpKind::dot_general || op.kind == OpKind::convolution || is_attention(op);
}

// --- Equality, but for places in the source ---

bool same_attributes(const Op& a, const Op& b) {
  const auto same = [](const graph::NamedAttribute& x, const graph::NamedAttribute& y) {
    return x.name == y.name && (x.name == locations_name || x.value == y.value);
  };
  return std::ranges::equal(a.attributes, b.attributes, same);
}

bool same(const Op& a, const Op& b);
bool same(const Region& a, const Region& b) {
  return a.arguments == b.arguments &&
         std::ranges::equal(a.ops, b.ops, [](const Op& x, const Op& y) { return same(x, y); });
}
bool same(const Op& a, const Op& b) {
  return a.kind == b.kind && a.operands == b.operands && a.results == b.results &&
         same_attributes(a, b) &&
         std::ranges::equal(a.regions, b.regions,
                            [](const Region& x, const Region& y) { return same(x, y); });
}

// Equal for operations that may be equal.
std::uint64_t hash_of(const Function& function, const Op& op) {
  std::uint64_t hash = graph::hash_of_types(function, op);
  for (const Region& region : op.regions) {
    for (const Op& each : region.ops) hash = base::hash_combine(hash, hash_of(function, each));
  }
  return hash;
}

void add_locations(const Region& region, std::vector<std::int64_t>& all) {
  for (const Op& op : region.ops) {
    all.push_back(op.location);
    if (is_attention(op)) std::ranges::copy(op.integers(locations_name), std::back_inserter(all));
    for (const Region& nested : op.regions) add_locations(nested, all);
  }
}
std::vector<std::int64_t> locations_in(const Region& region) {
  std::vector<std::int64_t> all;
  add_locations(region, all);
  return all;
}

// --- What a layer takes at best ---

double multiplications(const Function& function, const Region& region) {
  double sum = 0;
  for (const Op& op : region.ops) {
    if (op.kind == OpKind::dot_general) {
      double depth = 1;
      for (const std::int64_t dim : op.integers("lhs_contracting_dimensions"))
        depth *= static_cast<double>(
            function.type(op.operands[0]).shape.at(static_cast<std::size_t>(dim)));
      sum += depth * static_cast<double>(function.type(op.results[0]).elements());
    } else if (is_attention(op)) {
      const AttentionShape shape = attention_shape(op);
      sum += static_cast<double>(shape.batches() * shape.queries) *
             static_cast<double>(shape.keys * (shape.depth + shape.columns));
    }
    for (const Region& nested : op.regions) sum += multiplications(function, nested);
  }
  return sum;
}

base::Ticks least_time(const Function& function, const machine::Core& core) {
  std::int64_t bytes = 0;
  const auto add = [&](ValueId value) {
    const graph::Type& type = function.type(value);
    if (type.kind == graph::Type::Kind::tensor) bytes += type.bytes();
  };
  std::ranges::for_each(function.body.arguments, add);
  std::ranges::for_each(function.results(), add);
  const auto lanes = static_cast<double>(core.array.rows * core.array.columns);
  const auto columns = static_cast<std::int64_t>(multiplications(function, function.body) / lanes);
  return std::max(core.dma.links()({bytes}), core.tensor.clock(core.array.macs_bf16(columns)));
}

// --- Cutting layers out ---

// Operations [begin, end) as a function of what they read from outside.
struct Cut {
  Function function;
  std::vector<ValueId> operands;     // in main
  std::map<ValueId, ValueId> names;  // a value of main, and what it is called in the function
};

class EqualLayers {
 public:
  EqualLayers(graph::Module& module, const machine::Core& core, Layers layers)
      : module_(module),
        core_(core),
        layers_(layers),
        main_(*std::ranges::find(module.functions, "main", &Function::name)) {}

  void run() {
    for (std::size_t number = 0; number < layers_max; ++number) {
      look();
      if (!share_best(number)) break;
    }
    std::ranges::move(layers_found_, std::back_inserter(module_.functions));
  }

 private:
  // Instances that begin every `period` operations.
  struct Stretch {
    std::size_t begin = 0, period = 0, count = 0;
    [[nodiscard]] std::size_t saved() const { return (count - 1) * period; }
  };

  void note(const Op& op, std::size_t i) {
    for (const ValueId value : op.operands) users_[value].push_back(i);
    for (const Region& region : op.regions) {
      for (const Op& each : region.ops) note(each, i);
    }
  }

  void look() {
    const std::vector<Op>& ops = main_.body.ops;
    hashes_.clear();
    users_.clear();
    made_by_.clear();
    for (std::size_t i = 0; i < ops.size(); ++i) {
      // A layer that has been found is like no other.
      hashes_.push_back(is_layer(ops[i]) ? base::hash_combine(i, 1) : hash_of(main_, ops[i]));
      note(ops[i], i);
      for (const ValueId value : ops[i].results) made_by_[value] = i;
    }
    sum_bytes_across();
  }

  void sum_bytes_across() {
    std::vector<std::int64_t> more(hashes_.size() + 1);  // than across the place before
    for (const auto& [value, maker] : made_by_) {
      const auto users = users_.find(value);
      const graph::Type& type = main_.type(value);
      if (users == users_.end() || type.kind != graph::Type::Kind::tensor) continue;
      more[maker + 1] += type.bytes();
      more[users->second.back() + 1] -= type.bytes();
    }
    bytes_across_.clear();
    std::inclusive_scan(more.begin(), more.end(), std::back_inserter(bytes_across_));
  }

  [[nodiscard]] std::set<std::size_t> periods() const {
    std::map<std::uint64_t, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < main_.body.ops.size(); ++i) {
      if (is_large(main_.body.ops[i])) alike[hashes_[i]].push_back(i);
    }
    std::set<std::size_t> found;
    for (const auto& [hash, places] : alike) {
      for (std::size_t k = 0; k < places.size(); ++k) {
        const std::size_t last = std::min(places.size() - 1, k + distances_tried);
        for (std::size_t other = k + 1; other <= last; ++other)
          found.insert(places[other] - places[k]);
      }
    }
    return found;
  }

  // Wherever operations look like those `period` before them for a whole period.
  void add_stretches(std::size_t period, std::vector<Stretch>& all) const {
    std::size_t begin = 0;
    const std::size_t end = hashes_.size() - 1;  // behind it is the return
    for (std::size_t i = 0; i + period <= end; ++i) {
      if (i + period < end && hashes_[i] == hashes_[i + period]) continue;
      if (i - begin >= period) all.push_back({begin, period, (i - begin) / period + 1});
      begin = i + 1;
    }
  }

  // The same layers cut where the least goes from one to the next; of such places the last one,
  // since what stands before a model's first layer has none of its operations.
  [[nodiscard]] Stretch in_phase(const Stretch& stretch) const {
    std::size_t end = stretch.begin + stretch.count * stretch.period;
    while (end + 1 < hashes_.size() && hashes_[end] == hashes_[end - stretch.period]) ++end;
    Stretch best;
    std::int64_t least = 0;
    for (std::size_t k = 0; k < stretch.period; ++k) {
      const std::size_t begin = stretch.begin + k;
      const Stretch shifted{begin, stretch.period, (end - begin) / stretch.period};
      const std::int64_t across = bytes_across_.at(begin + stretch.period);
      if (shifted.count < 2 || (best.count > 0 && across > least)) continue;
      best = shifted;
      least = across;
    }
    return best;
  }

  bool share_best(std::size_t number) {
    std::vector<Stretch> all;
    for (const std::size_t period : periods()) add_stretches(period, all);
    base::stable_sort(all, std::ranges::greater{}, &Stretch::saved);
    for (const Stretch& each : all) {
      const Stretch stretch = in_phase(each);
      if (stretch.count >= 2 && share(stretch, number)) return true;
    }
    return false;
  }

  // The first instances that are equal in everything.
  bool share(Stretch stretch, std::size_t number) {
    std::vector<Cut> cuts;
    for (std::size_t k = 0; k < stretch.count; ++k) {
      Cut next = cut(stretch.begin + k * stretch.period, stretch.period);
      const bool fits = cuts.empty() || (next.function.types == cuts.front().function.types &&
                                         same(next.function.body, cuts.front().function.body));
      if (!fits && cuts.size() >= 2) break;
      if (!fits) {
        cuts.clear();
        stretch.begin += stretch.period * k;
        stretch.count -= k;
        k = 0;
      }
      cuts.push_back(std::move(next));
    }
    if (cuts.size() < 2) return false;
    stretch.count = cuts.size();
    Function layer = cuts.front().function;
    layer.name = fmt::format("{}{}", layer_prefix, number);
    layer.body.ops.push_back(
        {.kind = OpKind::return_, .operands = results_of(stretch, cuts), .location = 0});
    if (!graph::has_op(layer.body, is_large) ||
        (layers_ == Layers::by_time &&
         (cuts.size() < pieces_min || least_time(layer, core_) < time_min)))
      return false;
    replace(stretch, cuts, layer);
    layers_found_.push_back(std::move(layer));
    return true;
  }

  // What somebody outside reads of one of the instances.
  [[nodiscard]] std::vector<ValueId> results_of(const Stretch& stretch,
                                                const std::vector<Cut>& cuts) const {
    std::set<ValueId> read;
    for (std::size_t k = 0; k < cuts.size(); ++k) {
      const std::size_t begin = stretch.begin + k * stretch.period;
      for (std::size_t i = begin; i < begin + stretch.period; ++i) {
        for (const ValueId value : main_.body.ops[i].results) {
          const auto users = users_.find(value);
          if (users == users_.end()) continue;
          if (users->second.back() >= begin + stretch.period) read.insert(cuts[k].names.at(value));
        }
      }
    }
    return {read.begin(), read.end()};
  }

  void replace(const Stretch& stretch, const std::vector<Cut>& cuts, const Function& layer) {
    std::vector<Op>& ops = main_.body.ops;
    const auto at = [&](std::size_t i) { return ops.begin() + static_cast<std::ptrdiff_t>(i); };
    std::vector<Op> calls;
    for (std::size_t k = 0; k < cuts.size(); ++k) {
      std::map<ValueId, ValueId> outside;
      for (const auto& [value, name] : cuts[k].names) outside[name] = value;
      Op call{.kind = OpKind::call, .operands = cuts[k].operands};
      for (const ValueId result : layer.results()) call.results.push_back(outside.at(result));
      call.attributes = {{"callee", {graph::Symbol{layer.name}}},
                         {std::string(compiled_name), {locations_in(cuts.front().function.body)}},
                         {std::string(locations_name), {locations_in(cuts[k].function.body)}}};
      call.location = ops[stretch.begin + k * stretch.period].location;
      calls.push_back(std::move(call));
    }
    const std::size_t end = stretch.begin + stretch.count * stretch.period;
    ops.erase(at(stretch.begin), at(end));
    ops.insert(at(stretch.begin), std::make_move_iterator(calls.begin()),
               std::make_move_iterator(calls.end()));
  }

  Cut cut(std::size_t begin, std::size_t count) {
    Cut made;
    for (std::size_t i = begin; i < begin + count; ++i)
      made.function.body.ops.push_back(copy(main_.body.ops[i], made));
    // Copied constants stand before what reads them.
    std::vector<Op>& ops = made.function.body.ops;
    ops.insert(ops.begin(), std::make_move_iterator(copied_.begin()),
               std::make_move_iterator(copied_.end()));
    copied_.clear();
    return made;
  }

  Op copy(const Op& op, Cut& into) {
    Op made{.kind = op.kind, .attributes = op.attributes, .location = op.location};
    for (const ValueId value : op.operands) made.operands.push_back(read(value, into));
    for (const Region& region : op.regions) {
      Region inner;
      for (const ValueId value : region.arguments) inner.arguments.push_back(name(value, into));
      for (const Op& each : region.ops) inner.ops.push_back(copy(each, into));
      made.regions.push_back(std::move(inner));
    }
    for (const ValueId value : op.results) made.results.push_back(name(value, into));
    return made;
  }

  // A cluster's results are called as they are inside of it.
  ValueId name(ValueId value, Cut& into) const {
    const auto [entry, is_new] = into.names.try_emplace(value, 0);
    if (is_new) entry->second = into.function.add_value(main_.type(value));
    return entry->second;
  }

  ValueId read(ValueId value, Cut& into) {
    if (const auto known = into.names.find(value); known != into.names.end()) return known->second;
    if (const Op* const constant = cheap(value)) {
      copied_.push_back(copy(*constant, into));
      return into.names.at(value);
    }
    into.operands.push_back(value);
    into.function.body.arguments.push_back(name(value, into));
    return into.function.body.arguments.back();
  }

  // A number, wherever it stands, is known to the operations that read it.
  [[nodiscard]] const Op* cheap(ValueId value) const {
    const auto maker = made_by_.find(value);
    if (maker == made_by_.end()) return nullptr;
    const Op& op = main_.body.ops[maker->second];
    if (op.kind == OpKind::constant)
      return op.literal("value").content.size() <= constant_bytes_max ? &op : nullptr;
    const bool repeats = op.kind == OpKind::broadcast_in_dim || op.kind == OpKind::reshape;
    return repeats && cheap(op.operands[0]) != nullptr ? &op : nullptr;
  }

  graph::Module& module_;
  std::vector<Function> layers_found_{};  // of the module only behind all: main stays where it is
  const machine::Core& core_;
  Layers layers_;
  Function& main_;
  std::vector<std::uint64_t> hashes_;                  // of main's operations
  std::map<ValueId, std::vector<std::size_t>> users_;  // in order
  std::map<ValueId, std::size_t> made_by_;
  // What operations before a place make and later ones read.
  std::vector<std::int64_t> bytes_across_;
  std::vector<Op> copied_;
};

}  // namespace

void share_layers(graph::Module& module, const machine::Core& core, Layers layers) {
  if (layers != Layers::together) EqualLayers(module, core, layers).run();
}

bool is_layer(const Op& op) {
  return op.kind == OpKind::call && op.symbol("callee").starts_with(layer_prefix) &&
         op.find(compiled_name) != nullptr;
}

}  // namespace trainyard::compiler

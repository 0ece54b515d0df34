#include "graph/ops/record.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "graph/evaluate.h"
#include "graph/ops/all.h"
#include "graph/vhlo_schema.h"

namespace trainyard::graph {

namespace {

using Lister = std::span<const OpRecord> (*)();
constexpr std::array listers{
    Lister{batch_norms_ops},   Lister{binary_ops},
    Lister{branches_ops},      Lister{broadcasts_ops},
    Lister{calls_ops},         Lister{cholesky_ops},
    Lister{collectives_ops},   Lister{comparisons_ops},
    Lister{complex_parts_ops}, Lister{concatenate_ops},
    Lister{constants_ops},     Lister{conversions_ops},
    Lister{convolutions_ops},  Lister{dimension_sizes_ops},
    Lister{dot_ops},           Lister{fft_ops},
    Lister{gather_ops},        Lister{host_transfers_ops},
    Lister{map_ops},           Lister{pad_ops},
    Lister{random_ops},        Lister{reduce_ops},
    Lister{reshapes_ops},      Lister{reverse_ops},
    Lister{scatter_ops},       Lister{selections_ops},
    Lister{slices_ops},        Lister{sort_ops},
    Lister{transpose_ops},     Lister{triangular_solve_ops},
    Lister{tuples_ops},        Lister{unary_ops},
    Lister{updates_ops},       Lister{while_ops},
    Lister{windows_ops},
};

constexpr OpRecord return_record{.kind = OpKind::return_,
                                 .name = "return",
                                 .operands = {0, many},
                                 .results = {},
                                 .any_types = true};

struct Table {
  std::array<const OpRecord*, op_kind_count> by_kind{};
  std::vector<const OpRecord*> by_name{};

  Table() {
    add(return_record);
    for (const Lister lister : listers) {
      for (const OpRecord& record : lister()) add(record);
    }
    base::check(by_name.size() == by_kind.size(), "every operation has a record");
    std::ranges::sort(by_name, {}, &OpRecord::name);
  }

 private:
  void add(const OpRecord& record) {
    const OpRecord*& place = by_kind.at(static_cast<std::size_t>(record.kind));
    base::check(place == nullptr, "an operation has one record");
    place = &record;
    by_name.push_back(&record);
  }
};

const Table& table() {
  static const Table all;
  return all;
}

const OpRecord* find_record(std::string_view name) {
  const auto& all = table().by_name;
  const auto found = std::ranges::lower_bound(all, name, {}, &OpRecord::name);
  return found == all.end() || (*found)->name != name ? nullptr : *found;
}

}  // namespace

const OpRecord& record_of(OpKind kind) { return *table().by_kind[static_cast<std::size_t>(kind)]; }

std::string_view name(OpKind kind) { return record_of(kind).name; }

bool is(OpKind kind, Trait trait) { return record_of(kind).traits.has(trait); }

std::optional<OpKind> op_kind_from_name(std::string_view name) {
  const OpRecord* const found = find_record(name);
  return found == nullptr ? std::nullopt : std::optional(found->kind);
}

bool evaluates(OpKind kind) { return record_of(kind).evaluate != nullptr; }

std::optional<std::vector<std::string_view>> vhlo_attributes(std::string_view name) {
  const bool is_function = name == "func_v1";
  const OpRecord* const record = find_record(without_version(name));
  const bool is_second = name.ends_with("_v2");
  if (!is_function && (record == nullptr || !(is_second || name.ends_with("_v1")) ||
                       record->vhlo.at(is_second ? 1 : 0) == nullptr))
    return std::nullopt;
  std::string_view rest = is_function ? "arg_attrs function_type res_attrs sym_name sym_visibility"
                                      : record->vhlo.at(is_second ? 1 : 0);
  std::vector<std::string_view> attributes;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    attributes.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return attributes;
}

std::string_view without_version(std::string_view name) {
  const std::size_t at = name.rfind("_v");
  return at == std::string_view::npos ? name : name.substr(0, at);
}

}  // namespace trainyard::graph

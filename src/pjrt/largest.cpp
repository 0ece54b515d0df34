#include "pjrt/largest.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/stable_sort.h"

namespace trainyard::pjrt {

namespace {

constexpr std::size_t shown_max = 5;

struct Value {
  std::int64_t bytes = 0;
  std::string what{};
};

std::int64_t bytes_of(const graph::Type& type) {
  return type.kind == graph::Type::Kind::tensor && type.is_static() ? type.bytes() : 0;
}

void add_results(const graph::Module& module, const graph::Function& function,
                 const graph::Region& region, std::vector<Value>& values) {
  for (const graph::Op& op : region.ops) {
    for (const graph::ValueId result : op.results) {
      const graph::Type& type = function.type(result);
      values.push_back(
          {bytes_of(type), fmt::format("{}, {} at {}", graph::to_string(type), graph::name(op.kind),
                                       module.describe(op.location))});
    }
    for (const graph::Region& inner : op.regions) add_results(module, function, inner, values);
  }
}

}  // namespace

std::string largest_values(const graph::Module& module) {
  std::vector<Value> values;
  const graph::Function& main = module.entry();
  for (std::size_t i = 0; i < main.body.arguments.size(); ++i) {
    const graph::Type& type = main.type(main.body.arguments[i]);
    values.push_back({bytes_of(type), fmt::format("{}, argument {}", graph::to_string(type), i)});
  }
  for (const graph::Function& function : module.functions)
    add_results(module, function, function.body, values);
  base::stable_sort(values, std::ranges::greater{}, &Value::bytes);
  values.resize(std::min(values.size(), shown_max));
  std::string text = fmt::format("\n  largest values of {}:", module.name);
  for (const Value& value : values) {
    constexpr double mebibyte = 1 << 20;
    text += fmt::format("\n  {:10.1f} MiB  {}", static_cast<double>(value.bytes) / mebibyte,
                        value.what);
  }
  return text;
}

}  // namespace trainyard::pjrt

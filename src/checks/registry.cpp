#include "checks/registry.h"

#include <string>

#include "base/error.h"

namespace trainyard::checks {

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  base::fail("unknown severity");
}

std::string_view name(Stage stage) {
  switch (stage) {
    case Stage::trace: return "trace";
    case Stage::compile: return "compile";
    case Stage::lint: return "lint";
    case Stage::run: return "run";
  }
  base::fail("unknown stage");
}

std::vector<const Check*> all() {
  std::vector<const Check*> list;
  for (const std::span<const Check> family :
       {memory_checks(), accumulation_checks(), layout_checks(), order_checks(), dma_checks(),
        numerics_checks(), performance_checks(), silicon_checks()}) {
    for (const Check& check : family) list.push_back(&check);
  }
  return list;
}

const Check& find(std::string_view id) {
  static const std::vector<const Check*> list = all();
  for (const Check* check : list) {
    if (check->id == id) return *check;
  }
  base::fail("no check is called " + std::string(id));
}

}  // namespace trainyard::checks

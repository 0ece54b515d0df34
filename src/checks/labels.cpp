#include "checks/labels.h"

#include <algorithm>

#include "base/error.h"
#include "checks/registry.h"

namespace trainyard::checks {

std::vector<const Label*> labels() {
  std::vector<const Label*> list;
  for (const std::span<const Label> part :
       {kernel_labels(), run_labels(), machine_labels(), program_labels(), front_labels()}) {
    for (const Label& label : part) list.push_back(&label);
  }
  return list;
}

const Label& label(std::string_view id) {
  const std::vector<const Label*> all = labels();
  const auto found = std::ranges::find(all, id, &Label::id);
  base::check(found != all.end(), "a label that an error prints has an entry");
  return **found;
}

std::string_view usual_fix(std::string_view label) {
  static const std::vector<const Label*> list = labels();
  const auto known = std::ranges::find(list, label, &Label::id);
  if (known != list.end()) return (*known)->fix;
  for (const Check* check : all()) {
    if (check->id == label) return check->fix;
  }
  return {};
}

}  // namespace trainyard::checks

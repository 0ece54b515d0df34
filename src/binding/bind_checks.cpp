// The registry of checks as data for Python: explain, the reference page, SARIF.
#include <nanobind/stl/string.h>

#include "binding/bindings.h"
#include "checks/labels.h"
#include "checks/registry.h"

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

nb::list registry() {
  nb::list list;
  for (const checks::Check* check : checks::all()) {
    nb::dict entry;
    const auto put = [&](const char* key, std::string_view value) {
      entry[key] = nb::str(value.data(), value.size());
    };
    put("id", check->id);
    put("family", check->family());
    put("severity", checks::name(check->severity));
    put("stage", checks::name(check->stage));
    put("title", check->title);
    put("rule", check->rule);
    put("why", check->why);
    put("source", check->source);
    put("fix", check->fix);
    put("example", check->example);
    list.append(entry);
  }
  return list;
}

nb::list labels() {
  nb::list list;
  for (const checks::Label* label : checks::labels()) {
    nb::dict entry;
    const auto put = [&](const char* key, std::string_view value) {
      entry[key] = nb::str(value.data(), value.size());
    };
    put("id", label->id);
    put("rule", label->rule);
    put("why", label->why);
    put("fix", label->fix);
    put("example", label->example);
    list.append(entry);
  }
  return list;
}

}  // namespace

void bind_checks(nb::module_& module) {
  module.def("error_labels", &labels,
             "Every label of an error that is neither a check nor an instruction's rule: id, rule, "
             "why, fix, example.");
  module.def("checks", &registry, "Every check: id, family, severity, stage, words, example.");
}

}  // namespace trainyard::binding

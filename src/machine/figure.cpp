#include "machine/figure.h"

#include "base/error.h"

namespace trainyard::machine {

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::published: return "published";
    case Kind::derived: return "derived";
    case Kind::estimated: return "estimated";
    case Kind::assumed: return "assumed";
  }
  base::fail("unknown kind");
}

std::optional<Kind> kind_from_name(std::string_view text) {
  for (const Kind kind : {Kind::published, Kind::derived, Kind::estimated, Kind::assumed}) {
    if (name(kind) == text) return kind;
  }
  return std::nullopt;
}

}  // namespace trainyard::machine

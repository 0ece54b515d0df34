// What stands behind one number of a machine: how sure it is, who says so, where it is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard::machine {

// How sure a number is, surest first.
enum class Kind : std::uint8_t {
  published,  // printed by the maker (document, open source, profile of real silicon)
  derived,    // computed from published numbers; the source shows how
  estimated,  // reasoned from public data about comparable parts; has a range
  assumed,    // nobody has published it; a documented default with a range where one is known
};
[[nodiscard]] std::string_view name(Kind kind);
[[nodiscard]] std::optional<Kind> kind_from_name(std::string_view name);

// A number with the range it is thought to lie in.
struct Interval {
  double low = 0;
  double value = 0;
  double high = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

struct Range {
  std::string low, high;  // as written, in the figure's unit
};

struct Figure {
  std::string key = {};    // "tensor.clock"
  std::string value = {};  // as written: "2.4"
  std::string unit = {};   // as written: "GHz"
  Kind kind = Kind::assumed;
  std::string source = {};  // document, or the reason of an assumption
  std::optional<Range> range = {};
  std::string
      place;  // "machines/trn3.toml:12", or "override" for a value given on the command line
  std::string date = {};  // when the source said so, for figures that move ("2026-01"); else empty
  std::string replaced = {};  // what an override replaced ("2.4 GHz"); empty otherwise
};

}  // namespace trainyard::machine

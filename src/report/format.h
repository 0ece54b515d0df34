// Numbers and places as the text report shows them, and nothing about reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace trainyard::report {

inline constexpr std::size_t columns_max = 120;

[[nodiscard]] std::string duration(base::Ticks time);  // "24.09 us"
[[nodiscard]] std::string bytes(std::int64_t count);   // "1.03 MiB"
[[nodiscard]] std::string joules(double value);        // "1.24 mJ"
[[nodiscard]] std::string significant(double value);   // three digits, without an exponent
[[nodiscard]] double percent(base::Ticks part, base::Ticks whole);
// At most `columns` characters; "..." stands for what is left out at the end.
[[nodiscard]] std::string clipped(std::string text, std::size_t columns = columns_max);

// Places "directory/file:line" without the directories that all of them share.
class ShortPlaces {
 public:
  explicit ShortPlaces(const std::vector<std::string_view>& places);
  [[nodiscard]] std::string_view operator()(std::string_view place) const;

 private:
  std::string_view shared_;
};

}  // namespace trainyard::report

#include "report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard::report {

std::string duration(base::Ticks time) {
  const double ns = base::to_nanoseconds(time);
  if (ns < 1e4) return fmt::format("{:.1f} ns", ns);
  if (ns < 1e7) return fmt::format("{:.2f} us", ns / 1e3);
  return fmt::format("{:.3f} ms", ns / 1e6);
}

std::string bytes(std::int64_t count) {
  constexpr std::array<std::string_view, 5> units = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(count);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  return fmt::format("{:.{}f} {}", value, unit == 0 ? 0 : 2, units[unit]);
}

std::string significant(double value) {
  if (value == 0) return "0";
  const double rounded = std::stod(fmt::format("{:.2e}", value));  // 0.9996 has a digit before
  const int before = static_cast<int>(std::floor(std::log10(std::abs(rounded)))) + 1;
  return fmt::format("{:.{}f}", value, std::max(0, 3 - before));
}

std::string joules(double value) {
  constexpr std::array<std::string_view, 4> units = {"nJ", "uJ", "mJ", "J"};
  value *= 1e9;
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < units.size(); ++unit) value /= 1e3;
  return fmt::format("{} {}", significant(value), units[unit]);
}

double percent(base::Ticks part, base::Ticks whole) {
  return whole.value == 0
             ? 0
             : 100 * static_cast<double>(part.value) / static_cast<double>(whole.value);
}

std::string clipped(std::string text, std::size_t columns) {
  if (text.size() <= columns) return text;
  text.resize(columns - 3);
  return text + "...";
}

ShortPlaces::ShortPlaces(const std::vector<std::string_view>& places) {
  bool first = true;
  for (const std::string_view place : places) {
    if (place.empty()) continue;
    const std::size_t slash = place.rfind('/');
    const std::string_view directory =
        slash == std::string_view::npos ? std::string_view{} : place.substr(0, slash + 1);
    if (first) {
      shared_ = directory;
    } else {
      const auto differ = std::ranges::mismatch(shared_, directory).in1;
      shared_ = shared_.substr(0, static_cast<std::size_t>(differ - shared_.begin()));
      shared_ = shared_.substr(0, shared_.rfind('/') + 1);
    }
    first = false;
  }
}

std::string_view ShortPlaces::operator()(std::string_view place) const {
  if (place.starts_with(shared_)) place.remove_prefix(shared_.size());
  return place;
}

}  // namespace trainyard::report

#include "planner/intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "base/stable_sort.h"

namespace trainyard::planner {

namespace {

// A figure with a range, and the sheets it stands in: those of finance are one for all machines.
struct Ranged {
  std::string key, shown;
  std::vector<std::size_t> sheets;
  Input input;
};

std::vector<Ranged> ranged_inputs(const std::vector<Sheet>& sheets) {
  std::vector<Ranged> result;
  for (std::size_t i = 0; i < sheets.size(); ++i) {
    for (const auto& [key, input] : sheets[i].inputs()) {
      if (input.amount.low == input.amount.high) continue;
      const bool shared =
          key.starts_with("finance.") || key.starts_with("bom.") || key.starts_with("operation.");
      if (shared && i > 0) {
        const auto found = std::ranges::find(result, key, &Ranged::key);
        if (found != result.end()) found->sheets.push_back(i);
        continue;
      }
      const std::string shown =
          shared || sheets.size() == 1 ? key : fmt::format("{}:{}", sheets[i].machine(), key);
      result.push_back({key, shown, {i}, input});
    }
  }
  return result;
}

void set(std::vector<Sheet>& sheets, const Ranged& figure, double value) {
  for (const std::size_t i : figure.sheets) sheets[i].set(figure.key, value);
}

struct Ends {
  Answer low, high;  // with one figure at its low and its high end
};

double value_or(const Answer& answer, std::string_view name, double otherwise) {
  return answer.has(name) ? answer.at(name) : otherwise;
}

// All figures at once at the ends that make `name` small, or large.
double at_all_ends(const std::vector<Sheet>& sheets, const Ask& ask, std::string_view name,
                   double middle, const std::vector<Ranged>& figures, const std::vector<Ends>& ends,
                   bool small) {
  std::vector<Sheet> moved = sheets;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const double low = value_or(ends[i].low, name, middle);
    const double high = value_or(ends[i].high, name, middle);
    if (low == high) continue;
    const machine::Interval& amount = figures[i].input.amount;
    set(moved, figures[i], (low < high) == small ? amount.low : amount.high);
  }
  return value_or(ask(moved), name, middle);
}

std::vector<Influence> influences(std::string_view name, double middle,
                                  const std::vector<Ranged>& figures,
                                  const std::vector<Ends>& ends) {
  std::vector<Influence> result;
  const auto size = [&](const Influence& one) {
    return std::max(std::abs(one.at_low - middle), std::abs(one.at_high - middle));
  };
  for (std::size_t i = 0; i < figures.size(); ++i) {
    Influence one{figures[i].shown, value_or(ends[i].low, name, middle),
                  value_or(ends[i].high, name, middle),
                  std::string(machine::name(figures[i].input.kind)), figures[i].input.source};
    if (size(one) >= 1e-3 * std::abs(middle) && size(one) > 0) result.push_back(std::move(one));
  }
  base::stable_sort(result, std::ranges::greater{}, size);
  return result;
}

constexpr std::size_t draws_made = 256;

// The value at `share` of a figure's range; the middle of it is the figure's own.
double at_share(const machine::Interval& amount, double share) {
  const bool below = share < 0.5;
  const double from = below ? amount.low : amount.value;
  const double to = below ? amount.value : amount.high;
  const double way = below ? 2 * share : 2 * share - 1;
  if (from <= 0) return from + way * (to - from);
  return from * std::pow(to / from, way);
}

// For each draw the share of the range of one figure: one in each of as many equal strata, in an
// order that the seed, of the figure's name alone, decides.
std::vector<double> shares_of(std::string_view key) {
  std::uint64_t seed = 1469598103934665603U;  // FNV-1a
  for (const char c : key) seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211U;
  base::Random random(seed);
  std::vector<double> shares(draws_made);
  for (std::size_t i = 0; i < shares.size(); ++i)
    shares[i] = (static_cast<double>(i) + random.uniform()) / static_cast<double>(draws_made);
  for (std::size_t i = shares.size() - 1; i > 0; --i)
    std::swap(shares[i], shares[static_cast<std::size_t>(random.below(i + 1))]);
  return shares;
}

constexpr std::size_t twentieths = 20;

// Of values in order.
double percentile(const std::vector<double>& values, double share) {
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

}  // namespace

std::vector<Answer> draws(const std::vector<Sheet>& sheets, const Ask& ask) {
  const std::vector<Ranged> figures = ranged_inputs(sheets);
  std::vector<std::vector<double>> shares;
  for (const Ranged& figure : figures) shares.push_back(shares_of(figure.shown));
  std::vector<Answer> result;
  for (std::size_t draw = 0; draw < draws_made; ++draw) {
    std::vector<Sheet> moved = sheets;
    for (std::size_t i = 0; i < figures.size(); ++i)
      set(moved, figures[i], at_share(figures[i].input.amount, shares[i][draw]));
    result.push_back(ask(moved));
  }
  return result;
}

Bracketed bracket(const std::vector<Sheet>& sheets, const Ask& ask) {
  const Answer middle = ask(sheets);
  const std::vector<Ranged> figures = ranged_inputs(sheets);
  std::vector<Ends> ends;
  for (const Ranged& figure : figures) {
    std::vector<Sheet> moved = sheets;
    set(moved, figure, figure.input.amount.low);
    Ends found{.low = ask(moved), .high = {}};
    set(moved, figure, figure.input.amount.high);
    found.high = ask(moved);
    ends.push_back(std::move(found));
  }
  Bracketed result{.values = {}, .unknown = middle.unknown};
  const std::vector<Answer> drawn = draws(sheets, ask);
  for (const auto& [name, value] : middle.values) {
    const double low = at_all_ends(sheets, ask, name, value, figures, ends, true);
    const double high = at_all_ends(sheets, ask, name, value, figures, ends, false);
    std::vector<double> values;
    for (const Answer& one : drawn) values.push_back(value_or(one, name, value));
    std::ranges::sort(values);
    std::vector<double> quantiles;
    for (std::size_t i = 0; i <= twentieths; ++i)
      quantiles.push_back(percentile(values, static_cast<double>(i) / twentieths));
    // Corners are of figures one by one; where a batch follows the figures, a draw may pass them.
    result.values.emplace(name, Bracket{.low = std::min({low, value, values.front()}),
                                        .value = value,
                                        .high = std::max({high, value, values.back()}),
                                        .p10 = percentile(values, 0.1),
                                        .p90 = percentile(values, 0.9),
                                        .quantiles = std::move(quantiles),
                                        .moved_by = influences(name, value, figures, ends)});
  }
  return result;
}

}  // namespace trainyard::planner

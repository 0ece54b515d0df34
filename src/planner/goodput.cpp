#include "planner/goodput.h"

#include <algorithm>
#include <cmath>

namespace trainyard::planner {

namespace {

constexpr double enough = 0.99;

// The probability that at most `spare` of many boxes are out at once, `mean` of them usually: those
// that fail are replaced one by one, whatever the others do (Palm's theorem: Poisson).
double chance_of_at_most(double spare, double mean) {
  if (mean > 500) {  // the normal approximation, with its correction for whole numbers
    return 0.5 * std::erfc(-(spare + 0.5 - mean) / std::sqrt(2 * mean));
  }
  double term = std::exp(-mean);
  double sum = term;
  for (double count = 1; count <= spare; ++count) {
    term *= mean / count;
    sum += term;
  }
  return std::min(1.0, sum);
}

double spares_for(double mean) {
  double spare = 0;
  double step = std::max(1.0, std::floor(std::sqrt(mean)));
  while (chance_of_at_most(spare, mean) < enough) spare += step;
  while (spare > 0 && chance_of_at_most(spare - 1, mean) >= enough) --spare;
  return spare;
}

// Of a run that saves after each `interval` of work: failures come at random, work since the last
// checkpoint is lost, and restarts may fail, too. Daly's complete model, 2006, equation 20.
double progress(double interval, double saving, double restart, double between) {
  return interval / between * std::exp(-restart / between) /
         std::expm1((interval + saving) / between);
}

}  // namespace

Interruptions interruptions(const Sheet& sheet, double chips, double bytes, double spares) {
  const auto figure = [&](std::string_view key) { return sheet.at(key); };
  Interruptions result;
  const double each_hour = figure("operation.failures") / 1e6 * chips;
  result.between_hours = 1 / each_hour;
  const double between = result.between_hours * 3600;
  result.checkpoint_seconds = bytes / (figure("operation.checkpoint") * 1e6);
  result.restart_seconds = figure("operation.restart") * 60 + result.checkpoint_seconds;
  result.interval_seconds =
      std::max(1.0, std::sqrt(2 * result.checkpoint_seconds * between));  // Young 1974
  result.straggling = figure("operation.stragglers");
  const double box = sheet.at("system.chips");
  const double out = each_hour * figure("operation.replaced") * figure("operation.repair");
  const double boxes = spares < 0 ? spares_for(out) : std::floor(spares / box);
  result.spares = spares < 0 ? boxes * box : spares;
  result.availability = chance_of_at_most(boxes, out);
  result.effective =
      progress(result.interval_seconds, result.checkpoint_seconds, result.restart_seconds, between);
  return result;
}

}  // namespace trainyard::planner

#include "compiler/lowering/emit/ways.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "base/hash.h"
#include "compiler/lowering/emit/scorer.h"
#include "isa/forms/binary.h"

namespace trainyard::compiler {

namespace {

using Effort = Scorer::Effort;

// Of a way that is timed though nobody asked: about a tenth of a second of the host's time.
constexpr std::size_t quick_instructions_max = 6'000;
// Of a region's time, what other layouts gain at least where the program as a whole is not timed
// with and without them: neighbours hide less of what loads wait for. Of 0.7 % of an MLP alone, a
// block of 512 x 1,024 became 2.1 % slower.
constexpr std::int64_t layouts_percent_min = 2;
// Values that are laid one by one: each round of a search times all of them lying otherwise. More
// of them lie alike.
constexpr std::size_t layouts_max = 8;

std::uint64_t hash_of(std::string_view text, std::uint64_t hash = base::hash_seed) {
  return base::hash_bytes(std::as_bytes(std::span(text)), hash);
}

std::size_t instructions(const AloneRegion& region) {
  std::size_t count = 0;
  for (const isa::Program& program : region.programs) count += program.instructions.size();
  return count;
}

struct Candidate {
  Variation variation{};
  bool is_quick = true;
  std::uint64_t key = 0;
  std::optional<base::Ticks> time{};
  std::optional<AloneRegion> made{};
};

class Chooser {
 public:
  Chooser(const Emitter& emitter, const Ways& ways)
      : scorer_(*emitter.scorer()),
        ways_(ways),
        usual_(emitter.variation()),
        region_(hash_of(ways.region, hash_of(ways.of))) {}

  // One choice after the other is made otherwise as long as that is faster.
  ChosenWay choose() {
    ChosenWay best{.variation = usual_};
    for (bool is_first = true;; is_first = false) {
      std::vector<Candidate> all = near(best.variation);
      score(all, is_first);
      if (is_first && scorer_.effort() == Effort::explain) best.times = told(all);
      const Candidate* fastest = &all.front();
      for (const Candidate& each : all) {
        if (may_be_taken(each) && each.time < fastest->time && gains_enough(each, all.front()))
          fastest = &each;
      }
      if (fastest == &all.front() || !may_be_taken(all.front())) break;
      best.variation = fastest->variation;
      taken_ = *fastest->time;
    }
    if (!best.times.empty()) put_first(best);
    return best;
  }

 private:
  [[nodiscard]] bool may_be_taken(const Candidate& each) const {
    return each.time && each.time->value >= 0 &&
           (each.is_quick || scorer_.effort() == Effort::search);
  }

  [[nodiscard]] bool gains_enough(const Candidate& each, const Candidate& usual) const {
    return ways_.layouts == 0 || scorer_.effort() == Effort::search || scorer_.takes_known() ||
           each.time->value * 100 <= usual.time->value * (100 - layouts_percent_min);
  }

  // As it is, then with one more choice made otherwise.
  std::vector<Candidate> near(const Variation& base) const {
    std::vector<Candidate> all{{.variation = base}};
    if (ways_.layouts > 0) {
      add_layouts(base, all);
    } else {
      for (const Alternative& each : alternatives()) {
        if (!each.of.empty() && each.of != ways_.of) continue;
        Variation other = with(base, each);
        const bool is_quick = each.is_quick || (ways_.weighs_apart && !other.clusters_rows);
        all.push_back({.variation = std::move(other), .is_quick = is_quick});
      }
    }
    for (Candidate& each : all) {
      each.key = hash_of(each.variation.words, region_);
      each.time = scorer_.known(each.key);
      if (each.time == Scorer::too_large && scorer_.effort() != Effort::quick) each.time.reset();
      each.is_quick = each.is_quick || (each.time && scorer_.takes_known());
    }
    return all;
  }

  // All values turned, then one of them lying otherwise.
  void add_layouts(const Variation& base, std::vector<Candidate>& all) const {
    std::vector<ValueLayout> layouts = base.layouts;
    layouts.resize(ways_.layouts);
    const auto add = [&](std::vector<ValueLayout> other, bool is_quick) {
      Variation variation = with(base, std::move(other));
      const auto is_same = [&](const Candidate& each) {
        return each.variation.words == variation.words;
      };
      if (std::ranges::none_of(all, is_same))
        all.push_back({.variation = std::move(variation), .is_quick = is_quick});
    };
    add(std::vector<ValueLayout>(ways_.layouts, {.is_turned = true}), true);
    if (layouts.size() > layouts_max) return;
    for (bool ValueLayout::*const choice : {&ValueLayout::is_turned, &ValueLayout::is_in_hbm}) {
      for (ValueLayout& each : layouts) {
        each.*choice = !(each.*choice);
        add(layouts, false);
        each.*choice = !(each.*choice);
      }
    }
  }

  // Times those that are to be timed now, and the first one to compare them with.
  void score(std::vector<Candidate>& all, bool is_first) {
    const std::span<Candidate> others = std::span(all).subspan(1);
    const auto is_wanted = [&](const Candidate& each) {
      return !each.time && (is_patient(is_first) || (is_first && each.is_quick));
    };
    if (std::ranges::none_of(others, is_wanted)) return;
    const auto leave = [&](base::Ticks why) {
      for (Candidate& each : others) {
        if (is_wanted(each)) keep(each, why);
      }
    };
    if (!is_patient(is_first) &&
        ways_.instructions_min > static_cast<std::int64_t>(quick_instructions_max))
      return leave(Scorer::too_large);
    all.front().made = ways_.alone(all.front().variation);
    if (all.front().made->programs.empty()) return leave(Scorer::same);
    if (!is_patient(is_first) && instructions(*all.front().made) > quick_instructions_max)
      return leave(Scorer::too_large);
    for (Candidate& each : others) {
      if (is_wanted(each)) each.made = ways_.alone(each.variation);
    }
    time(all);
  }
  [[nodiscard]] bool is_patient(bool is_first) const {
    return scorer_.effort() == Effort::search || (is_first && scorer_.effort() == Effort::explain);
  }
  void keep(Candidate& candidate, base::Ticks time) {
    scorer_.keep(candidate.key, time);
    candidate.time = time;
  }

  // Of those that make the same programs the first one.
  void time(std::vector<Candidate>& all) {
    std::vector<std::uint64_t> seen;
    std::vector<Scorer::Way> jobs;
    for (Candidate& each : all) {
      if (!each.made) continue;
      std::uint64_t hash = base::hash_seed;
      for (const isa::Program& program : each.made->programs)
        hash = base::hash_combine(hash, isa::binary_hash(program));
      const bool is_new = std::ranges::find(seen, hash) == seen.end();
      if (is_new) seen.push_back(hash);
      if (each.time) continue;
      if (!is_new) {
        keep(each, Scorer::same);
      } else {
        jobs.push_back({each.key, std::move(each.made->programs)});
      }
    }
    if (seen.size() < 2) return;
    scorer_.time(std::move(jobs));
    for (Candidate& each : all) {
      if (!each.time) each.time = scorer_.known(each.key);
    }
  }

  std::vector<WayTime> told(const std::vector<Candidate>& all) const {
    std::vector<WayTime> times;
    for (const Candidate& each : all) {
      if (!each.time || each.time->value < 0 || each.time == Scorer::no_room) continue;
      times.push_back({each.variation.words,
                       each.made ? each.made->how : ways_.alone(each.variation).how, *each.time});
    }
    return times;
  }

  void put_first(ChosenWay& best) const {
    const auto found = std::ranges::find(best.times, best.variation.words, &WayTime::words);
    if (found == best.times.end()) {
      best.times.insert(best.times.begin(), {best.variation.words, {}, taken_});
    } else {
      std::rotate(best.times.begin(), found, found + 1);
    }
  }

  Scorer& scorer_;
  const Ways& ways_;
  Variation usual_;
  std::uint64_t region_;
  base::Ticks taken_{};  // by the best way
};

}  // namespace

ChosenWay best_way(const Emitter& emitter, const Ways& ways) {
  return Chooser(emitter, ways).choose();
}

}  // namespace trainyard::compiler

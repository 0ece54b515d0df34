#include "fabric/beside.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "fabric/cost_table.h"
#include "fabric/traffic.h"

namespace trainyard::fabric {

namespace {

void check_ranks(const Network& network, std::span<const Job> jobs) {
  std::map<std::int32_t, std::size_t> owner;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    for (const std::int32_t rank : jobs[job].group) {
      const auto [at, is_new] = owner.try_emplace(rank, job);
      if (is_new || at->second == job) continue;
      throw base::InputError({"fabric.beside", "jobs that share a fabric have ranks of their own",
                              network.system().name,
                              fmt::format("rank {} in jobs {} and {}", rank, at->second, job),
                              "name ranks that no other job has"});
    }
  }
}

// The schedule that is the fastest without the others.
Schedule schedule_of(const Network& network, const Job& job, Memory memory, JobTime& time) {
  const Price alone = price(network, job.operation, job.bytes, std::span(&job.group, 1),
                            {.algorithm = job.algorithm, .memory = memory});
  time.algorithm = alone.algorithm;
  time.alone = alone.time;
  for (Schedule& one : schedules(network, job.operation, job.group)) {
    if (one.algorithm == alone.algorithm) return std::move(one);
  }
  return {.algorithm = alone.algorithm, .ranks = static_cast<std::int32_t>(job.group.size())};
}

// Time of the first run of all, and of those of the others until the first job ends.
void run_all(Traffic& traffic, const Folded& folded, std::vector<JobTime>& times,
             const std::function<void()>& look) {
  std::vector<base::Ticks> begun(times.size()), spent(times.size());
  for (std::size_t job = 0; job < times.size(); ++job) traffic.begin(folded.site_class[job], {});
  constexpr std::uint64_t between_looks = 1024;
  const auto ends = [&](std::size_t job, base::Ticks now) {
    spent[job] += now - begun[job];
    begun[job] = now;
    ++times[job].runs;
  };
  for (std::uint64_t steps = 1; times[0].runs == 0; ++steps) {
    const base::Ticks now = traffic.next();
    base::check(now != Traffic::never, "what is under way ends on a network without faults");
    const auto list = traffic.step();
    const std::vector<std::uint32_t> ended(list.begin(), list.end());
    for (const std::uint32_t site : ended) {
      for (std::size_t job = 0; job < times.size(); ++job) {
        if (folded.site_class[job] == site) ends(job, now);
      }
      if (times[0].runs == 0) traffic.begin(site, now);
    }
    if (look && steps % between_looks == 0) look();
  }
  for (std::size_t job = 0; job < times.size(); ++job) {
    if (times[job].runs > 0) times[job].beside = {spent[job].value / times[job].runs};
  }
}

}  // namespace

std::vector<JobTime> beside(const Network& network, std::span<const Job> jobs, Memory memory,
                            const std::function<void()>& look) {
  base::check(!jobs.empty(), "a job is asked for");
  check_ranks(network, jobs);
  std::vector<JobTime> times(jobs.size());
  std::vector<Schedule> plans;
  for (std::size_t job = 0; job < jobs.size(); ++job)
    plans.push_back(schedule_of(network, jobs[job], memory, times[job]));
  std::vector<Collective> collectives;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    collectives.push_back({.group = jobs[job].group,
                           .schedule = &plans[job],
                           .bytes = jobs[job].bytes,
                           .shape = static_cast<std::uint32_t>(job),
                           .memory = memory});
  }
  Problem problem = make_joint(network, collectives);
  // They begin at different times, so that ranks of different jobs are not alike.
  for (const std::uint32_t site : problem.site_of_actor) problem.marks.push_back(site);
  const Folded folded = fold(problem);
  Traffic traffic(folded, problem);
  run_all(traffic, folded, times, look);
  return times;
}

}  // namespace trainyard::fabric

#include "session/describe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "isa/semantics/meeting.h"
#include "report/work.h"
#include "session/program_hash.h"
#include "session/resimulation.h"

namespace trainyard::session {

namespace {

constexpr std::string_view version = TRAINYARD_VERSION;

// What a core does, and its part in what its rank does.
struct Share {
  report::Work work{};
  std::int64_t number = 0, cores = 1;
  economics::Activity others{};
  std::int64_t others_hbm_least = 0;
};

std::vector<Share> shares_of(std::span<const std::shared_ptr<Instance>> instances,
                             std::span<const runtime::Result> results, const machine::Core& core) {
  std::vector<Share> shares(instances.size());
  for (std::size_t k = 0; k < shares.size(); ++k) {
    shares[k].work =
        report::work_of(instances[k]->program(), results[k].timing->recorder->summary(), core);
  }
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const auto is_beside = [&](const auto& one) { return one->rank() == instances[k]->rank(); };
    shares[k].cores = std::ranges::count_if(instances, is_beside);
    shares[k].number = std::ranges::count_if(instances.first(k), is_beside);
    for (std::size_t other = 0; other < shares.size(); ++other) {
      if (other == k || !is_beside(instances[other])) continue;
      shares[k].others += shares[other].work.activity;
      shares[k].others_hbm_least += shares[other].work.hbm_least;
    }
  }
  return shares;
}

// What was run and how it was asked for.
trace::Metadata metadata_of(const Instance& instance, const Share& share,
                            const machine::Machine& machine, const Options& options) {
  trace::Metadata metadata;
  metadata.program = instance.program().name;
  metadata.machine = machine.name;
  metadata.version = version;
  metadata.machine_hash = machine.hash();
  if (options.record) metadata.program_hash = program_hash(instance.program());
  if (share.cores > 1)
    metadata.more.emplace_back("core", fmt::format("{} of {}", share.number, share.cores));
  metadata.more.emplace_back("schedule", instance.schedule());
  if (const std::string& order = instance.ordered().order; order != instance.schedule())
    metadata.more.emplace_back("order", order);
  if (!options.values) metadata.more.emplace_back("values", "none");
  if (const std::vector<std::string> settings = machine::overrides_of(machine); !settings.empty())
    metadata.more.emplace_back("set", fmt::format("{}", fmt::join(settings, ",")));
  metadata.more.insert(metadata.more.end(), options.about.begin(), options.about.end());
  return metadata;
}

report::Report report_of(const Instance& instance, const runtime::TimedRun& timing,
                         const Share& share, const machine::Machine& machine,
                         const economics::Prices* prices, const trace::Metadata& metadata) {
  const trace::Recorder& recorder = *timing.recorder;
  return report::make_report(
      {.program = instance.program(),
       .rank = instance.rank(),
       .machine = machine,
       .summary = recorder.summary(),
       .work = share.work,
       .tracks = recorder.tracks(),
       .run = metadata,
       .recording = recorder.detail() == trace::Detail::full ? &recorder : nullptr,
       .prices = prices,
       .cores = share.cores,
       .others = share.others,
       .stack_busy = timing.result.hbm_busy,
       .others_hbm_least = share.others_hbm_least});
}

// Between chips, the network has chosen.
void name_algorithms(report::Report& report, const isa::Program& program, std::int32_t rank,
                     const system::LinkRecord& links) {
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const isa::Meeting meeting = isa::meeting_of(program, i, rank);
    for (const system::CrossCollective& chosen : links.collectives) {
      if (meeting.encounter != isa::Encounter::collective || chosen.kind != meeting.kind ||
          chosen.bytes != meeting.bytes.value ||
          chosen.ranks != static_cast<std::int64_t>(meeting.ranks.size()))
        continue;
      for (report::Collective& one : report.collectives) {
        if (one.mnemonic != program.info_at(i).mnemonic || one.bytes != chosen.bytes ||
            one.ranks != chosen.ranks)
          continue;
        one.algorithm = chosen.algorithm + " between chips";
        one.steps = chosen.steps;
      }
    }
  }
}

}  // namespace

std::vector<Run> described(std::span<const std::shared_ptr<Instance>> instances,
                           std::vector<runtime::Result> results, const machine::Machine& machine,
                           const economics::Prices* prices, const Options& options) {
  std::vector<Share> shares;
  std::optional<base::Ticks> as_written;
  if (options.timed) {
    shares = shares_of(instances, results, machine.core);
    as_written = as_written_time(instances, machine, options.watch, options.system.get());
  }
  std::vector<Run> runs;
  for (std::size_t k = 0; k < results.size(); ++k) {
    runs.push_back({.instructions = results[k].instructions,
                    .findings = std::move(results[k].findings),
                    .instance = instances[k]});
    if (!results[k].timing) continue;
    const runtime::TimedRun& timing = *results[k].timing;
    const trace::Metadata metadata = metadata_of(*instances[k], shares[k], machine, options);
    runs[k].links = results[k].links;
    const std::size_t ran_as = timing.result.ran_as;
    if (ran_as < k) {
      runs[k].report = runs[ran_as].report;
      runs[k].report->run = metadata;
      continue;  // its recording is that of the core it ran as
    }
    runs[k].report = report_of(*instances[k], timing, shares[k], machine, prices, metadata);
    runs[k].report->as_written = as_written;
    if (runs[k].links)
      name_algorithms(*runs[k].report, instances[k]->program(), instances[k]->rank(),
                      *runs[k].links);
    if (timing.recorder->detail() == trace::Detail::full) runs[k].recording = timing.recorder;
  }
  return runs;
}

const report::Report& whole_report(Run& run) {
  base::check(run.report.has_value() && run.instance != nullptr, "only a timed run has a report");
  std::uint64_t& hash = run.report->run.program_hash;
  if (hash == 0) hash = program_hash(run.instance->program());
  return *run.report;
}

}  // namespace trainyard::session

#include "session/model_compiler.h"

#include <map>
#include <set>
#include <utility>
#include <variant>

#include "compiler/lowering/lower.h"
#include "compiler/lowering/module_passes.h"
#include "graph/print.h"
#include "session/each_step.h"
#include "session/in_halves.h"

namespace trainyard::session {

namespace {

using Ways = WholeProgram::Ways;
using Effort = compiler::Scorer::Effort;
using compiler::Shortage;

// Moves the programs out of the steps: those of each grid, in the order of their first steps.
std::vector<std::vector<isa::Program>> take_grids(CompiledModel& model) {
  std::map<const void*, std::size_t> numbers;  // equal layers share their list
  std::vector<std::vector<isa::Program>> grids;
  for_each_step(model.lowered.block, [&](compiler::Step& step) {
    auto* const program = std::get_if<compiler::ProgramStep>(&step.what);
    if (program == nullptr) return;
    const auto [at, is_new] = numbers.try_emplace(program->programs.get(), grids.size());
    if (is_new) grids.push_back(std::move(*program->programs));
    model.steps.push_back({program, at->second});
  });
  return grids;
}

}  // namespace

ModelCompiler::ModelCompiler(const graph::Module& module, int cores,
                             const compiler::Options& options, Session& session,
                             std::optional<InHalves> in_halves)
    : module_(module), cores_(cores), options_(options), session_(session), in_halves_(in_halves) {
  if (options.variation.words.empty()) scores_ = Scores::of_environment(session.machine());
}

std::optional<base::Ticks> time_of(const CompiledModel& model, const machine::Machine& machine) {
  std::vector<base::Ticks> times;
  for (const std::vector<ProgramCache::Body>& grid : model.grids) {
    std::vector<const Ordered*> cores;
    for (const ProgramCache::Body& body : grid) cores.push_back(body.get());
    const std::optional<base::Ticks> time = time_together(cores, machine);
    if (!time) return std::nullopt;
    times.push_back(*time);
  }
  base::Ticks sum{};
  for (const CompiledModel::Step& step : model.steps) sum += times[step.grid];
  return sum;
}

CompiledModel ModelCompiler::compile(std::optional<std::int64_t> kept_percent) {
  const std::int64_t percent_max = kept_percent.value_or(compiler::resident_percent);
  if (scores_ == nullptr) return compile(Found{Ways::by_rule, percent_max});
  WholeProgram whole(*scores_, module_, cores_, options_, beside());
  if (scores_->effort() == Effort::search) return search(whole, percent_max);
  std::optional<Found> fastest = whole.fastest();
  if (!fastest && !kept_percent) return weigh_near_memory(whole);
  if (!fastest) fastest = Found{Ways::quick, percent_max};
  if (fastest->ways == Ways::searched) scores_->take_known();
  if (kept_percent) fastest->resident_percent = *kept_percent;
  return told(whole, *fastest, compile(*fastest));
}

std::string ModelCompiler::beside() const {
  if (!in_halves_) return {};
  const std::optional<graph::Halves::Rest>& rest = in_halves_->halves.rest;
  return "in halves" + (rest ? graph::print(rest->module, {.elements_max = 4}) : std::string());
}

CompiledModel ModelCompiler::search(WholeProgram& whole, std::int64_t percent_max) {
  const auto timed_as = [&](const Found& found) {
    scores_->set_effort(found.ways == Ways::searched ? Effort::search : Effort::quick);
    return timed(whole, found);
  };
  Found found{Ways::by_rule, percent_max};
  Timed fastest = timed_as(found);
  const auto attempt = [&](const Found& other, base::Ticks gain_min) {
    if (take_faster(fastest, timed_as(other), gain_min)) found = other;
  };
  if (fastest.time) {
    attempt({Ways::searched, percent_max}, {});
    attempt({Ways::quick, percent_max}, {});
    const std::int64_t taken = fastest.model.resident_percent;
    for (const std::int64_t percent : compiler::resident_percents)
      if (percent != taken) attempt({found.ways, percent}, {1});
  } else {
    found.ways = Ways::searched;
    fastest = timed_as(found);
  }
  keep(whole, found);
  return told(whole, found, std::move(fastest.model));
}

CompiledModel ModelCompiler::weigh_near_memory(WholeProgram& whole) {
  Found found{Ways::quick, compiler::resident_percent};
  Timed fastest = timed(whole, found);
  if (!fastest.time || fastest.model.resident_percent == 0) return std::move(fastest.model);
  const Found far{Ways::quick, 0};
  if (take_faster(fastest, timed(whole, far), {1})) found = far;
  keep(whole, found);
  return told(whole, found, std::move(fastest.model));
}

void ModelCompiler::keep(WholeProgram& whole, const Found& fastest) {
  whole.keep(fastest);
  scores_->save();
  session_.forget_unused();
}

CompiledModel ModelCompiler::told(const WholeProgram& whole, const Found& found,
                                  CompiledModel model) {
  for (const std::int64_t percent : compiler::resident_percents) {
    const auto time = whole.time({found.ways, percent});
    if (!time) continue;
    const bool is_own = percent == found.resident_percent;
    model.shares.insert(is_own ? model.shares.begin() : model.shares.end(), {percent, *time});
  }
  return model;
}

ModelCompiler::Timed ModelCompiler::timed(WholeProgram& whole, const Found& found) {
  CompiledModel model = compile(found);
  const std::optional<base::Ticks> time = time_of(model, session_.machine());
  if (time) whole.keep_time(found, *time);
  return {std::move(model), time};
}

bool ModelCompiler::take_faster(Timed& fastest, Timed other, base::Ticks gain_min) {
  const bool is_faster = other.time && *other.time + gain_min <= *fastest.time;
  if (is_faster) std::swap(fastest, other);
  fastest.model.passes.add_times(other.model.passes);
  return is_faster;
}

CompiledModel ModelCompiler::compile(const Found& found) {
  Scores* const scores = found.ways == Ways::by_rule ? nullptr : scores_.get();
  for (const std::int64_t percent : compiler::resident_percents) {
    if (percent == 0 || !options_.variation.keeps_on_chip) break;
    if (percent > found.resident_percent) continue;
    std::variant<CompiledModel, Shortage> made = compile_with(percent, scores);
    if (auto* const model = std::get_if<CompiledModel>(&made)) return std::move(*model);
  }
  std::variant<CompiledModel, Shortage> made = compile_with(0, scores);
  if (auto* const missing = std::get_if<Shortage>(&made)) throw error_of(std::move(*missing));
  return std::get<CompiledModel>(std::move(made));
}

compiler::Lowered ModelCompiler::lower(const graph::Module& module, int cores, std::int64_t percent,
                                       Scores* scores) const {
  return compiler::lower(module, session_.machine().core, percent, cores, scores,
                         options_.variation);
}

compiler::Lowered ModelCompiler::lower_halves(std::int64_t percent, Scores* scores) const {
  const graph::Halves& halves = in_halves_->halves;
  std::optional<compiler::Lowered> rest;
  if (halves.rest) rest = lower(halves.rest->module, cores_, percent, scores);
  std::optional<compiler::Lowered> joined =
      join_halves(lower(module_, 1, percent, scores), std::move(rest), halves, in_halves_->whole);
  if (!joined) throw NotInHalves{};
  return std::move(*joined);
}

std::variant<CompiledModel, Shortage> ModelCompiler::compile_with(std::int64_t percent,
                                                                  Scores* scores) {
  CompiledModel model{.resident_percent = percent};
  model.lowered = compiler::timed(compiler::lower_pass, model.passes, [&] {
    return in_halves_ ? lower_halves(percent, scores) : lower(module_, cores_, percent, scores);
  });
  if (scores != nullptr) scores->save();
  std::vector<std::vector<isa::Program>> grids = take_grids(model);
  for (const std::vector<isa::Program>& grid : grids) {
    for (const isa::Program& program : grid)
      compiler::look(program, compiler::lower_pass, options_.passes, model.passes);
  }
  std::variant<ProgramCache::Grids, Shortage> made =
      session_.compile_grids(std::move(grids), options_);
  if (auto* const missing = std::get_if<Shortage>(&made)) return std::move(*missing);
  model.grids = std::get<ProgramCache::Grids>(std::move(made));
  for (const auto& [step, grid] : model.steps) {
    std::vector<ProgramCache::Body>& of_cores = model.grids[grid];
    if (is_in_halves(*step) && of_cores.size() == 1) of_cores.push_back(of_cores.front());
  }
  std::set<const Ordered*> seen;
  for (const std::vector<ProgramCache::Body>& grid : model.grids) {
    for (const ProgramCache::Body& body : grid)
      if (seen.insert(body.get()).second) model.passes.add(body->log);
  }
  return model;
}

}  // namespace trainyard::session

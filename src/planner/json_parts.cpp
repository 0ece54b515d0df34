#include "planner/json_parts.h"

namespace trainyard::planner {

using nlohmann::json;

json json_of(const Serving& serving) {
  return {{"isl", serving.input},
          {"osl", serving.output},
          {"conc", serving.batch},
          {"weights", name(serving.weights)},
          {"cache", name(serving.cache)}};
}

json json_of(const Training& training) {
  return {{"sequence", training.sequence},         {"global_batch", training.global_batch},
          {"microbatch", training.microbatch},     {"format", name(training.format)},
          {"recompute", name(training.recompute)}, {"zero", training.zero},
          {"sum_fp32", training.summed_bytes > 2}};
}

json json_of(const Model& m) {
  const Parameters p = parameters(m);
  json kinds = json::array();
  for (const LayerKind& kind : m.kinds)
    kinds.push_back({{"mixer", name(kind.mixer)},
                     {"experts", kind.feed_forward == FeedForward::experts},
                     {"count", kind.count},
                     {"window", kind.window}});
  return {{"name", m.name},
          {"title", m.title},
          {"source", m.source},
          {"type", m.type},
          {"family", name(m.family)},
          {"parameters", p.total},
          {"active", p.active},
          {"towers", m.towers},
          {"layers", m.layers},
          {"hidden", m.hidden},
          {"vocabulary", m.vocab},
          {"layers_by_kind", kinds},
          {"kv_bytes_per_token", kv_elements(m) * 2},
          {"kv_bytes_per_token_beyond_windows", kv_elements(m, true) * 2},
          {"state_bytes", request_elements(m, 0) * 2},
          {"stored_bits", m.stored_bits},
          {"context_max", m.context_max}};
}

json json_of(const Plan& plan) {
  return {{"tp", plan.tp}, {"pp", plan.pp}, {"dp", plan.dp}, {"chips", plan.chips()}};
}

json json_of(const MemoryNeed& memory, const Chip& chip) {
  json parts = json::array();
  for (const MemoryPart& part : memory.parts)
    parts.push_back({{"name", part.name}, {"bytes", part.bytes}, {"why", part.why}});
  return {{"parts", parts},
          {"total", memory.total()},
          {"capacity", memory.capacity},
          {"per_logical_core", memory.total() / chip.logical_cores},
          {"fits", memory.fits()},
          {"largest", memory.largest().name}};
}

json json_of(const Bracketed& bracketed) {
  json values = json::object();
  for (const auto& [name, one] : bracketed.values) {
    json moved = json::array();
    for (const Influence& by : one.moved_by) {
      moved.push_back({{"key", by.key},
                       {"at_low", by.at_low},
                       {"at_high", by.at_high},
                       {"kind", by.kind},
                       {"source", by.source}});
      if (moved.size() == 8) break;
    }
    values[name] = {{"low", one.low},        {"value", one.value}, {"high", one.high},
                    {"p10", one.p10},        {"p90", one.p90},     {"quantiles", one.quantiles},
                    {"unit", unit_of(name)}, {"moved_by", moved}};
  }
  return values;
}

json json_of(const Work& work, double seconds, const Work& bound) {
  return {{"seconds", seconds},
          {"linear", work.linear},
          {"attention", work.attention},
          {"collective", work.collective},
          {"collective_bound", bound.collective},
          {"fixed", work.fixed},
          {"flops", work.flops},
          {"memory_bytes", work.memory_bytes},
          {"link_bytes", work.link_bytes}};
}

namespace {

json json_of(const Block& block) {
  json matrices = json::array();
  for (const Matrix& matrix : block.matrices)
    matrices.push_back({matrix.name, matrix.depth, matrix.width});
  json result = {{"kind", name(block.kind)},     {"rows", block.rows},
                 {"hidden", block.hidden},       {"matrices", matrices},
                 {"format", name(block.format)}, {"backward", block.backward}};
  if (block.kind == BlockKind::attention) {
    result.update({{"heads", block.heads.queries},
                   {"keys", block.heads.keys},
                   {"head", block.heads.dim},
                   {"past", block.past},
                   {"window", block.window},
                   {"context", block.context},
                   {"together", block.together},
                   {"cache", name(block.cache)},
                   {"rotary", block.rotary}});
    if (const Latent& of = block.heads.latent; of.kv_rank > 0)
      result.update({{"rank", of.kv_rank},
                     {"nope", of.nope_dim},
                     {"rope", of.rope_dim},
                     {"values", of.v_dim}});
  }
  if (block.kind == BlockKind::experts)
    result.update({{"experts", block.routing.experts},
                   {"chosen", block.routing.chosen},
                   {"local", block.routing.local},
                   {"capacity", capacity(block)},
                   {"every", block.routing.every}});
  if (block.kind == BlockKind::norm) result["centred"] = block.centred;
  return result;
}

json json_of(const LayerStep& step) {
  const Block sample = sample_of(step.block);
  json result = {{"name", title(step.block)}, {"times", step.times},
                 {"is_again", step.is_again}, {"sampled", sample_text(step.block, sample)},
                 {"sample", json_of(sample)}, {"stands_for", times_of(step.block, sample)}};
  result["modelled"] = step.modelled ? json(*step.modelled) : json();
  return result;
}

json json_of(const Collective& collective) {
  return {{"operation", fabric::name(collective.operation)},
          {"bytes", collective.bytes},
          {"chips", collective.chips},
          {"times", collective.times}};
}

template <typename Part>
json list_of(const std::vector<Part>& parts) {
  json list = json::array();
  for (const Part& part : parts) list.push_back(json_of(part));
  return list;
}

}  // namespace

json json_of(const LayerPass& pass) {
  json plan = {{"tp", pass.plan.tp}, {"pp", pass.plan.pp}, {"dp", pass.plan.dp}};
  if (pass.phase == "decode") plan["batch"] = pass.batch;
  if (pass.phase == "microbatch")
    plan.update({{"microbatch", pass.batch}, {"recompute", name(pass.recompute)}});
  if (!pass.why.empty()) return {{"phase", pass.phase}, {"plan", plan}, {"why", pass.why}};
  return {{"phase", pass.phase},
          {"plan", plan},
          {"what", pass.what},
          {"steps", list_of(pass.steps)},
          {"variants", list_of(pass.variants)},
          {"collectives", list_of(pass.collectives)},
          {"modelled",
           {{"computing", pass.modelled.computing() + pass.modelled.fixed},
            {"fixed", pass.modelled.fixed},
            {"collective", pass.modelled.collective}}},
          {"notes", pass.notes}};
}

json json_of(const Timed& timed) {
  if (!timed.seconds) return {{"why", timed.why}};
  return {{"computing", timed.seconds->computing}, {"collective", timed.seconds->collective}};
}

}  // namespace trainyard::planner

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
          {"layers", m.layers},
          {"hidden", m.hidden},
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

json json_of(const Timed& timed) {
  if (!timed.seconds) return {{"why", timed.why}};
  return {{"computing", timed.seconds->computing}, {"collective", timed.seconds->collective}};
}

}  // namespace trainyard::planner

// Values that are exchanged with the host, and what runs beside the program.
#include "graph/evaluate/control.h"
#include "graph/ops/all.h"

namespace trainyard::graph {

namespace {

void verify_token(OpCheck& c) {
  c.require(c.result().kind == Type::Kind::token, "the result is a token");
}

void verify_last_is_token(OpCheck& c) {
  const auto& values =
      c.op.kind == OpKind::outfeed || c.op.kind == OpKind::send ? c.op.operands : c.op.results;
  c.require(c.type(values.back()).kind == Type::Kind::token, "the last value is a token");
}

Value evaluate_token(const Evaluation& e) { return {e.result(), {}, {}}; }

constexpr auto host_transfers_records = std::to_array<OpRecord>({
    {.kind = OpKind::after_all,
     .name = "after_all",
     .operands = {0, many},
     .any_types = true,
     .verify = verify_token,
     .evaluate = alone<evaluate_token>},
    {.kind = OpKind::async_done,
     .name = "async_done",
     .operands = {1, 1},
     .results = {0, many},
     .any_types = true},
    {.kind = OpKind::async_start,
     .name = "async_start",
     .operands = {0, many},
     .regions = {0, 1},
     .any_types = true},
    {.kind = OpKind::create_token,
     .name = "create_token",
     .any_types = true,
     .verify = verify_token,
     .evaluate = alone<evaluate_token>},
    {.kind = OpKind::infeed,
     .name = "infeed",
     .operands = {1, 1},
     .results = {1, many},
     .any_types = true,
     .traits = {Trait::host, Trait::keeps_format},
     .vhlo = {"infeed_config layout"},
     .verify = verify_last_is_token},
    {.kind = OpKind::outfeed,
     .name = "outfeed",
     .operands = {1, many},
     .any_types = true,
     .traits = {Trait::host, Trait::keeps_format},
     .vhlo = {"outfeed_config"},
     .verify = verify_last_is_token},
    {.kind = OpKind::recv,
     .name = "recv",
     .operands = {1, 1},
     .results = {1, many},
     .any_types = true,
     .traits = {Trait::host, Trait::keeps_format},
     .vhlo = {"channel_id channel_type is_host_transfer",
              "channel_id channel_type is_host_transfer source_target_pairs"},
     .verify = verify_last_is_token},
    {.kind = OpKind::send,
     .name = "send",
     .operands = {1, many},
     .any_types = true,
     .traits = {Trait::host, Trait::keeps_format},
     .vhlo = {"channel_id channel_type is_host_transfer",
              "channel_id channel_type is_host_transfer source_target_pairs"},
     .verify = verify_last_is_token},
});

}  // namespace

std::span<const OpRecord> host_transfers_ops() { return host_transfers_records; }

}  // namespace trainyard::graph

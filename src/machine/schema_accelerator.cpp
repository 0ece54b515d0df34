// Fields of an accelerator that is compared: peaks, memory, links, power, reach.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "machine/accelerator.h"
#include "machine/schema.h"

namespace trainyard::machine {

namespace {

Field plain(std::string key, std::string_view meaning, Dimension dimension, Bounds bounds) {
  return {.key = std::move(key),
          .meaning = meaning,
          .dimension = dimension,
          .bounds = bounds,
          .choices = {},
          .store = nullptr,
          .fetch = nullptr};
}

constexpr Bounds some_teraflops{1e-3, 1e6};
constexpr Bounds some_share{1e-3, 1};
constexpr Bounds some_bandwidth{1e-3, 1e6};
constexpr Bounds some_chips{1, 1e7};
constexpr Bounds some_watts{1, 1e5};
constexpr Bounds some_picojoules{0, 1e4};
constexpr Bounds up_to_a_second{0, 1e9};

void add_peaks(std::vector<Field>& list) {
  using D = Dimension;
  const auto peak = [&](std::string format, std::string_view meaning) {
    list.push_back(plain("compute." + format, meaning, D::teraflops, some_teraflops));
  };
  peak("bf16", "dense BF16 or FP16 peak of a chip");
  peak("fp32", "FP32 peak of the matrix units");
  peak("fp8", "dense FP8 peak, scales per tensor or row");
  peak("mxfp8", "dense MXFP8 peak");
  peak("fp4", "dense FP4 peak: MXFP4, NVFP4");
  peak("int8", "dense INT8 peak");
  peak("sparse_bf16", "BF16 peak with structured sparsity");
  list.insert(
      list.end(),
      {plain("chip.logical_cores", "devices that a framework sees in a chip", D::count, {1, 1024}),
       plain("memory.capacity", "HBM of a chip", D::bytes, {1, 1e15}),
       plain("memory.usable", "share of it that is left for a model", D::fraction, some_share),
       plain("memory.bandwidth", "HBM rate of a chip", D::bandwidth, some_bandwidth)});
}

void add_links(std::vector<Field>& list) {
  using D = Dimension;
  constexpr std::array<std::string_view, 3> joins{
      "chips of a first group: a sled, a node, a domain", "first groups in a second one: a rack",
      "second groups in a third one"};
  for (std::size_t i = 0; i < joins.size(); ++i) {
    const std::string level = "scale_up.level" + std::to_string(i + 1);
    list.push_back(plain(level + "_size", joins[i], D::count, some_chips));
    list.push_back(plain(level + "_bandwidth", "links of a chip inside of it, one direction",
                         D::bandwidth, some_bandwidth));
  }
  list.insert(
      list.end(),
      {plain("scale_up.all_to_all",
             "share of the link rate that is left when everybody sends to everybody: 1 over "
             "the mean number of hops",
             D::fraction, some_share),
       plain("scale_up.in_switch",
             "of the bytes that a sum in the switch can save over a ring, the share it does",
             D::fraction, {0, 1}),
       plain("scale_out.bandwidth", "network of a chip, one direction", D::bandwidth,
             some_bandwidth),
       plain("system.chips", "chips of the box or rack that is sold", D::count, some_chips),
       plain("system.scale", "chips that can be joined at most", D::count, some_chips)});
}

void add_power(std::vector<Field>& list) {
  using D = Dimension;
  list.insert(
      list.end(),
      {plain("power.tdp", "thermal design power of a chip", D::power, some_watts),
       plain("power.idle", "power of a chip that does nothing", D::power, some_watts),
       plain("power.all_in", "provisioned utility power of a chip: host, network, cooling, losses",
             D::power, some_watts),
       plain("energy.flop_bf16", "one BF16 operation of a matrix product", D::energy,
             some_picojoules),
       plain("energy.flop_fp8", "one FP8 operation", D::energy, some_picojoules),
       plain("energy.flop_fp4", "one FP4 operation", D::energy, some_picojoules),
       plain("energy.hbm_byte", "one byte of HBM traffic with its way on the chip", D::energy,
             some_picojoules),
       plain("energy.link_byte", "one byte over a link", D::energy, some_picojoules)});
}

void add_reach(std::vector<Field>& list) {
  using D = Dimension;
  list.insert(
      list.end(),
      {plain("reach.training", "share of the peak that the products of training reach", D::fraction,
             some_share),
       plain("reach.prefill", "share of the peak that the products of a prefill reach", D::fraction,
             some_share),
       plain("reach.attention", "share of the BF16 peak that attention reaches", D::fraction,
             some_share),
       plain("reach.attention_training",
             "the same of attention in training, forward and backward; that of a prefill where "
             "none is given",
             D::fraction, some_share),
       plain("reach.memory", "share of the HBM rate that weights stream at", D::fraction,
             some_share),
       plain("reach.cache", "share of the HBM rate that the KV cache streams at", D::fraction,
             some_share),
       plain("reach.link", "share of the link rate that a large collective reaches", D::fraction,
             some_share),
       plain("reach.collective",
             "share of the rate that a collective has by itself, by its schedule, which it reaches "
             "in a step",
             D::fraction, some_share),
       plain("reach.network", "share of the network rate that a large collective reaches",
             D::fraction, some_share),
       plain("reach.overlap", "share of a collective that hides behind computing", D::fraction,
             {0, 1}),
       plain("fixed.layer", "of a decoder layer, in every forward pass", D::time, up_to_a_second),
       plain("fixed.experts", "of a layer with experts, besides: routing, sorting, gathering",
             D::time, up_to_a_second),
       plain("fixed.prefill", "of a prefill, besides: the host's work until the first token",
             D::time, up_to_a_second),
       plain("fixed.collective", "of a small collective of one level", D::time, up_to_a_second),
       plain("fixed.link_step", "of each step of a ring or tree between chips, besides", D::time,
             up_to_a_second),
       plain("fixed.network", "of a small collective between boxes", D::time, up_to_a_second),
       plain("fixed.network_step", "of each step of a ring or tree between boxes, besides", D::time,
             up_to_a_second),
       plain("fixed.step", "of a step: launch, sampling, host", D::time, up_to_a_second)});
}

// What a stack of software takes besides, counted only where what it measured is asked: dense
// phases by a factor (launches, host), experts by what the stack does with them.
void add_software(std::vector<Field>& list) {
  using D = Dimension;
  for (const char* phase : {"prefill", "decode"})
    list.push_back(plain(fmt::format("software.{}", phase),
                         "a stack's seconds of a dense phase over what the machine would need",
                         D::fraction, {1, 100}));
  list.insert(
      list.end(),
      {plain("software.experts_block",
             "tokens of a block that a prefill pads the tokens of each expert to", D::count,
             {1, 1e6}),
       plain("software.experts_block_time",
             "that a prefill takes for each block of a layer with experts", D::time, {0, 1e9}),
       plain("software.experts_row", "that a step moves of each row of an expert's strip at least",
             D::bytes, {1, 1e6})});
}

std::vector<Field> build() {
  std::vector<Field> list;
  add_peaks(list);
  add_links(list);
  add_power(list);
  add_reach(list);
  add_software(list);
  return list;
}

// Unpublished is what buyers, not models, may have to live with.
constexpr auto optional_keys = std::to_array<std::string_view>({"compute.fp32",
                                                                "compute.fp8",
                                                                "compute.mxfp8",
                                                                "compute.fp4",
                                                                "compute.int8",
                                                                "compute.sparse_bf16",
                                                                "scale_up.level2_size",
                                                                "scale_up.level2_bandwidth",
                                                                "scale_up.level3_size",
                                                                "scale_up.level3_bandwidth",
                                                                "scale_up.in_switch",
                                                                "power.tdp",
                                                                "power.idle",
                                                                "power.all_in",
                                                                "reach.collective",
                                                                "reach.attention_training",
                                                                "fixed.prefill",
                                                                "fixed.link_step",
                                                                "fixed.network_step",
                                                                "energy.flop_bf16",
                                                                "energy.flop_fp8",
                                                                "energy.flop_fp4",
                                                                "energy.hbm_byte",
                                                                "energy.link_byte",
                                                                "software.prefill",
                                                                "software.decode",
                                                                "software.experts_block",
                                                                "software.experts_block_time",
                                                                "software.experts_row"});

}  // namespace

std::span<const Field> accelerator_schema() {
  static const std::vector<Field> fields = build();
  return fields;
}

bool is_required(std::string_view key) {
  return std::ranges::find(optional_keys, key) == optional_keys.end();
}

}  // namespace trainyard::machine

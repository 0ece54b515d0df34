#include "compiler/lowering/module_passes.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "compiler/lowering/attention/attention_pattern.h"
#include "compiler/lowering/canonical/common_dims.h"
#include "compiler/lowering/canonical/inner_products.h"
#include "compiler/lowering/canonical/joined_arithmetic.h"
#include "compiler/lowering/canonical/joined_pads.h"
#include "compiler/lowering/canonical/joined_sums.h"
#include "compiler/lowering/canonical/known.h"
#include "compiler/lowering/canonical/lone_collectives.h"
#include "compiler/lowering/canonical/merged_dims.h"
#include "compiler/lowering/canonical/narrow_products.h"
#include "compiler/lowering/canonical/one_place.h"
#include "compiler/lowering/canonical/repeated_operands.h"
#include "compiler/lowering/canonical/repeats.h"
#include "compiler/lowering/canonical/reshaped_repeats.h"
#include "compiler/lowering/canonical/sliced_arithmetic.h"
#include "compiler/lowering/canonical/small_sums.h"
#include "compiler/lowering/canonical/sort_keys.h"
#include "compiler/lowering/canonical/stepped_sums.h"
#include "compiler/lowering/canonical/summed_products.h"
#include "compiler/lowering/canonical/turned_products.h"
#include "compiler/lowering/canonical/turned_rows.h"
#include "compiler/lowering/canonical/wide_sums.h"
#include "compiler/lowering/clusters/elementwise_clusters.h"
#include "compiler/lowering/clusters/image_rows.h"
#include "compiler/lowering/clusters/long_rows.h"
#include "compiler/lowering/clusters/row_clusters.h"
#include "compiler/lowering/clusters/short_runs.h"
#include "compiler/lowering/equal_layers.h"
#include "compiler/lowering/image_forms/channel_sums.h"
#include "compiler/lowering/image_forms/channels_first.h"
#include "compiler/lowering/image_forms/patches.h"
#include "compiler/lowering/loops/hoisted_products.h"
#include "compiler/lowering/loops/recurrences.h"
#include "compiler/lowering/loops/rolled_chains.h"
#include "compiler/lowering/loops/rolled_loops.h"
#include "compiler/lowering/loops/row_turns.h"
#include "compiler/lowering/loops/sliced_turns.h"
#include "compiler/lowering/loops/written_turns.h"
#include "compiler/lowering/patterns/angles.h"
#include "compiler/lowering/patterns/chosen_products.h"
#include "compiler/lowering/patterns/one_hots.h"
#include "compiler/lowering/patterns/quotients.h"
#include "compiler/lowering/patterns/ragged_products.h"
#include "compiler/lowering/patterns/recognize.h"
#include "compiler/lowering/patterns/routed_rows.h"
#include "compiler/lowering/patterns/row_picks.h"
#include "compiler/lowering/patterns/scattered_infinities.h"
#include "compiler/lowering/patterns/short_folds.h"
#include "compiler/lowering/patterns/small_matrices.h"
#include "compiler/lowering/patterns/stored_weights.h"
#include "compiler/lowering/tiles/integer_products.h"
#include "graph/custom_calls.h"
#include "graph/inline_calls.h"
#include "graph/known_tables.h"
#include "graph/loop_invariants.h"
#include "graph/residuals.h"
#include "graph/verify.h"

namespace trainyard::compiler {

namespace {

using Changed = std::optional<graph::Module>;

template <void (*pass)(graph::Module&)>
void alone(graph::Module& module, const ModuleContext&) {
  pass(module);
}
template <void (*pass)(graph::Module&, const machine::Core&)>
void for_core(graph::Module& module, const ModuleContext& context) {
  pass(module, *context.core);
}
template <Changed (*pass)(const graph::Module&)>
void remade(graph::Module& module, const ModuleContext&) {
  if (Changed changed = pass(module)) module = *std::move(changed);
}

void cast(graph::Module& module, const ModuleContext& context) {
  graph::apply(module, context.precision);
}
void fuse_attention(graph::Module& module, const ModuleContext& context) {
  if (context.variation.fuses_attention) recognize_attention(module, *context.core);
}
void correct(graph::Module& module, const ModuleContext& context) {
  correct_quotients(module, context.precision.division);
}
void cluster_rows(graph::Module& module, const ModuleContext& context) {
  if (Changed changed = with_row_clusters(module, *context.core)) module = *std::move(changed);
}
void in_turns(graph::Module& module, const ModuleContext& context) {
  take_turns(module, *context.core);
}
void share(graph::Module& module, const ModuleContext& context) {
  share_layers(module, *context.core, context.layers);
}

constexpr auto meaning = std::to_array<ModulePass>({
    {"cast", "float32 arithmetic gets the formats that --auto-cast and --matmul-format allow",
     cast},
    {"expand-custom-calls", "custom calls whose meaning is known become operations",
     alone<graph::expand_custom_calls>},
});
constexpr auto machine = std::to_array<ModulePass>({
    {"inline-calls", "functions stand where they are called", remade<graph::without_calls>},
    {"pass-on-lone-ranks", "collectives in groups of one rank give what they are given",
     alone<pass_lone_ranks_on>},
    {"compute-loops", "loops that read nothing but constants are run as the program is compiled",
     alone<graph::compute_known_loops>},
    {"roll-loops", "loops whose turns are unrolled get a turn for each of what they do",
     alone<roll_loops>},
    {"update-one-place", "scatters to one place that a loop counts become updates of a slice",
     alone<update_one_place>},
    {"join-gradients",
     "values that zeros fill up beside each other and that are added are joined, before loops",
     alone<join_pads>},
    {"join-at-once", "joins that only another join reads are part of it", alone<join_at_once>},
    {"roll-chains", "recurrences that are written out step by step become loops",
     alone<roll_chains>},
    {"run-recurrences",
     "loops of elementwise turns become operations on all turns at once, their linear recurrences "
     "scans along rows",
     alone<run_recurrences>},
    {"multiply-before-loops",
     "products of a turn's slice with weights that no turn changes are computed for all turns",
     alone<multiply_before_loops>},
    {"compute-in-loops",
     "what a loop hands on unchanged, as masks, is computed in each turn where that is cheaper",
     alone<graph::compute_in_loops>},
    {"slice-in-turns", "of what turns compute whole and read a slice of, that slice is computed",
     alone<slice_in_turns>},
    {"recompute-residuals",
     "what turns keep for a later loop, as gradients read, is computed again from smaller values",
     alone<graph::recompute_residuals>},
    {"write-out-loops", "loops of few small turns with products become their turns",
     alone<write_short_loops_out>},
    {"join-turns", "a turn of loops of small turns takes several of them", alone<join_turns>},
    {"prepare-weights", "weights are stored as the array takes them, before the first run",
     for_core<prepare_stored_weights>},
    {"fold-constants", "what follows from constants alone becomes a constant",
     remade<with_known_values>},
    {"compute-tables", "tables of functions of constants alone are computed as it is compiled",
     alone<graph::compute_known_tables>},
    {"reshape-before-repeats", "what repeats a value and is reshaped repeats the reshaped value",
     alone<reshape_before_repeats>},
    {"split-merged-dims",
     "what reshapes merge, repeated heads and batches, stays apart in products",
     alone<split_merged_dims>},
    {"multiply-repeats-once", "batches that one operand of a product repeats are the other one's",
     alone<multiply_repeats_once>},
    {"sum-products", "products whose batches are added up sum over them themselves",
     alone<sum_products>},
    {"write-short-folds-out",
     "reductions of several values together over few elements, as argmax, become arithmetic",
     alone<write_short_folds_out>},
    {"sum-inner-products", "many small products become multiplications and sums",
     alone<sum_inner_products>},
    {"multiply-small-matrices",
     "products of very many very small matrices become arithmetic on vectors of their elements",
     for_core<multiply_small_matrices>},
    {"sum-joined-parts", "sums over values that were joined are sums of the parts",
     alone<sum_joined_parts>},
    {"join-pads", "values that zeros fill up beside each other and that are added are joined",
     alone<join_pads>},
    {"join-before-arithmetic",
     "where the same arithmetic makes many small parts of a join, it is done once behind it",
     alone<join_before_arithmetic>},
    {"slice-before-arithmetic", "arithmetic of which only slices are read is done on slices",
     alone<slice_before_arithmetic>},
    {"turn-behind-rows",
     "norms of values whose dimensions were turned are computed as the values lie",
     alone<turn_behind_rows>},
    {"remove-repeats", "what an earlier operation has computed is not computed again",
     alone<remove_repeats>},
    {"multiply-integers", "products of 8-bit integers become products in bfloat16, summed exactly",
     alone<multiply_integers>},
    {"sort-by-one-key", "sorts by several keys become sorts by one key each, the last one first",
     alone<sort_by_one_key>},
    {"route-rows",
     "rows sorted by group are counted, and added up where they came from by a gather",
     alone<route_rows>},
    {"narrow-products", "products multiply what their operands were widened from",
     for_core<narrow_products>},
    {"multiply-patches",
     "convolutions become products where each element of the result has one tap, or the window "
     "covers "
     "the image",
     alone<multiply_patches>},
    {"sum-channels", "gradients of depthwise kernels become sums of products, one for each tap",
     alone<sum_channels>},
    {"recognize-functions",
     "gelu, silu and the logistic function, written out, become one operation",
     alone<recognize_functions>},
    {"fuse-attention",
     "attention and its gradient become one operation each, whose scores stay on chip",
     fuse_attention},
    {"pick-one-hots",
     "sums of what one-hot rows are multiplied with, as losses have them, read the element that "
     "counts",
     alone<pick_one_hots>},
    {"move-row-picks",
     "of a value of which one element a row is read, that element alone is computed",
     alone<move_row_picks>},
    {"multiply-groups-apart",
     "rows in groups (ragged_dot) are multiplied with the matrix of their group alone",
     for_core<multiply_groups_apart>},
    {"choose-matrices", "products with matrices that indices pick read them where they lie",
     for_core<choose_matrices>},
    {"turn-products",
     "products of which only the transpose is read, as gradients of weights are, are computed "
     "transposed",
     alone<turn_products>},
    {"sum-small-integers",
     "sums of integers that stay small (counts, masks, ranks) are done in float32, with the same "
     "bits",
     alone<sum_small_integers>},
    {"widen-sums", "sums of narrow formats under windows accumulate in float32, and round once",
     alone<widen_sums>},
    {"count-infinities",
     "infinities and NaN that constants bring into the updates of a scatter-add are counted, since "
     "its product with ones and zeros would spread them",
     alone<count_scattered_infinities>},
    {"correct-quotients",
     "quotients that are compared, rounded or returned are exact where float32 holds them",
     correct},
    {"reduce-angles", "sines and cosines are those of what is left of an angle without half turns",
     alone<reduce_angles>},
    {"drop-unread", "arithmetic that nothing reads is left out", alone<drop_unread>},
    {"channels-first",
     "images that are summed by channel (batch norms) get their channels first, as convolutions "
     "have them",
     alone<put_channels_first>},
    {"sum-by-image",
     "of images with few channels, each one of each channel is a row, so that rows fill the "
     "partitions",
     for_core<sum_by_image>},
    {"share-dims",
     "values that reshapes take each other's shape from get the dimensions of both, where rows are "
     "summed that others read in parts (group norms)",
     alone<share_dims>},
    {"sum-in-steps",
     "sums over dimensions with others between them go along rows, or down them, and then over "
     "what that leaves",
     alone<sum_in_steps>},
    {"join-short-runs",
     "joins of very short runs, as stacks of coordinates are, get rows of many runs",
     for_core<join_short_runs>},
    {"spread-rows",
     "elementwise values of few long rows, as vectors are, get rows enough for the partitions",
     for_core<spread_long_rows>},
    {"share-layers", "long layers that are equal become calls of one function, compiled once",
     share},
    {"take-turns",
     "products of very many instructions, and what goes along their rows, are computed some rows "
     "at "
     "a time",
     in_turns},
    {"cluster-rows", "operations over the same rows (softmax, norms) become one pass over memory",
     cluster_rows},
    {"cluster-elementwise",
     "elementwise operations that read each other's results become one pass over memory",
     remade<with_elementwise_clusters>},
});

// A program that breaks the rules behind a pass is the pass's mistake: those that are read keep
// them.
void check_left(const graph::Module& module, std::string_view pass) {
  const std::vector<base::Violation> broken = graph::violations(module);
  if (broken.empty()) return;
  base::check(false, fmt::format("{} leaves a well-formed program: {}", pass,
                                 base::describe(broken.front())));
}

}  // namespace

std::span<const ModulePass> meaning_passes() { return meaning; }
std::span<const ModulePass> machine_passes() { return machine; }

void run_module_passes(std::span<const ModulePass> passes, graph::Module& module,
                       const ModuleContext& context, const PassOptions& options, PassLog& log) {
  for (const ModulePass& pass : passes) {
    timed(pass.name, log, [&] { pass.run(module, context); });
    check_left(module, pass.name);
    look(module, pass.name, options, log);
  }
}

}  // namespace trainyard::compiler

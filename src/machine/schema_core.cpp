// Fields of one core: features, engines, array, throttle, rates.
#include <algorithm>
#include <iterator>

#include "machine/field.h"

namespace trainyard::machine {

namespace {

template <auto member>
Field feature(std::string_view name, std::string_view meaning) {
  return field<core, &Core::features, member>("feature." + std::string(name), meaning)
      .with(Effect::rule);
}

void add_features(std::vector<Field>& list) {
  using F = Features;
  list.insert(
      list.end(),
      {field<core, &Core::generation>("core.generation", "NeuronCore generation by its NKI name")
           .with(Effect::none),
       feature<&F::mx>("mx", "MXFP8 and MXFP4 matmul and quantisation"),
       feature<&F::double_row>("double_row", "FP8 matmul with two contraction rows per PE row"),
       feature<&F::structured_sparsity>("structured_sparsity",
                                        "sparse matmul; no public instruction"),
       feature<&F::tensor_transpose_exact>("tensor_transpose_exact",
                                           "is_transpose moves bits unchanged"),
       feature<&F::background_transpose>("background_transpose",
                                         "a transpose runs beside another matmul")
           .with(Effect::none),
       feature<&F::psum_bf16>("psum_bf16", "matmul writes and accumulates bf16 in PSUM"),
       feature<&F::psum_16bit_transpose>("psum_16bit_transpose",
                                         "a transpose writes 16-bit results"),
       feature<&F::accumulate_on_any_write>("accumulate_on_any_write",
                                            "a matmul may accumulate on another engine's write"),
       feature<&F::column_tiling>("column_tiling", "matmuls in disjoint column tiles"),
       feature<&F::row_tiling_32>("row_tiling_32", "row tiles of 32 rows; otherwise 64"),
       feature<&F::vector_perf_modes>("vector_perf_modes", "the 2x and 4x modes of Vector")
           .with(Effect::timing),
       feature<&F::vector_perf_modes_fp8>("vector_perf_modes_fp8", "the perf modes take FP8")
           .with(Effect::timing),
       feature<&F::exponential>("exponential", "Vector exponential"),
       feature<&F::activate2>("activate2", "Scalar activate2"),
       feature<&F::scalar_copy>("scalar_copy",
                                "Scalar tensor_copy, and tensor_scalar with multiply and add"),
       feature<&F::scalar_tensor_ops>("scalar_tensor_ops", "Scalar tensor_scalar and tensor_copy"),
       feature<&F::activation_number_bias>("activation_number_bias",
                                           "the bias of an activation may be a number"),
       feature<&F::vector_extended_operators>("vector_extended_operators",
                                              "Vector abs_max, abs_min, square and relu"),
       feature<&F::range_select>("range_select", "Vector range_select"),
       feature<&F::nonzero_with_count>("nonzero_with_count", "GpSimd nonzero_with_count"),
       feature<&F::gpsimd_random>("gpsimd_random", "GpSimd rng and generator states"),
       feature<&F::indirection>("indirection", "indirect free-dimension access patterns"),
       feature<&F::rand2>("rand2", "Vector rand2"),
       feature<&F::vector_xorwow>("vector_xorwow", "Vector's generator is XORWOW, not an LFSR"),
       feature<&F::gpsimd_dma>("gpsimd_dma", "GpSimd has DMA engines of its own"),
       feature<&F::core_pairs>("core_pairs", "core_barrier and sendrecv within a logical core"),
       feature<&F::hardware_dge>("hardware_dge", "descriptor generation blocks in hardware"),
       feature<&F::dma_priority>("dma_priority", "DMA rings have priorities"),
       feature<&F::dma_gather_transpose>("dma_gather_transpose",
                                         "dma_transpose of rows chosen by an index list"),
       feature<&F::dma_read_add_write>("dma_read_add_write", "DMA adds into SBUF at the copy rate"),
       feature<&F::float8_e4m3fn>("float8_e4m3fn", "float8_e4m3fn with maximum 448"),
       feature<&F::simulator_operators>("simulator_operators",
                                        "fmod and mod, as in AWS's simulator; on no silicon")});
}

// The files give every engine the same figures. These are of no consequence on theirs: the array
// has times of its own, Sync has no data path, GpSimd does not reach PSUM, only Sync stores
// registers, only Sync and Scalar command hardware descriptors and only GpSimd makes them in
// software.
constexpr std::string_view of_no_consequence[] = {
    "tensor.startup",
    "tensor.latency",
    "tensor.sbuf_access",
    "tensor.psum_access",
    "tensor.sbuf_write",
    "tensor.psum_write",
    "sync.min_interval",
    "sync.startup",
    "sync.latency",
    "sync.sbuf_access",
    "sync.psum_access",
    "sync.sbuf_write",
    "sync.psum_write",
    "gpsimd.psum_access",
    "gpsimd.psum_write",
    "tensor.register_store",
    "vector.register_store",
    "scalar.register_store",
    "gpsimd.register_store",
    "tensor.dma_issue_hardware",
    "vector.dma_issue_hardware",
    "gpsimd.dma_issue_hardware",
    "tensor.dma_issue_software",
    "vector.dma_issue_software",
};

template <EngineTimes Core::*engine>
void add_engine(std::vector<Field>& list, const std::string& name) {
  const auto data = [&]<auto member>(std::string_view key, std::string_view meaning) {
    list.push_back(field<core, engine, member>(name + "." + std::string(key), meaning));
  };
  const auto control = [&]<auto member>(std::string_view key, std::string_view meaning) {
    list.push_back(field<core, engine, &EngineTimes::sequencer, member>(
        name + "." + std::string(key), meaning));
  };
  const auto unread = [&] { list.back().effect = Effect::none; };
  using E = EngineTimes;
  using S = Sequencer;
  data.template operator()<&E::clock>("clock", "clock of the engine; a divisor of 168 GHz");
  data.template operator()<&E::min_interval>("min_interval", "least occupancy of an instruction");
  data.template operator()<&E::startup>("startup", "added to the occupancy of every instruction");
  data.template operator()<&E::latency>(
      "latency", "end of occupancy to the result being visible to the next instruction");
  data.template operator()<&E::sbuf_access>("sbuf_access",
                                            "added to the occupancy for a source in SBUF");
  data.template operator()<&E::psum_access>("psum_access",
                                            "added to the occupancy for a source in PSUM");
  data.template operator()<&E::sbuf_write>("sbuf_write",
                                           "added to the latency for a destination in SBUF");
  data.template operator()<&E::psum_write>("psum_write",
                                           "added to the latency for a destination in PSUM");
  control.template operator()<&S::queue_depth>("queue_depth", "instructions fetched ahead");
  unread();
  control.template operator()<&S::branch>("branch", "compare and branch");
  control.template operator()<&S::loop_iteration>("loop_iteration",
                                                  "one iteration of a hardware loop");
  control.template operator()<&S::register_move>("register_move", "move between registers");
  control.template operator()<&S::register_alu>("register_alu", "register arithmetic");
  control.template operator()<&S::register_load_sbuf>("register_load_sbuf",
                                                      "register load from SBUF");
  control.template operator()<&S::register_load_hbm>("register_load_hbm", "register load from HBM");
  control.template operator()<&S::register_store>("register_store", "register store to SBUF");
  control.template operator()<&S::semaphore_operation>(
      "semaphore_operation", "semaphore set, increment, or wait that is already satisfied");
  control.template operator()<&S::drain>("drain", "drain of an idle pipeline");
  control.template operator()<&S::gap>("gap", "between a DMA trigger and the next instruction");
  control.template operator()<&S::notify>("notify", "notification to the host");
  unread();
  control.template operator()<&S::dma_issue_static>("dma_issue_static",
                                                    "DMA trigger with static descriptors");
  control.template operator()<&S::dma_issue_hardware>("dma_issue_hardware",
                                                      "DMA trigger through a DGE block");
  control.template operator()<&S::dma_issue_software>(
      "dma_issue_software", "DMA trigger with descriptors made by GpSimd");
}

template <auto member>
Field array(std::string_view name, std::string_view meaning, std::optional<Bounds> bounds = {}) {
  return field<core, &Core::array, member>("array." + std::string(name), meaning, bounds);
}

void add_array(std::vector<Field>& list) {
  using A = PeArray;
  list.insert(
      list.end(),
      {array<&A::rows>("rows", "PE rows: contraction partitions", positive).with(Effect::rule),
       array<&A::columns>("columns", "PE columns: output partitions", positive).with(Effect::rule),
       array<&A::tile_rows_min>("tile_rows_min", "smallest row tile", positive).with(Effect::rule),
       array<&A::tile_columns_min>("tile_columns_min", "smallest column tile", positive)
           .with(Effect::rule),
       array<&A::stationary_free_max>("stationary_free_max", "free size of the stationary operand",
                                      positive)
           .with(Effect::rule),
       array<&A::moving_free_max_fp32>("moving_free_max_fp32",
                                       "free size of the moving operand, fp32 in PSUM", positive)
           .with(Effect::rule),
       array<&A::moving_free_max_bf16>("moving_free_max_bf16",
                                       "free size of the moving operand, bf16 in PSUM", positive)
           .with(Effect::rule),
       array<&A::accumulation_groups>("accumulation_groups", "accumulation groups outstanding",
                                      positive)
           .with(Effect::none),
       array<&A::macs_bf16>("macs_bf16", "MACs per PE and cycle: BF16, FP16, TF32, FP8, mixed"),
       array<&A::macs_fp32>("macs_fp32", "MACs per PE and cycle: FP32"),
       array<&A::macs_fp32_onezero>("macs_fp32_onezero", "FP32 with an operand of only 0 and 1"),
       array<&A::macs_fp32_transpose>("macs_fp32_transpose", "FP32 transpose"),
       array<&A::macs_double_row>("macs_double_row", "FP8 double row"),
       array<&A::macs_mx>("macs_mx", "MXFP8 and MXFP4"),
       array<&A::macs_sparse>("macs_sparse", "structured sparse, counted dense").with(Effect::none),
       array<&A::fp32_passes>("fp32_passes",
                              "LoadStationary and MultiplyMoving pairs of an FP32 tile", positive),
       array<&A::fp32_transpose_passes>("fp32_transpose_passes", "the same for an FP32 transpose",
                                        positive),
       array<&A::matmul_overhead>("matmul_overhead",
                                  "cycles between matmuls above the columns moved"),
       array<&A::mx_overhead>("mx_overhead",
                              "besides matmul_overhead, of a matmul with MX operands"),
       array<&A::load_stationary>("load_stationary", "stationary columns loaded per cycle"),
       array<&A::load_stationary_fp32>("load_stationary_fp32", "the same in FP32"),
       array<&A::load_stationary_overhead>("load_stationary_overhead",
                                           "fixed occupancy of a LoadStationary"),
       array<&A::load_stationary_latency>("load_stationary_latency",
                                          "until the array may use the loaded operand")
           .with(Effect::none),
       array<&A::fill>("fill", "of a result, besides its move: not slowed by the clock limit"),
       array<&A::drain>("drain", "of a result, besides its move: slowed by the clock limit"),
       array<&A::load_in_background>("load_in_background",
                                     "LoadStationary overlaps the running matmul"),
       array<&A::transpose_chain>("transpose_chain", "speed-up of a chain of transposes")
           .with(Effect::none)});
}

template <auto member>
Field throttle(std::string_view name, std::string_view meaning, std::optional<Bounds> bounds = {}) {
  return field<core, &Core::throttle, member>("throttle." + std::string(name), meaning, bounds);
}

void add_throttle(std::vector<Field>& list) {
  using T = Throttle;
  list.insert(
      list.end(),
      {throttle<&T::enabled>("enabled", "the tensor engine's activity throttle is on"),
       throttle<&T::starts_low>("starts_low", "the limit is low at the start of a program"),
       throttle<&T::window>("window", "length of an activity window", Bounds{1, 1e6}),
       throttle<&T::low>("low", "cycles of `denominator` at the low limit", positive),
       throttle<&T::full>("full", "cycles of `denominator` at the full limit", positive),
       throttle<&T::denominator>("denominator", "parts a limit is counted in", positive),
       throttle<&T::threshold>("threshold", "busy share of a window below which the limit falls"),
       throttle<&T::windows_to_rise>("windows_to_rise", "busy windows until the limit is lifted",
                                     positive),
       throttle<&T::windows_to_fall>("windows_to_fall", "idle windows until the limit falls",
                                     positive),
       throttle<&T::phase>("phase", "how far into a window a run begins; less than `window`"),
       throttle<&T::thermal>("thermal", "limits driven by the package power").with(Effect::none)});
}

template <auto rates, auto copy>
void add_stream(std::vector<Field>& list, const std::string& prefix) {
  using S = StreamRates;
  list.insert(list.end(),
              {field<core, rates, copy, &S::narrow_sbuf>(
                   prefix + "narrow_sbuf", "copy of 16-bit floats, SBUF to SBUF, contiguous"),
               field<core, rates, copy, &S::narrow_sbuf_strided>(prefix + "narrow_sbuf_strided",
                                                                 "the same, not contiguous"),
               field<core, rates, copy, &S::narrow_psum>(prefix + "narrow_psum",
                                                         "copy of 16-bit floats, one side in PSUM"),
               field<core, rates, copy, &S::wide_sbuf>(
                   prefix + "wide_sbuf", "copy with a 32-bit or integer side, SBUF to SBUF"),
               field<core, rates, copy, &S::wide_psum>(prefix + "wide_psum",
                                                       "the same, one side in PSUM")});
}

template <auto member>
Field vector(std::string_view name, std::string_view meaning, std::optional<Bounds> bounds = {}) {
  return field<core, &Core::vector_rates, member>("vector.rate." + std::string(name), meaning,
                                                  bounds);
}

void add_vector_rates(std::vector<Field>& list) {
  using V = VectorRates;
  add_stream<&Core::vector_rates, &V::copy>(list, "vector.rate.copy_");
  constexpr auto rates = &Core::vector_rates;
  using P = PairRates;
  list.insert(
      list.end(),
      {field<core, rates, &V::pair, &P::narrow_sbuf>("vector.rate.pair_narrow_sbuf",
                                                     "two 16-bit tensors, both in SBUF"),
       field<core, rates, &V::pair, &P::narrow_psum>("vector.rate.pair_narrow_psum",
                                                     "two 16-bit tensors, one in PSUM"),
       field<core, rates, &V::pair, &P::wide_sbuf>("vector.rate.pair_wide_sbuf",
                                                   "two tensors, one of 32 bits, both in SBUF"),
       field<core, rates, &V::pair, &P::wide_psum>("vector.rate.pair_wide_psum",
                                                   "two tensors, one of 32 bits, one in PSUM"),
       vector<&V::other>("other", "instructions without a rule of their own"),
       vector<&V::reduce_narrow>("reduce_narrow", "tensor_reduce of bf16 with add or maximum"),
       vector<&V::reduce>("reduce", "tensor_reduce otherwise"),
       vector<&V::reduce_extra>("reduce_extra", "reading the accumulator out"),
       vector<&V::scan>("scan", "tensor_tensor_scan"),
       vector<&V::scalar_tensor_tensor>("scalar_tensor_tensor", "scalar_tensor_tensor"),
       vector<&V::scalar_tensor_tensor_narrow>("scalar_tensor_tensor_narrow",
                                               "the same on bf16, subtract then multiply"),
       vector<&V::scalar_tensor_tensor_psum>("scalar_tensor_tensor_psum",
                                             "the same with one tensor in PSUM"),
       vector<&V::memset_narrow_zero>("memset_narrow_zero", "memset of 16-bit floats to 0"),
       vector<&V::memset>("memset", "memset otherwise"),
       vector<&V::copy_predicated_sbuf>("copy_predicated_sbuf", "data and predicate both in SBUF"),
       vector<&V::copy_predicated_mixed>("copy_predicated_mixed",
                                         "data and predicate in different memories"),
       vector<&V::reciprocal>("reciprocal", "reciprocal"),
       vector<&V::exponential>("exponential", "exponential"),
       vector<&V::quantize_mx>("quantize_mx", "quantize_mx, per input element"),
       vector<&V::rand2>("rand2", "rand2"),
       vector<&V::bn_stats>("bn_stats", "bn_stats"),
       vector<&V::bn_aggr>("bn_aggr", "bn_aggr"),
       vector<&V::max8>("max8", "max8, find_index8, match_replace8"),
       vector<&V::transpose>("transpose", "32x32 transpose"),
       vector<&V::shuffle>("shuffle", "nc_stream_shuffle"),
       vector<&V::scalar_operand>("scalar_operand", "occupancy of fetching a [P, 1] operand"),
       vector<&V::dynamic_address>("dynamic_address",
                                   "least occupancy of a copy with a register address"),
       vector<&V::stride_limit_bytes>("stride_limit_bytes",
                                      "innermost stride beyond which the rate halves")});
}

template <auto member>
Field scalar(std::string_view name, std::string_view meaning) {
  return field<core, &Core::scalar_rates, member>("scalar.rate." + std::string(name), meaning);
}

template <auto member>
Field gpsimd(std::string_view name, std::string_view meaning, std::optional<Bounds> bounds = {}) {
  return field<core, &Core::gpsimd_rates, member>("gpsimd.rate." + std::string(name), meaning,
                                                  bounds);
}

void add_other_rates(std::vector<Field>& list) {
  using S = ScalarRates;
  add_stream<&Core::scalar_rates, &S::copy>(list, "scalar.rate.copy_");
  using G = GpsimdRates;
  list.insert(
      list.end(),
      {scalar<&S::activation>("activation", "activation functions"),
       scalar<&S::activation_extra>("activation_extra", "occupancy of an activation above a copy"),
       scalar<&S::read_accumulator>("read_accumulator", "reading the reduction registers out"),
       scalar<&S::table_load>("table_load", "loading the tables of another function set"),
       gpsimd<&G::stream>("stream", "iota, affine_select and the like"),
       gpsimd<&G::partition_reduce>("partition_reduce", "tensor_partition_reduce"),
       gpsimd<&G::nonzero>("nonzero", "nonzero_with_count"),
       gpsimd<&G::topk_input>("topk_input", "topk, per input element of the group"),
       gpsimd<&G::gather>("gather", "nc_n_gather"),
       gpsimd<&G::gather_group>("gather_group", "nc_n_gather: fixed cost of a group"),
       gpsimd<&G::gather_group_elements>("gather_group_elements",
                                         "nc_n_gather: elements of a group", positive),
       gpsimd<&G::local_gather_base>("local_gather_base",
                                     "local_gather: fixed cycles of an unrolled step"),
       gpsimd<&G::local_gather_unroll>("local_gather_unroll",
                                       "local_gather: elements of an unrolled step", positive),
       gpsimd<&G::processors>("processors", "processors of the engine", positive),
       gpsimd<&G::local_memory>("local_memory", "data RAM of one processor").with(Effect::none),
       gpsimd<&G::simd_bits>("simd_bits", "SIMD width of one processor", positive)
           .with(Effect::none)});
}

}  // namespace

void add_core_fields(std::vector<Field>& list) {
  add_features(list);
  add_engine<&Core::tensor>(list, "tensor");
  add_engine<&Core::vector>(list, "vector");
  add_engine<&Core::scalar>(list, "scalar");
  add_engine<&Core::gpsimd>(list, "gpsimd");
  add_engine<&Core::sync>(list, "sync");
  for (Field& field : list) {
    if (std::ranges::find(of_no_consequence, field.key) != std::end(of_no_consequence))
      field.effect = Effect::none;
  }
  add_array(list);
  add_throttle(list);
  add_vector_rates(list);
  add_other_rates(list);
}

}  // namespace trainyard::machine

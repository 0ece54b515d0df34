// Fields of one core's memories, access limits, semaphores, DMA and arithmetic policy.
#include "machine/field.h"

namespace trainyard::machine {

namespace {

template <auto member>
Field sbuf(std::string_view name, std::string_view meaning, std::optional<Bounds> bounds = {}) {
  return field<core, &Core::sbuf, member>("sbuf." + std::string(name), meaning, bounds)
      .with(Effect::rule);
}

template <auto member>
Field psum(std::string_view name, std::string_view meaning, std::optional<Bounds> bounds = {}) {
  return field<core, &Core::psum, member>("psum." + std::string(name), meaning, bounds)
      .with(Effect::rule);
}

void add_on_chip(std::vector<Field>& list) {
  using S = Sbuf;
  using P = Psum;
  list.insert(
      list.end(),
      {sbuf<&S::partitions>("partitions", "partitions", positive),
       sbuf<&S::partition_size>("partition_size", "bytes of a partition", some_bytes),
       sbuf<&S::partition_stride>(
           "partition_stride", "distance of partitions in a DMA's linear address space", some_bytes)
           .with(Effect::none),
       sbuf<&S::reserved>("reserved", "bytes of a partition that programs may not use"),
       sbuf<&S::alignment>("alignment", "least alignment of an allocation", some_bytes),
       sbuf<&S::quadrant>("quadrant", "partitions of a quadrant: instructions start at multiples",
                          positive),
       sbuf<&S::banks>("banks", "banks; 1 is free of conflicts", positive).with(Effect::none),
       sbuf<&S::port_width>("port_width", "bytes per partition and cycle of an engine's port at 1x",
                            some_bytes)
           .with(Effect::timing),
       sbuf<&S::vector_gpsimd_exclusive>("vector_gpsimd_exclusive",
                                         "Vector and GpSimd never access SBUF at once")
           .with(Effect::timing),
       sbuf<&S::vector_gpsimd_shared_bus>("vector_gpsimd_shared_bus",
                                          "they alternate while Vector is in a perf mode")
           .with(Effect::timing),
       sbuf<&S::dma_share>("dma_share", "slots a DMA gets when it meets an engine at a bank")
           .with(Effect::none),
       psum<&P::partitions>("partitions", "partitions", positive),
       psum<&P::banks>("banks", "banks", positive),
       psum<&P::bank_size>("bank_size", "bytes of a bank per partition", some_bytes),
       psum<&P::alignment>("alignment", "least alignment of an allocation", some_bytes)
           .with(Effect::none),
       psum<&P::banks_dma_transpose>("banks_dma_transpose",
                                     "banks usable while DMA transposes run on the tensor engine",
                                     positive)
           .with(Effect::none),
       psum<&P::vector_scalar_exclusive>("vector_scalar_exclusive",
                                         "Vector and Scalar never access PSUM at once")
           .with(Effect::timing),
       psum<&P::same_bank_rate>("same_bank_rate",
                                "rate of a read from the bank the tensor engine writes")
           .with(Effect::timing),
       psum<&P::conflict_penalty>("conflict_penalty", "extra wait of the second accessor of a bank")
           .with(Effect::timing)});
}

template <auto member>
Field access(std::string_view name, std::string_view meaning) {
  return field<core, &Core::access, member>("access." + std::string(name), meaning, positive)
      .with(Effect::rule);
}

void add_access(std::vector<Field>& list) {
  using A = AccessLimits;
  using S = Semaphores;
  constexpr auto semaphores = &Core::semaphores;
  list.insert(
      list.end(),
      {access<&A::dimensions>("dimensions", "free dimensions of a pattern in hardware"),
       access<&A::size_max>("size_max", "largest size of a dimension"),
       access<&A::stride_max>("stride_max", "largest magnitude of a stride, in elements"),
       access<&A::sbuf_elements_max>("sbuf_elements_max",
                                     "free elements of one instruction in SBUF"),
       access<&A::psum_elements_max>("psum_elements_max",
                                     "free elements of one instruction in PSUM"),
       access<&A::indirect_group>("indirect_group", "partitions that hold one index vector"),
       access<&A::indirect_group_tensor>("indirect_group_tensor", "the same on the tensor engine"),
       access<&A::max8_elements_min>("max8_elements_min", "fewest elements of max8"),
       access<&A::max8_elements_max>("max8_elements_max", "most elements of max8"),
       access<&A::bn_stats_elements_max>("bn_stats_elements_max", "most elements of bn_stats"),
       field<core, semaphores, &S::count>("semaphore.count", "semaphores of a core",
                                          Bounds{1, 65535})
           .with(Effect::rule),
       field<core, semaphores, &S::bits>("semaphore.bits", "width of a semaphore", Bounds{1, 64})
           .with(Effect::none),
       field<core, semaphores, &S::events>("semaphore.events", "events of a core")
           .with(Effect::none),
       field<core, semaphores, &S::engine_to_engine>(
           "semaphore.engine_to_engine", "end of an instruction to the start of a waiting engine"),
       field<core, &Core::registers>("register.count", "registers of a sequencer", positive)
           .with(Effect::rule),
       field<core, &Core::register_bits>("register.bits", "width of a register", Bounds{8, 64})
           .with(Effect::none),
       field<core, &Core::instruction_bytes>(
           "instruction.bytes", "length of an instruction as fetched; 0: fetch never stalls")
           .with(Effect::none)});
}

template <auto member>
Field dma(std::string_view name, std::string_view meaning, std::optional<Bounds> bounds = {}) {
  return field<core, &Core::dma, member>("dma." + std::string(name), meaning, bounds);
}

template <auto mode>
void add_mode(std::vector<Field>& list, const std::string& name) {
  using M = DescriptorCosts;
  const std::string prefix = "dma." + name + ".";
  list.insert(list.end(),
              {field<core, &Core::dma, mode, &M::trigger_latency>(
                   prefix + "trigger_latency", "end of the trigger to the first byte moved"),
               field<core, &Core::dma, mode, &M::spread>(
                   prefix + "spread", "from the first engine's first byte to the last engine's"),
               field<core, &Core::dma, mode, &M::issue_interval>(
                   prefix + "issue_interval", "least time between transfer starts of one source"),
               field<core, &Core::dma, mode, &M::packet_overhead>(
                   prefix + "packet_overhead", "time of a packet besides its bytes"),
               field<core, &Core::dma, mode, &M::packet_min>(prefix + "packet_min",
                                                             "least time of a packet")});
}

void add_dma(std::vector<Field>& list) {
  using D = Dma;
  list.insert(
      list.end(),
      {dma<&D::engines>("engines", "DMA engines of a core", Bounds{1, D::engines_max}),
       dma<&D::rings_per_engine>("rings_per_engine", "rings of an engine",
                                 Bounds{D::rings_named, 1e9})
           .with(Effect::timing),
       dma<&D::descriptors_per_packet>("descriptors_per_packet", "most descriptors of a packet",
                                       positive)
           .with(Effect::none),
       dma<&D::descriptor_dimensions>("descriptor_dimensions",
                                      "dimensions of a descriptor's pattern", positive)
           .with(Effect::none),
       dma<&D::sources_max>("sources_max", "sources of a compute operation", positive)
           .with(Effect::rule),
       dma<&D::priorities>("priorities", "priority classes; 1: none", positive).with(Effect::rule),
       dma<&D::class_share_0>("class_share_0", "packets a turn of traffic class 0, if weighted",
                              positive),
       dma<&D::class_share_1>("class_share_1", "of class 1", positive),
       dma<&D::class_share_2>("class_share_2", "of class 2", positive),
       dma<&D::class_share_3>("class_share_3", "of class 3", positive),
       dma<&D::ring_stores>("ring_stores",
                            "transfers into HBM that a ring of hardware descriptors holds before "
                            "its issuer waits",
                            positive),
       dma<&D::ring_depth>("ring_depth", "descriptors such a ring holds for each engine", positive),
       dma<&D::packet_static>("packet_static", "packet of a static transfer", some_bytes),
       dma<&D::packet_collective>("packet_collective", "packet of a collective's copy", some_bytes),
       dma<&D::descriptor_size>("descriptor_size", "bytes of a descriptor in a ring", some_bytes)
           .with(Effect::none),
       dma<&D::software_descriptor_space>("software_descriptor_space",
                                          "SBUF scratch for GpSimd's descriptors, per partition")
           .with(Effect::none),
       dma<&D::link>("link", "link rate of one engine").with(Effect::comparison),
       dma<&D::achieved>("achieved", "rate of one engine on long rows, as advised")
           .with(Effect::none),
       dma<&D::packet_rate>("packet_rate", "rate of one engine within a packet"),
       dma<&D::slow_start>("slow_start", "the first bytes of a piece, which move slower"),
       dma<&D::slow_start_rate>("slow_start_rate", "rate of one engine for those"),
       dma<&D::packet_latency>("packet_latency", "of a packet, beyond its turn on the engine"),
       dma<&D::transpose_efficiency_hbm>("transpose_efficiency_hbm",
                                         "transpose HBM to SBUF, of the copy rate"),
       dma<&D::transpose_efficiency_sbuf>("transpose_efficiency_sbuf",
                                          "transpose SBUF to SBUF, of the copy rate"),
       dma<&D::compute_efficiency>("compute_efficiency", "read-modify-write, of the copy rate")});
  add_mode<&D::fixed>(list, "static");
  add_mode<&D::hardware>(list, "hardware");
  add_mode<&D::software>(list, "software");
  list.insert(
      list.end(),
      {dma<&D::software_prepare>("software_prepare",
                                 "GpSimd's descriptors before a trigger, from a standing start"),
       dma<&D::software_prepare_next>("software_prepare_next",
                                      "GpSimd's descriptors behind another trigger"),
       dma<&D::dge_blocks>("dge_blocks", "descriptor generation blocks in hardware", Bounds{0, 64})
           .with(Effect::none),
       dma<&D::completion>("completion", "last byte to the start of a waiting instruction"),
       dma<&D::semaphore_increment>("semaphore_increment", "added by each engine of a transfer",
                                    positive)
           .with(Effect::rule),
       dma<&D::semaphore_write>("semaphore_write", "bytes of a completion write", some_bytes)
           .with(Effect::none),
       dma<&D::gpsimd_bandwidth>("gpsimd_bandwidth", "GpSimd's own DMA, both directions",
                                 Bounds{0, 1e6}),
       dma<&D::gpsimd_elements_max>("gpsimd_elements_max",
                                    "elements of a partition in one sendrecv over GpSimd's DMA",
                                    Bounds{0, 65536})
           .with(Effect::rule)});
}

template <auto member>
Field policy(std::string_view name, std::string_view meaning, std::optional<Bounds> bounds = {}) {
  return field<core, &Core::policy, member>("policy." + std::string(name), meaning, bounds)
      .with(Effect::values);
}

void add_policy(std::vector<Field>& list) {
  using P = Policy;
  list.insert(
      list.end(),
      {policy<&P::denormals>("denormals", "denormals in every engine").with(Effect::none),
       policy<&P::canonical_nan>("canonical_nan", "FP32 bits of a generated NaN",
                                 Bounds{0, 4294967295.0})
           .with(Effect::none),
       policy<&P::accumulator_mantissa_bits>("accumulator_mantissa_bits",
                                             "mantissa of the tensor engine's running sum",
                                             Bounds{1, 63}),
       policy<&P::mx_products_exact>("mx_products_exact",
                                     "a PE's four MX products are summed exactly, rounded once")
           .with(Effect::none),
       policy<&P::mx_scale_rule>("mx_scale_rule", "how quantize_mx chooses the block scale"),
       policy<&P::quantize_overflow>("quantize_overflow", "out-of-range values in quantize_mx"),
       policy<&P::cast_overflow>("cast_overflow",
                                 "out-of-range values in casts to float8_e4m3 and float8_e5m2"),
       policy<&P::cast_rounding>("cast_rounding",
                                 "rounding of engines' fp32 results to narrower floats"),
       policy<&P::psum_rounding>("psum_rounding",
                                 "rounding of the tensor engine's bf16 results in PSUM"),
       policy<&P::integer_rounding>("integer_rounding",
                                    "rounding of casts to integers, which saturate"),
       policy<&P::search_rule>("search_rule",
                               "absent and repeated values in nc_find_index8, nc_match_replace8"),
       policy<&P::nan_to_integer_zero>("nan_to_integer_zero",
                                       "NaN becomes 0 in a cast to an integer")
           .with(Effect::none),
       policy<&P::fp4_exact_in_fp8>("fp4_exact_in_fp8",
                                    "MXFP4 enters the array as its exact values")
           .with(Effect::none),
       policy<&P::stochastic_rounding_seed>("stochastic_rounding_seed",
                                            "seed of stochastic rounding", Bounds{0, 4294967295.0}),
       policy<&P::xorwow_marsaglia>("xorwow_marsaglia",
                                    "Marsaglia's xorwow seeded by splitmix32(seed, lane)")
           .with(Effect::none),
       policy<&P::activation>("activation", "accuracy of activation functions").with(Effect::none),
       policy<&P::loadable_vector_tables>("loadable_vector_tables",
                                          "effects of loadable Vector tables")
           .with(Effect::none),
       policy<&P::dma_arbitration>("dma_arbitration", "choice between the rings of a DMA engine")
           .with(Effect::timing),
       policy<&P::psum_collision>("psum_collision", "two engines at one PSUM bank")
           .with(Effect::none),
       policy<&P::unwritten>("unwritten", "what an SBUF tensor holds before it is written"),
       policy<&P::low_precision>("low_precision",
                                 "what bfloat16 and FP8 tensors hold: stored or float32 values")});
}

}  // namespace

void add_memory_fields(std::vector<Field>& list) {
  add_on_chip(list);
  add_access(list);
  add_dma(list);
  add_policy(list);
}

}  // namespace trainyard::machine

// Fields of the chip around the cores: HBM, power and energy, headline figures, links, collectives,
// host.
#include "machine/field.h"

namespace trainyard::machine {

namespace {

constexpr auto chip = &Machine::chip;
constexpr Bounds maybe_bandwidth{0, 1e6};  // 0: not published

template <auto member>
Field hbm(std::string_view name, std::string_view meaning, std::optional<Bounds> bounds = {}) {
  return field<chip, &Chip::hbm, member>("hbm." + std::string(name), meaning, bounds);
}

void add_chip(std::vector<Field>& list) {
  using C = Chip;
  using H = Hbm;
  list.insert(
      list.end(),
      {field<chip, &C::cores>("chip.cores", "cores of a chip", positive).with(Effect::cost),
       field<chip, &C::cores_per_logical>("chip.cores_per_logical",
                                          "cores of a logical core by default", positive)
           .with(Effect::none),
       field<chip, &C::dies>("chip.dies", "compute dies", positive).with(Effect::none),
       field<chip, &C::dma_engines_host>("chip.dma_engines_host", "DMA engines for host copies")
           .with(Effect::none),
       field<chip, &C::cc_cores_physical>("chip.cc_cores_physical", "collective cores on the chip")
           .with(Effect::none),
       field<chip, &C::cc_cores>("chip.cc_cores", "collective cores in use").with(Effect::none),
       hbm<&H::stacks>("stacks", "HBM stacks", positive),
       hbm<&H::stack_size>("stack_size", "bytes of a stack", some_bytes).with(Effect::rule),
       hbm<&H::cores_per_stack>("cores_per_stack", "cores that share a stack", positive)
           .with(Effect::rule),
       hbm<&H::bandwidth_peak>("bandwidth_peak", "pin rate of the chip").with(Effect::none),
       hbm<&H::bandwidth>("bandwidth", "sustained rate of the chip: what the model uses"),
       hbm<&H::channels>("channels", "channels of a stack", positive).with(Effect::none),
       hbm<&H::pseudo_channels>("pseudo_channels", "pseudo channels of a channel", positive)
           .with(Effect::none),
       hbm<&H::interleave>("interleave", "bytes before the next channel", some_bytes)
           .with(Effect::none),
       hbm<&H::read_latency>("read_latency", "added to a transfer that reads HBM, over SBUF"),
       hbm<&H::read_ahead>("read_ahead",
                           "of a load; its first bytes move when all of these are there"),
       hbm<&H::write_granule>("write_granule", "a smaller write takes the time of this size",
                              some_bytes),
       hbm<&H::write_latency>("write_latency", "until a write is accepted").with(Effect::none),
       hbm<&H::reserved_per_core>("reserved_per_core", "microcode of a core").with(Effect::none),
       hbm<&H::scratchpad_page>("scratchpad_page", "page of the scratchpad").with(Effect::none),
       hbm<&H::efficient_packet>("efficient_packet", "smaller packets lose efficiency")
           .with(Effect::none),
       hbm<&H::address_window>("address_window", "window of a stack in the device address map",
                               some_bytes)
           .with(Effect::none)});
}

template <auto member>
Field headline(std::string_view name, std::string_view meaning, std::optional<Bounds> bounds = {}) {
  return field<chip, &Chip::headline, member>("headline." + std::string(name), meaning, bounds)
      .with(Effect::none);
}

void add_headline(std::vector<Field>& list) {
  using H = Headline;
  list.insert(
      list.end(),
      {headline<&H::chip_mx>("chip_mx", "printed chip peak, MX; 0: none"),
       headline<&H::chip_bf16>("chip_bf16", "printed chip peak, BF16"),
       headline<&H::chip_fp32>("chip_fp32", "printed chip peak, FP32"),
       headline<&H::chip_sparse>("chip_sparse", "printed chip peak, structured sparse; 0: none"),
       headline<&H::core_mx>("core_mx", "printed core peak, MX; 0: none"),
       headline<&H::core_fp8>("core_fp8", "printed core peak, dense FP8"),
       headline<&H::core_bf16>("core_bf16", "printed core peak, BF16"),
       headline<&H::core_fp32>("core_fp32", "printed core peak, FP32"),
       headline<&H::core_vector>("core_vector", "printed core peak, Vector FP32; 0: none"),
       headline<&H::links>("links", "printed chip-to-chip rate, both directions; 0: none",
                           maybe_bandwidth),
       headline<&H::dma>("dma", "printed DMA rate of the chip; 0: none", maybe_bandwidth)});
}

template <auto member>
Field energy(std::string_view name, std::string_view meaning) {
  return field<chip, &Chip::energy, member>("energy." + std::string(name), meaning)
      .with(Effect::energy);
}

void add_energy(std::vector<Field>& list) {
  using E = EnergyTable;
  using P = PowerLimits;
  list.insert(
      list.end(),
      {energy<&E::mac_fp32>("mac_fp32", "one FP32 multiply-accumulate of the array"),
       energy<&E::mac_bf16>("mac_bf16", "BF16, FP16, TF32"),
       energy<&E::mac_fp8>("mac_fp8", "FP8"),
       energy<&E::mac_mx>("mac_mx", "MXFP8, MXFP4, scaling included"),
       energy<&E::mac_transpose>("mac_transpose", "a PE passing an element of a transpose on"),
       energy<&E::vector_operation>("vector_operation", "one element on Vector"),
       energy<&E::scalar_operation>("scalar_operation", "one element on Scalar"),
       energy<&E::gpsimd_operation>("gpsimd_operation", "one element on GpSimd"),
       energy<&E::sbuf_byte>("sbuf_byte", "one byte read or written in SBUF"),
       energy<&E::psum_byte>("psum_byte", "one byte read or written in PSUM"),
       energy<&E::hbm_byte>("hbm_byte", "one byte read or written in HBM, PHY included"),
       energy<&E::dma_byte>("dma_byte", "one byte through a DMA engine and the on-chip network"),
       energy<&E::link_byte>("link_byte", "one byte over a chip-to-chip link"),
       energy<&E::host_byte>("host_byte", "one byte over the host's PCIe"),
       energy<&E::instruction>("instruction", "fetch, decode and issue of an instruction"),
       energy<&E::core_static>("core_static", "leakage and clocks of a core"),
       energy<&E::chip_static>("chip_static",
                               "everything else of the package that does not follow activity"),
       field<chip, &Chip::power, &P::tdp>("power.tdp", "thermal design power of the chip")
           .with(Effect::none),
       field<chip, &Chip::power, &P::all_in>("power.all_in", "provisioned utility power a chip")
           .with(Effect::cost),
       field<chip, &Chip::power, &P::dvfs>("power.dvfs", "clocks follow power")
           .with(Effect::none)});
}

// What is described but not simulated.
template <auto... path>
Field described(std::string key, std::string_view meaning, std::optional<Bounds> bounds = {}) {
  return field<path...>(std::move(key), meaning, bounds).with(Effect::none);
}

void add_fabric(std::vector<Field>& list) {
  using F = Fabric;
  constexpr auto fabric = &Machine::fabric;
  list.insert(
      list.end(),
      {described<fabric, &F::links_sled>("fabric.links_sled", "links of a chip inside its sled"),
       described<fabric, &F::links_rack>("fabric.links_rack", "links of a chip inside its rack"),
       described<fabric, &F::links_twin>("fabric.links_twin",
                                         "links of a chip to its twin in the other rack"),
       described<fabric, &F::link>("fabric.link", "rate of one link, one direction"),
       described<fabric, &F::switch_latency>("fabric.switch_latency", "one traversal of a switch"),
       described<fabric, &F::switch_ports_sled>("fabric.switch_ports_sled",
                                                "ports of a sled's switch"),
       described<fabric, &F::switch_ports_rack>("fabric.switch_ports_rack",
                                                "ports of a rack's switch"),
       described<fabric, &F::hop_latency>("fabric.hop_latency", "chip to chip hop of a ring"),
       described<fabric, &F::efa>("fabric.efa", "scale-out rate of a chip"),
       described<fabric, &F::efa_latency>("fabric.efa_latency", "HBM to HBM across servers"),
       described<fabric, &F::fat_tree_non_blocking>("fabric.fat_tree_non_blocking",
                                                    "the UltraCluster network never blocks")});
}

void add_host(std::vector<Field>& list) {
  using C = Collective;
  using H = Host;
  constexpr auto collective = &Machine::collective;
  constexpr auto host = &Machine::host;
  list.insert(
      list.end(),
      {field<collective, &C::start>("collective.start",
                                    "from the last rank's trigger to the first step"),
       field<collective, &C::step>("collective.step", "one step: CC-core, DMA, semaphore"),
       field<collective, &C::mesh_max>("collective.mesh_max",
                                       "largest message of the mesh algorithm"),
       field<collective, &C::rdh_max>("collective.rdh_max", "largest message of recursive halving"),
       described<collective, &C::streams_max>("collective.streams_max", "concurrent streams",
                                              positive),
       described<collective, &C::channels_max>("collective.channels_max", "channels", positive),
       field<collective, &C::core_barrier>("collective.core_barrier",
                                           "barrier between the cores of a logical core"),
       field<collective, &C::remote_semaphore>("collective.remote_semaphore",
                                               "semaphore of the other core of a logical core"),
       field<host, &H::pcie>("host.pcie", "host link of a chip, one direction").with(Effect::host),
       field<host, &H::pcie_latency>("host.pcie_latency", "latency of the host link")
           .with(Effect::host),
       field<host, &H::launch_first>("host.launch_first", "first execution of a program")
           .with(Effect::host),
       field<host, &H::launch>("host.launch", "each further execution").with(Effect::host),
       described<host, &H::fp8_reconfiguration>("host.fp8_reconfiguration",
                                                "changing the FP8 configuration at a start")});
}

}  // namespace

void add_system_fields(std::vector<Field>& list) {
  add_chip(list);
  add_headline(list);
  add_energy(list);
  add_fabric(list);
  add_host(list);
}

}  // namespace trainyard::machine

// Is every fact that AWS does not document a named parameter of the machine, with the default this
// project chose? One row per item of the list of undocumented items (its number in the first
// column). Item 36, the instruction scheduling policy, belongs to the compiler.
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "machine/machine.h"
#include "machine/schema.h"

namespace trainyard::machine {
namespace {

struct Item {
  int number;
  std::string_view key;
  std::string_view value;  // in the canonical unit; empty where a published timing decides
};

constexpr Item items[] = {
    {1, "instruction.bytes", "0"},
    {2, "vector.startup", ""},
    {2, "vector.latency", ""},
    {2, "scalar.startup", ""},
    {2, "scalar.latency", ""},
    {2, "gpsimd.startup", "150 cycles"},
    {2, "tensor.min_interval", "64 cycles"},
    {3, "semaphore.engine_to_engine", "36 ns"},
    {3, "dma.completion", "365 ns"},
    {4, "dma.hardware.trigger_latency", "665 ns"},
    {4, "dma.software.trigger_latency", "600 ns"},
    {4, "dma.static.trigger_latency", "1000 ns"},
    {5, "dma.hardware.issue_interval", ""},
    {5, "dma.software.issue_interval", ""},
    {5, "dma.hardware.packet_min", ""},
    {6, "hbm.channels", "16"},
    {6, "hbm.pseudo_channels", "2"},
    {6, "hbm.interleave", "256 B"},
    {6, "hbm.read_latency", "125 ns"},
    {6, "hbm.bandwidth", "4700 GB/s"},
    {6, "hbm.bandwidth_peak", "4915.2 GB/s"},
    {7, "sbuf.port_width", "4 B"},
    {7, "sbuf.dma_share", "1/2 elements/cycle"},
    {7, "sbuf.vector_gpsimd_shared_bus", "true"},
    {8, "sbuf.banks", "1"},
    {9, "psum.same_bank_rate", "1/2 elements/cycle"},
    {9, "policy.psum_collision", "serialise"},
    {10, "sbuf.reserved", "16392 B"},
    {11, "policy.accumulator_mantissa_bits", "24"},
    {11, "policy.mx_products_exact", "true"},
    {12, "policy.denormals", "keep"},
    {13, "policy.canonical_nan", "2143289344"},
    {14, "policy.stochastic_rounding_seed", "0"},
    {15, "policy.xorwow_marsaglia", "true"},
    {16, "feature.vector_xorwow", "true"},
    {17, "policy.activation", "exact"},
    {18, "scalar.rate.table_load", ""},
    {19, "policy.quantize_overflow", "saturate"},
    {19, "policy.cast_overflow", "infinity"},
    {20, "policy.fp4_exact_in_fp8", "true"},
    {21, "policy.integer_rounding", "nearest_even"},
    {21, "policy.nan_to_integer_zero", "true"},
    {22, "semaphore.count", "256"},
    {22, "semaphore.bits", "32"},
    {23, "tensor.queue_depth", "16"},
    {23, "sync.queue_depth", "16"},
    {24, "vector.loop_iteration", ""},
    {24, "vector.branch", ""},
    {25, "sync.register_load_sbuf", ""},
    {25, "sync.register_load_hbm", "1000 ns"},
    {26, "gpsimd.rate.partition_reduce", "1/8 elements/cycle"},
    {26, "gpsimd.rate.nonzero", "1/4 elements/cycle"},
    {26, "gpsimd.rate.gather", "1/2 elements/cycle"},
    {27, "throttle.low", "4"},
    {27, "throttle.windows_to_rise", ""},
    {27, "throttle.windows_to_fall", ""},
    {28, "throttle.thermal", "false"},
    {28, "power.dvfs", "false"},
    {28, "energy.mac_mx", ""},
    {29, "fabric.switch_latency", "250 ns"},
    {29, "fabric.switch_ports_sled", "32"},
    {29, "fabric.switch_ports_rack", "90"},
    {30, "fabric.hop_latency", "1500 ns"},
    {31, "fabric.efa_latency", "15000 ns"},
    {31, "fabric.efa", "25 GB/s"},
    {32, "collective.step", "1500 ns"},
    {33, "collective.mesh_max", "1000000 B"},
    {33, "collective.rdh_max", "56000000 B"},
    {34, "host.pcie", "50 GB/s"},
    {34, "host.pcie_latency", "5000 ns"},
    {35, "host.launch_first", "50000 ns"},
    {35, "host.launch", "15000 ns"},
    {35, "host.fp8_reconfiguration", "20000 ns"},
    {37, "fabric.fat_tree_non_blocking", "true"},
    {38, "power.tdp", ""},
    {39, "policy.loadable_vector_tables", "false"},
    {40, "array.transpose_chain", "2 elements/cycle"},
    {41, "dma.priorities", "4"},
    {41, "policy.dma_arbitration", "strict_priority"},
    {42, "array.macs_sparse", "4 elements/cycle"},
    {42, "feature.structured_sparsity", "true"},
};

TEST(Undocumented, EachItemIsAParameterWithItsDefault) {
  const Machine machine = load("trn3");
  for (const Item& item : items) {
    const Field* field = find_field(item.key);
    ASSERT_NE(field, nullptr) << item.number << " " << item.key;
    if (!item.value.empty()) {
      EXPECT_EQ(text(*field, field->fetch(machine)), item.value) << item.number << " " << item.key;
    }
  }
}

TEST(Undocumented, NoItemIsForgotten) {
  for (int number = 1; number <= 42; ++number) {
    const auto about = [&](const Item& item) { return item.number == number; };
    EXPECT_EQ(std::ranges::any_of(items, about), number != 36) << number;
  }
}

}  // namespace
}  // namespace trainyard::machine

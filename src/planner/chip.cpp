#include "planner/chip.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace trainyard::planner {

namespace {

constexpr double tera = 1e12;
constexpr double giga = 1e9;
constexpr double nano = 1e-9;
constexpr double pico = 1e-12;

// The best rate of a format, or that of the next wider one where the machine has none.
void add_peaks(Chip& chip, const Sheet& sheet) {
  const auto best = [&](std::initializer_list<std::string_view> keys) {
    double result = 0;
    for (const std::string_view key : keys) result = std::max(result, sheet.find(key).value_or(0));
    return result * tera;
  };
  chip.peak = {best({"compute.bf16"}), best({"compute.fp8", "compute.mxfp8", "compute.int8"}),
               best({"compute.fp4"})};
  const std::array<std::string_view, 3> energies{"energy.flop_bf16", "energy.flop_fp8",
                                                 "energy.flop_fp4"};
  for (std::size_t i = 0; i < chip.peak.size(); ++i) {
    chip.native[i] = chip.peak[i] > 0;
    chip.energy_flop[i] = sheet.find(energies[i]).value_or(0) * pico;
    if (i == 0 || chip.native[i]) continue;
    chip.peak[i] = chip.peak[i - 1];
    chip.energy_flop[i] = chip.energy_flop[i - 1];
  }
}

void add_levels(Chip& chip, const Sheet& sheet) {
  const double reach = sheet.at("reach.link");
  for (std::size_t i = 0; i + 1 < chip.levels.size(); ++i) {
    const std::string level = fmt::format("scale_up.level{}", i + 1);
    chip.levels[i] = {.size = sheet.find(level + "_size").value_or(1),
                      .bandwidth = sheet.find(level + "_bandwidth").value_or(0) * giga * reach,
                      .latency = sheet.at("fixed.collective") * nano,
                      .step = sheet.find("fixed.link_step").value_or(0) * nano,
                      .in_switch = sheet.find("scale_up.in_switch").value_or(0)};
  }
  chip.levels.back() = {
      .size = sheet.at("system.scale"),
      .bandwidth = sheet.at("scale_out.bandwidth") * giga * sheet.at("reach.network"),
      .latency = sheet.at("fixed.network") * nano,
      .step = sheet.find("fixed.network_step").value_or(0) * nano};
}

}  // namespace

std::string_view name(Format format) {
  switch (format) {
    case Format::bf16: return "bf16";
    case Format::fp8: return "fp8";
    case Format::fp4: return "fp4";
  }
  base::fail("unknown format");
}

double bytes_of(Format format) {
  switch (format) {
    case Format::bf16: return 2;
    case Format::fp8: return 1 + 1.0 / 32;    // MX: a scale byte for 32 elements
    case Format::fp4: return 0.5 + 1.0 / 32;  // likewise
  }
  base::fail("unknown format");
}

double Chip::domain() const { return levels[0].size * levels[1].size * levels[2].size; }

Chip chip_of(const Sheet& sheet) {
  Chip chip;
  add_peaks(chip, sheet);
  add_levels(chip, sheet);
  chip.memory = sheet.at("memory.capacity") * sheet.at("memory.usable");
  chip.bandwidth = sheet.at("memory.bandwidth") * giga;
  chip.all_to_all = sheet.at("scale_up.all_to_all");
  chip.reach_training = sheet.at("reach.training");
  chip.reach_prefill = sheet.at("reach.prefill");
  chip.reach_memory = sheet.at("reach.memory");
  chip.reach_attention = sheet.at("reach.attention");
  chip.reach_attention_training =
      sheet.find("reach.attention_training").value_or(chip.reach_attention);
  chip.reach_cache = sheet.at("reach.cache");
  chip.overlap = sheet.at("reach.overlap");
  chip.fixed_layer = sheet.at("fixed.layer") * nano;
  chip.fixed_experts = sheet.at("fixed.experts") * nano;
  chip.fixed_step = sheet.at("fixed.step") * nano;
  chip.fixed_prefill = sheet.find("fixed.prefill").value_or(0) * nano;
  chip.energy_hbm_byte = sheet.find("energy.hbm_byte").value_or(0) * pico;
  chip.energy_link_byte = sheet.find("energy.link_byte").value_or(0) * pico;
  chip.idle = sheet.find("power.idle").value_or(0);
  chip.logical_cores = sheet.at("chip.logical_cores");
  chip.system_chips = sheet.at("system.chips");
  chip.scale = sheet.at("system.scale");
  chip.schedules = sheet.schedules();
  chip.reach_collective = sheet.find("reach.collective").value_or(1);
  const auto factor = [&](std::string_view key) { return sheet.find(key).value_or(1); };
  chip.software_prefill = factor("software.prefill");
  chip.software_decode = factor("software.decode");
  chip.software_block = sheet.find("software.experts_block").value_or(0);
  chip.software_block_seconds = sheet.find("software.experts_block_time").value_or(0) * nano;
  chip.software_row = sheet.find("software.experts_row").value_or(0);
  chip.link_ends = sheet.find(link_ends_key).value_or(1);
  return chip;
}

Chip ideal_of(const Sheet& sheet) {
  Chip chip = chip_of(sheet);
  chip.is_ideal = true;
  chip.all_to_all = 1;  // nobody forwards
  chip.schedules = nullptr;
  chip.software_prefill = chip.software_decode = 1;
  chip.software_block = chip.software_block_seconds = chip.software_row = 0;
  chip.reach_training = chip.reach_prefill = chip.reach_memory = chip.overlap = 1;
  chip.reach_attention = chip.reach_attention_training = chip.reach_cache = 1;
  chip.fixed_layer = chip.fixed_experts = chip.fixed_step = chip.fixed_prefill = 0;
  const double link = sheet.at("reach.link");
  for (std::size_t i = 0; i < chip.levels.size(); ++i) {
    const bool network = i + 1 == chip.levels.size();
    chip.levels[i].bandwidth /= network ? sheet.at("reach.network") : link;
    chip.levels[i].latency = chip.levels[i].step = 0;
    if (chip.levels[i].in_switch > 0) chip.levels[i].in_switch = 1;
  }
  return chip;
}

}  // namespace trainyard::planner

#include "report/assumptions.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "machine/schema.h"

namespace trainyard::report {
namespace {

// Figures of a sequencer that only control instructions lean on.
constexpr std::array<std::string_view, 9> control_keys = {".branch",
                                                          ".loop_iteration",
                                                          ".register_move",
                                                          ".register_alu",
                                                          ".register_load_sbuf",
                                                          ".register_load_hbm",
                                                          ".register_store",
                                                          ".drain",
                                                          ".notify"};
constexpr std::array<std::string_view, 3> issue_keys = {".dma_issue_static", ".dma_issue_hardware",
                                                        ".dma_issue_software"};

constexpr std::array<std::string_view, isa::engine_count> engine_prefixes = {
    "tensor.", "vector.", "scalar.", "gpsimd.", "sync."};

bool ends_with_any(std::string_view key, std::span<const std::string_view> endings) {
  return std::ranges::any_of(endings,
                             [&](std::string_view ending) { return key.ends_with(ending); });
}

std::vector<std::string_view> prefixes_of(const Work& work) {
  std::vector<std::string_view> prefixes = {"semaphore.", "policy."};
  for (std::size_t e = 0; e < engine_prefixes.size(); ++e) {
    if (work.instructions[e] > 0) prefixes.push_back(engine_prefixes[e]);
  }
  if (work.instructions[static_cast<std::size_t>(isa::Engine::tensor)] > 0) {
    prefixes.insert(prefixes.end(), {"array.", "throttle."});
  }
  if (work.psum.read + work.psum.written > 0) prefixes.push_back("psum.");
  if (work.sbuf.read + work.sbuf.written > 0) prefixes.push_back("sbuf.");
  if (work.dma_transfers > 0) prefixes.insert(prefixes.end(), {"dma.", "hbm."});
  return prefixes;
}

// Keys of the DMA engines about ways to make descriptors that no transfer of the run uses.
bool is_of_other_transfers(std::string_view key, const Work& work,
                           const machine::Machine& machine) {
  const auto made = [&](isa::DescriptorMaker way) {
    return work.descriptors[static_cast<std::size_t>(way)];
  };
  const auto begins_or_issues = [&](std::string_view way) {
    return key.starts_with(std::string("dma.") + std::string(way)) ||
           key.ends_with(std::string(".dma_issue_") + std::string(way));
  };
  if (!made(isa::DescriptorMaker::fixed) && begins_or_issues("static")) return true;
  if (!made(isa::DescriptorMaker::hardware) && begins_or_issues("hardware")) return true;
  if (!made(isa::DescriptorMaker::software) && begins_or_issues("software")) return true;
  if (!work.transposes_dma && key.starts_with("dma.transpose_")) return true;
  return key.starts_with("dma.class_share_") &&
         machine.core.policy.dma_arbitration != machine::DmaArbitration::weighted;
}

// Keys of a used unit that this run had no occasion to lean on.
bool is_out_of_play(std::string_view key, const Work& work, const machine::Machine& machine) {
  if (is_of_other_transfers(key, work, machine)) return true;
  if (work.activity.macs_mx == 0 && key.starts_with("array.") &&
      key.find("mx") != std::string_view::npos)
    return true;
  if (work.activity.macs_fp32 == 0 && key.starts_with("array.") &&
      key.find("fp32") != std::string_view::npos && key.find("transpose") == std::string_view::npos)
    return true;
  if (work.control_instructions == 0 && ends_with_any(key, control_keys)) return true;
  if (!work.uses_run_time_addresses && key.ends_with(".dynamic_address")) return true;
  if (!ends_with_any(key, issue_keys)) return false;
  for (std::size_t e = 0; e < engine_prefixes.size(); ++e) {
    if (work.issues_dma[e] && key.starts_with(engine_prefixes[e])) return false;
  }
  return true;
}

}  // namespace

std::vector<Assumption> assumptions_of(const Work& work, const economics::EnergyReport& energy,
                                       const machine::Machine& machine) {
  std::vector<std::string_view> prefixes = prefixes_of(work);
  for (const economics::EnergyPart& part : energy.parts) prefixes.push_back(part.key);
  std::vector<Assumption> result;
  for (const machine::Figure* figure : machine.assumed(prefixes)) {
    const machine::Effect effect = machine::find_field(figure->key)->effect;
    // The rules were kept and the program was compiled before the run; it leans on neither.
    if (effect == machine::Effect::none || effect == machine::Effect::rule) continue;
    if (is_out_of_play(figure->key, work, machine)) continue;
    const machine::Range range = figure->range.value_or(machine::Range{});
    result.push_back({figure->key, figure->value, figure->unit,
                      std::string(machine::name(figure->kind)), figure->source, effect, range.low,
                      range.high});
  }
  return result;
}

}  // namespace trainyard::report

#include "report/details.h"

#include <nlohmann/json.hpp>

#include "report/allocations.h"
#include "report/critical_path.h"
#include "report/instruction_facts.h"

namespace trainyard::report {
namespace {

// Keys stay in the order written, so that equal runs are equal text.
using Json = nlohmann::ordered_json;

std::string creation_of(const isa::Program& program, std::uint32_t location) {
  const std::string text = program.describe_location(location);
  return text.substr(0, text.find(" in "));
}

Json json(const Allocation& each, const isa::Program& program) {
  const isa::Tensor& tensor = program.tensors[each.tensor];
  Json result = {{"name", tensor.name},
                 {"shape", tensor.shape},
                 {"dtype", numerics::name(tensor.dtype)},
                 {"place", creation_of(program, tensor.location)}};
  if (tensor.space == isa::Space::hbm) {
    result["role"] = isa::name(tensor.role);
    result["bytes"] = tensor.bytes();
  } else {
    result["partitions"] = {tensor.partition_start, tensor.partitions()};
    result["address"] = tensor.address;
    result["bytes"] = tensor.bytes_per_partition();
  }
  result["begin"] = each.begin.value;
  result["end"] = each.end.value;
  result["read"] = each.moved.read;
  result["written"] = each.moved.written;
  return result;
}

Json memory_json(const isa::Program& program, const machine::Core& core,
                 const trace::Timeline& timeline) {
  Json sbuf = Json::array(), psum = Json::array(), hbm = Json::array();
  for (const Allocation& each : allocations_of(program, timeline)) {
    switch (program.tensors[each.tensor].space) {
      case isa::Space::sbuf: sbuf.push_back(json(each, program)); break;
      case isa::Space::psum: psum.push_back(json(each, program)); break;
      case isa::Space::hbm: hbm.push_back(json(each, program)); break;
      default: break;
    }
  }
  return {{"sbuf",
           {{"partitions", core.sbuf.partitions},
            {"bytes", core.sbuf.usable().value},
            {"tensors", std::move(sbuf)}}},
          {"psum",
           {{"partitions", core.psum.partitions},
            {"bytes", core.psum.partition_size().value},
            {"banks", core.psum.banks},
            {"tensors", std::move(psum)}}},
          {"hbm", {{"tensors", std::move(hbm)}}}};
}

// Columns, because there is one entry for each stretch.
Json path_json(const CriticalPath& path) {
  Json end = Json::array(), track = Json::array(), reason = Json::array(),
       instruction = Json::array();
  for (const Segment& segment : path.segments) {
    end.push_back(segment.end.value);
    track.push_back(trace::index(segment.track));
    reason.push_back(trace::index(segment.reason));
    instruction.push_back(segment.instruction == trace::no_instruction
                              ? std::int64_t{-1}
                              : std::int64_t{segment.instruction});
  }
  return {{"end", end}, {"track", track}, {"reason", reason}, {"instruction", instruction}};
}

}  // namespace

std::string details_json(const isa::Program& program, const machine::Core& core,
                         const trace::Timeline& timeline) {
  const Json result = {{"schema", "trainyard.details"},
                       {"version", details_format_version},
                       {"memory", memory_json(program, core, timeline)},
                       {"path", path_json(critical_path(program, timeline))},
                       {"facts", instruction_facts(program, core)}};
  return result.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace trainyard::report

#include "graph/partition/estimate.h"

#include <algorithm>

#include "graph/loop_turns.h"
#include "graph/multiply_adds.h"

namespace trainyard::graph {

namespace {

// In the time in which a byte passes through HBM a device multiplies and adds so often, and a tenth
// of a byte reaches it from others: 1.2 TB/s, 157 TFLOPS and 0.1 TB/s of two cores of Trainium3.
constexpr double products_a_byte = 64, bytes_a_byte_sent = 10;

class Estimate {
 public:
  explicit Estimate(const Function& function) : function_(function) {}

  [[nodiscard]] double of(const Region& region) const {
    double all = 0;
    for (const Op& op : region.ops) all += of(op, region);
    return all;
  }

 private:
  [[nodiscard]] double bytes(const std::vector<ValueId>& values) const {
    double all = 0;
    for (const ValueId value : values) {
      const Type& type = function_.type(value);
      if (type.kind == Type::Kind::tensor && type.is_static())
        all += static_cast<double>(type.bytes());
    }
    return all;
  }

  [[nodiscard]] double of(const Op& op, const Region& around) const {
    if (op.kind == OpKind::while_)
      return static_cast<double>(counted_turns(op, around).value_or(1)) * of(op.regions.at(1));
    if (op.kind == OpKind::case_ || op.kind == OpKind::if_) {
      double most = 0;
      for (const Region& side : op.regions) most = std::max(most, of(side));
      return most;
    }
    const double made = bytes(op.results);
    if (op.find("replica_groups") != nullptr)
      return bytes_a_byte_sent * std::max(made, bytes(op.operands));
    if (op.kind != OpKind::dot_general) return made;
    return made + multiply_adds(function_, op) / products_a_byte;
  }

  const Function& function_;
};

}  // namespace

double estimated_bytes(const Module& module) {
  return Estimate(module.entry()).of(module.entry().body);
}

}  // namespace trainyard::graph

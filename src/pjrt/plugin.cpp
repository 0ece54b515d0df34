// The slots that are called before there is a client.
#include "graph/artifact.h"
#include "pjrt/error.h"
#include "pjrt/named_values.h"
#include "pjrt/serve.h"

namespace trainyard::pjrt {

void serve(PluginInitializeArgs&) {}

void serve(PluginAttributesArgs& args) {
  // The newest StableHLO that our reader knows; the framework downgrades its programs to it.
  static const NamedValues attributes = [] {
    constexpr graph::ArtifactVersion newest = graph::artifact_version_newest;
    NamedValues values;
    values.add("stablehlo_current_version",
               std::vector<std::int64_t>{newest.major, newest.minor, newest.patch});
    values.add("stablehlo_minimum_version", std::vector<std::int64_t>{0, 9, 0});
    return values;
  }();
  args.attributes = attributes.values().data();
  args.num_attributes = attributes.values().size();
}

}  // namespace trainyard::pjrt

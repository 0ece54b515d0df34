#include "pjrt/api.h"

#include "pjrt/entry.h"

namespace trainyard::pjrt {

const Api& api() {
  static const Api table = [] {
    Api result{};
    result.struct_size = sizeof(Api);
    result.extension_start = nullptr;
    result.version = {{sizeof(ApiVersion), nullptr}, api_major, api_minor};
    fill(result, slots, std::make_index_sequence<slots.names.size()>{});
    return result;
  }();
  return table;
}

}  // namespace trainyard::pjrt

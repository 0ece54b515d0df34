// The only symbol of the plugin that others see.
#include "pjrt/api.h"

extern "C" __attribute__((visibility("default"))) const trainyard::pjrt::Api* GetPjrtApi() {
  return &trainyard::pjrt::api();
}

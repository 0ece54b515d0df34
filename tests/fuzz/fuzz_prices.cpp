// Whatever the bytes, reading a price list either works or throws InputError, and so does asking it
// for what it may lack.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "economics/prices.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace trainyard;
  try {
    const economics::Prices prices =
        economics::load_prices_text({reinterpret_cast<const char*>(data), size}, "prices.toml");
    for (const std::string& basis : prices.bases("trn2"))
      static_cast<void>(prices.rental("trn2", basis));
    static_cast<void>(prices.all_in("b200"));
  } catch (const base::InputError&) {
  }
  return 0;
}

#include "engines/work.h"

namespace trainyard::engines {

void WorkTotals::show(base::StateVisitor& visitor) {
  for (std::int64_t& count : macs) visitor.counter(count);
  for (std::int64_t& count : elements) visitor.counter(count);
  for (std::int64_t* count : {&sbuf_bytes, &psum_bytes, &hbm_read_bytes, &hbm_written_bytes,
                              &dma_bytes, &instructions, &transfers})
    visitor.counter(*count);
}

}  // namespace trainyard::engines

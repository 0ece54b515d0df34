#include "economics/activity.h"

namespace trainyard::economics {

Activity& Activity::operator+=(const Activity& other) {
  macs_fp32 += other.macs_fp32;
  macs_bf16 += other.macs_bf16;
  macs_fp8 += other.macs_fp8;
  macs_mx += other.macs_mx;
  macs_transpose += other.macs_transpose;
  vector_elements += other.vector_elements;
  scalar_elements += other.scalar_elements;
  gpsimd_elements += other.gpsimd_elements;
  sbuf += other.sbuf;
  psum += other.psum;
  hbm += other.hbm;
  dma += other.dma;
  link += other.link;
  host += other.host;
  instructions += other.instructions;
  return *this;
}

void Activity::add_macs(numerics::DType format, std::int64_t count) {
  if (numerics::is_packed(format)) {
    macs_mx += count;
  } else if (format == numerics::DType::float32) {
    macs_fp32 += count;
  } else if (numerics::size_in_bytes(format) == 1) {
    macs_fp8 += count;
  } else {
    macs_bf16 += count;
  }
}

}  // namespace trainyard::economics

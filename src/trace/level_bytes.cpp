#include "trace/level_bytes.h"

#include <algorithm>

namespace trainyard::trace {
namespace {

// Idle is what the others leave, so it is not written.
constexpr std::size_t written_reasons = reason_count - 1;
static_assert(index(Reason::idle) == written_reasons);

}  // namespace

void encode_buckets(std::span<const ReasonTotals> buckets, std::string& out) {
  for (const ReasonTotals& bucket : buckets) {
    std::uint64_t present = 0;
    for (std::size_t reason = 0; reason < written_reasons; ++reason) {
      if (bucket.ticks[reason] != 0) present |= std::uint64_t{1} << reason;
    }
    put_varint(out, present);
  }
  for (std::size_t reason = 0; reason < written_reasons; ++reason) {
    for (const ReasonTotals& bucket : buckets) {
      if (bucket.ticks[reason] != 0)
        put_varint(out, static_cast<std::uint64_t>(bucket.ticks[reason]));
    }
  }
}

std::vector<ReasonTotals> decode_buckets(std::string_view bytes, std::size_t count,
                                         unsigned width_log2, base::Ticks begin, base::Ticks end,
                                         std::string_view place) {
  ByteReader reader(bytes, place);
  if (count > bytes.size()) reader.malformed("fewer bytes than buckets need");
  std::vector<std::uint64_t> present(count);
  for (std::uint64_t& mask : present) {
    mask = reader.varint_at_most((std::uint64_t{1} << written_reasons) - 1, "a set of reasons");
  }
  std::vector<ReasonTotals> buckets(count);
  // What is not yet explained of a bucket is kept as its idle time, so a sum above the width shows
  // at once.
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t width = std::int64_t{1} << width_log2;
    const std::int64_t left = end.value - begin.value - static_cast<std::int64_t>(i) * width;
    buckets[i].ticks[index(Reason::idle)] = std::clamp<std::int64_t>(left, 0, width);
  }
  for (std::size_t reason = 0; reason < written_reasons; ++reason) {
    for (std::size_t i = 0; i < count; ++i) {
      if (((present[i] >> reason) & 1u) == 0) continue;
      std::int64_t& idle = buckets[i].ticks[index(Reason::idle)];
      const std::uint64_t ticks =
          reader.varint_at_most(static_cast<std::uint64_t>(idle), "a bucket's total");
      buckets[i].ticks[reason] = static_cast<std::int64_t>(ticks);
      idle -= static_cast<std::int64_t>(ticks);
    }
  }
  reader.expect_end();
  return buckets;
}

}  // namespace trainyard::trace

// The byte form of buckets of a level of detail (trace/pyramid.h), in blocks that a viewer reads
// one at a time.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/bytes.h"
#include "trace/pyramid.h"

namespace trainyard::trace {

inline constexpr std::size_t block_buckets = 4096;
// The most bytes one bucket can take.
inline constexpr std::size_t bucket_bytes_max = 2 + reason_count * varint_bytes_max;

void encode_buckets(std::span<const ReasonTotals> buckets, std::string& out);
// `count` buckets of 2^width_log2 ticks, the first of which begins at `begin`, in a run that ends
// at `end`. Throws InputError "trace.file" naming `place`.
[[nodiscard]] std::vector<ReasonTotals> decode_buckets(std::string_view bytes, std::size_t count,
                                                       unsigned width_log2, base::Ticks begin,
                                                       base::Ticks end, std::string_view place);

}  // namespace trainyard::trace

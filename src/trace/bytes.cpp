#include "trace/bytes.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"
#include "base/hash.h"

namespace trainyard::trace {

void malformed_file(std::string_view place, std::string_view found) {
  throw base::InputError({std::string(trace_file_format.label), std::string(trace_file_format.rule),
                          std::string(place), std::string(found),
                          std::string(trace_file_format.fix)});
}

std::uint64_t content_hash(std::string_view bytes, std::uint64_t seed) {
  // A multiply and a rotation a word (the constants are SplitMix64's), finished by the byte hash of
  // base.
  std::uint64_t hash = seed ^ (bytes.size() * 0x9E3779B97F4A7C15u);
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
    hash = std::rotl((hash ^ word) * 0xBF58476D1CE4E5B9u, 29);
  }
  return base::hash_combine(base::hash_seed, hash);
}

}  // namespace trainyard::trace

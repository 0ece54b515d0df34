// zstd frames, whole blocks at a time. The compressed bytes may differ between zstd versions;
// hashes are therefore taken of the bytes before compression.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct ZSTD_CCtx_s;

namespace trainyard::trace {

// Compresses many blocks with one set of buffers.
class Compressor {
 public:
  // Level 1 for what is written while a run is timed, more for what is written once.
  explicit Compressor(int level);
  // One frame with its content size and a checksum.
  [[nodiscard]] std::string compress(std::string_view bytes);

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
  std::string scratch_;
};

// The bytes of one frame. Throws InputError "trace.file" naming `place` when the frame is damaged
// or holds more than `limit` bytes; allocates no more than it can fill.
[[nodiscard]] std::string decompress(std::string_view frame, std::size_t limit,
                                     std::string_view place);

}  // namespace trainyard::trace

#include "trace/compress.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <new>

#include "base/error.h"
#include "trace/bytes.h"

namespace trainyard::trace {

Compressor::Compressor(int level) : context_(ZSTD_createCCtx()) {
  if (context_ == nullptr) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
}

void Compressor::Free::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

std::string Compressor::compress(std::string_view bytes) {
  scratch_.resize(std::max(scratch_.size(), ZSTD_compressBound(bytes.size())));
  const std::size_t size =
      ZSTD_compress2(context_.get(), scratch_.data(), scratch_.size(), bytes.data(), bytes.size());
  base::check(ZSTD_isError(size) == 0, "zstd could not compress a block");
  return scratch_.substr(0, size);
}

namespace {

struct FreeStream {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

}  // namespace

std::string decompress(std::string_view frame, std::size_t limit, std::string_view place) {
  const std::unique_ptr<ZSTD_DCtx, FreeStream> context(ZSTD_createDCtx());
  if (context == nullptr) throw std::bad_alloc();
  // A damaged header may claim any size, so the buffer grows only as bytes really arrive.
  constexpr std::size_t first_size = std::size_t{1} << 20;
  const unsigned long long claimed = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (claimed == ZSTD_CONTENTSIZE_ERROR) malformed_file(place, "no zstd frame begins here");
  if (claimed != ZSTD_CONTENTSIZE_UNKNOWN && claimed > limit) {
    malformed_file(
        place, fmt::format("a block of {} bytes where at most {} are possible", claimed, limit));
  }
  std::string bytes(std::min({limit, first_size, static_cast<std::size_t>(claimed)}), '\0');
  ZSTD_inBuffer in{frame.data(), frame.size(), 0};
  ZSTD_outBuffer out{bytes.data(), bytes.size(), 0};
  for (;;) {
    const std::size_t left = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(left) != 0)
      malformed_file(place, fmt::format("zstd says: {}", ZSTD_getErrorName(left)));
    if (left == 0) break;
    if (out.pos < out.size) malformed_file(place, "the block is cut short");
    if (out.size == limit)
      malformed_file(place, fmt::format("a block of more than {} bytes", limit));
    bytes.resize(std::min(limit, std::max(bytes.size() * 2, first_size)));
    out = {bytes.data(), bytes.size(), out.pos};
  }
  if (in.pos != in.size) malformed_file(place, "bytes follow the zstd frame");
  bytes.resize(out.pos);
  return bytes;
}

}  // namespace trainyard::trace

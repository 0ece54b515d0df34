#include "state/pages.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/units.h"

namespace trainyard::state {

Pages::Pages(std::int64_t bytes) : size_(bytes) {
  if (bytes == 0) return;
  void* place = ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) {
    throw base::InputError(
        {"host.address_space", "the host grants address space for the simulated memory", "",
         fmt::format("{} bytes: {}", bytes, std::strerror(errno)),
         "raise the limit on virtual memory (ulimit -v) or simulate a smaller memory"});
  }
  data_ = static_cast<std::byte*>(place);
}

Pages::~Pages() {
  if (data_ != nullptr) ::munmap(data_, static_cast<std::size_t>(size_));
}

Pages::Pages(Pages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Pages& Pages::operator=(Pages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void Pages::clear() {
  if (data_ == nullptr) return;
  base::check(::madvise(data_, static_cast<std::size_t>(size_), MADV_DONTNEED) == 0,
              "the host takes pages back");
}

std::int64_t Pages::resident_bytes() const {
  if (data_ == nullptr) return 0;
  const std::int64_t page = ::sysconf(_SC_PAGESIZE);
  std::int64_t resident = 0;
  std::vector<unsigned char> present(1 << 16);
  const std::int64_t window = page * static_cast<std::int64_t>(present.size());
  for (std::int64_t at = 0; at < size_; at += window) {
    const std::int64_t length = std::min(window, size_ - at);
    base::check(::mincore(const_cast<std::byte*>(data_) + at, static_cast<std::size_t>(length),
                          present.data()) == 0,
                "the host tells which pages are present");
    const auto pages = base::ceil_div(length, page);
    resident += page * std::count_if(present.begin(), present.begin() + pages,
                                     [](unsigned char p) { return (p & 1u) != 0; });
  }
  return resident;
}

WrittenMap::WrittenMap(std::int64_t bytes) : bits_(base::ceil_div(bytes, 64) * 8) {}

namespace {

// The cores of a grid run on threads of their own and share the map of their HBM stack. What one
// core reads of another one's marks is ordered by where they meet.
using Word = std::atomic_ref<std::uint64_t>;

// Calls f(word index, mask) for each 64-bit word that [first, first + count) overlaps; stops when f
// returns false.
template <typename F>
void for_each_word(std::int64_t first, std::int64_t count, F&& f) {
  const std::int64_t end = first + count;
  for (std::int64_t at = first; at < end;) {
    const std::int64_t word = at / 64;
    const std::int64_t stop = std::min(end, (word + 1) * 64);
    const auto low = static_cast<unsigned>(at % 64);
    const auto length = static_cast<unsigned>(stop - at);
    const std::uint64_t mask = (length == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1)
                               << low;
    if (!f(word, mask)) return;
    at = stop;
  }
}

}  // namespace

void WrittenMap::mark(std::int64_t first, std::int64_t count) {
  for_each_word(first, count, [&](std::int64_t index, std::uint64_t mask) {
    const Word word(words()[index]);
    if ((~word.load(std::memory_order_relaxed) & mask) != 0)
      word.fetch_or(mask, std::memory_order_relaxed);
    return true;
  });
}

void WrittenMap::forget(std::int64_t first, std::int64_t count) {
  for_each_word(first, count, [&](std::int64_t index, std::uint64_t mask) {
    const Word word(words()[index]);
    if ((word.load(std::memory_order_relaxed) & mask) != 0)
      word.fetch_and(~mask, std::memory_order_relaxed);
    return true;
  });
}

std::int64_t WrittenMap::find(std::int64_t first, std::int64_t count, bool written) const {
  const std::uint64_t flip = written ? 0 : ~std::uint64_t{0};
  std::int64_t found = first + count;
  for_each_word(first, count, [&](std::int64_t word, std::uint64_t mask) {
    const std::uint64_t here = (Word(words()[word]).load(std::memory_order_relaxed) ^ flip) & mask;
    if (here == 0) return true;
    found = word * 64 + std::countr_zero(here);
    return false;
  });
  return found;
}

std::int64_t WrittenMap::first_unwritten(std::int64_t first, std::int64_t count) const {
  return find(first, count, false);
}

std::int64_t WrittenMap::first_written(std::int64_t first, std::int64_t count) const {
  return find(first, count, true);
}

bool WrittenMap::all_written(std::int64_t first, std::int64_t count) const {
  return first_unwritten(first, count) == first + count;
}

}  // namespace trainyard::state

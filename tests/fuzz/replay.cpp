// Runs one fuzz target on every file of a corpus folder and on copies damaged in a few places,
// without libFuzzer and always the same: what it must not do is crash, hang or throw anything the
// target does not expect.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/random.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr int damaged_copies = 300;

std::string damage(std::string bytes, trainyard::base::Random& random) {
  for (std::uint64_t left = 1 + random.below(4); left > 0 && !bytes.empty(); --left) {
    const auto at = static_cast<std::size_t>(random.below(bytes.size()));
    switch (random.below(4)) {
      case 0: bytes[at] = static_cast<char>(random.next()); break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << static_cast<int>(random.below(8))));
        break;
      case 2: bytes.erase(at, 1 + random.below(8)); break;
      default: bytes.insert(at, 1 + random.below(8), static_cast<char>(random.next())); break;
    }
  }
  return bytes;
}

// Returns whether nothing was thrown; else the input is written beside, to be tried alone.
bool run(const std::string& bytes, const std::string& from) {
  try {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    return true;
  } catch (const std::exception& error) {
    const std::string kept =
        "damaged-" + std::to_string(trainyard::base::hash_bytes(std::as_bytes(std::span(bytes))));
    trainyard::base::write_file(kept, bytes);
    std::fprintf(stderr, "%s, damaged (%s): %s\n", from.c_str(), kept.c_str(), error.what());
    return false;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: %s CORPUS_FOLDER\n", argv[0]), 2;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
    files.push_back(entry.path());
  std::ranges::sort(files);
  if (files.empty()) return std::fprintf(stderr, "%s is empty\n", argv[1]), 1;
  int bad = 0;
  for (const std::filesystem::path& file : files) {
    const std::string bytes = trainyard::base::read_file(file);
    bad += run(bytes, file.string()) ? 0 : 1;
    trainyard::base::Random random(bytes.size());
    for (int i = 0; i < damaged_copies; ++i)
      bad += run(damage(bytes, random), file.string()) ? 0 : 1;
  }
  std::printf("%zu files, %d damaged copies of each, %d failures\n", files.size(), damaged_copies,
              bad);
  return bad == 0 ? 0 : 1;
}

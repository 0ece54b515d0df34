// One process or thread at a time reads, changes and writes a file.
#pragma once

#include <filesystem>

namespace trainyard::base {

class FileLock {
 public:
  // Waits until nobody else holds one for that file; holds nothing where its folder takes no file
  // beside it, as nothing can be written there either.
  explicit FileLock(const std::filesystem::path& file);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  int descriptor_;  // of FILE.lock, which stays; less than 0: none
};

}  // namespace trainyard::base

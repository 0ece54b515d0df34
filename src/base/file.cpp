#include "base/file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/error.h"

namespace trainyard::base {

namespace {

std::string last_error() { return std::strerror(errno); }

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError({"file.read", "the path names a readable file", path.string(), "a directory",
                      "name a file"});
  }
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  if (in) content << in.rdbuf();
  if (!in) {
    throw InputError({"file.read", "the path names a readable file", path.string(), last_error(),
                      "check the path and its permissions"});
  }
  return std::move(content).str();
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  static std::atomic<int> written = 0;  // another thread may write the same file
  const std::filesystem::path temporary =
      fmt::format("{}.{}.{}.tmp", path.string(), ::getpid(), written++);
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  if (out) out.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (out) out.close();
  const std::string reason = out ? std::string{} : last_error();
  std::error_code error;
  if (out) std::filesystem::rename(temporary, path, error);
  if (!out || error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw InputError({"file.write", "the file can be written", path.string(),
                      error ? error.message() : reason,
                      "check the folder, its permissions and the free space"});
  }
}

}  // namespace trainyard::base

#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace trainyard::base {

namespace {

std::string last_error() { return std::strerror(errno); }

// A descriptor that is closed with its scope; less than 0: none.
struct Descriptor {
  explicit Descriptor(int opened) : number(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  // False, with errno, where the system reports a write that failed only now.
  bool close() { return ::close(std::exchange(number, -1)) == 0; }

  int number;
};

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// The file that links lead to, so that the link stays and what it names is replaced.
std::filesystem::path follow_links(std::filesystem::path path) {
  constexpr int links_max = 40;  // as the kernel's
  std::error_code none;
  for (int i = 0; i < links_max && std::filesystem::is_symlink(path, none); ++i) {
    const std::filesystem::path target = std::filesystem::read_symlink(path, none);
    if (none) break;
    path = path.parent_path() / target;  // an absolute target replaces the folder
  }
  return path;
}

// A new file in the folder of `path`, whose name nobody can know before and which is no link.
Descriptor create_beside(const std::filesystem::path& path, std::filesystem::path& created) {
  std::random_device random;
  const std::uint64_t number = std::uint64_t{random()} << 32 | random();
  created = path.parent_path() / fmt::format(".{:016x}.partial", number);
  return Descriptor(
      ::open(created.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
}

// Makes a rename last. A folder that may not be read, and a file system that syncs none, are left.
bool sync_folder(const std::filesystem::path& folder) {
  const Descriptor opened(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number < 0) return errno == EACCES;
  return ::fsync(opened.number) == 0 || errno == EINVAL || errno == ENOTSUP;
}

// The permissions of a file that may be replaced, or nothing where there is none. Any other error,
// or a file of another kind, is in errno.
bool find_mode(const std::filesystem::path& path, std::optional<mode_t>& mode) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return errno == ENOENT;
  if (!S_ISREG(found.st_mode)) {
    errno = S_ISDIR(found.st_mode) ? EISDIR : EINVAL;
    return false;
  }
  mode = found.st_mode & 07777;
  return true;
}

// Why the file could not be replaced, if it could not.
std::optional<std::string> replace(const std::filesystem::path& path, std::string_view content) {
  std::optional<mode_t> mode;
  if (!find_mode(path, mode)) return last_error();
  std::filesystem::path partial;
  Descriptor out = create_beside(path, partial);
  if (out.number < 0) return last_error();
  const bool done =
      write_all(out.number, content) && (!mode.has_value() || ::fchmod(out.number, *mode) == 0) &&
      ::fsync(out.number) == 0 && out.close() && ::rename(partial.c_str(), path.c_str()) == 0;
  if (!done) {
    std::string reason = last_error();
    ::unlink(partial.c_str());
    return reason;
  }
  if (!sync_folder(path.parent_path())) return last_error();
  return std::nullopt;
}

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
  if (const auto reason = replace(follow_links(path), content)) {
    throw InputError({"file.write", "the file can be written", path.string(), *reason,
                      "check the folder, its permissions and the free space"});
  }
}

}  // namespace trainyard::base

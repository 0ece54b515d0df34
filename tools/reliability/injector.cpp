// Loaded in front of libc (LD_PRELOAD), makes one call of a process fail as a full disk, a broken
// one, a lack of memory, Ctrl-C or a power cut would. The environment says which:
//
//   TRAINYARD_FAULT  full, broken, interrupted or killed (at a file operation), memory (at an
//                    allocation), count (nothing fails)
//   TRAINYARD_FAULT_AT      the number of the call, from 1
//   TRAINYARD_FAULT_FOLDER  file operations are those on files in it
//   TRAINYARD_FAULT_COUNT   a file outside of the folder that receives how many calls there were
//
// File operations are the calls that create, write, flush, move and remove; allocations those of at
// least 1 MiB, as smaller ones fail where nothing of ours can answer for it. Calls are those of the
// process that was started, not of its children.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

enum class Fault { none, count, full, broken, interrupted, killed, memory };

constexpr std::size_t large = 1 << 20;

Fault fault = Fault::none;
long fault_at = 0;
pid_t process = 0;
char folder[4096];
std::size_t folder_length = 0;
std::atomic<long> file_operations{0}, allocations{0};

Fault fault_named(const char* name) {
  if (std::strcmp(name, "count") == 0) return Fault::count;
  if (std::strcmp(name, "full") == 0) return Fault::full;
  if (std::strcmp(name, "broken") == 0) return Fault::broken;
  if (std::strcmp(name, "interrupted") == 0) return Fault::interrupted;
  if (std::strcmp(name, "killed") == 0) return Fault::killed;
  if (std::strcmp(name, "memory") == 0) return Fault::memory;
  std::fprintf(stderr, "TRAINYARD_FAULT is no fault: %s\n", name);
  std::_Exit(2);
}

__attribute__((constructor)) void read_environment() {
  const char* const name = std::getenv("TRAINYARD_FAULT");
  if (name == nullptr) return;
  const char* const at = std::getenv("TRAINYARD_FAULT_AT");
  const char* const where = std::getenv("TRAINYARD_FAULT_FOLDER");
  fault_at = at == nullptr ? 0 : std::atol(at);
  if (where != nullptr) std::snprintf(folder, sizeof(folder), "%s/", where);
  folder_length = std::strlen(folder);
  process = getpid();
  fault = fault_named(name);
}

__attribute__((destructor)) void write_count() {
  const char* const path = std::getenv("TRAINYARD_FAULT_COUNT");
  if (path == nullptr || fault == Fault::none || getpid() != process) return;
  if (std::FILE* const file = std::fopen(path, "w")) {
    std::fprintf(file, "%ld %ld\n", file_operations.load(), allocations.load());
    std::fclose(file);
  }
}

bool is_inside(const char* path) {
  if (fault == Fault::none || getpid() != process || path == nullptr) return false;
  if (path[0] == '/') return std::strncmp(path, folder, folder_length) == 0;
  char here[4096];
  if (getcwd(here, sizeof(here)) == nullptr) return false;
  const std::size_t length = std::strlen(here);
  return std::strncmp(here, folder, folder_length - 1) == 0 &&
         (length == folder_length - 1 || here[folder_length - 1] == '/');
}

bool is_inside(int descriptor) {
  if (fault == Fault::none) return false;
  char link[64], path[4096];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof(path) - 1);
  if (length <= 0) return false;
  path[length] = '\0';
  return path[0] == '/' && is_inside(path);
}

// Whether the file operation that comes now fails; errno says how. A full disk stays full.
bool fails() {
  const long now = ++file_operations;
  const bool is_it = now == fault_at;
  if (is_it && fault == Fault::interrupted) raise(SIGINT);
  if (is_it && fault == Fault::killed) raise(SIGKILL);
  if (fault == Fault::full && now >= fault_at) {
    errno = ENOSPC;
    return true;
  }
  if (is_it && fault == Fault::broken) {
    errno = EIO;
    return true;
  }
  return false;
}

bool lacks_memory(std::size_t size) {
  if (fault == Fault::none || size < large || getpid() != process) return false;
  if (++allocations != fault_at || fault != Fault::memory) return false;
  errno = ENOMEM;
  return true;
}

template <typename F>
F* next(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

constexpr int makes_something = O_CREAT | O_TRUNC;

int open_file(const char* name, int at, const char* path, int flags, mode_t mode) {
  if ((flags & makes_something) != 0 && is_inside(path) && fails()) return -1;
  if (std::strncmp(name, "openat", 6) == 0) {
    static auto* const real = next<int(int, const char*, int, ...)>("openat");
    return real(at, path, flags, mode);
  }
  static auto* const real = next<int(const char*, int, ...)>("open");
  return real(path, flags, mode);
}

mode_t mode_of(int flags, std::va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file("open", AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file("open", AT_FDCWD, path, flags, mode);
}
int openat(int at, const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file("openat", at, path, flags, mode);
}
int openat64(int at, const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file("openat", at, path, flags, mode);
}

ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  static auto* const real = next<ssize_t(int, const void*, std::size_t)>("write");
  if (is_inside(descriptor) && fails()) return -1;
  return real(descriptor, bytes, size);
}
ssize_t writev(int descriptor, const iovec* parts, int count) {
  static auto* const real = next<ssize_t(int, const iovec*, int)>("writev");
  if (is_inside(descriptor) && fails()) return -1;
  return real(descriptor, parts, count);
}
int fsync(int descriptor) {
  static auto* const real = next<int(int)>("fsync");
  if (is_inside(descriptor) && fails()) return -1;
  return real(descriptor);
}
int fdatasync(int descriptor) {
  static auto* const real = next<int(int)>("fdatasync");
  if (is_inside(descriptor) && fails()) return -1;
  return real(descriptor);
}
int rename(const char* from, const char* to) {
  static auto* const real = next<int(const char*, const char*)>("rename");
  if (is_inside(to) && fails()) return -1;
  return real(from, to);
}
int renameat(int from_at, const char* from, int to_at, const char* to) {
  static auto* const real = next<int(int, const char*, int, const char*)>("renameat");
  if (is_inside(to) && fails()) return -1;
  return real(from_at, from, to_at, to);
}
// Removing makes room: it works on a full disk.
int unlink(const char* path) {
  static auto* const real = next<int(const char*)>("unlink");
  if (fault != Fault::full && is_inside(path) && fails()) return -1;
  return real(path);
}

void* malloc(std::size_t size) { return lacks_memory(size) ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) {
  return lacks_memory(count * size) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  return lacks_memory(size) ? nullptr : __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return lacks_memory(size) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  if (lacks_memory(size)) return ENOMEM;
  *result = __libc_memalign(alignment, size);
  return *result == nullptr ? ENOMEM : 0;
}

}  // extern "C"

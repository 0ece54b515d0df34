// std::condition_variable::wait as libstdc++ has had it since gcc 4. Since gcc 12 its header names
// a newer version of the same function, which the runtime of gcc 11 lacks; the linker sends every
// call here (--wrap).
#include <condition_variable>
#include <mutex>

__asm__(
    ".symver trainyard_old_wait, "
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE@GLIBCXX_3.4.11");
extern "C" void trainyard_old_wait(std::condition_variable*, std::unique_lock<std::mutex>*);

extern "C" void trainyard_wait(std::condition_variable*, std::unique_lock<std::mutex>*) __asm__(
    "__wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE");

void trainyard_wait(std::condition_variable* self, std::unique_lock<std::mutex>* lock) {
  trainyard_old_wait(self, lock);
}

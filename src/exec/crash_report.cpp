#include "exec/crash_report.h"

#include <dlfcn.h>
#include <link.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

namespace spoor::exec {
namespace {

constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

struct Suspect {
  void* handle = nullptr;
  std::uintptr_t begin = 0, end = 0;  // where it is loaded
  std::string path;
  std::string message;  // complete, because a handler cannot make one
};

// What the handler reads. A suspect is only removed when its library is not in use.
constexpr std::size_t kMostSuspects = 64;
std::array<std::atomic<const Suspect*>, kMostSuspects> suspects{};
std::mutex mutex;  // for writers
std::array<struct sigaction, kSignals.size()> before{};
bool is_installed = false;

std::uintptr_t instruction_of(const void* context) {
  [[maybe_unused]] const auto* const machine = &static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(machine->gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<std::uintptr_t>(machine->pc);
#else
  return 0;
#endif
}

// Only what POSIX allows in a handler.
extern "C" void report_crash(int number, siginfo_t*, void* context) {
  const int saved = errno;
  const std::uintptr_t at = instruction_of(context);
  for (const auto& slot : suspects) {
    const Suspect* const suspect = slot.load(std::memory_order_acquire);
    if (suspect == nullptr || at < suspect->begin || at >= suspect->end) continue;
    ::unlink(suspect->path.c_str());
    [[maybe_unused]] const ssize_t put =
        ::write(STDERR_FILENO, suspect->message.data(), suspect->message.size());
  }
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (kSignals[i] == number) ::sigaction(number, &before[i], nullptr);
  }
  errno = saved;
}

void install() {
  if (is_installed) return;
  is_installed = true;
  struct sigaction action {};
  action.sa_sigaction = report_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &before[i]);
}

// Where the segments of the library lie.
void find_place(Suspect& suspect) {
  link_map* map = nullptr;
  if (::dlinfo(suspect.handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return;
  struct Search {
    std::uintptr_t base;
    Suspect* suspect;
  } search{static_cast<std::uintptr_t>(map->l_addr), &suspect};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* given) {
        const auto& wanted = *static_cast<Search*>(given);
        if (info->dlpi_addr != wanted.base) return 0;
        std::uintptr_t begin = UINTPTR_MAX, end = 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          begin = std::min<std::uintptr_t>(begin, wanted.base + segment.p_vaddr);
          end = std::max<std::uintptr_t>(end, wanted.base + segment.p_vaddr + segment.p_memsz);
        }
        wanted.suspect->begin = begin;
        wanted.suspect->end = end;
        return 1;
      },
      &search);
}

void forget(void* handle) {
  for (auto& slot : suspects) {
    const Suspect* const suspect = slot.load(std::memory_order_relaxed);
    if (suspect == nullptr || suspect->handle != handle) continue;
    slot.store(nullptr, std::memory_order_release);
    delete suspect;
  }
}

}  // namespace

void blame_crashes_on(const std::string& path, void* handle) {
  auto suspect = std::make_unique<Suspect>();
  suspect->handle = handle;
  suspect->path = path;
  suspect->message = "spoor: the compiled code of the model has crashed: " + path +
                     " (removed; --exec interp does without compiled code)\n";
  find_place(*suspect);
  const std::lock_guard lock(mutex);
  forget(handle);
  install();
  for (auto& slot : suspects) {
    if (slot.load(std::memory_order_relaxed) != nullptr) continue;
    slot.store(suspect.release(), std::memory_order_release);
    return;
  }
}

void forget_crashes(void* handle) {
  const std::lock_guard lock(mutex);
  forget(handle);
}

}  // namespace spoor::exec

#include "store/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

namespace spoor {
namespace {

constexpr std::size_t kMapFrom = std::size_t{64} << 10;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

bool is_mapped(std::size_t bytes) { return bytes >= kMapFrom; }

std::byte* map(std::size_t bytes) {
  void* const address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(address);
}

// From the start of a huge page on: map more than is needed, give back both ends.
std::byte* map_aligned(std::size_t bytes) {
  std::byte* const wide = map(bytes + kHugePage);
  const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(wide) % kHugePage) % kHugePage;
  if (before > 0) ::munmap(wide, before);
  const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t end = (before + bytes + page - 1) / page * page;
  if (end < bytes + kHugePage) ::munmap(wide + end, bytes + kHugePage - end);
  // Only advice: where it is refused, small pages serve as well.
  ::madvise(wide + before, bytes, MADV_HUGEPAGE);
  return wide + before;
}

}  // namespace

ZeroedPages::ZeroedPages(std::size_t bytes) : size_(bytes) {
  if (!is_mapped(bytes)) {
    data_ = static_cast<std::byte*>(std::calloc(bytes, 1));
    if (data_ == nullptr) throw std::bad_alloc();
    return;
  }
  data_ = bytes < kHugePage ? map(bytes) : map_aligned(bytes);
}

ZeroedPages& ZeroedPages::operator=(ZeroedPages&& other) noexcept {
  if (this != &other) {
    release();
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
  }
  return *this;
}

void ZeroedPages::release() {
  if (data_ == nullptr) return;
  if (is_mapped(size_)) {
    ::munmap(data_, size_);
  } else {
    std::free(data_);
  }
}

}  // namespace spoor

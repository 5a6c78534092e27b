#include "store/pages.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <utility>

namespace spoor {
namespace {

constexpr std::size_t kMapFrom = std::size_t{64} << 10;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

bool is_mapped(std::size_t bytes) {
  return bytes >= kMapFrom;
}

}  // namespace

ZeroedPages::ZeroedPages(std::size_t bytes) : size_(bytes) {
  if (!is_mapped(bytes)) {
    data_ = static_cast<std::byte*>(std::calloc(bytes, 1));
    if (data_ == nullptr) throw std::bad_alloc();
    return;
  }
  void* address =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) throw std::bad_alloc();
  // Only advice: where it is refused, small pages serve as well.
  if (bytes >= kHugePage) ::madvise(address, bytes, MADV_HUGEPAGE);
  data_ = static_cast<std::byte*>(address);
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

#include "exec/embedded.h"

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace spoor::exec {
namespace {

using promela::ForeignData;

constexpr std::uint32_t kMaxStateBytes = 1U << 24;  // as in promela/compile.cpp

// Behind the variables and the buffers; false when a state would be too large.
bool place_data(promela::Program& program, std::span<const std::uint32_t> sizes) {
  for (std::size_t i = 0; i < program.foreign.data.size(); ++i) {
    ForeignData& data = program.foreign.data[i];
    std::uint32_t& end =
        data.kind == ForeignData::Kind::kLocal ? program.processes[data.process].size : program.globals_size;
    if (sizes[i] > kMaxStateBytes || end + sizes[i] > kMaxStateBytes) return false;
    data.offset = end;
    data.bytes = sizes[i];
    end += sizes[i];
    if (data.kind == ForeignData::Kind::kUnmatched) program.foreign.unmatched_bytes += sizes[i];
  }
  return true;
}

}  // namespace

std::shared_ptr<const EmbeddedCode> EmbeddedCode::build(promela::Program& program, const std::string& folder,
                                                        std::string& reason) {
  const std::atomic<bool> never{false};
  std::shared_ptr<EmbeddedCode> code(new EmbeddedCode);
  // The model's own names come before those of other libraries, as in a program. A crash is to be a
  // crash: an access through a null pointer must not be optimised away.
  const std::vector<std::string> flags = {"-I", folder, "-Wl,-Bsymbolic,-z,nodelete",
                                          "-fno-delete-null-pointer-checks"};
  code->library_ = NativeCompiler().compile_uncached(emit_embedded(program), flags, never, reason);
  if (code->library_ == nullptr) return nullptr;
  code->function_ = reinterpret_cast<EmbeddedFunction>(code->library_->symbol("spoor_embedded"));
  const auto* const sizes = static_cast<const std::uint32_t*>(code->library_->symbol("spoor_data_bytes"));
  if (code->function_ == nullptr || sizes == nullptr) {
    reason = "it is not the code of a model";
    return nullptr;
  }
  if (!place_data(program, {sizes, program.foreign.data.size()})) {
    reason = "its data make a state larger than 16 MB";
    return nullptr;
  }
  return code;
}

}  // namespace spoor::exec

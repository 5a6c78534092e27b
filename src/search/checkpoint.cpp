#include "search/checkpoint.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/hash.h"

namespace spoor {
namespace {

constexpr std::string_view kMagic = "spoor-c1";
constexpr std::size_t kHead = 1 + sizeof(std::uint64_t);
constexpr std::size_t kFrameStates = std::size_t{1} << 20;  // bytes, about
constexpr std::uint64_t kLongestFrame = std::uint64_t{1} << 33;

[[noreturn]] void fail(const std::string& what) { throw CheckpointError(what); }
[[noreturn]] void fail_with_errno(const std::string& what) { fail(what + ": " + std::strerror(errno)); }

std::uint64_t checksum(std::string_view head, std::string_view payload) {
  return XXH3_64bits_withSeed(payload.data(), payload.size(), XXH3_64bits(head.data(), head.size()));
}

// ---- numbers ------------------------------------------------------------------------------------

void put(std::string& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) to += static_cast<char>(value | 0x80);
  to += static_cast<char>(value);
}
void put_signed(std::string& to, std::int64_t value) {
  put(to, static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
}
void put_bytes(std::string& to, std::string_view bytes) {
  put(to, bytes.size());
  to += bytes;
}
template <class T>
std::string_view as_text(std::span<T> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Reads a payload, whose checksum was right; still it may have been written by somebody else.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  bool is_at_end() const { return text_.empty(); }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (text_.empty()) break;
      const auto byte = static_cast<std::uint8_t>(text_.front());
      text_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    fail("is damaged");
  }
  std::int64_t signed_number() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }
  std::string_view bytes() {
    const std::uint64_t size = number();
    if (size > text_.size()) fail("is damaged");
    const std::string_view bytes = text_.substr(0, size);
    text_.remove_prefix(size);
    return bytes;
  }
  // A number of things that take a byte each at least.
  std::uint64_t count() {
    const std::uint64_t count = number();
    if (count > text_.size()) fail("is damaged");
    return count;
  }

 private:
  std::string_view text_;
};

std::string to_payload(const CheckpointMark& mark) {
  std::string to;
  const Statistics& figures = mark.figures;
  for (const std::uint64_t value : {mark.states, mark.level_begin, mark.depth, figures.states,
                                    figures.transitions, figures.matched, figures.inner_steps, figures.depth,
                                    figures.findings, static_cast<std::uint64_t>(figures.elapsed_s * 1e6),
                                    static_cast<std::uint64_t>(figures.cpu_s * 1e6)}) {
    put(to, value);
  }
  put_bytes(to, as_text(std::span(mark.executed)));
  put(to, mark.violations.size());
  for (const Violation& violation : mark.violations) {
    put(to, static_cast<std::uint64_t>(violation.finding.kind));
    put(to, violation.finding.identity);
    put(to, violation.finding.step.number());
    put(to, violation.steps.size());
    for (const StepId step : violation.steps) put(to, step.number());
  }
  return to;
}

CheckpointMark to_mark(std::string_view payload) {
  Parser parser(payload);
  CheckpointMark mark;
  Statistics& figures = mark.figures;
  for (std::uint64_t* const value :
       {&mark.states, &mark.level_begin, &mark.depth, &figures.states, &figures.transitions, &figures.matched,
        &figures.inner_steps, &figures.depth, &figures.findings}) {
    *value = parser.number();
  }
  figures.elapsed_s = static_cast<double>(parser.number()) * 1e-6;
  figures.cpu_s = static_cast<double>(parser.number()) * 1e-6;
  const std::string_view executed = parser.bytes();
  mark.executed.assign(executed.begin(), executed.end());
  for (std::uint64_t left = parser.count(); left > 0; --left) {
    Violation& violation = mark.violations.emplace_back();
    violation.finding.kind = static_cast<FindingKind>(parser.number());
    violation.finding.identity = static_cast<std::uint32_t>(parser.number());
    violation.finding.step = StepId(parser.number());
    for (std::uint64_t steps = parser.count(); steps > 0; --steps) {
      violation.steps.push_back(StepId(parser.number()));
    }
  }
  if (mark.level_begin > mark.states) fail("is damaged");
  return mark;
}

// ---- files --------------------------------------------------------------------------------------

// False at the end of the file.
bool read_at(int file, std::uint64_t at, char* to, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::pread(file, to, size, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_with_errno("cannot be read");
    if (got == 0) return false;
    to += got;
    at += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(file, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail_with_errno("cannot be written");
    text.remove_prefix(static_cast<std::size_t>(put));
  }
}

}  // namespace

OpenFile::~OpenFile() {
  if (number_ >= 0) ::close(number_);
}

// ---- reading ------------------------------------------------------------------------------------

struct CheckpointReader::Frame {
  char kind = 0;
  std::string payload;
};

// False where no complete frame stands.
bool CheckpointReader::read_frame(std::uint64_t& at, Frame& frame) const {
  char head[kHead];
  if (!read_at(file_, at, head, sizeof head)) return false;
  std::uint64_t length = 0;
  std::memcpy(&length, head + 1, sizeof length);
  const off_t size = ::lseek(file_, 0, SEEK_END);
  if (length > kLongestFrame || at + kHead + length > static_cast<std::uint64_t>(size)) return false;
  frame.kind = head[0];
  frame.payload.resize(length);
  std::uint64_t sum = 0;
  if (!read_at(file_, at + kHead, frame.payload.data(), length) ||
      !read_at(file_, at + kHead + length, reinterpret_cast<char*>(&sum), sizeof sum) ||
      sum != checksum({head, kHead}, frame.payload)) {
    return false;
  }
  at += kHead + length + sizeof sum;
  return true;
}

CheckpointReader::CheckpointReader(const std::string& path)
    : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0) fail_with_errno("cannot be read");
  char magic[kMagic.size()];
  if (!read_at(file_, 0, magic, sizeof magic) || std::string_view(magic, sizeof magic) != kMagic) {
    fail("is not a checkpoint");
  }
  Frame frame;
  for (std::uint64_t at = kMagic.size(); read_frame(at, frame);) {
    if (frame.kind == 'i') identity_ = frame.payload;
    if (frame.kind != 'm') continue;
    mark_ = to_mark(frame.payload);
    end_ = at;
  }
  if (end_ == 0) fail("holds no complete checkpoint");
}

void CheckpointReader::each_state(
    const std::function<void(std::uint64_t, std::span<const std::byte>)>& use) const {
  std::uint64_t ordinal = 0;
  std::int64_t parent = 0;
  Frame frame;
  for (std::uint64_t at = kMagic.size(); at < end_ && read_frame(at, frame);) {
    if (frame.kind == 'm') parent = 0;
    if (frame.kind != 's') continue;
    for (Parser parser(frame.payload); !parser.is_at_end() && ordinal < mark_.states; ++ordinal) {
      parent = static_cast<std::int64_t>(static_cast<std::uint64_t>(parent) +
                                         static_cast<std::uint64_t>(parser.signed_number()));
      // Found from a state before it; the first one counts as found from itself.
      if (parent < 0 || static_cast<std::uint64_t>(parent) >= std::max<std::uint64_t>(ordinal, 1)) {
        fail("is damaged");
      }
      use(static_cast<std::uint64_t>(parent), std::as_bytes(std::span(parser.bytes())));
    }
  }
  if (ordinal != mark_.states) fail("is damaged");
}

// ---- writing ------------------------------------------------------------------------------------

CheckpointWriter::CheckpointWriter(std::string path, const std::string& identity)
    : path_(std::move(path)),
      file_(::open((path_ + ".part").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (file_ < 0) fail_with_errno("cannot be written");
  write_all(file_, kMagic);
  write_all(file_, checkpoint_frame('i', identity));
}

CheckpointWriter::CheckpointWriter(std::string path, const CheckpointReader& read)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), O_WRONLY | O_CLOEXEC)),
      has_name_(true),
      states_(read.mark().states) {
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(read.end())) != 0 ||
      ::lseek(file_, 0, SEEK_END) < 0) {
    fail_with_errno("cannot be written");
  }
}

CheckpointWriter::~CheckpointWriter() {
  if (!has_name_) ::unlink((path_ + ".part").c_str());
}

std::string checkpoint_frame(char kind, std::string_view payload) {
  const std::uint64_t length = payload.size();
  std::string frame(1, kind);
  frame.append(reinterpret_cast<const char*>(&length), sizeof length);
  const std::uint64_t sum = checksum(frame, payload);
  frame += payload;
  frame.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return frame;
}

std::string_view checkpoint_magic() { return kMagic; }

void CheckpointWriter::write_states() {
  if (payload_.empty()) return;
  write_all(file_, checkpoint_frame('s', payload_));
  payload_.clear();
}

void CheckpointWriter::add(std::uint64_t parent, std::span<const std::byte> state) {
  put_signed(payload_, static_cast<std::int64_t>(parent - last_parent_));
  put_bytes(payload_, as_text(state));
  last_parent_ = parent;
  ++states_;
  if (payload_.size() >= kFrameStates) write_states();
}

void CheckpointWriter::commit(const CheckpointMark& mark) {
  write_states();
  // First the states are on the disk, then the mark that vouches for them.
  if (::fdatasync(file_) != 0) fail_with_errno("cannot be written");
  CheckpointMark complete = mark;
  complete.states = states_;
  write_all(file_, checkpoint_frame('m', to_payload(complete)));
  last_parent_ = 0;
  if (::fdatasync(file_) != 0) fail_with_errno("cannot be written");
  if (has_name_) return;
  if (::rename((path_ + ".part").c_str(), path_.c_str()) != 0) fail_with_errno("cannot be written");
  has_name_ = true;
}

}  // namespace spoor

// Runs a fuzz target without libFuzzer, on inputs that are changed at random and not guided by what they
// reach.
//
//   fuzz_NAME [--seed N] [--inputs N] FOLDER     every file of the folder, then so many changed ones
//   fuzz_NAME FILE                               one input, for instance one that failed before
//
// libFuzzer needs a build of everything by clang, which takes longer than all of the fuzzing that a normal
// run of the tests does. This main() goes into the build with sanitizers that is there anyway. The input at
// work stands in the file `input` of the current folder, and stays there if the target does not come back.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMostBytes = 4096;
constexpr unsigned kMostSeconds = 20;  // for one input
constexpr const char* kAtWork = "input";

std::string contents_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s cannot be read\n", path.c_str());
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

void run(const std::string& input) {
  const int file = ::open(kAtWork, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || ::write(file, input.data(), input.size()) != static_cast<ssize_t>(input.size())) {
    std::perror(kAtWork);
    std::exit(2);
  }
  ::close(file);
  ::alarm(kMostSeconds);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  ::alarm(0);
}

class Mutator {
 public:
  Mutator(const std::vector<std::string>& seeds, std::uint64_t seed) : seeds_(seeds), random_(seed) {}

  std::string make() {
    std::string text = any_seed();
    for (std::size_t changes = 1 + below(8); changes > 0; --changes) change(text);
    text.resize(std::min(text.size(), kMostBytes));
    return text;
  }

 private:
  // The same numbers on every machine, which std::uniform_int_distribution does not promise.
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }

  const std::string& any_seed() { return seeds_[below(seeds_.size())]; }

  std::string part_of(const std::string& text) {
    const std::size_t at = below(text.size() + 1);
    return text.substr(at, below(std::min<std::size_t>(text.size() - at, 64) + 1));
  }

  void change(std::string& text) {
    static constexpr std::string_view kBytes = "\0\1\x7f\x80\xff \n\"(){}[]:;,-0129azAZ"sv;
    const std::size_t at = below(text.size() + 1);
    switch (below(7)) {
      case 0:  // one bit
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:  // one byte that means something somewhere
        if (at < text.size()) text[at] = kBytes[below(kBytes.size())];
        break;
      case 2: text.insert(at, 1, kBytes[below(kBytes.size())]); break;
      case 3: text.erase(at, below(64)); break;
      case 4: text.insert(at, part_of(text)); break;
      case 5: text.insert(at, part_of(any_seed())); break;
      default: text.insert(at, std::to_string(random_() >> below(64))); break;
    }
  }

  const std::vector<std::string>& seeds_;
  std::mt19937_64 random_;
};

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t seed = 1, inputs = 0;
  std::filesystem::path path;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if ((word == "--seed" || word == "--inputs") && i + 1 < argc) {
      (word == "--seed" ? seed : inputs) = std::strtoull(argv[++i], nullptr, 10);
    } else {
      path = word;
    }
  }
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(path)) {
    for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path());
    std::ranges::sort(files);  // the same order on every machine
  } else {
    files.push_back(path);
  }
  std::vector<std::string> seeds{std::string()};
  for (const auto& file : files) seeds.push_back(contents_of(file));
  for (const std::string& input : seeds) run(input);
  Mutator mutator(seeds, seed);
  for (std::uint64_t i = 0; i < inputs; ++i) run(mutator.make());
  ::unlink(kAtWork);
  std::printf("%zu inputs\n", seeds.size() + inputs);
}

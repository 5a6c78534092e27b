// Any bytes as a file of n-grams: they are refused, or can be written again and drawn from.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "hunt/ngram_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spoor;
  static const std::vector<std::string> kNames = {"a", "b", "c", "d"};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Ngrams ngrams;
  try {
    ngrams = decoded_ngrams(text, kNames);
  } catch (const FramedFileError&) {
    return 0;
  }
  const std::string record = encoded_ngrams(ngrams, kNames);
  if (encoded_ngrams(decoded_ngrams(record, kNames), kNames) != record) std::abort();
  NgramSampler sampler(ngrams);
  std::mt19937_64 random(1);
  Ngrams::Context context;
  const std::vector<Ngrams::Action> actions = {3, 0, 3, 1};
  for (int i = 0; i < 20; ++i) {
    const std::size_t chosen = sampler.choose(context, actions, random);
    if (chosen >= actions.size()) std::abort();
    context.add(actions[chosen]);
  }
  return 0;
}

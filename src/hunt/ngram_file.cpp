#include "hunt/ngram_file.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "base/packed_numbers.h"

namespace spoor {
namespace {

constexpr char kNgramRecord = 'n';
constexpr std::size_t kMostBytes = std::size_t{1} << 28;
// Sums of counts stay below 2^63.
constexpr std::uint64_t kMostCount = std::uint64_t{1} << 32;
constexpr std::uint64_t kMostFollowers = std::uint64_t{1} << 22;
// In a file, actions have the numbers of their names from here on.
constexpr std::uint64_t kBeginningInFile = 0, kUnknownInFile = 1, kFirstInFile = 2;

std::string without_numbers(std::string_view text) {
  std::string result;
  bool in_word = false;
  for (const char c : text) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (is_digit && !in_word) {
      if (result.empty() || result.back() != '#') result += '#';
      continue;
    }
    in_word = is_digit || std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
    result += c;
  }
  return result;
}

// The three actions, the earliest first.
std::array<Ngrams::Action, Ngrams::kLongest> actions_of(std::uint64_t context) {
  std::array<Ngrams::Action, Ngrams::kLongest> actions{};
  for (std::size_t i = actions.size(); i-- > 0; context >>= Ngrams::kActionBits)
    actions[i] = static_cast<Ngrams::Action>(context & Ngrams::kBeginning);
  return actions;
}

}  // namespace

std::vector<std::string> action_names(const TransitionSystem& system) {
  std::vector<std::string> names;
  std::map<std::string, std::uint64_t> count;
  for (const Element& statement : system.statements()) {
    const std::string name = statement.key + ": " + without_numbers(statement.text);
    names.push_back(fmt::format("{}: {}", name, count[name]++));
  }
  return names;
}

std::string encoded_ngrams(const Ngrams& ngrams, const std::vector<std::string>& names) {
  // Only names that occur are written, in the order of the actions.
  std::map<Ngrams::Action, std::uint64_t> number;
  const std::vector<std::uint64_t> contexts = ngrams.contexts();
  for (const std::uint64_t context : contexts) {
    for (const Ngrams::Action action : actions_of(context)) number[action] = 0;
    for (const auto& follower : ngrams.after(context)) number[follower.action] = 0;
  }
  number.erase(number.lower_bound(static_cast<Ngrams::Action>(names.size())), number.end());
  std::string record;
  put(record, number.size());
  std::uint64_t next = kFirstInFile;
  for (auto& [action, its] : number) {
    its = next++;
    put_bytes(record, names[action]);
  }
  const auto in_file = [&](Ngrams::Action action) {
    const auto found = number.find(action);
    if (found != number.end()) return found->second;
    return action == Ngrams::kBeginning ? kBeginningInFile : kUnknownInFile;
  };
  put(record, contexts.size());
  for (const std::uint64_t context : contexts) {
    for (const Ngrams::Action action : actions_of(context)) put(record, in_file(action));
    const std::span<const Ngrams::Follower> followers = ngrams.after(context);
    put(record, followers.size());
    for (const auto& [action, seen] : followers) {
      put(record, in_file(action));
      put(record, std::min(seen, kMostCount));
    }
  }
  return record;
}

Ngrams decoded_ngrams(std::string_view record, const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, Ngrams::Action> known;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), Ngrams::kUnknown); ++i)
    known[names[i]] = static_cast<Ngrams::Action>(i);
  RecordReader reader(record);
  std::vector<Ngrams::Action> actions = {Ngrams::kBeginning, Ngrams::kUnknown};
  for (std::uint64_t left = reader.count(); left > 0; --left) {
    const auto found = known.find(reader.bytes());
    actions.push_back(found == known.end() ? Ngrams::kUnknown : found->second);
  }
  const auto read_action = [&] {
    const std::uint64_t number = reader.number();
    if (number >= actions.size()) throw_damaged();
    return actions[number];
  };
  Ngrams ngrams;
  std::uint64_t followers = 0;
  for (std::uint64_t left = reader.count(); left > 0; --left) {
    Ngrams::Context context;
    for (unsigned i = 0; i < Ngrams::kLongest; ++i) context.add(read_action());
    const std::uint64_t count = reader.count();
    followers += count;
    if (followers > kMostFollowers) throw_damaged();
    for (std::uint64_t i = 0; i < count; ++i) {
      const Ngrams::Action action = read_action();
      const std::uint64_t seen = reader.number();
      if (action == Ngrams::kBeginning || seen == 0 || seen > kMostCount) throw_damaged();
      if (action != Ngrams::kUnknown) ngrams.add(context.last(Ngrams::kLongest), action, seen);
    }
  }
  if (!reader.is_at_end()) throw_damaged();
  return ngrams;
}

void save_ngrams(const std::string& path, const Ngrams& ngrams, const std::vector<std::string>& names) {
  FramedWriter file(path, kNgramFormat, {});
  file.add(kNgramRecord, encoded_ngrams(ngrams, names));
  file.finish();
}

Ngrams load_ngrams(const std::string& path, const std::vector<std::string>& names) {
  FramedReader file(path, kNgramFormat);
  FileRecord record;
  if (!file.read(record, kMostBytes) || record.kind != kNgramRecord) throw_damaged();
  Ngrams ngrams = decoded_ngrams(record.content, names);
  if (file.read(record, kMostBytes)) throw_damaged();
  return ngrams;
}

}  // namespace spoor

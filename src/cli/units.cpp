#include "cli/units.h"

#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace spoor::cli {
namespace {

// A decimal number with at most one point, and the unit after it.
struct Quantity {
  double amount = 0;
  std::string unit;  // in lower case
};

std::optional<Quantity> split(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789.");
  const std::string_view digits = text.substr(0, end);
  Quantity quantity;
  const auto [stop, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), quantity.amount);
  if (failure != std::errc() || stop != digits.data() + digits.size()) return std::nullopt;
  if (!std::isfinite(quantity.amount)) return std::nullopt;
  if (end != std::string_view::npos) {
    for (const char c : text.substr(end)) {
      quantity.unit += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return quantity;
}

}  // namespace

std::optional<double> parse_duration(std::string_view text) {
  const std::optional<Quantity> quantity = split(text);
  if (!quantity) return std::nullopt;
  static constexpr std::array<std::pair<std::string_view, double>, 8> kUnits = {{
      {"", 1},
      {"s", 1},
      {"sec", 1},
      {"m", 60},
      {"min", 60},
      {"h", 3600},
      {"d", 86400},
      {"ms", 1e-3},
  }};
  for (const auto& [name, factor] : kUnits) {
    if (quantity->unit == name) return quantity->amount * factor;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  const std::optional<Quantity> quantity = split(text);
  if (!quantity) return std::nullopt;
  std::string unit = quantity->unit;
  if (unit.ends_with("ib")) {
    unit.erase(unit.size() - 2);
  } else if (unit.ends_with("b")) {
    unit.pop_back();
  }
  static constexpr std::array<std::pair<std::string_view, double>, 5> kUnits = {{
      {"", 1},
      {"k", 1024.},
      {"m", 1048576.},
      {"g", 1073741824.},
      {"t", 1099511627776.},
  }};
  for (const auto& [name, factor] : kUnits) {
    const double bytes = quantity->amount * factor;
    if (unit == name) {
      if (bytes >= 9e18) return std::nullopt;
      return static_cast<std::uint64_t>(bytes);
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> parse_power_of_two(std::string_view text) {
  if (text.starts_with("2^")) {
    const std::uint64_t exponent = parse_count(text.substr(2)).value_or(64);
    return exponent < 64 ? std::optional(std::uint64_t{1} << exponent) : std::nullopt;
  }
  // A number of bits is not a number of bytes.
  if (text.ends_with('b') || text.ends_with('B')) return std::nullopt;
  const std::optional<std::uint64_t> size = parse_size(text);
  return size && std::has_single_bit(*size) ? size : std::nullopt;
}

std::optional<double> parse_share(std::string_view text) {
  const std::optional<Quantity> quantity = split(text);
  if (!quantity || (!quantity->unit.empty() && quantity->unit != "%")) return std::nullopt;
  const bool is_percentage = quantity->unit == "%" || quantity->amount > 1;
  const double share = is_percentage ? quantity->amount / 100 : quantity->amount;
  return share <= 1 ? std::optional(share) : std::nullopt;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t count = 0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (failure != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return count;
}

}  // namespace spoor::cli

// Quantities as users write them on a command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spoor::cli {

// "10", "10s", "1.5m", "2h": seconds.
std::optional<double> parse_duration(std::string_view text);

// "1000000", "512K", "64M", "4G", "1T", also "4GB" and "4GiB": bytes, in powers of 1024.
std::optional<std::uint64_t> parse_size(std::string_view text);

// "2^30", "1G", "1073741824": a number that is a power of two.
std::optional<std::uint64_t> parse_power_of_two(std::string_view text);

// "0.95", "95", "95%": a share, as a number from 0 to 1. A number above 1 without a sign is a percentage.
std::optional<double> parse_share(std::string_view text);

// "1000": a whole number, digits only.
std::optional<std::uint64_t> parse_count(std::string_view text);

}  // namespace spoor::cli

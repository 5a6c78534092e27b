// Numbers, amounts and times as text.
#pragma once

#include <string>
#include <string_view>

namespace spoor {

// "1,234,567"
std::string with_separators(unsigned long long number);

// "1 state", "1,234 states"; `plural` where that is not the noun and an s.
std::string counted(unsigned long long number, std::string_view noun, std::string_view plural = {});

// "12.3 MiB"
std::string human_bytes(unsigned long long bytes);

// "0.02 s", "3 min 20 s", "2 h 5 min"
std::string human_seconds(double seconds);

}  // namespace spoor

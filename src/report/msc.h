// A trace as a message sequence chart in plain text.
#pragma once

#include <string>

#include "check/shown.h"

namespace spoor {

struct ChartOptions {
  bool ascii = false;  // otherwise box-drawing characters
};

std::string message_chart(const ShownTrace& trace, const ChartOptions& options = {});

}  // namespace spoor

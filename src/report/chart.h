// Curves and points in a frame: as SVG for documents, as characters for a terminal.
//
// Both axes are linear; for a logarithmic axis the caller gives logarithms and a label that says so. The
// frame is the range of the data, widened to round numbers.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace spoor {

struct ChartSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x and y, by ascending x
  bool is_line = false;                           // false: marks
};

struct Chart {
  std::string title, x_label, y_label;
  std::vector<ChartSeries> series;
};

// A picture of 640 by 400, with a legend. REQUIRES, here and below: at least one point, and all numbers
// finite.
std::string chart_svg(const Chart& chart);

// `width` and `height`: the size of the frame in characters.
std::string chart_text(const Chart& chart, std::size_t width, std::size_t height, bool ascii);

}  // namespace spoor

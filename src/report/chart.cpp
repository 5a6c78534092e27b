#include "report/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "report/text_columns.h"

namespace spoor {
namespace {

// An axis between two round numbers, with round steps.
struct Axis {
  double low = 0;
  double high = 1;
  double step = 1;

  double place(double value) const { return (value - low) / (high - low); }
};

// About `steps` steps, each 1, 2 or 5 times a power of ten.
Axis axis_for(double least, double most, unsigned steps) {
  if (most <= least) most = least + 1;
  const double raw = (most - least) / steps;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double factor = raw / power;
  const double step = power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
  return {std::floor(least / step) * step, std::ceil(most / step) * step, step};
}

struct Frame {
  Axis x, y;
};

Frame frame_of(const Chart& chart, unsigned steps_x, unsigned steps_y) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double low_x = kInfinity, high_x = -kInfinity, low_y = 0, high_y = -kInfinity;
  for (const ChartSeries& series : chart.series) {
    for (const auto& [x, y] : series.points) {
      low_x = std::min(low_x, x);
      high_x = std::max(high_x, x);
      low_y = std::min(low_y, y);
      high_y = std::max(high_y, y);
    }
  }
  return {axis_for(low_x, high_x, steps_x), axis_for(low_y, high_y, steps_y)};
}

// "1.5M", "20k", "0.25"
std::string short_number(double value) {
  const double size = std::abs(value);
  if (size >= 1e9) return fmt::format("{:.4g}G", value / 1e9);
  if (size >= 1e6) return fmt::format("{:.4g}M", value / 1e6);
  if (size >= 1e3) return fmt::format("{:.4g}k", value / 1e3);
  return fmt::format("{:.4g}", size < 1e-9 ? 0 : value);
}

std::string escaped_for_svg(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

constexpr const char* kColours[] = {"#1b6ca8", "#c8553d", "#588157", "#8d6a9f", "#b08900", "#444444"};

}  // namespace

std::string chart_svg(const Chart& chart) {
  constexpr double kWidth = 640, kHeight = 400, kLeft = 70, kRight = 20, kTop = 40, kBottom = 50;
  const Frame frame = frame_of(chart, 8, 6);
  const Axis& x_axis = frame.x;
  const Axis& y_axis = frame.y;
  const auto at_x = [&](double x) { return kLeft + x_axis.place(x) * (kWidth - kLeft - kRight); };
  const auto at_y = [&](double y) {
    return kHeight - kBottom - y_axis.place(y) * (kHeight - kTop - kBottom);
  };
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
      "<text x=\"{2}\" y=\"22\" font-size=\"15\">{3}</text>\n",
      kWidth, kHeight, kLeft, escaped_for_svg(chart.title));
  for (double x = x_axis.low; x <= x_axis.high + x_axis.step / 2; x += x_axis.step) {
    svg += fmt::format(
        "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#e4e4e4\"/>"
        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>\n",
        at_x(x), kTop, kHeight - kBottom, kHeight - kBottom + 16, short_number(x));
  }
  for (double y = y_axis.low; y <= y_axis.high + y_axis.step / 2; y += y_axis.step) {
    svg += fmt::format(
        "<line y1=\"{0:.1f}\" y2=\"{0:.1f}\" x1=\"{1}\" x2=\"{2}\" stroke=\"#e4e4e4\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        at_y(y), kLeft, kWidth - kRight, kLeft - 6, at_y(y) + 4, short_number(y));
  }
  svg += fmt::format(
      "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n"
      "<text x=\"16\" y=\"{}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {})\">{}</text>\n",
      (kLeft + kWidth - kRight) / 2, kHeight - 10, escaped_for_svg(chart.x_label),
      (kTop + kHeight - kBottom) / 2, (kTop + kHeight - kBottom) / 2, escaped_for_svg(chart.y_label));
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const ChartSeries& series = chart.series[i];
    const char* const colour = kColours[i % std::size(kColours)];
    std::string line;
    for (const auto& [x, y] : series.points) {
      if (series.is_line) {
        line += fmt::format("{}{:.1f},{:.1f}", line.empty() ? "" : " ", at_x(x), at_y(y));
      } else {
        svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n", at_x(x), at_y(y),
                           colour);
      }
    }
    if (!line.empty()) {
      svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", line,
                         colour);
    }
    const double y = kTop + 14 + 18 * static_cast<double>(i);
    svg += fmt::format(
        "<rect x=\"{0}\" y=\"{1}\" width=\"12\" height=\"4\" fill=\"{2}\"/><text x=\"{3}\" y=\"{4}\">{5}</text>\n",
        kLeft + 12, y - 6, colour, kLeft + 30, y, escaped_for_svg(series.name));
  }
  return svg + "</svg>\n";
}

std::string chart_text(const Chart& chart, std::size_t width, std::size_t height, bool ascii) {
  const Frame frame = frame_of(chart, 6, 4);
  const Axis& x_axis = frame.x;
  const Axis& y_axis = frame.y;
  std::vector<std::vector<std::string>> grid(height, std::vector<std::string>(width, " "));
  const char* const marks[] = {ascii ? "o" : "●", ascii ? "x" : "×", "+", "*"};
  for (const bool lines : {true, false}) {  // marks are drawn over lines
    std::size_t mark = 0;
    for (const ChartSeries& series : chart.series) {
      const std::string sign = series.is_line ? (ascii ? "." : "·") : marks[mark++ % std::size(marks)];
      if (series.is_line != lines) continue;
      for (const auto& [x, y] : series.points) {
        const auto column =
            static_cast<std::size_t>(std::lround(x_axis.place(x) * static_cast<double>(width - 1)));
        const auto row =
            static_cast<std::size_t>(std::lround(y_axis.place(y) * static_cast<double>(height - 1)));
        grid[height - 1 - row][column] = sign;
      }
    }
  }
  std::string text = chart.title + "\n";
  const auto label = [&](std::size_t row) -> std::string {
    if (row == 0) return short_number(y_axis.high);
    if (row == height - 1) return short_number(y_axis.low);
    if (row == (height - 1) / 2) return short_number((y_axis.high + y_axis.low) / 2);
    return "";
  };
  for (std::size_t row = 0; row < height; ++row) {
    std::string line;
    for (const std::string& cell : grid[row]) line += cell;
    while (line.ends_with(' ')) line.pop_back();
    text += fmt::format("{:>8} {}{}\n", label(row), ascii ? "|" : "│", line);
  }
  std::string rule;
  for (std::size_t i = 0; i < width; ++i) rule += ascii ? "-" : "─";
  const std::string first = short_number(x_axis.low), last = short_number(x_axis.high);
  text += fmt::format("{:>8} {}{}\n{:>8}  {}{:>{}}\n", "", ascii ? "+" : "└", rule, "", first, last,
                      width - first.size());
  text += fmt::format("{:>8}  {}; {}\n", "", chart.x_label, chart.y_label);
  std::string legend;
  std::size_t mark = 0;
  for (const ChartSeries& series : chart.series) {
    const std::string sign = series.is_line ? (ascii ? "." : "·") : marks[mark++ % std::size(marks)];
    legend += fmt::format("{}{} {}", legend.empty() ? "" : "   ", sign, series.name);
  }
  return text + fmt::format("{:>8}  {}\n", "", legend);
}

}  // namespace spoor

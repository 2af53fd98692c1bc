// Drawing in inline SVG: a canvas that collects elements, and axes. Internal to the charts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ethio::report {

class Svg {
 public:
  // `label` is what a screen reader says of the chart.
  Svg(double width, double height, std::string_view label);

  void line(double x1, double y1, double x2, double y2, std::string_view style_class);
  void rect(double x, double y, double width, double height, std::string_view style_class,
            std::string_view tooltip = "");
  void polyline(const std::vector<std::pair<double, double>>& points, std::string_view style_class,
                std::string_view tooltip = "");
  // `anchor`: "start", "middle", "end".
  void text(double x, double y, std::string_view text, std::string_view anchor,
            std::string_view style_class = "tick");
  std::string finish() &&;

 private:
  std::string text_;
};

// A logarithmic axis from at most `low` to at least `high`, in whole decades.
class LogAxis {
 public:
  LogAxis(double low, double high, double at_low, double at_high);
  double at(double value) const;
  const std::vector<double>& decades() const { return decades_; }

 private:
  double log_low_, log_high_, at_low_, at_high_;
  std::vector<double> decades_;
};

// Where every chart over an axis begins, for the figures left of it.
inline constexpr double kLeft = 70;
inline constexpr double kLabelHeight = 15;

struct Label {
  double y;
  std::string text;
  size_t series;
};

// Labels at the ends of lines, pushed apart where they would lie over each other, but not below
// `bottom`.
void draw_labels(Svg& svg, std::vector<Label> labels, double x, double bottom);

// "series s3": colour and dash of the i-th series.
std::string series_class(size_t i);

}  // namespace ethio::report

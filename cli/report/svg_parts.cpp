#include "cli/report/svg_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/report/markup.h"

namespace ethio::report {
namespace {

constexpr size_t kSeries = 8;  // colours and dashes in the style sheet

std::string title(std::string_view tooltip) {
  return tooltip.empty() ? "" : fmt::format("<title>{}</title>", escape_xml(tooltip));
}

}  // namespace

Svg::Svg(double width, double height, std::string_view label)
    : text_(fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n",
                        width, height, escape_xml(label))) {}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view style_class) {
  text_ +=
      fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n",
                  x1, y1, x2, y2, style_class);
}

void Svg::rect(double x, double y, double width, double height, std::string_view style_class,
               std::string_view tooltip) {
  text_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\" class=\"{}\">{}</rect>\n",
      x, y, std::max(width, 0.0), std::max(height, 0.0), style_class, title(tooltip));
}

void Svg::polyline(const std::vector<std::pair<double, double>>& points,
                   std::string_view style_class, std::string_view tooltip) {
  std::string coordinates;
  for (const auto& [x, y] : points) coordinates += fmt::format("{:.1f},{:.1f} ", x, y);
  text_ += fmt::format("<polyline points=\"{}\" class=\"{}\">{}</polyline>\n", coordinates,
                       style_class, title(tooltip));
}

void Svg::text(double x, double y, std::string_view text, std::string_view anchor,
               std::string_view style_class) {
  text_ +=
      fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" class=\"{}\">{}</text>\n", x,
                  y, anchor, style_class, escape_xml(text));
}

std::string Svg::finish() && {
  return std::move(text_) + "</svg>\n";
}

LogAxis::LogAxis(double low, double high, double at_low, double at_high)
    : log_low_(std::floor(std::log10(low))),
      log_high_(std::ceil(std::log10(high))),
      at_low_(at_low),
      at_high_(at_high) {
  if (log_high_ <= log_low_) log_high_ = log_low_ + 1;
  for (int decade = static_cast<int>(log_low_); decade <= static_cast<int>(log_high_); ++decade)
    decades_.push_back(std::pow(10, decade));
}

double LogAxis::at(double value) const {
  const double share = (std::log10(value) - log_low_) / (log_high_ - log_low_);
  return at_low_ + std::clamp(share, 0.0, 1.0) * (at_high_ - at_low_);
}

void draw_labels(Svg& svg, std::vector<Label> labels, double x, double bottom) {
  std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.y < b.y; });
  double free_from = 0;
  for (Label& label : labels) {
    label.y = std::max(label.y, free_from);
    free_from = label.y + kLabelHeight;
  }
  // From the last one up, for those that were pushed over the edge.
  double free_to = bottom;
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    label->y = std::min(label->y, free_to);
    free_to = label->y - kLabelHeight;
  }
  for (const Label& label : labels) {
    svg.line(x + 4, label.y, x + 20, label.y, series_class(label.series));
    svg.text(x + 24, label.y + 4, label.text, "start", "label");
  }
}

std::string series_class(size_t i) {
  return fmt::format("series s{}", i % kSeries);
}

}  // namespace ethio::report

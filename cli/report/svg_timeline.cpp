// The timelines: phases side by side as bands, what the device did and how warm it was over them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/report/svg.h"
#include "cli/report/svg_parts.h"

namespace ethio::report {
namespace {

constexpr double kWidth = 960, kRight = 800, kTop = 30, kBottom = 36;
constexpr double kNarrowest = 18;  // band that holds its number
constexpr double kMebi = 1048576;
constexpr size_t kMostPoints = 300;  // of a phase; more than the eye can tell

double seconds_of(const Timeline& timeline) {
  return timeline.points.empty() ? 0 : timeline.points.back().seconds;
}

// Phases one after the other on an axis of seconds.
class Bands {
 public:
  explicit Bands(std::span<const Timeline> timelines) {
    for (const Timeline& timeline : timelines) {
      starts_.push_back(seconds_);
      seconds_ += seconds_of(timeline);
    }
  }
  double seconds() const { return seconds_; }
  double x(size_t phase, double seconds) const {
    return kLeft + (starts_[phase] + seconds) / seconds_ * (kRight - kLeft);
  }

 private:
  std::vector<double> starts_;
  double seconds_ = 0;
};

void draw_bands(Svg& svg, const Bands& bands, std::span<const Timeline> timelines, double bottom) {
  for (size_t i = 0; i < timelines.size(); ++i) {
    const double from = bands.x(i, 0);
    const double to = bands.x(i, seconds_of(timelines[i]));
    const bool has_background = !timelines[i].background.empty();
    const std::string tooltip =
        timelines[i].name + (has_background ? ", with " + timelines[i].background : "");
    svg.rect(from, kTop, to - from, bottom - kTop,
             has_background ? "band background" : (i % 2 == 0 ? "band even" : "band odd"), tooltip);
    if (to - from < kNarrowest) continue;
    svg.text((from + to) / 2, kTop - 8, fmt::format("{}", i + 1), "middle", "label");
  }
}

void draw_seconds(Svg& svg, const Bands& bands, double y) {
  svg.text(kLeft, y, "0 s", "start");
  svg.text((kLeft + kRight) / 2, y, fmt::format("{:.3g} s", bands.seconds() / 2), "middle");
  svg.text(kRight, y, fmt::format("{:.3g} s", bands.seconds()), "end");
}

// The next round number of 1, 2 or 5 times a power of ten.
double round_up(double value) {
  const double decade = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (value <= step * decade) return step * decade;
  }
  return 10 * decade;
}

// A point for every kMostPoints-th part of a phase: the means of its neighbours.
std::vector<Timeline::Point> thinned(const Timeline& timeline) {
  const size_t step = 1 + timeline.points.size() / kMostPoints;
  std::vector<Timeline::Point> points;
  for (size_t i = 0; i < timeline.points.size(); i += step) {
    const size_t end = std::min(i + step, timeline.points.size());
    Timeline::Point mean = timeline.points[end - 1];
    mean.read_bytes = mean.written_bytes = 0;
    for (size_t k = i; k < end; ++k) {
      mean.read_bytes += timeline.points[k].read_bytes / static_cast<double>(end - i);
      mean.written_bytes += timeline.points[k].written_bytes / static_cast<double>(end - i);
    }
    points.push_back(mean);
  }
  return points;
}

}  // namespace

std::string timeline_chart(std::span<const Timeline> timelines) {
  const Bands bands(timelines);
  if (bands.seconds() <= 0) return "";
  constexpr double kHeight = 260;
  const double bottom = kHeight - kBottom;
  double most = 0;
  for (const Timeline& timeline : timelines) {
    for (const Timeline::Point& point : thinned(timeline))
      most = std::max({most, point.read_bytes, point.written_bytes});
  }
  const double high = round_up(std::max(most / kMebi, 1.0)) * kMebi;
  Svg svg(kWidth, kHeight, "What the device read and wrote in each phase");
  const auto y = [&](double value) { return bottom - value / high * (bottom - kTop); };
  draw_bands(svg, bands, timelines, bottom);
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    svg.line(kLeft, y(share * high), kRight, y(share * high), "grid");
    svg.text(kLeft - 8, y(share * high) + 4, fmt::format("{:g}", share * high / kMebi), "end");
  }
  draw_seconds(svg, bands, kHeight - 14);
  svg.text(kRight + 6, kTop + 4, "MiB/s", "start", "label");
  std::vector<Label> labels;
  for (size_t i = 0; i < timelines.size(); ++i) {
    std::vector<std::pair<double, double>> reads, writes;
    for (const Timeline::Point& point : thinned(timelines[i])) {
      reads.emplace_back(bands.x(i, point.seconds), y(point.read_bytes));
      writes.emplace_back(bands.x(i, point.seconds), y(point.written_bytes));
    }
    svg.polyline(reads, series_class(0), timelines[i].name + ": read");
    svg.polyline(writes, series_class(1), timelines[i].name + ": written");
    labels = {{reads.back().second, "read", 0}, {writes.back().second, "written", 1}};
  }
  draw_labels(svg, std::move(labels), kRight, bottom);
  return std::move(svg).finish();
}

std::string temperature_chart(std::span<const Timeline> timelines) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const Timeline& timeline : timelines) {
    for (const Timeline::Point& point : timeline.points) {
      if (!point.celsius) continue;
      low = std::min(low, *point.celsius);
      high = std::max(high, *point.celsius);
    }
  }
  if (low > high) return "";
  // Whole fives, so that noise of a degree does not look like heat.
  low = 5 * std::floor(low / 5);
  high = 5 * std::ceil((high + 1) / 5);
  constexpr double kHeight = 160;
  const double bottom = kHeight - kBottom;
  const Bands bands(timelines);
  Svg svg(kWidth, kHeight, "Temperature of the hottest drive in each phase");
  const auto y = [&](double value) {
    return bottom - (value - low) / (high - low) * (bottom - kTop);
  };
  draw_bands(svg, bands, timelines, bottom);
  for (const double value : {low, (low + high) / 2, high}) {
    svg.line(kLeft, y(value), kRight, y(value), "grid");
    svg.text(kLeft - 8, y(value) + 4, fmt::format("{:g} °C", value), "end");
  }
  draw_seconds(svg, bands, kHeight - 14);
  for (size_t i = 0; i < timelines.size(); ++i) {
    std::vector<std::pair<double, double>> points;
    for (const Timeline::Point& point : timelines[i].points) {
      if (point.celsius) points.emplace_back(bands.x(i, point.seconds), y(*point.celsius));
    }
    if (!points.empty()) svg.polyline(points, series_class(3), timelines[i].name);
  }
  return std::move(svg).finish();
}

}  // namespace ethio::report

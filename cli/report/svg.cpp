#include "cli/report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/report/svg_parts.h"
#include "common/base/quantity.h"

namespace ethio::report {
namespace {

constexpr double kTop = 14, kBottom = 40;

void draw_latency_axis(Svg& svg, const LogAxis& axis, double right) {
  for (const double decade : axis.decades()) {
    svg.line(kLeft, axis.at(decade), right, axis.at(decade), "grid");
    svg.text(kLeft - 8, axis.at(decade) + 4, format_duration_ns(decade), "end");
  }
}

// ---- percentiles

// 50 % -> 0.30, 90 % -> 1, 99 % -> 2, ...
double nines(double percent) {
  return std::log10(100 / (100 - percent));
}

struct Bounds {
  double low = HUGE_VAL, high = 0, nines_high = 1;
};

Bounds bounds_of(std::span<const Curve> curves) {
  Bounds bounds;
  for (const Curve& curve : curves) {
    for (const CurvePoint& point : curve.points) {
      if (point.percent >= 100 || point.latency_ns <= 0) continue;
      bounds.low = std::min(bounds.low, point.latency_ns);
      bounds.high = std::max(bounds.high, point.latency_ns);
      bounds.nines_high = std::max(bounds.nines_high, nines(point.percent));
    }
  }
  return bounds;
}

// ---- drives

const char* symbol_of(const std::string& tier) {
  if (tier == "good") return "●";
  if (tier == "ugly") return "▲";
  return tier == "bad" ? "✖" : "◆";
}

}  // namespace

std::string percentile_chart(std::span<const Curve> curves) {
  const Bounds bounds = bounds_of(curves);
  if (bounds.high == 0) return "";
  constexpr double kWidth = 960, kHeight = 400, kRight = 720;
  Svg svg(kWidth, kHeight, "Latency over percentiles, a line for each workload");
  const LogAxis y(bounds.low, bounds.high, kHeight - kBottom, kTop);
  const auto x = [&](double percent) {
    return kLeft + nines(percent) / bounds.nines_high * (kRight - kLeft);
  };
  draw_latency_axis(svg, y, kRight);
  for (const double percent : {0.0, 50.0, 90.0, 99.0, 99.9, 99.99, 99.999}) {
    if (nines(percent) > bounds.nines_high + 1e-9) break;
    svg.line(x(percent), kTop, x(percent), kHeight - kBottom, "grid");
    svg.text(x(percent), kHeight - kBottom + 18, fmt::format("{:g} %", percent), "middle");
  }
  svg.text((kLeft + kRight) / 2, kHeight - 4, "share of operations that took no longer", "middle");

  std::vector<Label> labels;
  for (size_t i = 0; i < curves.size(); ++i) {
    std::vector<std::pair<double, double>> points;
    for (const CurvePoint& point : curves[i].points) {
      if (point.percent < 100 && point.latency_ns > 0)
        points.emplace_back(x(point.percent), y.at(point.latency_ns));
    }
    if (points.empty()) continue;
    svg.polyline(points, series_class(i), curves[i].name);
    labels.push_back({points.back().second, curves[i].name, i});
  }
  draw_labels(svg, std::move(labels), kRight, kHeight - kBottom);
  return std::move(svg).finish();
}

std::string strip_chart(const BlockStrip& strip, std::span<const Budget> budgets) {
  const auto blocks = static_cast<double>(strip.blocks());
  if (blocks == 0) return "";
  constexpr double kWidth = 960, kHeight = 260, kRight = 800;
  double high = strip.steps.back().latency_ns;
  double tightest = HUGE_VAL;
  for (const Budget& budget : budgets) {
    high = std::max(high, budget.block_ns);
    tightest = std::min(tightest, budget.block_ns);
  }
  Svg svg(kWidth, kHeight,
          fmt::format("Blocks of {} from the fastest to the slowest, with budgets", strip.name));
  const double floor_y = kHeight - kBottom;
  const LogAxis y(strip.steps.front().latency_ns * 0.9, high, floor_y, kTop);
  draw_latency_axis(svg, y, kRight);
  double done = 0;
  for (const BlockStrip::Step& step : strip.steps) {
    const double x = kLeft + done / blocks * (kRight - kLeft);
    const double width = static_cast<double>(step.count) / blocks * (kRight - kLeft);
    // A hair apart where a bar is a single block wide enough to see.
    svg.rect(x, y.at(step.latency_ns), width > 3 ? width - 0.5 : width,
             floor_y - y.at(step.latency_ns), step.latency_ns > tightest ? "over" : "within",
             fmt::format("{} block{} of about {}", step.count, step.count == 1 ? "" : "s",
                         format_duration_ns(step.latency_ns)));
    done += static_cast<double>(step.count);
  }
  double last_label = -HUGE_VAL;
  for (const Budget& budget : budgets) {
    const double at = y.at(budget.block_ns);
    svg.line(kLeft, at, kRight, at, "budget");
    if (std::abs(at - last_label) < kLabelHeight) continue;
    last_label = at;
    svg.text(kRight + 6, at + 4,
             fmt::format("{} {}", budget.role, format_duration_ns(budget.block_ns)), "start",
             "label");
  }
  svg.text(kLeft, kHeight - 18, "fastest", "start");
  svg.text(kRight, kHeight - 18, "slowest", "end");
  svg.text((kLeft + kRight) / 2, kHeight - 18,
           fmt::format("{:.0f} block{}, sorted", blocks, blocks == 1 ? "" : "s"), "middle");
  return std::move(svg).finish();
}

std::string drives_chart(const Reference& reference, const Rates& measured) {
  constexpr double kWidth = 960, kRow = 20, kNames = 300, kRight = 820;
  struct Bar {
    std::string name, tier;
    Rates rates;
  };
  std::vector<Bar> bars;
  for (const ReferenceDrive* drive : ranked_drives(reference))
    bars.push_back({drive->name, drive->tier, drive->figure()});
  const auto place = std::find_if(bars.begin(), bars.end(),
                                  [&](const Bar& bar) { return bar.rates.read <= measured.read; });
  bars.insert(place, {"this one", "mine", measured});
  const double most = bars.front().rates.read;
  Svg svg(kWidth, kRow * static_cast<double>(bars.size()) + 10,
          "Reads a second of known drives and of this one");
  for (size_t i = 0; i < bars.size(); ++i) {
    const Bar& bar = bars[i];
    const double y = kRow * static_cast<double>(i) + 4;
    const bool mine = bar.tier == "mine";
    const std::string numbers =
        fmt::format("{} / {}", format_count(bar.rates.read), format_count(bar.rates.write));
    const double length = bar.rates.read / most * (kRight - kNames);
    svg.text(kNames - 10, y + 12,
             bar.name + (mine ? " ➤" : fmt::format(" {}", symbol_of(bar.tier))), "end",
             mine ? "label mine" : "label");
    svg.rect(kNames, y, length, kRow - 6, "bar " + bar.tier,
             fmt::format("{}: {}, {}", bar.name, numbers, bar.tier));
    svg.text(kNames + length + 6, y + 12, numbers, "start", mine ? "label mine" : "tick");
  }
  return std::move(svg).finish();
}

}  // namespace ethio::report

#include <fmt/format.h>

#include <algorithm>

#include "cli/report/formats.h"
#include "cli/report/html_parts.h"
#include "cli/report/style.h"
#include "cli/report/svg.h"
#include "cli/report/words.h"
#include "common/report/markup.h"

namespace ethio::report {
namespace {

std::string lead(std::string_view text) {
  return element("p", text, "lead");
}

// A part of a target with its heading; where it has nothing to show, the sentence that says why.
std::string part_section(const ReportTarget& target, Part part, const std::string& body) {
  const std::string& why = target.why_absent(part);
  if (body.empty() && why.empty()) return "";
  return fmt::format("<section>\n{}{}{}</section>\n", element("h2", heading_of(part)), body,
                     why.empty() ? "" : element("p", why, "absent"));
}

std::string roles_table(const ReportTarget& target) {
  if (target.roles.empty()) return "";
  Table table({{"role"}, {"verdict"}, {"headroom", true}, {"decided by"}, {"waits for"}});
  for (const RoleLine& role : target.roles) {
    table.begin_row();
    table.name(role.role);
    table.badge(role.grade);
    table.number(headroom_text(role));
    table.words(role.deciding.empty() ? "nothing was measured for it" : role.deciding);
    table.words(role.cause);
    table.end_row();
  }
  return std::move(table).finish();
}

void add_latencies(Table& table, const Curve& curve, std::initializer_list<double> percents) {
  for (const double percent : percents) table.number(latency_text(curve, percent));
}

void add_accesses(Table& table, const WorkloadLine& line) {
  table.name(line.name);
  table.number(rate_text(line.reads_per_second));
  table.number(rate_text(line.writes_per_second));
  table.words(line.timed);
  add_latencies(table, line.access, {50, 99, 99.9});
}

std::string workloads_table(const ReportTarget& target) {
  Table table({{"workload"},
               {"reads/s", true},
               {"writes/s", true},
               {"latency of"},
               {"p50", true},
               {"p99", true},
               {"p99.9", true},
               {"units", true},
               {"unit p50", true},
               {"unit p99", true},
               {"unit max", true},
               {"stalled", true},
               {"read ampl.", true},
               {"write ampl.", true}});
  for (const WorkloadLine& line : target.workloads) {
    if (line.stock) continue;
    table.begin_row();
    add_accesses(table, line);
    table.number(units_text(line));
    add_latencies(table, line.unit_time, {50, 99, 100});
    table.number(line.stall_share ? share_text(*line.stall_share) : "-");
    table.number(ratio_text(line.read_amplification));
    table.number(ratio_text(line.write_amplification));
    table.end_row();
  }
  if (table.empty()) return "";
  return lead(
             "An access is one read, write or sync; a unit is what the user waits for. "
             "Amplification: "
             "bytes moved over bytes that the unit needed.") +
         std::move(table).finish();
}

std::string stock_table(const ReportTarget& target) {
  Table table({{"profile of stock fio"},
               {"reads/s", true},
               {"writes/s", true},
               {"latency of"},
               {"p50", true},
               {"p99", true},
               {"p99.9", true}});
  for (const WorkloadLine& line : target.workloads) {
    if (!line.stock) continue;
    table.begin_row();
    add_accesses(table, line);
    table.end_row();
  }
  return table.empty() ? "" : std::move(table).finish();
}

std::string remarks_list(const ReportTarget& target) {
  std::string items;
  for (const std::string& remark : remarks_of(target)) items += element("li", remark);
  return items.empty() ? "" : "<ul>\n" + items + "</ul>\n";
}

std::string workloads_part(const ReportTarget& target) {
  return workloads_table(target) + stock_table(target) + remarks_list(target);
}

std::string curves_part(const ReportTarget& target) {
  std::vector<Curve> units, accesses;
  for (const WorkloadLine& line : target.workloads) {
    if (!line.unit_time.points.empty()) {
      Curve curve = line.unit_time;
      curve.name = fmt::format("{}: {}", line.name, line.unit);
      units.push_back(std::move(curve));
    }
    if (!line.access.points.empty()) {
      Curve curve = line.access;
      curve.name = fmt::format("{}: {}", line.name, line.timed);
      accesses.push_back(std::move(curve));
    }
  }
  return figure(percentile_chart(units),
                "Units of the workloads: what a user of the node waits "
                "for. A line ends where too few units stand behind it.") +
         figure(percentile_chart(accesses), "Single accesses.");
}

std::string blocks_part(const Report& report, const ReportTarget& target) {
  std::string figures;
  for (const BlockStrip& strip : target.strips) {
    figures += figure(
        strip_chart(strip, report.budgets),
        fmt::format("{}: {}. Blocks stand in the order of their time: a result keeps the times, "
                    "not which block came when.",
                    strip.name, over_budget_text(strip, report.budgets)));
  }
  return figures;
}

std::string timeline_part(const ReportTarget& target) {
  return figure(timeline_chart(target.timelines),
                fmt::format("Bytes a second that the device read and wrote, by the kernel's "
                            "counters; one phase after the other, without the time between them: "
                            "{}.",
                            phases_text(target.timelines)));
}

std::string temperature_part(const ReportTarget& target) {
  return figure(temperature_chart(target.timelines),
                "Temperature of the hottest drive, over the same phases.");
}

std::string background_part(const ReportTarget& target) {
  std::string items;
  for (const Timeline& timeline : target.timelines) {
    if (timeline.background.empty()) continue;
    items += element("li", fmt::format("{}: {}", timeline.name, timeline.background));
  }
  if (items.empty()) return "";
  return lead("Shaded in the timeline. A result says how much ran beside the blocks, not when.") +
         "<ul>\n" + items + "</ul>\n";
}

std::string drives_part(const ReportTarget& target) {
  if (!target.stock_rates || target.stock_rates->read <= 0) return "";
  const Reference& reference = hall_of_blame();
  std::string caveat;
  for (const std::string& difference : target.placement.differences) {
    caveat += (caveat.empty() ? "Not comparable: " : "; ") + difference;
  }
  return figure_with_markup(
             drives_chart(reference, *target.stock_rates),
             fmt::format("Reads / writes a second of one profile of fio, posted by users: <a "
                         "href=\"{}\">{}</a>. ● good, ▲ ugly, ✖ bad, in that page's words.",
                         escape_xml(reference.url), escape_xml(reference.title))) +
         (caveat.empty() ? "" : element("p", caveat + ".", "warning"));
}

std::string facts_table(const std::vector<FactLine>& facts) {
  if (facts.empty()) return "";
  Table table({{"of"}, {"fact"}, {"value"}});
  std::string_view group;
  for (const FactLine& fact : facts) {
    table.begin_row();
    table.name(fact.group == group ? "" : fact.group);
    table.words(fact.name);
    table.words(fact.value);
    table.end_row();
    group = fact.group;
  }
  return std::move(table).finish();
}

std::string commands_part(const ReportTarget& target) {
  const std::string commands = commands_of(target);
  if (commands.empty()) return "";
  return lead("Run in the test directory.") + fmt::format("<pre>{}</pre>\n", escape_xml(commands));
}

std::string headline(const ReportTarget& target) {
  const std::string grade = target.headline.substr(0, target.headline.find_first_of(" :"));
  return fmt::format("<p class=\"headline {}\"><span aria-hidden=\"true\">{}</span> {}</p>\n",
                     class_of(grade), symbol_of(grade), escape_xml(target.headline));
}

std::string target_article(const Report& report, const ReportTarget& target) {
  std::string text = "<article>\n";
  if (report.targets.size() > 1 || report.command.empty())
    text += element("h2", target.name, "target");
  text += headline(target);
  text += part_section(target, Part::kRoles, roles_table(target));
  text += part_section(target, Part::kWorkloads, workloads_part(target));
  text += part_section(target, Part::kLatency, curves_part(target));
  text += part_section(target, Part::kBlocks, blocks_part(report, target));
  text += part_section(target, Part::kTimeline, timeline_part(target));
  text += part_section(target, Part::kTemperature, temperature_part(target));
  text += part_section(target, Part::kBackground, background_part(target));
  text += part_section(target, Part::kDrives, drives_part(target));
  text += part_section(target, Part::kStorage, facts_table(target.facts));
  text += part_section(target, Part::kCommands, commands_part(target));
  return text + "</article>\n";
}

// For machines: the same report, in the page. "</" would end the script element.
std::string data_block(const Report& report) {
  std::string json = json_report(report);
  for (size_t at = json.find("</"); at != std::string::npos; at = json.find("</", at + 3))
    json.insert(at + 1, "\\");
  return fmt::format("<script type=\"application/json\" id=\"ethio-report\">\n{}</script>\n", json);
}

// Every reason of a void result but those that a headline names.
std::string further_voids(const Report& report) {
  std::string items;
  for (const std::string& reason : report.voids) {
    const bool is_named =
        std::any_of(report.targets.begin(), report.targets.end(), [&](const ReportTarget& target) {
          return target.headline == fmt::format("VOID: {}.", reason);
        });
    if (!is_named) items += element("p", "VOID: " + reason, "warning");
  }
  return items;
}

std::string closing(const Report& report) {
  std::string advice;
  for (const std::string& line : report.advice) advice += element("li", line);
  std::string text;
  if (!advice.empty()) {
    text += "<section>\n" + element("h2", "What would help") + "<ul>\n" + advice +
            "</ul>\n</section>\n";
  }
  return text + "<section>\n" + element("h2", "Machine") + facts_table(report.facts) +
         (report.facts_absent.empty() ? "" : element("p", report.facts_absent, "absent")) +
         "</section>\n";
}

}  // namespace

std::string html_report(const Report& report) {
  // The policy holds the page to its word: it may load nothing from anywhere.
  std::string text = fmt::format(
      "<!DOCTYPE html>\n{}\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{}</title>\n<style>{}</style>\n"
      "</head>\n<body>\n<header>\n{}{}</header>\n<main>\n",
      document_mark("report"), escape_xml(report.title), kStyleSheet, element("h1", report.title),
      lead(origin_text(report)));
  text += further_voids(report);
  for (const ReportTarget& target : report.targets) text += target_article(report, target);
  return text + closing(report) + "</main>\n" + data_block(report) + "</body>\n</html>\n";
}

}  // namespace ethio::report

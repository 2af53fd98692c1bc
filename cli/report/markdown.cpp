#include <fmt/format.h>

#include "cli/report/formats.h"
#include "cli/report/words.h"
#include "common/report/markup.h"

namespace ethio::report {
namespace {

std::string roles_text(const ReportTarget& target) {
  if (target.roles.empty()) return "";
  std::string text =
      "| role | verdict | headroom | decided by | waits for |\n|---|---|--:|---|---|\n";
  for (const RoleLine& role : target.roles) {
    text += fmt::format(
        "| {} | {} {} | {} | {} | {} |\n", escape_markdown(role.role), symbol_of(role.grade),
        escape_markdown(role.grade), headroom_text(role),
        escape_markdown(role.deciding.empty() ? "nothing was measured for it" : role.deciding),
        escape_markdown(role.cause));
  }
  return text + "\n";
}

std::string stock_text(const ReportTarget& target) {
  std::string text;
  for (const WorkloadLine& line : target.workloads) {
    if (!line.stock) continue;
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", escape_markdown(line.name),
                        rate_text(line.reads_per_second), rate_text(line.writes_per_second),
                        line.timed, latency_text(line.access, 50), latency_text(line.access, 99),
                        latency_text(line.access, 99.9));
  }
  if (text.empty()) return "";
  return "| profile of stock fio | reads/s | writes/s | latency of | p50 | p99 | p99.9 |\n"
         "|---|--:|--:|---|--:|--:|--:|\n" +
         text + "\n";
}

std::string workloads_text(const ReportTarget& target) {
  std::string text;
  for (const WorkloadLine& line : target.workloads) {
    if (line.stock) continue;
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
                        escape_markdown(line.name), rate_text(line.reads_per_second),
                        rate_text(line.writes_per_second), latency_text(line.access, 99),
                        units_text(line), latency_text(line.unit_time, 50),
                        latency_text(line.unit_time, 99), latency_text(line.unit_time, 100),
                        line.stall_share ? share_text(*line.stall_share) : "-",
                        fmt::format("{} / {}", ratio_text(line.read_amplification),
                                    ratio_text(line.write_amplification)));
  }
  if (text.empty()) return "";
  return "| workload | reads/s | writes/s | access p99 | units | unit p50 | unit p99 | unit max | "
         "stalled | "
         "amplification r / w |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n" +
         text + "\n";
}

std::string remarks_text(const Report& report, const ReportTarget& target) {
  std::string text;
  for (const BlockStrip& strip : target.strips) {
    const std::string over = over_budget_text(strip, report.budgets);
    if (!over.empty()) text += fmt::format("- {}: {}\n", escape_markdown(strip.name), over);
  }
  for (const Timeline& timeline : target.timelines) {
    if (timeline.background.empty()) continue;
    text += fmt::format("- {}, in the background: {}\n", escape_markdown(timeline.name),
                        escape_markdown(timeline.background));
  }
  for (const std::string& remark : remarks_of(target))
    text += fmt::format("- {}\n", escape_markdown(remark));
  if (target.stock_rates && target.placement.rank) {
    text += fmt::format("- Hall of Blame profile: {} / {}, place {} of {}{}\n",
                        rate_text(target.stock_rates->read), rate_text(target.stock_rates->write),
                        target.placement.rank->position, target.placement.rank->drives + 1,
                        target.placement.comparable()
                            ? ""
                            : ", not comparable: " + target.placement.differences.front());
  }
  return text.empty() ? "" : text + "\n";
}

std::string folded(const std::string& summary, const std::string& body) {
  return body.empty()
             ? ""
             : fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n\n", summary, body);
}

std::string facts_text(const std::vector<FactLine>& facts) {
  std::string text;
  for (const FactLine& fact : facts) {
    text += fmt::format("| {} | {} | {} |\n", escape_markdown(fact.group),
                        escape_markdown(fact.name), escape_markdown(fact.value));
  }
  return text.empty() ? "" : "| | fact | value |\n|---|---|---|\n" + text;
}

std::string commands_text(const ReportTarget& target) {
  const std::string commands = commands_of(target);
  return commands.empty() ? "" : "```sh\n" + commands + "```\n";
}

// The charts are for the page; here stands only what is missing there, too, and why.
std::string absent_text(const ReportTarget& target) {
  std::string text;
  for (size_t i = 0; i < kParts; ++i) {
    const auto part = static_cast<Part>(i);
    if (target.why_absent(part).empty()) continue;
    text += fmt::format("- {}: {}\n", heading_of(part), escape_markdown(target.why_absent(part)));
  }
  return text;
}

}  // namespace

std::string markdown_report(const Report& report) {
  std::string text =
      fmt::format("{}\n### {}\n\n", document_mark("report"), escape_markdown(report.title));
  for (const std::string& reason : report.voids)
    text += fmt::format("> ✖ VOID: {}\n", escape_markdown(reason));
  for (const ReportTarget& target : report.targets) {
    text += fmt::format("\n#### {}\n\n**{}**\n\n", escape_markdown(target.name),
                        escape_markdown(target.headline));
    text += roles_text(target) + workloads_text(target) + stock_text(target) +
            remarks_text(report, target);
    text += folded("Facts", facts_text(target.facts)) + folded("Commands", commands_text(target)) +
            folded("What is not here, and why", absent_text(target));
  }
  for (const std::string& line : report.advice)
    text += fmt::format("- What would help: {}\n", escape_markdown(line));
  const std::string machine =
      report.facts_absent.empty() ? facts_text(report.facts) : report.facts_absent + "\n";
  return text + "\n" + folded("Machine", machine) + escape_markdown(origin_text(report)) + "\n";
}

}  // namespace ethio::report

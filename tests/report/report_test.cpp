// The writers of ethio report on a made-up report: every form whole, escaped, and the page
// self-contained.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/report/formats.h"
#include "cli/report/svg.h"
#include "cli/report/words.h"
#include "tests/support/json_schema.h"

namespace ethio::report {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr double kMs = 1e6;

Curve curve(const std::string& name, double p50_ns) {
  return {
      name,
      {{50, p50_ns}, {90, 2 * p50_ns}, {99, 5 * p50_ns}, {99.9, 20 * p50_ns}, {100, 30 * p50_ns}}};
}

// With everything that a report can hold, and names that would break a careless writer.
Report sample() {
  Report report;
  report.title = "ethio: <storage> & more";
  report.started = "2026-08-01T12:00:00Z";
  report.ethio_version = "0.1.0";
  report.fio_version = "fio-3.33";
  report.command = "ethio check /data";
  report.advice = {"turn off atime"};
  report.budgets = {{"validator", 2000 * kMs}, {"full", 4000 * kMs}};
  report.facts = {{"machine", "kernel", "6.1"},
                  {"machine", "temperature", "unknown (no smartctl)"}};

  ReportTarget target;
  target.name = "/data/a|b";
  target.headline = "UGLY for validator: 1.8 % of blocks over 2 s; it waits for dependent reads.";
  target.roles = {
      {"validator", "attests", "UGLY", "1.8 % of blocks over 2 s", "dependent reads", 0.4},
      {"full", "follows", "GOOD", "0 % of blocks over 4 s", "", 3.2},
      {"archive", "answers", "BAD", "trie-read p99 200 ms", "dependent reads", 0.05},
      {"rpc", "answers", "unknown", "", "", 0}};
  WorkloadLine head;
  head.name = "chain-head";
  head.reads_per_second = 12345;
  head.writes_per_second = 678;
  head.timed = "reads";
  head.access = curve("chain-head", 0.09 * kMs);
  head.unit = "block";
  head.units = 100;
  head.unit_time = curve("chain-head", 400 * kMs);
  head.stall_share = 0.81;
  head.read_amplification = 31;
  head.write_amplification = 1.5;
  head.problems = {"VOID: \"cold\" reads were warm"};
  WorkloadLine stock;
  stock.name = "hall-of-blame";
  stock.stock = true;
  stock.reads_per_second = 98000;
  stock.writes_per_second = 33000;
  stock.timed = "-";
  stock.remark = "a smaller file than published";
  target.workloads = {head, stock};
  target.commands = {"fio --name='a & b' --ethio_workload=chain-head"};
  target.strips = {{"chain-head", {{300 * kMs, 60}, {500 * kMs, 38}, {2500 * kMs, 2}}}};
  target.timelines = {{"chain-head",
                       {{1, 5e8, 1e7, 41}, {2, 4e8, 3e8, 47}, {3, 5e8, 2e7, 52}},
                       "compaction: 9 accesses"},
                      {"hall-of-blame", {{1, 1e8, 1e7, {}}, {2, 2e8, 1e7, {}}}, ""}};
  target.stock_rates = Rates{98000, 33000};
  target.placement.rank = Placement::Rank{};
  target.placement.rank->position = 19;
  target.placement.rank->drives = 22;
  target.placement.differences = {"a file of 1 GiB, not 150 GiB"};
  report.targets = {target};
  return report;
}

TEST(ReportForms, AreFoundByNameAndSuffix) {
  EXPECT_EQ(format_for("x.html"), format_named("html"));
  EXPECT_EQ(format_for("x.json"), format_named("json"));
  EXPECT_EQ(format_for("x.action.json"), format_named("action"));
  EXPECT_EQ(format_for("x.pdf"), nullptr);
  EXPECT_EQ(format_named("pdf"), nullptr);
}

TEST(ReportForms, JsonObeysItsSchema) {
  EXPECT_EQ(errors_against_schema("workloads/schema/report.schema.json",
                                  json::parse(json_report(sample()))),
            "");
}

TEST(ReportForms, ActionArrayHasNameUnitValue) {
  const json entries = json::parse(action_report(sample()));
  ASSERT_EQ(entries.size(), 2u);  // the stock profile timed nothing
  EXPECT_EQ(entries[0]["name"], "ethio/chain-head block p50");
  EXPECT_EQ(entries[0]["unit"], "us");
  EXPECT_DOUBLE_EQ(entries[0]["value"].get<double>(), 400e3);
  EXPECT_DOUBLE_EQ(entries[1]["value"].get<double>(), 2000e3);
}

TEST(ReportForms, MarkdownHasTheVerdictAndItsTables) {
  const std::string text = markdown_report(sample());
  EXPECT_THAT(text, StartsWith("<!-- ethio-report -->\n"));
  EXPECT_THAT(text, HasSubstr("**UGLY for validator: 1.8 % of blocks over 2 s"));
  EXPECT_THAT(text, HasSubstr("| validator | ▲ UGLY | 0.4x |"));
  EXPECT_THAT(text, HasSubstr("| chain-head | 12.3k | 678 |"));
  EXPECT_THAT(text, HasSubstr("/data/a\\|b"));
  EXPECT_THAT(text, HasSubstr("2 of 100 blocks over 2 s (2 %)"));
  EXPECT_THAT(text, HasSubstr("place 19 of 23, not comparable: a file of 1 GiB"));
}

TEST(ReportForms, JunitFailsBadRolesAndVoidWorkloads) {
  const std::string text = junit_report(sample());
  EXPECT_THAT(text,
              StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- ethio-report -->\n"));
  EXPECT_THAT(text,
              HasSubstr("<testsuites tests=\"6\" failures=\"1\" errors=\"1\" skipped=\"1\">"));
  EXPECT_THAT(text, HasSubstr("name=\"role archive\"><failure message="));
  EXPECT_THAT(text, HasSubstr("&quot;cold&quot;"));
}

TEST(ReportForms, HtmlNeedsNothingFromAnywhere) {
  const std::string page = html_report(sample());
  EXPECT_THAT(page, StartsWith("<!DOCTYPE html>\n<!-- ethio-report -->\n"));
  for (const char* outside : {"src=", "@import", "url(", "<link", "<iframe", "fetch("}) {
    EXPECT_THAT(page, Not(HasSubstr(outside)));
  }
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(page, HasSubstr("@media print"));
  EXPECT_THAT(page, HasSubstr("<title>ethio: &lt;storage&gt; &amp; more</title>"));
  EXPECT_THAT(page, HasSubstr("fio --name=&#39;a &amp; b&#39;"));
}

TEST(ReportForms, HtmlCarriesTheReportForMachines) {
  Report report = sample();
  report.advice.push_back("</script><b>");
  const std::string page = html_report(report);
  const std::string opening = "id=\"ethio-report\">\n";
  const size_t begin = page.find(opening) + opening.size();
  const std::string block = page.substr(begin, page.find("</script>", begin) - begin);
  EXPECT_EQ(json::parse(block)["advice"][1], "</script><b>");
}

size_t count(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

// Whatever a loader left empty shows as its sentence, in every form for people and programs.
TEST(ReportForms, SayWhyAPartIsMissing) {
  Report report = sample();
  report.targets[0].strips.clear();
  report.targets[0].set_absent(Part::kBlocks, "trie-read counts in ops, not in blocks.");
  report.facts.clear();
  report.facts_absent = "Only check records the machine.";
  const std::string page = html_report(report);
  EXPECT_THAT(
      page,
      HasSubstr("<h2>Blocks against their budget</h2>\n<p class=\"absent\">trie-read counts in "
                "ops, not in blocks.</p>"));
  EXPECT_THAT(page, HasSubstr("<p class=\"absent\">Only check records the machine.</p>"));
  EXPECT_THAT(
      markdown_report(report),
      AllOf(HasSubstr("- Blocks against their budget: trie-read counts in ops, not in blocks."),
            HasSubstr("Only check records the machine.")));
  const json document = json::parse(json_report(report));
  EXPECT_EQ(document["targets"][0]["absent"]["blocks"], "trie-read counts in ops, not in blocks.");
  EXPECT_EQ(document["targets"][0]["absent"].size(), 1u);
}

TEST(Charts, ShowEveryCurveStripAndDrive) {
  const std::vector<Curve> curves = {curve("a", 1e5), curve("b", 2e5), {"empty", {}}};
  EXPECT_EQ(count(percentile_chart(curves), "<polyline"), 2u);
  EXPECT_EQ(percentile_chart(std::vector<Curve>{{"empty", {}}}), "");

  const Report report = sample();
  const std::string strip = strip_chart(report.targets[0].strips[0], report.budgets);
  EXPECT_EQ(count(strip, "class=\"within\""), 2u);
  EXPECT_EQ(count(strip, "class=\"over\""), 1u);
  EXPECT_EQ(count(strip, "class=\"budget\""), 2u);
  EXPECT_EQ(strip_chart({"none", {}}, report.budgets), "");

  const std::string timeline = timeline_chart(report.targets[0].timelines);
  EXPECT_EQ(count(timeline, "<polyline"), 4u);
  EXPECT_EQ(count(timeline, "band background"), 1u);
  EXPECT_EQ(timeline_chart({}), "");
  const std::string temperature = temperature_chart(report.targets[0].timelines);
  EXPECT_EQ(count(temperature, "<polyline"), 1u) << "one phase recorded it";
  EXPECT_THAT(temperature, HasSubstr("40 °C"));
  EXPECT_THAT(temperature, HasSubstr("55 °C"));
  EXPECT_EQ(temperature_chart(std::span(report.targets[0].timelines).subspan(1)), "");

  const std::string drives = drives_chart(hall_of_blame(), {98500, 33000});
  EXPECT_EQ(count(drives, "<rect"), 23u);
  EXPECT_LT(drives.find("Solidigm P44 Pro"), drives.find("this one ➤"));
  EXPECT_LT(drives.find("this one ➤"), drives.find("Intel 660p"));
  EXPECT_THAT(drives_chart(hall_of_blame(), {1e9, 1}), HasSubstr("this one"));
  EXPECT_THAT(drives_chart(hall_of_blame(), {1, 1}), HasSubstr("this one"));
}

TEST(Words, SayWhatIsUnknown) {
  EXPECT_EQ(latency_text({"x", {}}, 99), "-");
  EXPECT_EQ(rate_text(0), "-");
  EXPECT_EQ(ratio_text(0), "-");
  EXPECT_EQ(over_budget_text({"x", {}}, {{"validator", 1}}), "");
  EXPECT_STREQ(symbol_of("GOOD likely"), "●");
  EXPECT_STREQ(symbol_of("UGLY"), "▲");
  EXPECT_STREQ(symbol_of("BAD"), "✖");
  EXPECT_STREQ(symbol_of("unknown"), "◌");
}

}  // namespace
}  // namespace ethio::report

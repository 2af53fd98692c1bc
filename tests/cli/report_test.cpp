// ethio report as a user runs it: every form of what the real bench wrote, and the page in a real
// browser.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/check/check_json.h"
#include "tests/cli/command.h"
#include "tests/report/sample_check.h"
#include "tests/support/json_schema.h"

namespace ethio {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// Appended to a copy of the page: measures what the browser made of it, as text in the document.
constexpr const char* kProbe = R"html(<p id="probe"></p><script>
const all = selector => [...document.querySelectorAll(selector)];
const root = document.documentElement;
const hit = (a, b) =>
  a.left + 1 < b.right && b.left + 1 < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom;
const textsOf = svg => [...svg.querySelectorAll('text')];
const empty = all('svg').filter(s => s.getBoundingClientRect().height < 50).length;
const outside = all('svg').flatMap(s => {
  const frame = s.getBoundingClientRect();
  return textsOf(s).filter(t => {
    const box = t.getBoundingClientRect();
    return box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 ||
           box.bottom > frame.bottom + 1;
  }).map(t => t.textContent);
});
const overlapping = all('svg').flatMap(s => {
  const texts = textsOf(s).map(t => [t.textContent, t.getBoundingClientRect()]);
  return texts.filter((a, i) => texts.slice(i + 1).some(b => hit(a[1], b[1]))).map(t => t[0]);
});
const overflowing = all('h1, h2, p, li, td, th, figcaption, pre')
  .filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent.slice(0, 60));
document.getElementById('probe').textContent = JSON.stringify({
  charts: all('svg').length, empty, outside, overlapping, overflowing,
  wide: root.scrollWidth > root.clientWidth,
  background: getComputedStyle(document.body).backgroundColor});
</script>)html";

// A check with one of everything, and with names as long as people have them.
std::string full_check() {
  CheckResult check = sample_check(2);
  TargetResult& target = check.targets[0];
  target.directory = "/srv/" + std::string(120, 'x') + "/geth/chaindata";
  for (Row& row : target.rows) {
    for (PhaseRun& run : row.runs) {
      for (Sample& sample : run.timeline) sample.celsius = 40 + sample.seconds;
      if (!run.session) continue;
      run.session->metrics.stages.push_back({"compaction", true, 4'000, Histogram()});
      for (uint64_t i = 0; i < 120; ++i) {
        run.session->metrics.unit_latency.record(50'000'000 + i * i * 200'000);
      }
      run.session->metrics.units += 120;
    }
  }
  target.rows.back().problems.push_back(
      {"a reason to distrust it that takes more than a few words", false});
  return check_json(check);
}

class ReportCommand : public CommandTest {
 protected:
  void run_bench(const std::string& workload, const std::string& out) {
    const ProcessResult result =
        run({ETHIO_BENCH, "--benchmark_filter=^" + workload + "/sim", "--ethio_units=20",
             "--ethio_size=64m", "--ethio_out=" + out});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  std::string browser() {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
      if (run({"sh", "-c", "command -v " + std::string(name)}).exit_code == 0) return name;
    }
    return "";
  }

  // The browser's output for a page, with more flags; it asks for nothing by itself.
  ProcessResult browse(const std::string& program, const std::string& page,
                       const std::vector<std::string>& more) {
    std::vector<std::string> argv = {program,
                                     "--headless",
                                     "--no-sandbox",
                                     "--disable-gpu",
                                     "--no-first-run",
                                     "--disable-background-networking",
                                     "--disable-component-update",
                                     "--disable-sync",
                                     "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                                     "--user-data-dir=" + (directory() / "profile").string(),
                                     "--dump-dom"};
    argv.insert(argv.end(), more.begin(), more.end());
    argv.push_back("file://" + (directory() / page).string());
    ProcessResult result = run(argv);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }

  // What the probe found in the page. The page forbids scripts; its copy may run this one.
  json render(const std::string& program, const std::string& page, const std::string& window,
              const std::vector<std::string>& more = {}) {
    std::string text = read(page);
    const size_t policy = text.find("<meta http-equiv=\"Content-Security-Policy\"");
    EXPECT_NE(policy, std::string::npos);
    text.erase(policy, text.find('\n', policy) - policy);
    text.insert(text.rfind("</body>"), kProbe);
    put("probed.html", text);
    std::vector<std::string> flags = {"--window-size=" + window};
    flags.insert(flags.end(), more.begin(), more.end());
    const ProcessResult result = browse(program, "probed.html", flags);
    const std::string opening = "<p id=\"probe\">";
    const size_t begin = result.out.find(opening);
    if (begin == std::string::npos) return json::object();
    const size_t end = result.out.find("</p>", begin);
    return json::parse(result.out.substr(begin + opening.size(), end - begin - opening.size()),
                       nullptr, false);
  }

  // Nothing is cut off, nothing lies over something else.
  void expect_tidy(const json& found, int charts) {
    ASSERT_TRUE(found.contains("charts")) << "the browser gave no document";
    EXPECT_EQ(found["charts"], charts);
    EXPECT_EQ(found["empty"], 0);
    EXPECT_EQ(found["outside"], json::array());
    EXPECT_EQ(found["overlapping"], json::array());
    EXPECT_EQ(found["overflowing"], json::array());
    EXPECT_EQ(found["wide"], false);
  }

  // Requests that a page made, by the browser's own log; what the browser asks for on its own
  // account has no origin.
  size_t requests_of(const std::string& program, const std::string& page) {
    const std::string log = (directory() / "net.json").string();
    std::filesystem::remove(log);
    browse(program, page, {"--log-net-log=" + log});
    const std::string text = read("net.json");
    EXPECT_THAT(text, HasSubstr("URL_REQUEST_START_JOB")) << "the browser wrote no log";
    const std::string key = "\"initiator\":\"";
    size_t requests = 0;
    for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
      requests += text.compare(at + key.size(), 13, "not an origin") == 0 ? 0 : 1;
    }
    return requests;
  }
};

TEST_F(ReportCommand, WritesEveryFormOfRealResults) {
  run_bench("chain-head", "head.json");
  run_bench("trie-read", "trie.json");
  const ProcessResult result =
      ethio({"report", "head.json", "trie.json", "-o", "r.html", "-o", "r.md", "-o", "r.xml", "-o",
             "r.json", "-o", "r.action.json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(read("r.html"), StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(read("r.md"), HasSubstr("chain-head"));
  EXPECT_EQ(
      errors_against_schema("workloads/schema/report.schema.json", json::parse(read("r.json"))),
      "");
  EXPECT_EQ(json::parse(read("r.action.json"))[0]["unit"], "us");
  // Its own files may be written again, others not.
  EXPECT_EQ(ethio({"report", "head.json", "-o", "r.html", "-o", "r.md", "-o", "r.xml", "-o",
                   "r.action.json"})
                .exit_code,
            0);
  put("mine.html", "<html>mine</html>");
  EXPECT_EQ(ethio({"report", "head.json", "-o", "mine.html"}).exit_code, 1);
  EXPECT_EQ(read("mine.html"), "<html>mine</html>");
  const ProcessResult piped = ethio({"report", "head.json", "-o", "-", "--format", "markdown"});
  EXPECT_THAT(piped.out, StartsWith("<!-- ethio-report -->"));
}

TEST_F(ReportCommand, RendersInABrowser) {
  const std::string program = browser();
  if (program.empty()) GTEST_SKIP() << "no Chromium is installed";
  put("check.json", full_check());
  ASSERT_EQ(ethio({"report", "check.json", "-o", "check.html"}).exit_code, 0);
  const json light = render(program, "check.html", "1200,1600");
  expect_tidy(light, 6);  // two of percentiles, blocks, timeline, temperature, drives
  EXPECT_EQ(light["background"], "rgb(255, 255, 255)");
  const json dark =
      render(program, "check.html", "1200,1600", {"--blink-settings=preferredColorScheme=0"});
  expect_tidy(dark, 6);
  EXPECT_EQ(dark["background"], "rgb(13, 17, 23)");
  expect_tidy(render(program, "check.html", "500,900"), 6);

  run_bench("chain-head", "head.json");
  run_bench("trie-read", "trie.json");
  ASSERT_EQ(ethio({"report", "head.json", "trie.json", "-o", "runs.html"}).exit_code, 0);
  expect_tidy(render(program, "runs.html", "1200,1600"), 5);  // percentiles of both, blocks of one
}

TEST_F(ReportCommand, AsksTheNetworkForNothing) {
  const std::string program = browser();
  if (program.empty()) GTEST_SKIP() << "no Chromium is installed";
  put("control.html", "<!DOCTYPE html><img src=\"http://127.0.0.1:9/x.png\">");
  ASSERT_GE(requests_of(program, "control.html"), 1u) << "this test would not notice a request";
  put("check.json", full_check());
  ASSERT_EQ(ethio({"report", "check.json", "-o", "check.html"}).exit_code, 0);
  EXPECT_EQ(requests_of(program, "check.html"), 0u);
}

TEST_F(ReportCommand, GivesOneSentenceForWhatIsWrong) {
  run_bench("trie-read", "trie.json");
  put("empty.json", "");
  put("cut.json", read("trie.json").substr(0, 500));
  put("later.json", R"({"schema": "ethio-check", "version": 99})");
  put("noise.json", R"({"schema": "ethio-noise", "version": 1})");
  put("prose.txt", "It was a dark and stormy night.\n");
  put("result.json", R"({"schema": "ethio-result", "version": 99})");
  expect_refusals(
      "report",
      {
          {{"empty.json", "-o", "x.html"}, 1, "ethio: empty.json: is empty; expected results of"},
          {{"cut.json", "-o", "x.html"}, 1, "ethio: cut.json: is not JSON, or not all of it"},
          {{"later.json", "-o", "x.html"}, 1, "ethio: later.json: is a check of version 99"},
          {{"noise.json", "-o", "x.html"}, 1, "ethio: noise.json: is of schema ethio-noise"},
          {{"result.json", "-o", "x.html"},
           1,
           "ethio: result.json: is a result of version 99; this ethio reads version 1"},
          {{"prose.txt", "-o", "x.html"}, 1, "ethio: prose.txt: holds no result of fio"},
          {{"nowhere", "-o", "x.html"}, 1, "ethio: nowhere: No such file or directory"},
          {{"trie.json", "-o", "x.pdf"}, 2, "ethio: report: -o: the end of 'x.pdf' names no form"},
          {{"trie.json", "-o", "-", "--format", "pdf"},
           2,
           "ethio: report: --format: 'pdf' is not one of"},
          {{"trie.json"}, 2, "ethio: report: --output is required"},
      });
  EXPECT_THAT(read("x.html"), IsEmpty());
}

}  // namespace
}  // namespace ethio

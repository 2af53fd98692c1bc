// ethio list, describe, stream and the command's frame; the stream against what stock fio replays
// and against what the engine does inside fio.
#include <gmock/gmock.h>

#include <array>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "common/ethio.h"
#include "common/spec/catalogue.h"
#include "tests/cli/command.h"

namespace ethio {
namespace {

using Json = nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class FrameTest : public CommandTest {};
class StreamTest : public CommandTest {};

// ---- the frame
// -----------------------------------------------------------------------------------

TEST_F(FrameTest, GivesVersionAndHelp) {
  EXPECT_EQ(ethio({"--version"}).out, std::string("ethio ") + ethio_version() + "\n");
  EXPECT_THAT(ethio({"help"}).out,
              AllOf(HasSubstr("check"), HasSubstr("stream"), HasSubstr("Exit codes")));
  EXPECT_EQ(ethio({"help", "stream"}).out, ethio({"stream", "--help"}).out);
  EXPECT_EQ(ethio({"--help"}).exit_code, 0);
}

TEST_F(FrameTest, SaysInOneSentenceWhatItDoesNotKnow) {
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"frobnicate"},
      {"help", "frobnicate"},
      {"list", "more"},
      {"stream"},
      {"stream", "uniform-read", "--digest", "--iolog"},
      {"stream", "uniform-read", "--cache", "6q"},
      {"stream", "uniform-read", "--job", "2", "--jobs", "2"},
      {"stream", "uniform-read", "--jobs", "0"}};
  for (const auto& arguments : wrong) {
    const ProcessResult ran = ethio(arguments);
    EXPECT_EQ(ran.exit_code, 2) << ran.err;
    EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;
    EXPECT_THAT(ran.err, ::testing::StartsWith("ethio: "));
    EXPECT_EQ(ran.out, "");
  }
  const ProcessResult unknown = ethio({"describe", "chain-tail"});
  EXPECT_NE(unknown.exit_code, 0);
  EXPECT_THAT(unknown.err, HasSubstr("chain-tail"));
  EXPECT_EQ(lines_of(unknown.err).size(), 1u) << unknown.err;
}

// ---- the catalogue
// -------------------------------------------------------------------------------

TEST_F(StreamTest, ListsEveryWorkloadWithItsSummary) {
  const std::vector<std::string> lines = lines_of(ethio({"list"}).out);
  const std::vector<std::string> names = workload_names();
  ASSERT_EQ(lines.size(), names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(cells_of(lines[i]).size(), 2u);
    EXPECT_EQ(cells_of(lines[i])[0], names[i]);
  }
}

TEST_F(StreamTest, DescribesEveryWorkload) {
  for (const std::string& name : workload_names()) {
    SCOPED_TRACE(name);
    const ProcessResult text = ethio({"describe", name, "--units", "2"});
    EXPECT_EQ(text.exit_code, 0) << text.err;
    EXPECT_THAT(text.out,
                AllOf(HasSubstr(name + ": "), HasSubstr("counted over 2"), HasSubstr("Sources")));
    const ProcessResult json = ethio({"describe", name, "--units", "2", "--json"});
    const Json description = Json::parse(json.out);
    EXPECT_EQ(description.at("schema"), "ethio-description");
    EXPECT_EQ(description.at("definition").at("name"), name);
    EXPECT_EQ(description.at("measured").at("units"), 2);
  }
}

// ---- the stream
// ----------------------------------------------------------------------------------

TEST_F(StreamTest, TheDigestIsTheIdentityOfTheStream) {
  const std::string digest = ethio({"stream", "uniform-read", "--digest", "--units", "100"}).out;
  EXPECT_THAT(digest, MatchesRegex("[0-9a-f]{32}\n"));
  EXPECT_EQ(ethio({"stream", "uniform-read", "--digest", "--units", "100"}).out, digest);
  for (const auto& change : std::vector<std::vector<std::string>>{
           {"--seed", "2"}, {"--size", "128m"}, {"--jobs", "2"}, {"--units", "101"}}) {
    std::vector<std::string> arguments = {"stream", "uniform-read", "--digest"};
    if (change[0] != "--units") arguments.insert(arguments.end(), {"--units", "100"});
    arguments.insert(arguments.end(), change.begin(), change.end());
    EXPECT_NE(ethio(arguments).out, digest) << change[0];
  }
}

TEST_F(StreamTest, PrintsOneAccessALine) {
  const std::vector<std::string> lines =
      lines_of(ethio({"stream", "uniform-read", "--units", "50"}).out);
  ASSERT_EQ(lines.size(), 50u);
  for (const std::string& line : lines)
    EXPECT_THAT(line, MatchesRegex("read [0-9]+ 4096 lane [0-9]+"));
}

// kind, offset, length
using Issued = std::vector<std::array<std::string, 3>>;

// The accesses of an iolog, without syncs: fio's latency log has no line for those of a replay.
Issued accesses_of_iolog(const std::string& text) {
  Issued issued;
  for (const std::string& line : lines_of(text)) {
    std::istringstream words(line);
    std::string file, kind, offset, length;
    if (words >> file >> kind >> offset >> length && (kind == "read" || kind == "write")) {
      issued.push_back({kind, offset, length});
    }
  }
  return issued;
}

// "time, latency, direction, bytes, offset[, priority]": what fio did, with --log_offset=1.
Issued accesses_of_latency_log(const std::filesystem::path& path) {
  Issued issued;
  std::ifstream log(path);
  for (std::string line; std::getline(log, line);) {
    std::vector<std::string> fields;
    std::istringstream words(line);
    for (std::string field; words >> field;) fields.push_back(field.substr(0, field.find(',')));
    if (fields.size() < 5 || fields[2] > "1") continue;
    issued.push_back({fields[2] == "0" ? "read" : "write", fields[4], fields[3]});
  }
  return issued;
}

TEST_F(StreamTest, StockFioReplaysTheIologAsItIs) {
  for (const std::string& name : workload_names()) {
    SCOPED_TRACE(name);
    const ProcessResult stream =
        ethio({"stream", name, "--iolog", "--units", "1", "--gas", "500000", "--size", "64m"});
    ASSERT_EQ(stream.exit_code, 0) << stream.err;
    const Issued wanted = accesses_of_iolog(stream.out);
    std::ofstream(directory() / "log") << stream.out;
    std::ofstream(directory() / "test").close();
    std::filesystem::resize_file(directory() / "test", 64u << 20);

    const ProcessResult fio =
        run({"fio", "--name=replay", "--ioengine=psync", "--read_iolog=log", "--iodepth=1",
             "--write_lat_log=did", "--log_offset=1", "--output=report"});
    ASSERT_EQ(fio.exit_code, 0) << fio.err;
    EXPECT_EQ(accesses_of_latency_log(directory() / "did_clat.1.log"), wanted);
    EXPECT_FALSE(wanted.empty());
  }
}

TEST_F(StreamTest, TheEngineInsideFioMakesTheSameStream) {
  if (!has_engine()) GTEST_SKIP() << "libethio.so, the fio engine, was not built";
  const std::string engine = std::filesystem::path(ethio_path()).parent_path() / "libethio.so";
  for (const std::string& name : workload_names()) {
    SCOPED_TRACE(name);
    const std::string units = name == "uniform-read" ? "500" : "2";
    const ProcessResult stream = ethio({"stream", name, "--digest", "--units", units, "--size",
                                        "64m", "--gas", "2m", "--seed", "7"});
    ASSERT_EQ(stream.exit_code, 0) << stream.err;
    const std::string sidecar = name + ".json";
    const ProcessResult fio =
        run({"fio", "--ioengine=external:" + engine, "--name=t", "--filename=target", "--size=64m",
             "--rw=randrw", "--ethio_workload=" + name, "--ethio_units=" + units, "--ethio_gas=2m",
             "--ethio_seed=7", "--ethio_out=" + sidecar, "--time_based", "--runtime=120",
             "--output=report"});
    ASSERT_EQ(fio.exit_code, 0) << fio.err;
    const Json result = Json::parse(std::ifstream(directory() / sidecar));
    EXPECT_EQ(result.at("streams").at(0).at("digest").get<std::string>() + "\n", stream.out);
  }
}

}  // namespace
}  // namespace ethio

// What fio itself writes about a job: logs, JSON with bins, and reports over the network.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "tests/fio/counts.h"
#include "tests/fio/fixture.h"

namespace ethio {
namespace {

using ::testing::HasSubstr;

class Reporting : public FioTest {
 protected:
  static std::vector<std::string> small_block() {
    return {"--size=16m", "--ethio_workload=chain-head", "--ethio_gas=1m", "--ethio_units=3",
            "--ethio_out=out.json"};
  }

  std::vector<std::string> lines(const std::string& name) const {
    std::istringstream text(testing::read_file(folder() / name));
    std::vector<std::string> all;
    for (std::string line; std::getline(text, line);) all.push_back(line);
    return all;
  }
};

// The field of a line of a log: "msec, value, direction, bytes, offset".
uint64_t field(const std::string& line, int number) {
  size_t at = 0;
  for (int i = 0; i < number; ++i) at = line.find(',', at) + 1;
  return std::stoull(line.substr(at));
}

TEST_F(Reporting, LogsHaveALineForEachAccessAsItWas) {
  auto arguments = small_block();
  arguments.insert(arguments.end(), {"--write_lat_log=log", "--write_iops_log=log"});
  const Counts counts = counts_of_fio(fio_report(arguments));
  EXPECT_EQ(counts_of_sidecar(json_file("out.json")), counts);
  for (const char* name : {"log_lat.1.log", "log_clat.1.log", "log_iops.1.log"}) {
    Counts logged;
    for (const std::string& line : lines(name)) {
      const bool write = field(line, 2) == 1;
      ++(write ? logged.writes : logged.reads);
      (write ? logged.written_bytes : logged.read_bytes) += field(line, 3);
    }
    logged.syncs = counts.syncs;  // fio logs none
    EXPECT_EQ(logged, counts) << name;
  }
}

// An access that had to wait is logged with each attempt.
TEST_F(Reporting, TheIologHasEveryAccessAtLeastOnce) {
  auto arguments = small_block();
  arguments.emplace_back("--write_iolog=accesses.log");
  const Counts counts = counts_of_fio(fio_report(arguments));
  const auto logged = lines("accesses.log");
  const auto how_many = [&](const char* what) {
    return static_cast<uint64_t>(std::count_if(logged.begin(), logged.end(), [&](const auto& line) {
      return line.find(what) != std::string::npos;
    }));
  };
  EXPECT_GE(how_many(" read "), counts.reads);
  EXPECT_GE(how_many(" write "), counts.writes);
}

TEST_F(Reporting, JsonPlusHasBins) {
  auto arguments = small_block();
  arguments.emplace_back("--output-format=json+");
  const auto result = fio(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto job = nlohmann::json::parse(result.out)["jobs"][0];
  uint64_t in_bins = 0;
  for (const auto& [ns, count] : job["read"]["clat_ns"]["bins"].items()) {
    in_bins += count.get<uint64_t>();
  }
  EXPECT_EQ(in_bins, counts_of_sidecar(json_file("out.json")).reads);
  EXPECT_THAT(result.err, Not(HasSubstr("stream digest")));  // no table where a script listens
}

TEST_F(Reporting, ANormalReportComesWithATableOnStderr) {
  const auto result = fio(small_block());
  EXPECT_THAT(result.out, HasSubstr("READ: bw="));
  EXPECT_THAT(result.out, Not(HasSubstr("stream digest")));
  EXPECT_THAT(result.err, HasSubstr("stream digest"));
}

// A port that was free a moment ago.
int free_port() {
  const int socket_fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  EXPECT_EQ(bind(socket_fd, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(getsockname(socket_fd, reinterpret_cast<sockaddr*>(&address), &size), 0);
  close(socket_fd);
  return ntohs(address.sin_port);
}

TEST_F(Reporting, AClientWithTwoServers) {
  if (testing::find_program("bash").empty()) GTEST_SKIP() << "SKIPPED: bash is not installed";
  for (const char* name : {"one", "two"}) {
    const std::string out = folder() / (std::string(name) + "/out.json");
    testing::write_file(folder() / (std::string(name) + ".fio"),
                        "[" + std::string(name) + "]\nioengine=external:" + engine() +
                            "\nfilename=target\nsize=16m\nrw=randread\nethio_workload=flat-read\n"
                            "ethio_units=50\nethio_out=" +
                            out + "\nethio_seed=" + std::to_string(name[0]) + "\n");
  }
  const auto result =
      run({"bash", ETHIO_TWO_SERVERS, std::to_string(free_port()), std::to_string(free_port())});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("ethio: flat-read: for its accesses fio has"));
  Counts counts = counts_of_sidecar(json_file("one/out.json"));
  counts += counts_of_sidecar(json_file("two/out.json"));
  const auto report = nlohmann::json::parse(result.out.substr(result.out.find("\n{")));
  uint64_t reads = 0;
  int jobs = 0;
  for (const auto& job : report["client_stats"]) {
    if (job["jobname"] == "All clients") continue;
    reads += job["read"]["total_ios"].get<uint64_t>();
    ++jobs;
  }
  EXPECT_EQ(jobs, 2);
  EXPECT_EQ(counts.reads, reads);
  EXPECT_NE(digest_of(json_file("one/out.json")), digest_of(json_file("two/out.json")));
}

}  // namespace
}  // namespace ethio

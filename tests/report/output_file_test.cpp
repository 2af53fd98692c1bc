#include "common/report/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "common/base/error.h"

namespace ethio {
namespace {

constexpr const char* kFirst = "{\n \"schema\": \"ethio-result\", \"run\": 1}\n";
constexpr const char* kSecond = "{\n \"schema\": \"ethio-result\", \"run\": 2}\n";

class OutputFile : public testing::Test {
 protected:
  OutputFile() {
    std::string name = testing::TempDir() + "ethio-output-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~OutputFile() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  static std::string content(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  static void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
  // errno of a refused write, 0 if it went well.
  static int write(const std::string& path, const char* text = kFirst) {
    try {
      write_output_file(path, text);
      return 0;
    } catch (const Error& error) {
      return error.code();
    }
  }
  size_t files() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::filesystem::path folder_;
};

TEST_F(OutputFile, IsNewOrReplacesOneOfEthio) {
  EXPECT_EQ(write(path("r.json"), kFirst), 0);
  EXPECT_EQ(write(path("r.json"), kSecond), 0);
  EXPECT_EQ(content(path("r.json")), kSecond);
  EXPECT_EQ(files(), 1U) << "a temporary file was left";
}

TEST_F(OutputFile, KnowsItsMarkdownXmlAndHtmlAgain) {
  for (const char* text :
       {"<!-- ethio-compare -->\n# Table\n",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- ethio-compare -->\n<a/>\n",
        "<!DOCTYPE html>\n<!-- ethio-report -->\n<html></html>\n"}) {
    EXPECT_EQ(write(path("r"), text), 0);
    EXPECT_EQ(write(path("r"), text), 0);
    EXPECT_EQ(content(path("r")), text);
  }
  put(path("theirs.html"), "<!DOCTYPE html>\n<html><!-- ethio-report --></html>");
  EXPECT_EQ(write(path("theirs.html")), EEXIST);
  put(path("theirs.md"), "# Notes on <!-- ethio-compare -->\n");
  EXPECT_EQ(write(path("theirs.md")), EEXIST);
}

TEST_F(OutputFile, TakesAnEmptyFile) {
  put(path("r.json"), "");
  EXPECT_EQ(write(path("r.json")), 0);
}

TEST_F(OutputFile, LeavesAForeignFileAlone) {
  put(path("notes"), "mine");
  put(path("other.json"), "{\"schema\": \"else\"}");
  for (const char* name : {"notes", "other.json"}) {
    const std::string before = content(path(name));
    EXPECT_EQ(write(path(name)), EEXIST);
    EXPECT_EQ(content(path(name)), before);
    EXPECT_THROW(check_output_file(path(name)), Error);
  }
  EXPECT_EQ(files(), 2U);
}

TEST_F(OutputFile, LeavesWhatIsNotAFileAlone) {
  std::filesystem::create_directory(path("folder"));
  EXPECT_EQ(write(path("folder")), EEXIST);
  std::filesystem::create_symlink("/dev/null", path("link"));
  EXPECT_EQ(write(path("link")), EEXIST);
  EXPECT_EQ(write("/dev/null"), EEXIST);
  EXPECT_EQ(write(""), EINVAL);
}

TEST_F(OutputFile, NeedsItsFolder) {
  EXPECT_EQ(write(path("none/r.json")), ENOENT);
  EXPECT_THROW(check_output_file(path("none/r.json")), Error);
  EXPECT_NO_THROW(check_output_file(path("new.json")));
  EXPECT_EQ(files(), 0U) << "a check writes nothing";
}

TEST_F(OutputFile, HasTheModeOfAnyNewFile) {
  const mode_t mask = umask(022);
  EXPECT_EQ(write(path("r.json")), 0);
  umask(mask);
  struct stat status {};
  ASSERT_EQ(stat(path("r.json").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0644U);
}

TEST(OutputFileMarker, IsTheFirstMember) {
  EXPECT_TRUE(is_ethio_document("{\"schema\":\"ethio-result\""));
  EXPECT_TRUE(is_ethio_document(" {\n  \"schema\" : \"ethio-check\", "));
  EXPECT_FALSE(is_ethio_document("{\"x\": 1, \"schema\": \"ethio-result\"}"));
  EXPECT_FALSE(is_ethio_document(""));
  EXPECT_FALSE(is_ethio_document("{\"schema\""));
}

}  // namespace
}  // namespace ethio

#include "common/report/fio_reader.h"

#include <algorithm>

#include "common/base/error.h"
#include "common/report/fio_parts.h"

namespace ethio::fio {
namespace {

// A '{' that opens JSON: the next thing is a key or the end. A brace in prose or in a job's name is
// neither.
bool opens_json(std::string_view text, size_t brace) {
  const size_t next = text.find_first_not_of(" \t\r\n", brace + 1);
  return next == std::string_view::npos || text[next] == '"' || text[next] == '}';
}

// One past the brace that closes the object at `begin`; npos when it never closes.
size_t end_of_object(std::string_view text, size_t begin) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

uint32_t lines_in(std::string_view text) {
  return static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n'));
}

void refuse_binary(std::string_view text, const std::string& origin) {
  constexpr std::string_view kElf =
      "\x7F"
      "ELF";
  if (text.substr(0, 4) == kElf)
    throw Error(EINVAL, origin + ": is a program, not the output of fio");
  if (text.find('\0') != std::string_view::npos) {
    throw Error(EINVAL, origin + ": holds binary data, not the output of fio");
  }
}

void append(std::vector<Result>& results, std::vector<Result> more) {
  for (Result& result : more) {
    // --output-format=normal,json prints every result in both forms; JSON says it more exactly.
    const auto twin = std::find_if(results.begin(), results.end(), [&](const Result& earlier) {
      return (earlier.form == Form::kJson) != (result.form == Form::kJson) &&
             same_measurement(earlier, result);
    });
    if (twin == results.end()) {
      results.push_back(std::move(result));
    } else if (result.form == Form::kJson) {
      *twin = std::move(result);
    }
  }
}

// What fio prints before the result of a run that was stopped; JSON itself does not say so.
bool says_interrupted(std::string_view prose) {
  return prose.find("fio: terminating on signal") != std::string_view::npos;
}

uint32_t next_run(const std::vector<Result>& results) {
  return results.empty() ? 0 : results.back().run + 1;
}

}  // namespace

std::vector<Result> read(std::string_view text, std::string_view origin) {
  const std::string name(origin);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw Error(EINVAL, name + ": is empty; expected the output of fio");
  }
  refuse_binary(text, name);

  std::vector<Result> results;
  uint32_t line = 1;
  for (size_t at = 0; at < text.size();) {
    size_t brace = text.find('{', at);
    while (brace != std::string_view::npos && !opens_json(text, brace))
      brace = text.find('{', brace + 1);
    const std::string_view prose = text.substr(at, brace - at);
    append(results, read_text(prose, origin, line, next_run(results)));
    line += lines_in(prose);
    if (brace == std::string_view::npos) break;

    const size_t end = end_of_object(text, brace);
    if (end == std::string_view::npos) {
      throw Error(EINVAL, name + ": line " + std::to_string(line) +
                              ": the JSON that begins here is cut off; was fio interrupted?");
    }
    std::vector<Result> run =
        read_json(text.substr(brace, end - brace), origin, line, next_run(results));
    for (Result& result : run) result.interrupted = says_interrupted(prose);
    append(results, std::move(run));
    line += lines_in(text.substr(brace, end - brace));
    at = end;
  }
  if (results.empty()) {
    throw Error(EINVAL, name +
                            ": holds no result of fio; expected its normal output, its READ/WRITE "
                            "summary, JSON or JSON+");
  }
  return results;
}

}  // namespace ethio::fio

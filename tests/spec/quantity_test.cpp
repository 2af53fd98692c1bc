// Quantities as text: exact to read, honest to print, strict about everything else.
#include "common/base/quantity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <limits>
#include <string>

#include "common/base/error.h"
#include "common/base/text.h"

namespace ethio {
namespace {

using ::testing::HasSubstr;

using Parse = uint64_t (*)(std::string_view);

std::string refusal(Parse parse, std::string_view text) {
  try {
    return "accepted as " + std::to_string(parse(text));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), EINVAL);
    return error.what();
  }
}

TEST(ParseBytes, ReadsPowersOf1024) {
  EXPECT_EQ(parse_bytes("0"), 0U);
  EXPECT_EQ(parse_bytes("4096"), 4096U);
  EXPECT_EQ(parse_bytes("4k"), 4096U);
  EXPECT_EQ(parse_bytes("4K"), 4096U);
  EXPECT_EQ(parse_bytes("614m"), 614U << 20);
  EXPECT_EQ(parse_bytes("1.5g"), 3ULL << 29);
  EXPECT_EQ(parse_bytes("2t"), 2ULL << 40);
  EXPECT_EQ(parse_bytes("64MiB"), 64U << 20);
  EXPECT_EQ(parse_bytes("0.5k"), 512U);
  EXPECT_EQ(parse_bytes("12.000"), 12U);
  EXPECT_EQ(parse_bytes("18446744073709551615"), ~uint64_t{0});
  EXPECT_EQ(parse_bytes("16777215.5t"), (uint64_t{16777215} << 40) + (uint64_t{1} << 39));
}

TEST(ParseCount, ReadsPowersOf1000) {
  EXPECT_EQ(parse_count("1000"), 1000U);
  EXPECT_EQ(parse_count("250k"), 250'000U);
  EXPECT_EQ(parse_count("60m"), 60'000'000U);
  EXPECT_EQ(parse_count("1.48g"), 1'480'000'000U);
  EXPECT_EQ(parse_count("0.001k"), 1U);
  EXPECT_EQ(parse_count("007"), 7U);
}

TEST(ParseDuration, ReadsUnitsAndBareSeconds) {
  EXPECT_EQ(parse_duration_ns("0"), 0U);
  EXPECT_EQ(parse_duration_ns("12"), 12'000'000'000U);
  EXPECT_EQ(parse_duration_ns("12s"), 12'000'000'000U);
  EXPECT_EQ(parse_duration_ns("0.5"), 500'000'000U);
  EXPECT_EQ(parse_duration_ns("500ms"), 500'000'000U);
  EXPECT_EQ(parse_duration_ns("10us"), 10'000U);
  EXPECT_EQ(parse_duration_ns("7ns"), 7U);
}

TEST(ParseQuantity, RefusesWhatIsNotOne) {
  for (const Parse parse : {&parse_bytes, &parse_count, &parse_duration_ns}) {
    for (const char* text :
         {"",    " ",     "k",  "-1", "+1",   "1 k",   " 1",  "1 ",  "1kk", "0x10",
          "1e3", "1,000", ".5", "1.", "1..5", "1.5.5", "nan", "inf", "12q", "1k5"}) {
      EXPECT_THAT(refusal(parse, text), HasSubstr("is not a ")) << text;
      EXPECT_THAT(refusal(parse, text), HasSubstr("; write ")) << text;
    }
  }
  EXPECT_EQ(refusal(&parse_bytes, "6q"), "'6q' is not a size; write 4096, 64k, 614m, 1g");
  EXPECT_THAT(refusal(&parse_bytes, "4kb"), HasSubstr("is not a size"));
  EXPECT_THAT(refusal(&parse_count, "4KiB"), HasSubstr("is not a count"));
  EXPECT_THAT(refusal(&parse_duration_ns, "4m"), HasSubstr("is not a duration"));
}

TEST(ParseQuantity, RefusesWhatIsNotWhole) {
  EXPECT_THAT(refusal(&parse_bytes, "0.3k"), HasSubstr("is not a whole number of bytes"));
  EXPECT_THAT(refusal(&parse_count, "1.5"), HasSubstr("is not a whole count"));
  EXPECT_THAT(refusal(&parse_duration_ns, "0.5ns"),
              HasSubstr("is not a whole number of nanoseconds"));
}

TEST(ParseQuantity, RefusesOverflow) {
  EXPECT_THAT(refusal(&parse_bytes, "18446744073709551616"), HasSubstr("is too large for a size"));
  EXPECT_THAT(refusal(&parse_bytes, "16777216t"), HasSubstr("is too large for a size"));
  EXPECT_THAT(refusal(&parse_count, "18446745t"), HasSubstr("is too large for a count"));
  EXPECT_THAT(refusal(&parse_duration_ns, "18446744074s"),
              HasSubstr("is too large for a duration"));
  EXPECT_THAT(refusal(&parse_count, std::string(400, '9')), HasSubstr("is too large"));
  EXPECT_THAT(refusal(&parse_count, "1." + std::string(400, '1')), HasSubstr("too many digits"));
}

TEST(ParseQuantity, KeepsMessagesOnOneShortLine) {
  EXPECT_LT(refusal(&parse_count, std::string(5000, 'x')).size(), 200U);
  EXPECT_EQ(refusal(&parse_count, "1\n\x1b[31m").find_first_of("\n\x1b"), std::string::npos);
}

TEST(FormatBytes, GivesThreeDigits) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(4096), "4 KiB");
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
  EXPECT_EQ(format_bytes(614ULL << 20), "614 MiB");
  EXPECT_EQ(format_bytes((1ULL << 20) - 1), "1 MiB");
  EXPECT_EQ(format_bytes(9'234'179'686), "8.6 GiB");
  EXPECT_EQ(format_bytes(~uint64_t{0}), "16384 PiB");
}

TEST(FormatCount, GivesThreeDigitsOrCommas) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(2.351), "2.35");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(999.7), "1,000");
  EXPECT_EQ(format_count(1234), "1,234");
  EXPECT_EQ(format_count(9999.6), "10k");
  EXPECT_EQ(format_count(12'345), "12.3k");
  EXPECT_EQ(format_count(999'600), "1M");
  EXPECT_EQ(format_count(1.48e9), "1.48G");
  EXPECT_EQ(format_count(-1234), "-1,234");
  EXPECT_EQ(format_count(std::nan("")), "?");
  EXPECT_EQ(format_count(std::numeric_limits<double>::infinity()), "?");
}

TEST(FormatDuration, GivesThreeDigits) {
  EXPECT_EQ(format_duration_ns(0), "0 ns");
  EXPECT_EQ(format_duration_ns(93'000), "93 us");
  EXPECT_EQ(format_duration_ns(1'250'000), "1.25 ms");
  EXPECT_EQ(format_duration_ns(999'960), "1 ms");
  EXPECT_EQ(format_duration_ns(12e9), "12 s");
  EXPECT_EQ(format_duration_ns(5000e9), "5000 s");
}

TEST(ExactText, IsReadBackToTheSameValue) {
  uint64_t value = 1;
  for (int i = 0; i < 2000; ++i) {
    EXPECT_EQ(parse_bytes(exact_bytes(value)), value);
    EXPECT_EQ(parse_count(exact_count(value)), value);
    EXPECT_EQ(parse_duration_ns(exact_duration_ns(value)), value);
    value = i % 7 == 0 ? value * 1024 : i % 11 == 0 ? value * 1000 : value * 3 + 1;
  }
  EXPECT_EQ(exact_bytes(4096), "4k");
  EXPECT_EQ(exact_bytes(2983), "2983");
  EXPECT_EQ(exact_count(60'000'000), "60m");
  EXPECT_EQ(exact_duration_ns(0), "0");
  EXPECT_EQ(exact_duration_ns(1'500'000'000), "1500ms");
}

TEST(InQuotes, CutsBetweenCharacters) {
  const std::string text = std::string(59, 'a') + "\xc3\xa9z";  // e acute across the limit
  EXPECT_EQ(in_quotes(text), "'" + std::string(59, 'a') + "...'");
  EXPECT_EQ(in_quotes("a\tb"), "'a\\x09b'");
}

}  // namespace
}  // namespace ethio

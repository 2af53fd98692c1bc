// The parts of the oracle on their own: Keccak-256, RLP and hex-prefix against published values.
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/oracle/bytes.h"
#include "tests/oracle/keccak.h"
#include "tests/oracle/rlp.h"

namespace ethio::oracle {
namespace {

std::string rlp(std::string_view bytes) {
  std::string out;
  append_string(out, bytes);
  return out;
}

template <typename... Items>
std::string list(const Items&... encoded) {
  return encode_list((std::string() + ... + encoded));
}

TEST(Bytes, HexadecimalAndNibbles) {
  EXPECT_EQ(to_hex(from_hex("0x00aF")), "00af");
  EXPECT_THROW(from_hex("123"), std::invalid_argument);
  EXPECT_THROW(from_hex("0g"), std::invalid_argument);
  const std::string key = from_hex("a7f9");
  EXPECT_EQ(nibble_at(key, 0), 10u);
  EXPECT_EQ(nibble_at(key, 3), 9u);
  EXPECT_EQ(common_nibbles(key, from_hex("a7f9")), 4u);
  EXPECT_EQ(common_nibbles(key, from_hex("a7f1")), 3u);
  EXPECT_EQ(common_nibbles(key, from_hex("a71111")), 2u);
  EXPECT_EQ(common_nibbles(key, from_hex("a7")), 2u);
  EXPECT_EQ(common_nibbles(key, from_hex("b7")), 0u);
  EXPECT_EQ(common_nibbles(key, {}), 0u);
}

// The hash of no code and of no trie, as every Ethereum header carries them, and the test of the
// Keccak team with one and with two blocks of input (rate 136 bytes).
TEST(Keccak, KnownAnswers) {
  const auto hex_of = [](std::string_view bytes) { return to_hex(keccak256(bytes).view()); };
  EXPECT_EQ(hex_of(""), "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
  EXPECT_EQ(hex_of("abc"), "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45");
  EXPECT_EQ(hex_of("\x80"), "56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421");
  EXPECT_EQ(hex_of("\xc0"), "1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347");
}

// https://github.com/ethereum/tests/blob/develop/RLPTests/rlptest.json
TEST(Rlp, Strings) {
  EXPECT_EQ(to_hex(rlp("")), "80");
  EXPECT_EQ(to_hex(rlp(std::string(1, '\0'))), "00");
  EXPECT_EQ(to_hex(rlp("\x01")), "01");
  EXPECT_EQ(to_hex(rlp("\x7f")), "7f");
  EXPECT_EQ(to_hex(rlp("\x80")), "8180");
  EXPECT_EQ(to_hex(rlp("dog")), "83646f67");
  EXPECT_EQ(to_hex(rlp(std::string(55, 'x'))).substr(0, 4), "b778");
  EXPECT_EQ(to_hex(rlp(std::string(56, 'x'))).substr(0, 6), "b83878");
  EXPECT_EQ(to_hex(rlp(std::string(1024, 'x'))).substr(0, 8), "b9040078");
  EXPECT_EQ(rlp(std::string(1024, 'x')).size(), 1027u);
}

TEST(Rlp, Integers) {
  EXPECT_EQ(to_hex(rlp(integer(0))), "80");
  EXPECT_EQ(to_hex(rlp(integer(16))), "10");
  EXPECT_EQ(to_hex(rlp(integer(127))), "7f");
  EXPECT_EQ(to_hex(rlp(integer(128))), "8180");
  EXPECT_EQ(to_hex(rlp(integer(1000))), "8203e8");
  EXPECT_EQ(to_hex(rlp(integer(100000))), "830186a0");
  EXPECT_EQ(to_hex(rlp(integer(~uint64_t{0}))), "88ffffffffffffffff");
}

TEST(Rlp, Lists) {
  EXPECT_EQ(to_hex(list()), "c0");
  EXPECT_EQ(to_hex(list(rlp("dog"), rlp("god"), rlp("cat"))), "cc83646f6783676f6483636174");
  EXPECT_EQ(to_hex(list(rlp("zw"), list(rlp("\x04")), rlp("\x01"))), "c6827a77c10401");
  EXPECT_EQ(to_hex(list(list(), list(list()), list(list(), list(list())))), "c7c0c1c0c3c0c1c0");

  const std::string three = list(rlp("asdf"), rlp("qwer"), rlp("zxcv"));
  EXPECT_EQ(to_hex(three), "cf84617364668471776572847a786376");
  EXPECT_EQ(to_hex(list(three, three, three, three)).substr(0, 6), "f840cf");
  std::string many;
  for (int i = 0; i < 32; ++i) many += three;
  EXPECT_EQ(to_hex(encode_list(many)).substr(0, 8), "f90200cf");
  EXPECT_EQ(encode_list(many).size(), 3 + many.size());
}

// The examples of
// https://ethereum.org/en/developers/docs/data-structures-and-encoding/patricia-merkle-trie/
TEST(HexPrefix, KeepsParityAndKind) {
  const auto of = [](std::string_view key, size_t from, size_t to, bool leaf) {
    return to_hex(hex_prefix(from_hex(key), from, to, leaf));
  };
  EXPECT_EQ(of("0123456f", 1, 6, false), "112345");
  EXPECT_EQ(of("012345", 0, 6, false), "00012345");
  EXPECT_EQ(of("0f1cb8", 0, 6, true), "200f1cb8");
  EXPECT_EQ(of("0f1cb8", 1, 6, true), "3f1cb8");
  EXPECT_EQ(of("0f1cb8", 6, 6, true), "20");
}

}  // namespace
}  // namespace ethio::oracle

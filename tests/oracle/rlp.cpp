#include "tests/oracle/rlp.h"

#include "tests/oracle/bytes.h"

namespace ethio::oracle {
namespace {

// `short_tag` is 0x80 for strings and 0xc0 for lists.
void append_length(std::string& out, size_t length, unsigned short_tag) {
  if (length <= 55) {
    out.push_back(static_cast<char>(short_tag + length));
    return;
  }
  const std::string digits = integer(length);
  out.push_back(static_cast<char>(short_tag + 55 + digits.size()));
  out += digits;
}

}  // namespace

void append_string(std::string& out, std::string_view bytes) {
  const bool is_its_own_encoding = bytes.size() == 1 && byte_at(bytes, 0) < 0x80;
  if (!is_its_own_encoding) append_length(out, bytes.size(), 0x80);
  out += bytes;
}

void append_list(std::string& out, std::string_view payload) {
  append_length(out, payload.size(), 0xc0);
  out += payload;
}

std::string encode_list(std::string_view payload) {
  std::string out;
  out.reserve(payload.size() + 3);
  append_list(out, payload);
  return out;
}

std::string integer(uint64_t value) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) {
    const auto byte = static_cast<char>(value >> shift);
    if (byte != 0 || !bytes.empty()) bytes.push_back(byte);
  }
  return bytes;
}

std::string hex_prefix(std::string_view key, size_t from, size_t to, bool leaf) {
  const unsigned flag = leaf ? 2 : 0;
  const bool odd = (to - from) % 2 != 0;
  std::string out;
  out.reserve((to - from) / 2 + 1);
  out.push_back(static_cast<char>(odd ? (flag + 1) << 4 | nibble_at(key, from) : flag << 4));
  for (size_t i = from + (odd ? 1 : 0); i < to; i += 2) {
    out.push_back(static_cast<char>(nibble_at(key, i) << 4 | nibble_at(key, i + 1)));
  }
  return out;
}

std::string encode_account(uint64_t nonce, std::string_view balance, std::string_view storage_root,
                           std::string_view code_hash) {
  std::string payload;
  append_string(payload, integer(nonce));
  append_string(payload, balance);
  append_string(payload, storage_root);
  append_string(payload, code_hash);
  return encode_list(payload);
}

}  // namespace ethio::oracle

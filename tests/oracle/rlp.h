// RLP, Ethereum's serialisation, and the hex-prefix encoding of paths (yellow paper, appendices B
// and C). Encoding only: the oracle never reads a node back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ethio::oracle {

void append_string(std::string& out, std::string_view bytes);
// A list whose items are encoded in `payload`.
void append_list(std::string& out, std::string_view payload);
std::string encode_list(std::string_view payload);

// An integer as RLP wants it: big endian, no leading zeros, zero is empty.
std::string integer(uint64_t value);

// Nibbles [from, to) of a key with the flag that tells a leaf from an extension.
std::string hex_prefix(std::string_view key, size_t from, size_t to, bool leaf);

// What an account's leaf holds. `balance` in wei, as integer() or longer.
std::string encode_account(uint64_t nonce, std::string_view balance, std::string_view storage_root,
                           std::string_view code_hash);

}  // namespace ethio::oracle

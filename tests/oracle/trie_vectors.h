// Ethereum's public trie vectors as data: what is put and deleted in order, and the roots that must
// result, once with plain keys and once with hashed ones. Source:
// https://github.com/ethereum/tests, TrieTests/{trietest,trieanyorder,trietest_secureTrie,
// trieanyorder_secureTrie,hex_encoded_securetrie_test}.json.
#pragma once

#include <span>
#include <string_view>

namespace ethio::oracle {

struct Put {
  std::string_view key;    // "0x..." is hexadecimal
  std::string_view value;  // likewise; empty deletes
};

struct TrieVector {
  std::string_view name;
  std::span<const Put> puts;
  std::string_view plain_root;   // "" where none is published
  std::string_view secure_root;  // likewise
};

std::span<const TrieVector> trie_vectors();

inline constexpr std::string_view kEmptyRoot =
    "56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

}  // namespace ethio::oracle

// Every kind of op on one page: what it reads or writes, and of which key class. The state stage
// picks its key, the layout stage turns it into accesses. To add one: an enumerator, a row, and a
// case in the layouts that support it.
//
// Key classes follow geth's schema (core/rawdb/schema.go, go-ethereum 02b73d4): `a`+hash flat
// accounts, `o`+hash+hash flat slots, `A`+path and `O`+hash+path trie nodes, `c`+hash contract
// code.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "common/base/access.h"

namespace ethio {

enum class OpKind : uint8_t {
  kUniformRead,
  kUniformWrite,
  kAccountGet,
  kSlotGet,
  kCodeGet,
  kHistoryGet,
  kAccountWalk,
  kSlotWalk,
  kAccountCommit,
  kSlotCommit,
  kAppend,
  kSync,
  kCompact,
};

struct OpKindInfo {
  OpKind kind;
  std::string_view name;
  bool reads, writes, syncs;  // which accesses it can take
  bool needs_bytes;           // `bytes` must be given; of the others only code_get takes any
  bool keyed;  // picks a key of the state, so that `order`, `absent` and `repeat` mean something
  std::string_view summary;
};

inline constexpr OpKindInfo kOpKinds[] = {
    {OpKind::kUniformRead, "uniform_read", true, false, false, true, false,
     "one read of `bytes` at a uniformly random aligned offset: what stock randread does"},
    {OpKind::kUniformWrite, "uniform_write", false, true, false, true, false,
     "one write of `bytes` at a uniformly random aligned offset: what stock randwrite does"},
    {OpKind::kAccountGet, "account_get", true, false, false, false, true,
     "point lookup of one account in the flat state"},
    {OpKind::kSlotGet, "slot_get", true, false, false, false, true,
     "point lookup of one storage slot in the flat state"},
    {OpKind::kCodeGet, "code_get", true, false, false, false, true,
     "lookup of one contract's code, of `bytes` or else of a size drawn from the measured "
     "distribution"},
    {OpKind::kHistoryGet, "history_get", true, false, false, false, true,
     "one slot as of an old block: the index of its changes, then the change itself"},
    {OpKind::kAccountWalk, "account_walk", true, false, false, false, true,
     "the account trie from root to leaf: one lookup for each node that the cache does not hold"},
    {OpKind::kSlotWalk, "slot_walk", true, false, false, false, true,
     "one contract's storage trie from root to leaf, likewise"},
    {OpKind::kAccountCommit, "account_commit", false, true, false, false, true,
     "write of the dirty account-trie nodes and flat entry of one changed account"},
    {OpKind::kSlotCommit, "slot_commit", false, true, false, false, true,
     "write of the dirty storage-trie nodes and flat entry of one changed slot"},
    {OpKind::kAppend, "append", false, true, false, true, false,
     "`bytes` appended to a log or an immutable file, sequentially"},
    {OpKind::kSync, "sync", false, false, true, false, false, "fdatasync of the target"},
    {OpKind::kCompact, "compact", true, true, false, true, false,
     "one step of a merge: `bytes` read sequentially, then as much written"},
};

constexpr const OpKindInfo& info_of(OpKind kind) {
  return kOpKinds[static_cast<int>(kind)];
}

// Reads or writes anywhere: the kinds of the control, which need no state and no tables.
constexpr bool is_uniform(OpKind kind) {
  return kind == OpKind::kUniformRead || kind == OpKind::kUniformWrite;
}

constexpr std::optional<OpKind> op_kind_named(std::string_view name) {
  for (const OpKindInfo& info : kOpKinds) {
    if (info.name == name) return info.kind;
  }
  return std::nullopt;
}

}  // namespace ethio

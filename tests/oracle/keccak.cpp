#include "tests/oracle/keccak.h"

#include <cryptopp/keccak.h>

namespace ethio::oracle {

Hash keccak256(std::string_view bytes) {
  CryptoPP::Keccak_256 keccak;
  Hash hash;
  keccak.CalculateDigest(reinterpret_cast<CryptoPP::byte*>(hash.bytes.data()),
                         reinterpret_cast<const CryptoPP::byte*>(bytes.data()), bytes.size());
  return hash;
}

}  // namespace ethio::oracle

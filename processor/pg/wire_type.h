// Type numbers and value formats of the wire protocol, as far as we speak it.
#pragma once

namespace pg::wire {

inline constexpr int kTextFormat = 0;
inline constexpr int kBinaryFormat = 1;

// pg_type.dat; part of PostgreSQL's contract with its drivers, they never change.
inline constexpr unsigned kBool = 16;
inline constexpr unsigned kBytea = 17;
inline constexpr unsigned kChar = 18;
inline constexpr unsigned kName = 19;
inline constexpr unsigned kInt8 = 20;
inline constexpr unsigned kInt2 = 21;
inline constexpr unsigned kInt4 = 23;
inline constexpr unsigned kText = 25;
inline constexpr unsigned kJson = 114;
inline constexpr unsigned kBoolArray = 1000;
inline constexpr unsigned kByteaArray = 1001;
inline constexpr unsigned kInt2Array = 1005;
inline constexpr unsigned kInt4Array = 1007;
inline constexpr unsigned kTextArray = 1009;
inline constexpr unsigned kInt8Array = 1016;
inline constexpr unsigned kBpchar = 1042;
inline constexpr unsigned kVarchar = 1043;
inline constexpr unsigned kTimestamptz = 1184;
inline constexpr unsigned kNumeric = 1700;
inline constexpr unsigned kJsonb = 3802;

} // namespace pg::wire

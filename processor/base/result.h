// Result<T>: a value or an Error whose kind says what the caller does next.
#pragma once

#include "processor/base/check.h"

#include <string>
#include <utility>
#include <variant>

namespace base {

// Kinds say what the caller does next, not where the failure came from.
enum class ErrorKind {
    Unavailable, // the other side is away: wait, then the same again; never counts as an attempt
    Conflict, // rolled back because of somebody else: read again, decide again
    NotFound,
    Invalid, // this input can never work: reject it and tell its sender
    Corrupt, // our own schema or code is wrong: stop and page someone
    Unknown, // a COMMIT whose answer was lost: look it up, or run it again and let the key decide
};

struct Error
{
    ErrorKind kind;
    std::string message;
    std::string code
        = {}; // machine-readable origin: SQLSTATE, API error code, errno name; or empty
    std::string constraint = {}; // name of the violated database constraint, or empty
};

template <class T>
class [[nodiscard]] Result
{
public:
    Result(T value) : m_data{std::in_place_index<0>, std::move(value)} {}
    Result(Error error) : m_data{std::in_place_index<1>, std::move(error)} {}

    explicit operator bool() const { return m_data.index() == 0; }
    T& operator*()
    {
        CHECK(m_data.index() == 0);
        return *std::get_if<0>(&m_data);
    }
    const T& operator*() const
    {
        CHECK(m_data.index() == 0);
        return *std::get_if<0>(&m_data);
    }
    T* operator->() { return &**this; }
    const T* operator->() const { return &**this; }
    const Error& error() const
    {
        CHECK(m_data.index() == 1);
        return *std::get_if<1>(&m_data);
    }

private:
    std::variant<T, Error> m_data;
};

struct Done
{};
using Status = Result<Done>;

} // namespace base

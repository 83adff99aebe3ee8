#include "tests/processor/ingest/native_bodies.h"

namespace native {
namespace {

QByteArray amount(QByteArray text)
{
    return Body{.amount = std::move(text)}.text();
}

QByteArray with(QByteArray more)
{
    return Body{.more = "," + std::move(more)}.text();
}

QByteArray nested(int levels)
{
    // The object itself is the first level.
    return with(R"("x":)" + QByteArray(levels - 1, '[') + QByteArray(levels - 1, ']'));
}

using AddRow = std::function<void(const char*, QByteArray, QByteArray, QByteArray)>;

void jsonRows(const AddRow& row)
{
    const QByteArray code{"invalid_json"};
    row("nothing", "", code, "not JSON");
    row("blanks", "  ", code, "not JSON");
    row("half a body", R"({"event_id":"e)", code, "not JSON");
    row("an array", "[]", code, "must be a JSON object");
    row("a text", R"("x")", code, "must be a JSON object");
    row("two objects", Body{}.text() + "{}", code, "follows");
    row("something behind", Body{}.text() + " x", code, "follows");
    row("NUL behind", Body{}.text() + QByteArray(1, '\0'), code, "follows");
    row("a byte order mark", "\xef\xbb\xbf" + Body{}.text(), code, "not JSON");
    row("single quotes", "{'event_id':'e'}", code, "not JSON");
    row("a comma too many", with(R"("x":1,)"), code, "not JSON");
    row("a comment", with(R"("x":/* y */1)"), code, "not JSON");
    row("NaN", with(R"("x":NaN)"), code, "not JSON");
    row("a leading zero", with(R"("x":01)"), code, "not JSON");
    row("a leading plus", with(R"("x":+1)"), code, "not JSON");
    row("a name twice", with(R"("amount":"1")"), code, "occurs twice");
    row("a name twice, once escaped", with("\"\\u0061mount\":\"1\""), code, "occurs twice");
    row("an unknown name twice", with(R"("x":1,"x":1)"), code, "occurs twice");
    row("a name twice further in", with(R"("x":[{"y":1,"y":2}])"), code, "occurs twice");
    row("nine levels", nested(9), code, "nested too deeply");
    row("a thousand levels", nested(1'000), code, "nested too deeply");
    row("NUL in a text", Body{.eventId = "\"a\\u0000\""}.text(), code, "NUL");
    row("NUL in an unknown text", with("\"x\":\"\\u0000\""), code, "NUL");
    row("NUL in a name", with("\"\\u0000\":1"), code, "NUL");
    row("a raw control character", Body{.eventId = "\"a\nb\""}.text(), code, "not JSON");
    row("a high surrogate alone", Body{.eventId = "\"\\ud83d\""}.text(), code, "not JSON");
    row("a high surrogate and a letter", Body{.eventId = "\"\\ud83dx\""}.text(), code, "not JSON");
    row("two high surrogates", Body{.eventId = "\"\\ud83d\\ud83d\""}.text(), code, "not JSON");
    row("a low surrogate alone", Body{.eventId = "\"\\ude00\""}.text(), code, "not JSON");
    row("an unknown escape", Body{.eventId = "\"\\x41\""}.text(), code, "not JSON");
    row("half a character", Body{.eventId = "\"\xe2\x82\""}.text(), code, "not JSON");
    row("Latin-1", Body{.eventId = "\"\xe4\""}.text(), code, "not JSON");
    row("an overlong slash", Body{.eventId = "\"\xc0\xaf\""}.text(), code, "not JSON");
    row("a surrogate in UTF-8", Body{.eventId = "\"\xed\xa0\x80\""}.text(), code, "not JSON");
    row("beyond Unicode", Body{.eventId = "\"\xf4\x90\x80\x80\""}.text(), code, "not JSON");
}

void fieldRows(const AddRow& row)
{
    row("empty", "{}", "missing_field", "event_id is missing");
    row("no type", R"({"event_id":"e","user_id":1,"amount":"1"})", "missing_field",
        "event_type is missing");
    row("no user", R"({"event_id":"e","event_type":"deposit","amount":"1"})", "missing_field",
        "user_id is missing");
    row("no amount", R"({"event_id":"e","event_type":"deposit","user_id":1})", "missing_field",
        "amount is missing");
    row("a null id", Body{.eventId = "null"}.text(), "missing_field", "event_id");
    row("a null amount", Body{.amount = "null"}.text(), "missing_field", "amount");

    row("an empty id", Body{.eventId = R"("")"}.text(), "invalid_id", "event_id must have 1");
    row("an id of 201 characters", Body{.eventId = "\"" + QByteArray(201, 'a') + "\""}.text(),
        "invalid_id", "1 to 200 characters");
    row("a number as id", Body{.eventId = "1"}.text(), "invalid_id", "must be a JSON string");
    row("a tab in an id", Body{.eventId = "\"a\\tb\""}.text(), "invalid_id", "control characters");
    row("DEL in an id", Body{.eventId = "\"a\x7f\""}.text(), "invalid_id", "control characters");
    row("C1 in an id", Body{.eventId = "\"a\\u0085\""}.text(), "invalid_id", "control characters");

    row("an unknown type", Body{.eventType = R"("gift")"}.text(), "unknown_event_type", "");
    row("a type in capitals", Body{.eventType = R"("Deposit")"}.text(), "unknown_event_type", "");
    row("an internal type", Body{.eventType = R"("reorg_credit")"}.text(), "unknown_event_type",
        "");
    row("a number as type", Body{.eventType = "1"}.text(), "unknown_event_type", "");

    const QByteArray integer{"user_id must be a JSON integer"};
    row("user 0", Body{.userId = "0"}.text(), "invalid_id", integer);
    row("user -1", Body{.userId = "-1"}.text(), "invalid_id", integer);
    row("user -0", Body{.userId = "-0"}.text(), "invalid_id", integer);
    row("user as a text", Body{.userId = R"("7")"}.text(), "invalid_id", integer);
    row("user 7.0", Body{.userId = "7.0"}.text(), "invalid_id", integer);
    row("user 7e0", Body{.userId = "7e0"}.text(), "invalid_id", integer);
    row("user true", Body{.userId = "true"}.text(), "invalid_id", integer);
    row("user 2^63", Body{.userId = "9223372036854775808"}.text(), "invalid_id", integer);
    row("user 2^64+1", Body{.userId = "18446744073709551617"}.text(), "invalid_id", integer);
}

void amountRows(const AddRow& row)
{
    const QByteArray notString{"amount must be a JSON string"};
    row("a number", amount("50.1"), "amount_not_string", notString);
    row("an integer", amount("50"), "amount_not_string", notString);
    row("a bool", amount("true"), "amount_not_string", notString);
    row("an array", amount(R"(["50"])"), "amount_not_string", notString);
    row("an object", amount(R"({"a":"50"})"), "amount_not_string", notString);

    const QByteArray code{"invalid_amount"};
    row("+50.1", amount(R"("+50.1")"), code, "sign:");
    row("-50.1", amount(R"("-50.1")"), code, "sign:");
    row("1_000", amount(R"("1_000")"), code, "underscore:");
    row("Arabic digits", amount("\"\xd9\xa1\xd9\xa2\xd9\xa3\""), code, "non_ascii_digit:");
    row("a blank in front", amount(R"(" 50")"), code, "blank:");
    row("a line behind", amount("\"50\\n\""), code, "blank:");
    row("1e-19", amount(R"("1e-19")"), code, "too_many_decimals:");
    row("19 decimals", amount(R"("0.1234567890123456789")"), code, "too_many_decimals:");
    row("10^20", amount(R"("100000000000000000000")"), code, "too_large:");
    row("1e20", amount(R"("1e20")"), code, "too_large:");
    row("an exponent bomb", amount(R"("1e1000000000")"), code, "too_large:");
    row("a negative bomb", amount(R"("1e-1000000000")"), code, "too_many_decimals:");
    row("zero", amount(R"("0")"), code, "zero:");
    row("zero with decimals", amount(R"("0.000")"), code, "zero:");
    row("nothing in it", amount(R"("")"), code, "blank:");
    row("NaN in it", amount(R"("NaN")"), code, "not_finite:");
    row("Infinity in it", amount(R"("Infinity")"), code, "not_finite:");
    row("a decimal comma", amount(R"("50,1")"), code, "malformed:");
    row("hexadecimal", amount(R"("0x32")"), code, "malformed:");
    row("a point alone behind", amount(R"("50.")"), code, "malformed:");
    row("a point alone in front", amount(R"(".5")"), code, "malformed:");
    row("a very long one", amount("\"" + QByteArray(200, '1') + "\""), code, "too_long:");
}

void optionalRows(const AddRow& row)
{
    row("a number as asset", with(R"("asset":1)"), "unknown_asset", "asset");
    row("an empty asset", with(R"("asset":"")"), "unknown_asset", "asset");
    row("a number as chain", with(R"("chain":1)"), "unknown_asset", "chain");
    row("a number as merchant", with(R"("merchant_id":1)"), "invalid_id", "merchant_id");
    row("an empty merchant", with(R"("merchant_id":"")"), "invalid_id", "merchant_id");
    row("an object as original", with(R"("original_event_id":{})"), "invalid_id",
        "original_event_id");
    row("a number as hash", with(R"("tx_hash":1)"), "invalid_id", "tx_hash");
    row("a number as address", with(R"("to_address":1)"), "invalid_id", "to_address");
    const QByteArray position{"tx_position must be"};
    row("a position as text", with(R"("tx_position":"1")"), "invalid_id", position);
    row("no positions", with(R"("tx_position":[])"), "invalid_id", position);
    row("a position with point", with(R"("tx_position":1.0)"), "invalid_id", position);
    row("a position in an array in an array", with(R"("tx_position":[[1]])"), "invalid_id",
        position);
    row("a text among positions", with(R"("tx_position":[1,"2"])"), "invalid_id", position);
    row("a position beyond 32 bits", with(R"("tx_position":2147483648)"), "invalid_id", position);
    row("too many positions", with(R"("tx_position":[1)" + QByteArray(",1").repeated(32) + "]"),
        "invalid_id", position);
}

} // namespace

std::vector<Refusal> refusals()
{
    std::vector<Refusal> rows;
    const AddRow add
        = [&rows](const char* name, QByteArray body, QByteArray code, QByteArray detail) {
              rows.push_back({name, std::move(body), std::move(code), std::move(detail)});
          };
    jsonRows(add);
    fieldRows(add);
    amountRows(add);
    optionalRows(add);
    return rows;
}

std::vector<Acceptance> acceptances()
{
    return {
        {"the least", Body{}.text(), "50.1"},
        {"blanks around", " \r\n\t" + Body{}.text() + "\n ", "50.1"},
        {"19 zero decimals", amount(R"("50.0000000000000000000")"), "50"},
        {"just below 10^20", amount(R"("99999999999999999999")"), "99999999999999999999"},
        {"the smallest", amount(R"("0.000000000000000001")"), "0.000000000000000001"},
        {"an exponent", amount(R"("5.01e1")"), "50.1"},
        {"escapes in the amount", amount("\"\\u0035\\u0030\""), "50"},
        {"unknown members", with(R"("x":{"amount":1,"y":[null,true]},"z":1.5e3)"), "50.1"},
        {"null where nothing is needed",
            with(R"("asset":null,"merchant_id":null,"tx_position":null)"), "50.1"},
        {"eight levels", nested(8), "50.1"},
        {"the last user", Body{.userId = "9223372036854775807"}.text(), "50.1"},
        {"an id of 200 wide characters",
            Body{.eventId = "\"" + QByteArray("\xe2\x82\xac").repeated(200) + "\""}.text(), "50.1"},
        {"a surrogate pair in an id", Body{.eventId = "\"\\ud83d\\ude00\""}.text(), "50.1"},
    };
}

} // namespace native

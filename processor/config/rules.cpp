#include "processor/config/rules.h"

#include "processor/config/checks.h"

#include <array>

namespace config {

namespace {

class Rules
{
public:
    Rules(Values& values, std::vector<std::string>& complaints)
        : m_values{values}
        , m_complaints{complaints}
    {}

    void checkEach(unsigned bits);
    void applyEmbedded();
    void fillIn();
    void checkListeners();
    void require(OptionId id);
    [[nodiscard]] bool isEmbedded() const { return !m_values.text(OptionId::Embedded).empty(); }

private:
    void complain(OptionId id, const std::string& text);
    void setDefault(OptionId id, std::string text)
    {
        m_values[id] = {std::move(text), Layer::Default, {}};
    }

    Values& m_values;
    std::vector<std::string>& m_complaints;
};

/// "webhook_secret (WEBHOOK_SECRET_FILE): has 3 characters, …"
void Rules::complain(OptionId id, const std::string& text)
{
    const std::string& where = m_values[id].where;
    const std::string key{optionOf(id).key};
    const bool saysMore = !where.empty();
    m_complaints.push_back((saysMore ? key + " (" + where + ")" : key) + ": " + text);
}

void Rules::checkEach(unsigned bits)
{
    for (const Option& option : options()) {
        const std::string& text = m_values.text(option.id);
        // Empty is no value where the default is none, too: it takes a lower layer's away.
        const bool isUnset
            = text.empty() && (option.fallback.empty() || !m_values.isGiven(option.id));
        if ((option.usedBy & bits) == 0 || isUnset) {
            continue;
        }
        if (const auto complaint = complaintAbout(option, text)) {
            complain(option.id, *complaint);
        }
    }
}

// Stores of its own take the place of addresses from lower layers: a DATABASE_URL that happens to
// be set must not keep anybody from trying `--embedded`. Given at the same level, nobody knows
// which one is meant, and with money that is a refusal.
void Rules::applyEmbedded()
{
    for (const OptionId id : {OptionId::DatabaseUrl, OptionId::DatabaseDirectUrl,
             OptionId::RedisUrl, OptionId::RedisStreamsUrl}) {
        if (m_values.isGiven(id) && m_values[id].layer >= m_values[OptionId::Embedded].layer) {
            complain(id, "contradicts 'embedded', which brings its own stores");
        }
        setDefault(id, "");
    }
    for (const OptionId id : {OptionId::RatePerSecond, OptionId::RatePerMinute}) {
        if (!m_values.isGiven(id)) {
            setDefault(id, "0");
        }
    }
}

void Rules::fillIn()
{
    constexpr std::array kPairs{std::pair{OptionId::DatabaseDirectUrl, OptionId::DatabaseUrl},
        std::pair{OptionId::RedisStreamsUrl, OptionId::RedisUrl}};
    for (const auto& [id, source] : kPairs) {
        if (m_values.text(id).empty()) {
            setDefault(id, m_values.text(source));
        }
    }
}

void Rules::checkListeners()
{
    const std::string& admin = m_values.text(OptionId::Admin);
    if (!isLoopback(admin) && m_values.text(OptionId::AdminToken).empty()) {
        complain(OptionId::Admin, "'" + admin + "' is not the loopback: set admin_token too");
    }
    if (admin == m_values.text(OptionId::Http) && !admin.ends_with(":0")) {
        complain(OptionId::Admin, "is the same address as http");
    }
    const bool hasCert = !m_values.text(OptionId::TlsCert).empty();
    const bool hasKey = !m_values.text(OptionId::TlsKey).empty();
    if (hasCert != hasKey) {
        complain(hasCert ? OptionId::TlsKey : OptionId::TlsCert,
            "is missing: certificate and key come together");
    }
}

void Rules::require(OptionId id)
{
    const Option& option = optionOf(id);
    // What was given and is empty or unreadable has its own complaint already.
    if (m_values.text(id).empty() && !m_values.isGiven(id)) {
        complain(id,
            "is missing: set " + std::string{option.environment} + ", " + fileEnvironmentOf(option)
                + " or " + (option.hasFlag() ? flagOf(option) : fileFlagOf(option)));
    }
}

} // namespace

void applyRules(
    Values& values, unsigned bits, bool isComplete, std::vector<std::string>& complaints)
{
    Rules rules{values, complaints};
    const bool serves = (bits & kForServe) != 0;
    if (serves && rules.isEmbedded()) {
        rules.applyEmbedded();
    }
    rules.checkEach(bits);
    rules.fillIn(); // afterwards, so that one bad URL is one complaint
    if (serves) {
        rules.checkListeners();
    }
    if (!isComplete || (serves && rules.isEmbedded())) {
        return;
    }
    if ((bits & optionOf(OptionId::DatabaseUrl).usedBy) != 0) {
        rules.require(OptionId::DatabaseUrl);
    }
    if ((bits & optionOf(OptionId::WebhookSecret).usedBy) != 0) {
        rules.require(OptionId::WebhookSecret);
    }
}

} // namespace config

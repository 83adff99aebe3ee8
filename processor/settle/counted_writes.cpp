#include "processor/settle/counted_writes.h"

#include <string>
#include <utility>

namespace settle {

void CountedWrites::add(const pg::Statement& statement, pg::Params params, std::size_t rows)
{
    m_expected.push_back({statement.name, rows});
    m_transaction.add(statement, std::move(params));
}

void CountedWrites::addUncounted(const pg::Statement& statement, pg::Params params)
{
    m_expected.push_back({statement.name, std::nullopt});
    m_transaction.add(statement, std::move(params));
}

base::Status CountedWrites::send()
{
    const auto answers = m_transaction.send();
    if (!answers) return answers.error();
    CHECK(answers->size() == m_expected.size());
    for (std::size_t i = 0; i < m_expected.size(); ++i) {
        const auto& [statement, rows] = m_expected[i];
        const auto written = (*answers)[i].affected();
        if (rows && written != static_cast<std::int64_t>(*rows)) {
            m_transaction.rollback();
            return base::Error{base::ErrorKind::Conflict,
                std::string{statement} + ": wrote " + std::to_string(written) + " rows instead of "
                    + std::to_string(*rows),
                kRowCountCode};
        }
    }
    m_expected.clear();
    return base::Done{};
}

} // namespace settle

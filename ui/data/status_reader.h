// StatusReader: asks processors' admin listeners for /status; Qt Network, on the GUI thread.
#pragma once

#include "processor/base/result.h"
#include "processor/base/secret.h"

#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QObject>
#include <QString>

#include <functional>

namespace ui {

class StatusReader : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const base::Result<QJsonObject>&)>;

    StatusReader(base::Secret adminToken, QObject* parent = nullptr);

    /**
     * GET `adminUrl`/status (http://HOST:PORT), answered within kLimitMs while `context` lives.
     * Unavailable: no answer, or a 5xx; Invalid: the token is refused (code "401") or it is no
     * Countersign. Redirects are not followed: the token belongs to this address.
     */
    void ask(QObject* context, const QString& adminUrl, Done done);

    static constexpr int kLimitMs = 3000;
    static constexpr qint64 kAnswerMax = 1 << 20; // octets

private:
    const base::Secret m_adminToken;
    QNetworkAccessManager m_network;
};

} // namespace ui

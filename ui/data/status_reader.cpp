#include "ui/data/status_reader.h"

#include <QJsonDocument>
#include <QNetworkReply>
#include <QNetworkRequest>
#include <QUrl>

#include <utility>

namespace ui {
namespace {

base::Result<QJsonObject> statusOf(QNetworkReply& reply)
{
    const int code = reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (code == 0 || code >= 500) {
        return base::Error{base::ErrorKind::Unavailable, reply.errorString().toStdString()};
    }
    if (code != 200) {
        return base::Error{base::ErrorKind::Invalid,
            code == 401 ? "the admin token is refused" : "HTTP " + std::to_string(code),
            std::to_string(code)};
    }
    const auto document = QJsonDocument::fromJson(reply.read(StatusReader::kAnswerMax));
    if (!document.isObject()) {
        return base::Error{base::ErrorKind::Invalid, "the answer is no status of Countersign"};
    }
    return document.object();
}

} // namespace

StatusReader::StatusReader(base::Secret adminToken, QObject* parent)
    : QObject{parent}
    , m_adminToken{std::move(adminToken)}
{
    m_network.setRedirectPolicy(QNetworkRequest::ManualRedirectPolicy);
}

void StatusReader::ask(QObject* context, const QString& adminUrl, Done done)
{
    QUrl url{adminUrl};
    url.setPath(QStringLiteral("/status"));
    QNetworkRequest request{url};
    request.setTransferTimeout(kLimitMs);
    if (!m_adminToken.empty()) {
        request.setRawHeader(
            "Authorization", "Bearer " + QByteArray::fromStdString(m_adminToken.reveal()));
    }
    auto* reply = m_network.get(request);
    connect(reply, &QNetworkReply::finished, reply, &QObject::deleteLater);
    connect(reply, &QNetworkReply::finished, context,
        [reply, done = std::move(done)] { done(statusOf(*reply)); });
}

} // namespace ui

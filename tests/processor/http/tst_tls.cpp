#include "tests/processor/http/serving.h"
#include "tests/support/temp_folder.h"

#include <QProcess>
#include <QTest>

#include <fstream>

// The client is OpenSSL's own: what it accepts, a provider accepts.
class TestTls : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_certificate = m_folder.file("cert.pem");
        m_key = m_folder.file("key.pem");
        makeCertificate(m_certificate, m_key);
    }

    void servesHttps()
    {
        Serving serving{echoRoutes(), options(m_certificate, m_key)};
        QProcess client;
        client.start("openssl",
            {"s_client", "-quiet", "-verify_return_error", "-CAfile",
                QString::fromStdString(m_certificate), "-connect",
                QString::fromStdString(serving.address())});
        QVERIFY(client.waitForStarted());
        client.write("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nfirst"
                     "POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                     "Content-Length: 6\r\n\r\nsecond");
        QVERIFY(client.waitForFinished(10'000));
        const QByteArray answers = client.readAllStandardOutput();
        QCOMPARE(answers.count("HTTP/1.1 200 OK"), 2);
        QVERIFY(answers.contains("\r\n\r\nfirst"));
        QVERIFY(answers.endsWith("\r\n\r\nsecond"));
    }

    void refusesOldProtocols()
    {
        Serving serving{echoRoutes(), options(m_certificate, m_key)};
        QProcess client;
        client.start("openssl",
            {"s_client", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0", "-connect",
                QString::fromStdString(serving.address())});
        QVERIFY(client.waitForStarted());
        client.closeWriteChannel();
        QVERIFY(client.waitForFinished(10'000));
        QVERIFY(client.exitCode() != 0);
    }

    void aHandshakeThatNeverComesEndsAtTheDeadline()
    {
        auto quick = options(m_certificate, m_key);
        quick.requestDeadline = std::chrono::milliseconds{300};
        Serving serving{echoRoutes(), quick};
        auto client = serving.connect();
        QVERIFY(client.isClosedWithin(std::chrono::seconds{3}));
    }

    void plainHttpIsNoHandshake()
    {
        Serving serving{echoRoutes(), options(m_certificate, m_key)};
        auto client = serving.connect();
        support::require(client.sendRaw("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"));
        QVERIFY(client.isClosedWithin(std::chrono::seconds{3}));
    }

    void refusesFilesThatCannotBeUsed_data()
    {
        QTest::addColumn<QString>("certificate");
        QTest::addColumn<QString>("key");
        const auto otherCertificate = m_folder.file("other.pem");
        const auto otherKey = m_folder.file("other_key.pem");
        makeCertificate(otherCertificate, otherKey);
        const auto nonsense = m_folder.file("nonsense.pem");
        std::ofstream{nonsense} << "nonsense\n";
        const auto text = [](const std::string& path) { return QString::fromStdString(path); };

        QTest::newRow("no key") << text(m_certificate) << QString{};
        QTest::newRow("no certificate") << QString{} << text(m_key);
        QTest::newRow("no such certificate") << QString{"/nowhere"} << text(m_key);
        QTest::newRow("no such key") << text(m_certificate) << QString{"/nowhere"};
        QTest::newRow("nonsense for a certificate") << text(nonsense) << text(m_key);
        QTest::newRow("nonsense for a key") << text(m_certificate) << text(nonsense);
        QTest::newRow("another one's key") << text(m_certificate) << text(otherKey);
    }
    void refusesFilesThatCannotBeUsed()
    {
        QFETCH(QString, certificate);
        QFETCH(QString, key);
        const auto server = http::Server::listen(
            options(certificate.toStdString(), key.toStdString()), echoRoutes());
        QVERIFY(!server);
        QCOMPARE(server.error().kind, base::ErrorKind::Invalid);
    }

private:
    static http::ServerOptions options(const std::string& certificate, const std::string& key)
    {
        http::ServerOptions options;
        options.tlsCertFile = certificate;
        options.tlsKeyFile = key;
        return options;
    }

    static void makeCertificate(const std::string& certificate, const std::string& key)
    {
        QProcess openssl;
        openssl.start("openssl",
            {"req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-subj", "/CN=localhost", "-days", "2", "-out", QString::fromStdString(certificate),
                "-keyout", QString::fromStdString(key)});
        QVERIFY(openssl.waitForFinished(20'000));
        QCOMPARE(openssl.exitCode(), 0);
    }

    support::TempFolder m_folder;
    std::string m_certificate;
    std::string m_key;
};

QTEST_GUILESS_MAIN(TestTls)
#include "tst_tls.moc"

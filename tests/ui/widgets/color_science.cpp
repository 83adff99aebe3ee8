#include "tests/ui/widgets/color_science.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace color {

namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

double linear(double channel)
{
    // 0.04045 is sRGB's; WCAG 2 prints 0.03928, which no 8-bit value can tell apart.
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double encoded(double channel)
{
    const double c = std::clamp(channel, 0.0, 1.0);
    return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

Vector linearOf(const QColor& color)
{
    return {linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
}

Vector times(const Matrix& matrix, const Vector& v)
{
    Vector out{};
    for (std::size_t row = 0; row < 3; ++row) {
        out[row] = matrix[row][0] * v[0] + matrix[row][1] * v[1] + matrix[row][2] * v[2];
    }
    return out;
}

double luminance(const QColor& color)
{
    const Vector rgb = linearOf(color);
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

Vector labOf(const QColor& color)
{
    constexpr Matrix toXyz{{{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750},
        {0.0193339, 0.1191920, 0.9503041}}};
    const Vector xyz = times(toXyz, linearOf(color));
    const auto f = [](double t) {
        constexpr double delta = 6.0 / 29;
        return t > delta * delta * delta ? std::cbrt(t) : t / (3 * delta * delta) + 4.0 / 29;
    };
    const double x = f(xyz[0] / 0.95047);
    const double y = f(xyz[1]);
    const double z = f(xyz[2] / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

constexpr double kTurn = 2 * std::numbers::pi;

double radians(double degrees)
{
    return degrees * kTurn / 360;
}

double hue(double b, double a)
{
    if (a == 0 && b == 0) {
        return 0;
    }
    const double angle = std::atan2(b, a);
    return angle < 0 ? angle + kTurn : angle;
}

double hueDifference(double h1, double h2, double chromaProduct)
{
    if (chromaProduct == 0) {
        return 0;
    }
    double d = h2 - h1;
    if (d > kTurn / 2) {
        d -= kTurn;
    } else if (d < -kTurn / 2) {
        d += kTurn;
    }
    return d;
}

double meanHue(double h1, double h2, double chromaProduct)
{
    if (chromaProduct == 0) {
        return h1 + h2;
    }
    if (std::abs(h1 - h2) <= kTurn / 2) {
        return (h1 + h2) / 2;
    }
    return h1 + h2 < kTurn ? (h1 + h2 + kTurn) / 2 : (h1 + h2 - kTurn) / 2;
}

double seventh(double chroma)
{
    const double c7 = std::pow(chroma, 7);
    return std::sqrt(c7 / (c7 + std::pow(25.0, 7)));
}

} // namespace

double contrast(const QColor& one, const QColor& other)
{
    const auto [darker, lighter] = std::minmax({luminance(one), luminance(other)});
    return (lighter + 0.05) / (darker + 0.05);
}

QColor seen(const QColor& color, Sight sight)
{
    constexpr Matrix protanopia{{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216},
        {-0.003882, -0.048116, 1.051998}}};
    constexpr Matrix deuteranopia{{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413},
        {-0.011820, 0.042940, 0.968881}}};
    if (sight == Sight::Normal) {
        return color;
    }
    const Vector rgb
        = times(sight == Sight::Protanopia ? protanopia : deuteranopia, linearOf(color));
    return QColor::fromRgbF(float(encoded(rgb[0])), float(encoded(rgb[1])), float(encoded(rgb[2])));
}

// Sharma, Wu, Dalal 2005, with their names.
double difference(const QColor& one, const QColor& other)
{
    const auto [l1, a1, b1] = labOf(one);
    const auto [l2, a2, b2] = labOf(other);
    const double g = 0.5 * (1 - seventh((std::hypot(a1, b1) + std::hypot(a2, b2)) / 2));
    const double c1 = std::hypot((1 + g) * a1, b1);
    const double c2 = std::hypot((1 + g) * a2, b2);
    const double h1 = hue(b1, (1 + g) * a1);
    const double h2 = hue(b2, (1 + g) * a2);

    const double deltaL = l2 - l1;
    const double deltaC = c2 - c1;
    const double deltaH = 2 * std::sqrt(c1 * c2) * std::sin(hueDifference(h1, h2, c1 * c2) / 2);

    const double meanL = (l1 + l2) / 2;
    const double meanC = (c1 + c2) / 2;
    const double meanH = meanHue(h1, h2, c1 * c2);
    const double t = 1 - 0.17 * std::cos(meanH - radians(30)) + 0.24 * std::cos(2 * meanH)
        + 0.32 * std::cos(3 * meanH + radians(6)) - 0.20 * std::cos(4 * meanH - radians(63));
    const double bow = (meanH * 360 / kTurn - 275) / 25;
    const double rotation = radians(30) * std::exp(-bow * bow);
    const double l50 = (meanL - 50) * (meanL - 50);
    const double sl = 1 + 0.015 * l50 / std::sqrt(20 + l50);
    const double sc = 1 + 0.045 * meanC;
    const double sh = 1 + 0.015 * meanC * t;
    const double rt = -std::sin(2 * rotation) * 2 * seventh(meanC);
    return std::sqrt(std::pow(deltaL / sl, 2) + std::pow(deltaC / sc, 2) + std::pow(deltaH / sh, 2)
        + rt * (deltaC / sc) * (deltaH / sh));
}

} // namespace color

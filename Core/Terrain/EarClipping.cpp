#include "Terrain/EarClipping.h"

#include <algorithm>
#include <cmath>

namespace lapilli
{
namespace
{

class EarClipper
{
public:
  explicit EarClipper(const std::vector<Point2>& polygon)
    : polygon_(polygon)
    , previous_(polygon.size())
    , next_(polygon.size())
    , reflex_(polygon.size())
  {
    const auto count = static_cast<std::uint32_t>(polygon.size());
    for (std::uint32_t i = 0; i < count; ++i)
    {
      previous_[i] = (i + count - 1) % count;
      next_[i] = (i + 1) % count;
    }
    for (std::uint32_t i = 0; i < count; ++i)
    {
      this->look(i);
    }
    this->bin();
  }

  std::vector<std::array<std::uint32_t, 3>> clip()
  {
    std::vector<std::array<std::uint32_t, 3>> triangles;
    std::size_t rest = polygon_.size(), refused = 0;
    std::uint32_t at = 0;
    while (rest > 3)
    {
      if (refused < rest && !this->isEar(at))
      {
        ++refused;
        at = next_[at];
        continue;
      }
      const std::uint32_t before = previous_[at], after = next_[at];
      triangles.push_back({ before, at, after });
      next_[before] = after;
      previous_[after] = before;
      this->forget(at);
      this->look(before);
      this->look(after);
      at = next_[after]; // not the neighbour: fans of needles would come of it
      refused = 0;
      --rest;
    }
    triangles.push_back({ previous_[at], at, next_[at] });
    return triangles;
  }

private:
  void look(std::uint32_t i)
  {
    const bool reflex = !(area(polygon_[previous_[i]], polygon_[i], polygon_[next_[i]]) > 0);
    reflexCount_ += static_cast<std::size_t>(reflex) - reflex_[i];
    reflex_[i] = reflex;
  }

  void forget(std::uint32_t i)
  {
    reflexCount_ -= reflex_[i];
    reflex_[i] = 0;
  }

  /// Corners in squares, a few in each.
  void bin()
  {
    low_ = high_ = polygon_[0];
    for (const Point2& p : polygon_)
    {
      low_ = { std::min(low_.x, p.x), std::min(low_.y, p.y) };
      high_ = { std::max(high_.x, p.x), std::max(high_.y, p.y) };
    }
    side_ = static_cast<int>(std::sqrt(static_cast<double>(polygon_.size()))) + 1;
    begin_.assign(static_cast<std::size_t>(side_) * side_ + 1, 0);
    const auto binOf = [this](const Point2& p)
    {
      return static_cast<std::size_t>(lineOf(p.x, low_.x, high_.x)) +
             static_cast<std::size_t>(side_) * lineOf(p.y, low_.y, high_.y);
    };
    for (const Point2& p : polygon_)
    {
      ++begin_[binOf(p) + 1];
    }
    for (std::size_t b = 1; b < begin_.size(); ++b)
    {
      begin_[b] += begin_[b - 1];
    }
    std::vector<std::uint32_t> at(begin_.begin(), begin_.end() - 1);
    binned_.resize(polygon_.size());
    for (std::uint32_t i = 0; i < polygon_.size(); ++i)
    {
      binned_[at[binOf(polygon_[i])]++] = i;
    }
  }

  /// 0 also for what is no number.
  int lineOf(double v, double low, double high) const
  {
    const double line = (v - low) / (high - low) * side_;
    return line >= side_ ? side_ - 1 : line > 0 ? static_cast<int>(line) : 0;
  }

  bool isEar(std::uint32_t at) const
  {
    const std::uint32_t before = previous_[at], after = next_[at];
    const Point2 &a = polygon_[before], &b = polygon_[at], &c = polygon_[after];
    if (!(area(a, b, c) > 0))
    {
      return false;
    }
    if (reflexCount_ == 0)
    {
      return true;
    }
    const int i0 = lineOf(std::min({ a.x, b.x, c.x }), low_.x, high_.x),
              i1 = lineOf(std::max({ a.x, b.x, c.x }), low_.x, high_.x),
              j0 = lineOf(std::min({ a.y, b.y, c.y }), low_.y, high_.y),
              j1 = lineOf(std::max({ a.y, b.y, c.y }), low_.y, high_.y);
    for (int j = j0; j <= j1; ++j)
    {
      const std::size_t row = static_cast<std::size_t>(side_) * j;
      for (std::uint32_t k = begin_[row + i0]; k < begin_[row + i1 + 1]; ++k)
      {
        const std::uint32_t i = binned_[k];
        const Point2& p = polygon_[i];
        if (reflex_[i] && i != before && i != after && !isSame(p, a) && !isSame(p, b) &&
            !isSame(p, c) && area(a, b, p) >= 0 && area(b, c, p) >= 0 && area(c, a, p) >= 0)
        {
          return false;
        }
      }
    }
    return true;
  }

  const std::vector<Point2>& polygon_;
  std::vector<std::uint32_t> previous_, next_;
  std::vector<std::uint8_t> reflex_; ///< 1: not convex, and still there
  std::size_t reflexCount_ = 0;
  Point2 low_{}, high_{};
  int side_ = 1;
  std::vector<std::uint32_t> begin_, binned_;
};

} // namespace

std::vector<std::array<std::uint32_t, 3>> clipEars(const std::vector<Point2>& polygon)
{
  return EarClipper(polygon).clip();
}

} // namespace lapilli

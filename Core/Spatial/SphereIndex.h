/// @file
/// Where spheres are, for searches: sorted by cells, or in a tree.
#pragma once

#include "NeighborSearch.h"
#include "Spatial/CellGrid.h"
#include "Spatial/NearSpheres.h"
#include "Spatial/SphereTree.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

class SphereIndex
{
public:
  /// @param by   Cells or Tree
  /// @param axes that the tree's curve goes through
  explicit SphereIndex(NeighborSearch by, CurveAxes axes = CurveAxes::Auto)
    : byTree_(by == NeighborSearch::Tree)
    , tree_(axes)
  {
  }

  bool byTree() const { return byTree_; }
  const CellGrid& cells() const { return cells_; } ///< of the last search, unless it is by tree

  /// Finds the order in which spheres that are near stand near in memory. The caller must put them into it before
  /// anything is searched.
  /// @param lost          per sphere: not 0 moves it behind all others
  /// @param largestRadius [m]
  /// @param skin          [m], > 0: pairs are neighbours up to this gap
  /// @param space         where it repeats, twice the reach of the largest pair, skin included, must fit into its box
  /// @return how many spheres are not lost
  Index sort(const Executor& executor, const SphereView& spheres, const Buffer<std::uint8_t>& lost,
    double largestRadius, double skin, const Periodicity& space)
  {
    reach_ = 2 * largestRadius + skin;
    return byTree_ ? tree_.sort(executor, spheres, lost, space)
                   : cells_.sort(executor, spheres, lost, reach_, space);
  }

  /// Changes the order that was found a little, so that rows of like lengths stand side by side. By a tree it stays:
  /// spheres that are near go through it together.
  /// @param lengths of the spheres' rows, by their places when they were sorted
  void evenRows(const Executor& executor, const Buffer<Index>& lengths)
  {
    if (!byTree_)
      cells_.evenRows(executor, lengths);
  }

  /// The same as sort(), but leaves the spheres in the order in which they are. None is lost.
  void locate(const Executor& executor, const SphereView& spheres, double largestRadius,
    double skin, const Periodicity& space)
  {
    reach_ = 2 * largestRadius + skin;
    if (byTree_)
      tree_.locate(executor, spheres, space);
    else
      cells_.locate(executor, spheres, reach_, space);
  }

  /// Whether the spheres were to be put into order().
  bool reorders() const { return byTree_ ? tree_.reorders() : cells_.reorders(); }
  /// order()[place] = place among the spheres when they were sorted.
  const Buffer<Index>& order() const { return byTree_ ? tree_.order() : cells_.order(); }

  /// @param spheres as they were sorted, or moved since by less than half a skin each
  NearSpheres near(const SphereView& spheres, const Periodicity& space) const
  {
    return { spheres, byTree_ ? CellGridView{} : cells_.view(), byTree_ ? tree_.view() : BvhView{},
      space, reach_ };
  }

  double bytes() const { return cells_.bytes() + tree_.bytes(); }

private:
  bool byTree_;
  double reach_ = 0; ///< [m]
  CellGrid cells_;
  SphereTree tree_;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli

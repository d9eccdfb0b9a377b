/// @file
/// The terrain under a Particle Source: its heights on the map, kept while it stays the same, and where it stands.
#pragma once

#include "../LocalFrame.h"

#include "Elevation.h"
#include "Seeding.h"

#include <vtkDataObject.h>
#include <vtkType.h>
#include <vtkWeakPointer.h>

#include <optional>
#include <string>

namespace lapilli
{

class SourceGround
{
public:
  /// Reads the terrain again where neither the object nor its time of modification is the same. Null is no terrain.
  /// @throws InvalidInput as readTerrain() does
  void read(vtkDataObject* terrain);

  /// On the map. Null without a terrain.
  const Elevation* elevation() const { return elevation_ ? &*elevation_ : nullptr; }

  /// Moves a shape that stands where it came and not over the terrain to the terrain's middle. A shape that was left
  /// where it came stands at the origin, which maps seldom contain. In the window the terrain is often chosen after the
  /// source was made, so no default of the panel can know its middle.
  /// @param parameters in the terrain's own coordinates, as are the texts
  /// @return a sentence that says so, after a blank; empty if nothing was moved
  std::string moveToMiddle(SeedingParameters& parameters) const;

  /// "x from 0 to 200 and y from 0 to 200"
  std::string extentText() const;

private:
  vtkWeakPointer<vtkDataObject> terrain_;
  vtkMTimeType time_ = 0;
  std::optional<Elevation> elevation_;
  MapPoint origin_{ 0, 0, 0 };                    ///< of the terrain's own coordinates
  double low_[2] = { 0, 0 }, high_[2] = { 0, 0 }; ///< [m], in the terrain's own coordinates
};

} // namespace lapilli

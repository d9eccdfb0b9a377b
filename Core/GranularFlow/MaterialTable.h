/// @file
/// The materials of a scene as the table of pair laws that kernels read.
#pragma once

#include "Contacts/PairLaw.h"
#include "GranularFlow.h"
#include "Terrain/SurfaceMesh.h"

#include <cstdint>
#include <vector>

namespace lapilli
{

struct MaterialTable
{
  std::vector<Material> materials; ///< in use, by ascending number
  std::vector<PairLaw> laws;       ///< as PairLaws::law
  std::vector<TriangleLaw>
    triangleLaws;     ///< by triangle of the mesh; empty where no surface has its own
  bool rolls = false; ///< whether anything has rolling friction

  std::int32_t count() const { return static_cast<std::int32_t>(materials.size()); }
  std::int32_t placeOf(std::int32_t number) const;
};

/// @throws InvalidInput with one sentence for moduli out of range, a material given twice, pairs that
///         are missing, given twice or out of range, cohesion between linear springs, and for
///         values on triangles that are out of range or of the wrong number
MaterialTable makeMaterialTable(
  const Scene& scene, const GranularFlowParameters& parameters, const SurfaceMesh& mesh);

} // namespace lapilli

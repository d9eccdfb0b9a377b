#include "BodySeeds.h"

#include "SourceGeometry.h"

#include "../PointArrays.h"
#include "../TerrainPieces.h"

#include <vtkInformation.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkMultiPieceDataSet.h>
#include <vtkPartitionedDataSet.h>
#include <vtkPartitionedDataSetCollection.h>

#include <utility>

namespace lapilli
{
namespace
{

/// Its own name, else its number where the block around it has one.
std::string nameOfBlock(const std::string& around, vtkInformation* about, unsigned int number)
{
  const char* own = about && about->Has(vtkCompositeDataSet::NAME())
                      ? about->Get(vtkCompositeDataSet::NAME())
                      : nullptr;
  if (own && *own)
  {
    return around.empty() ? own : around + '/' + own;
  }
  return around.empty() ? around : around + '/' + std::to_string(number);
}

void addBodies(vtkDataObject* data, const std::string& name, std::vector<Body>& bodies)
{
  if (auto* blocks = vtkMultiBlockDataSet::SafeDownCast(data))
  {
    for (unsigned int b = 0; b < blocks->GetNumberOfBlocks(); ++b)
    {
      vtkInformation* about = blocks->HasMetaData(b) ? blocks->GetMetaData(b) : nullptr;
      addBodies(blocks->GetBlock(b), nameOfBlock(name, about, b), bodies);
    }
    return;
  }
  if (auto* collection = vtkPartitionedDataSetCollection::SafeDownCast(data))
  {
    for (unsigned int p = 0; p < collection->GetNumberOfPartitionedDataSets(); ++p)
    {
      vtkInformation* about = collection->HasMetaData(p) ? collection->GetMetaData(p) : nullptr;
      addBodies(collection->GetPartitionedDataSet(p), nameOfBlock(name, about, p), bodies);
    }
    return;
  }
  TerrainOptions options;
  options.owner = name.empty() ? "body " + std::to_string(bodies.size()) : "body '" + name + "'";
  options.heightSource = HeightSource::Coordinates;
  TerrainPieces pieces(options);
  pieces.add(data);
  if (pieces.surface.triangleCount() > 0)
  {
    const std::string given = name.empty() ? "body " + std::to_string(bodies.size()) : name;
    bodies.push_back({ std::move(pieces.surface), given });
  }
}

} // namespace

std::vector<Body> readBodies(vtkDataObject* data, const TerrainFrame& terrain)
{
  requireGeometry(data, "Bodies", "closed surfaces");
  std::vector<Body> bodies;
  addBodies(data, {}, bodies);
  if (bodies.empty())
  {
    refuseInput(
      "geometry has 0 bodies; there must be at least 1: connect a closed surface with polygons, or "
      "a multi-block of these");
  }
  const MapPoint origin = originBeside(data, "geometry", terrain);
  for (Body& body : bodies)
  {
    shift(body.surface.points, origin);
  }
  return bodies;
}

} // namespace lapilli

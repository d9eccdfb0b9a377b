/// @file
/// Fills closed bodies with places for particles, on a lattice: magma chambers, blocks, ore bodies.
///
///   BodyFillParameters parameters;
///   parameters.spacing = 50;                              // [m], diameters that just touch
///   BodyFill fill = fillBodies({ { chamber, "chamber" } }, parameters);
///   std::cout << fill.reports[0].text() << '\n';
///
/// One lattice serves all bodies of all calls: its places are whole multiples of its pitch from the
/// origin of the coordinates (0, 0, 0), the pitch being the spacing (cubic) or the spacing over the
/// square root of 2 (face-centred: those of its places whose three numbers have an even sum).
/// Bodies that are filled with the same spacing and lattice, together or one by one, thus never
/// overlap, and the same place has the same bits. A place inside several bodies (a block in a block) belongs to
/// the one with the smallest volume, of equal ones to the first.
///
/// Inside is where the generalised winding number is above 1/2: Jacobson, Kavan, Sorkine-Hornung, ACM
/// Trans. Graph. 32(4) (2013) 33, so that holes and stray triangles do little harm. It is evaluated
/// without approximation over the body: fans close its holes (as in their section 4.2), the winding
/// number of what is then closed is a whole number, found by signed crossings along the rows of the
/// lattice, and the fans' own is taken off again. Only that sum over the fans, where holes are many,
/// is hierarchical: Barill, Dickson, Schmidt, Levin, Jacobson, ACM Trans. Graph. 37(4) (2018) 43.
///
/// The winding of the triangles as given does not matter. Coincident points are merged (exactly equal
/// coordinates), triangles given twice count once, and each part (triangles joined by edges of
/// exactly two) is turned by itself:
///   - a closed part has its inside within. Parts nested in one another alternate: a shell within a
///     shell of the same body is a cavity, one within that is solid again. Where parts of one body
///     cross or touch, the body is their union;
///   - a part with an open rim has its inside where its holes, closed, would have it;
///   - sheets are left out where that leaves less of the body open: walls inside (two cubes with
///     one face between them), faults, fins;
///   - in a part without a consistent side (a Moebius band) each triangle is turned by itself, by
///     how many crossings there are on either side on the way out (Takayama, Jacobson, Kavan, Sorkine-
///     Hornung, J. Comput. Graph. Tech. 3(4) (2014) 53), or left out if both sides are alike.
///
/// The same input gives the same bits, whatever the number of threads.
#pragma once

#include "Scene.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lapilli
{

enum class Lattice
{
  Cubic,       ///< simple cubic: spheres that touch fill 52.4 %
  FaceCentered ///< face-centred cubic, the densest packing of equal spheres: 74.0 %
};

/// Triangles as users have them: any winding, points shared or not, non-manifold edges, holes.
struct Body
{
  Surface surface;  ///< its role, sides and materials do not matter
  std::string name; ///< in reports and errors; one without is "body 0", …
};

struct BodyFillParameters
{
  double spacing = 10; ///< [m] > 0, distance of nearest neighbours
  Lattice lattice = Lattice::FaceCentered;
  double clearance = 0; ///< [m] >= 0, centres keep this distance from their own body's triangles
  std::optional<double> level; ///< [m] centres are not above this height; none: the whole body
  /// [-] >= 0; how much of the body may be open: area of the fans that close its holes over the
  /// area of its triangles. A body that is more open than this is refused.
  double largestLeak = 0.05;

  /// @throws InvalidInput with name, value and range of the first field that is outside
  void validate() const;
};

/// What was found of one body.
struct BodyReport
{
  std::string name;
  /// [m^3] particles + nearSurface + insideOthers, times the volume of a lattice cell (spacing^3, or
  /// spacing^3 / sqrt(2)); up to the level.
  double volume = 0;
  /// [m^3] of the mesh, its holes closed by fans, whatever the level: by the divergence theorem.
  /// Cavities are taken off; where parts of the body overlap one another this counts twice.
  double meshVolume = 0;
  std::optional<double> volumeToLevel; ///< [m^3] of meshVolume, up to the level, if there is one
  double area = 0;                     ///< [m^2] of the triangles used
  double leakArea = 0;                 ///< [m^2] of the fans that close the holes
  std::int64_t boundaryEdges = 0;      ///< edges of one triangle
  std::int64_t nonManifoldEdges = 0;   ///< edges of three triangles or more
  std::int64_t parts = 0;              ///< of the body, joined by edges of two triangles
  std::int64_t cavities = 0;           ///< of these, shells that are turned inward
  std::int64_t sheets = 0;             ///< of these, left out because they bound nothing
  std::int64_t particles = 0;          ///< places given to this body
  std::int64_t nearSurface = 0;        ///< inside, but nearer to the surface than the clearance
  std::int64_t insideOthers = 0;       ///< inside, but also inside a smaller body that has them

  std::string text() const; ///< one to three sentences; what is zero is not mentioned
};

struct BodyFill
{
  std::vector<double> positions;   ///< [m] x y z per place; by body, then z, y, x ascending
  std::vector<std::int32_t> body;  ///< per place: index in the bodies given
  std::vector<BodyReport> reports; ///< one per body

  std::size_t count() const { return body.size(); }
};

/// A body among several may end up without a particle; the report tells. That no body has one is an
/// error, which says what spacing or clearance would give some.
/// @throws InvalidInput for values outside their range, no body, bodies without triangles or volume, points
///         that are not finite or beyond 1e12 m, bodies that are too open (with area and place),
///         a level below all bodies, and more places than memory (with a spacing that would do)
BodyFill fillBodies(const std::vector<Body>& bodies, const BodyFillParameters& parameters);

} // namespace lapilli

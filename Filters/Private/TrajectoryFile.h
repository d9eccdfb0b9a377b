/// @file
/// Trajectories of particles in netCDF, after the CF conventions: a file that grows frame by frame.
///
///   TrajectoryFile file("rocks.nc", "1970-01-01 00:00:00", 1);
///   file.beginFrame(time);
///   file.beginRows(ids, spheres);                       // which particle each of the next rows is of
///   file.writeRows({ "radius", "m", "radius" }, values, 1);
///   file.commit(about);                                 // without it nothing is left
///
/// Representation. CF 1.9, section 9.3.4 and appendix H.4.4: the indexed ragged array. Every row of the dimension obs is one
/// particle at one time, trajectoryIndex says which; the rows of a frame follow one another. Of the four
/// representations it is the only one to which a frame can be appended while particles come and go. The
/// multidimensional ones (9.3.1, 9.3.2) hold a value for every particle at every time, present or not; the contiguous one
/// (9.3.3) needs all times of the first particle before the second, so the whole run in memory or on disk twice.
/// frame_time and frame_start find the rows of one time without a search.
///
/// obs and frame are unlimited, and particle_id and the like are written at the end, when their number is known. Variables that
/// come later, or are missing in a frame, have netCDF's fill value there, NaN where they are real.
///
/// The file is written under NAME.PROCESS.part and renamed when it is whole. HDF5 (1.10) that meets a full disk may not be able to
/// close its file any more, keeps its space and crashes the process when it ends. So there is a reserve beside it: room
/// is made before anything is written, and what is held is enough to close the file.
#pragma once

#include "DiskReserve.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace lapilli
{

class TrajectoryFile
{
public:
  struct About
  {
    std::string title;
    std::string source;  ///< model and version
    std::string history; ///< when, and by what
    std::string comment; ///< any number of lines
  };

  struct Variable
  {
    std::string name;  ///< blanks and the like become '_'
    std::string units; ///< UDUNITS; empty: unknown
    std::string longName;
  };

  /// @param referenceTime of time 0, such as 1970-01-01 00:00:00, UTC
  /// @param compression   deflate, 0 to 9
  /// @throws InvalidInput here and below: one sentence, also for a full disk
  TrajectoryFile(std::string name, const std::string& referenceTime, int compression);
  ~TrajectoryFile();
  TrajectoryFile(const TrajectoryFile&) = delete;
  TrajectoryFile& operator=(const TrajectoryFile&) = delete;

  /// @param time [s], greater than that of the frame before
  void beginFrame(double time);

  /// Further rows of this frame.
  /// @param spheres empty, or which sphere of its block each row is: each has a trajectory of its own
  void beginRows(
    const std::vector<std::int64_t>& particleIds, const std::vector<std::int32_t>& spheres);

  /// The positions of these rows [m], x y z after one another.
  void writePositions(const double* values);

  /// A value for each of these rows.
  /// @param stride from one row's value to the next one's
  template <class T>
  void writeRows(const Variable& variable, const T* values, std::size_t stride);

  std::size_t rows() const { return rows_; } ///< of all frames until now

  void commit(const About& about);

private:
  struct Particle
  {
    std::int64_t id;
    std::int32_t sphere;
    bool operator==(const Particle& other) const
    {
      return id == other.id && sphere == other.sphere;
    }
  };
  struct ParticleHash
  {
    std::size_t operator()(const Particle& p) const;
  };
  struct Column
  {
    int id; ///< as the type, netCDF's
    int type;
    std::string name;
  };

  template <class T>
  static constexpr int typeOf();

  void define(const std::string& referenceTime);
  int defineDimension(const char* name, std::size_t length);
  int defineVariable(const std::string& name, int type, int dimension, std::size_t chunk);
  void setText(int variable, const char* attribute, const std::string& text);
  template <class T>
  void put(const Column& column, const T* values, std::size_t stride);
  Column columnOf(const Variable& variable, int type);
  std::int32_t trajectoryOf(const Particle& particle, std::int32_t guess);
  void writeTrajectories();
  void makeRoom(std::size_t bytes, const std::string& what);
  void check(int status, const std::string& what);
  [[noreturn]] void refuseToWrite(const std::string& why);
  void discard();

  const std::string name_;
  const std::string part_; ///< name until it is whole
  const int compression_;
  DiskReserve reserve_;
  int file_ = -1;         ///< netCDF's; -1: none is open
  bool isOnDisk_ = false; ///< under part_
  int obs_ = -1;          ///< dimension
  int trajectoryIndex_ = -1, time_ = -1, frameTime_ = -1, frameStart_ = -1; ///< variables
  std::vector<Column> position_;
  std::map<std::string, Column> columns_; ///< by the name that the caller has for them

  std::size_t frames_ = 0;
  double frame_ = 0;      ///< time of the last one [s]
  std::size_t rows_ = 0;  ///< in the file
  std::size_t begin_ = 0; ///< of those that writeRows() is about
  bool hasSpheres_ = false;
  std::vector<Particle> trajectories_;
  std::vector<std::size_t> lastFrame_; ///< in which each was seen, from 1
  std::unordered_map<Particle, std::int32_t, ParticleHash> indexOf_;
};

} // namespace lapilli

#include "TrajectoryFile.h"

#include "PointArrays.h"

#include <vtk_netcdf.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <limits>
#include <regex>
#include <set>
#include <system_error>
#include <unistd.h>

namespace lapilli
{
namespace
{

/// Rows of a chunk: a column of floats is read and compressed 256 kB at a time, a frame of a million
/// particles lies in 16 chunks, and two open chunks for each of 25 variables take 25 MB.
constexpr std::size_t chunkRows = 65536;
constexpr std::size_t chunkCache = 2 * chunkRows * sizeof(double); ///< of a variable [bytes]
/// What HDF5 holds in memory beside chunks, its metadata, at most.
constexpr std::size_t metadataCache = 32 << 20;
/// Rows that are taken out of an array with several components at once.
constexpr std::size_t blockRows = 16 * chunkRows;

/// Whether a name is one that CF recommends: letters, digits and '_', and a letter first.
std::string toCfName(const std::string& name)
{
  std::string result = name;
  for (char& c : result)
  {
    if (!std::isalnum(static_cast<unsigned char>(c)))
    {
      c = '_';
    }
  }
  return !result.empty() && std::isalpha(static_cast<unsigned char>(result[0])) ? result
                                                                                : "array_" + result;
}

void checkReferenceTime(const std::string& text)
{
  static const std::regex date("[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
                               "([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?Z?)?");
  const auto number = [&text](std::size_t at, std::size_t digits)
  { return std::stoi(text.substr(at, digits)); };
  const auto daysIn = [](int year, int month)
  {
    const bool isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2                                              ? (isLeap ? 29 : 28)
           : month == 4 || month == 6 || month == 9 || month == 11 ? 30
                                                                   : 31;
  };
  if (!std::regex_match(text, date) || number(8, 2) > daysIn(number(0, 4), number(5, 2)))
  {
    refuseInput("ReferenceTime is \"", text,
      "\"; it must be a date and time in UTC such as 2026-02-03 04:05:06");
  }
}

} // namespace

TrajectoryFile::TrajectoryFile(std::string name, const std::string& referenceTime, int compression)
  : name_(std::move(name))
  , part_(name_ + "." + std::to_string(getpid()) + ".part")
  , compression_(compression)
  , reserve_(name_ + "." + std::to_string(getpid()) + ".reserve")
{
  checkReferenceTime(referenceTime);
  if (const int error = reserve_.hold(metadataCache))
  {
    refuseToWrite(std::strerror(error));
  }
  isOnDisk_ = true; // also where it cannot be made, an empty one may be left
  check(nc_create(part_.c_str(), NC_NETCDF4 | NC_CLOBBER, &file_), "the file");
  try
  {
    define(referenceTime);
  }
  catch (...)
  {
    discard();
    throw;
  }
}

TrajectoryFile::~TrajectoryFile()
{
  discard();
}

void TrajectoryFile::define(const std::string& referenceTime)
{
  obs_ = defineDimension("obs", NC_UNLIMITED);
  const int frame = defineDimension("frame", NC_UNLIMITED);

  trajectoryIndex_ = defineVariable("trajectoryIndex", NC_INT, obs_, chunkRows);
  setText(trajectoryIndex_, "long_name", "which trajectory this observation is of");
  setText(trajectoryIndex_, "instance_dimension", "trajectory");

  const std::string units = "seconds since " + referenceTime;
  time_ = defineVariable("time", NC_DOUBLE, obs_, chunkRows);
  setText(time_, "standard_name", "time");
  setText(time_, "long_name", "simulated time");
  setText(time_, "units", units);
  setText(time_, "calendar", "standard");
  setText(time_, "axis", "T");
  for (const char* axis : { "x", "y", "z" })
  {
    const int variable = defineVariable(axis, NC_DOUBLE, obs_, chunkRows);
    position_.push_back({ variable, NC_DOUBLE, axis });
    setText(variable, "long_name", std::string(axis) + " in the terrain's coordinates");
    setText(variable, "units", "m");
    setText(variable, "axis", std::string(1, static_cast<char>(std::toupper(axis[0]))));
    if (axis[0] == 'z')
    {
      setText(variable, "positive", "up");
    }
  }

  frameTime_ = defineVariable("frame_time", NC_DOUBLE, frame, 1024);
  setText(frameTime_, "standard_name", "time");
  setText(frameTime_, "long_name", "simulated time of a frame");
  setText(frameTime_, "units", units);
  setText(frameTime_, "calendar", "standard");
  frameStart_ = defineVariable("frame_start", NC_INT64, frame, 1024);
  setText(frameStart_, "long_name", "first observation of a frame, counted from 0");
  setText(frameStart_, "units", "1");
}

void TrajectoryFile::beginFrame(double time)
{
  if (frames_ > 0 && !(time > frame_))
  {
    refuseInput("frame at t = ", time, " s follows one at ", frame_,
      " s; times must increase: correct the times of the input");
  }
  makeRoom(0, "a frame");
  const auto start = static_cast<long long>(rows_);
  const std::size_t one = 1;
  check(nc_put_vara(file_, frameTime_, &frames_, &one, &time), "frame_time");
  check(nc_put_vara(file_, frameStart_, &frames_, &one, &start), "frame_start");
  frame_ = time;
  ++frames_;
}

void TrajectoryFile::beginRows(
  const std::vector<std::int64_t>& particleIds, const std::vector<std::int32_t>& spheres)
{
  begin_ = rows_;
  hasSpheres_ = hasSpheres_ || !spheres.empty();
  std::vector<std::int32_t> index(particleIds.size());
  std::int32_t guess = 0;
  for (std::size_t i = 0; i < particleIds.size(); ++i)
  {
    const Particle particle{ particleIds[i], spheres.empty() ? 0 : spheres[i] };
    index[i] = trajectoryOf(particle, guess);
    guess = index[i] + 1;
    if (lastFrame_[index[i]] == frames_)
    {
      refuseInput("particle ", particle.id, " is there twice at t = ", frame_,
        " s; ids must differ: name another IdArray, or make ids with a Calculator");
    }
    lastFrame_[index[i]] = frames_;
  }
  const std::size_t count = index.size();
  if (count == 0)
  {
    return;
  }
  const std::vector<double> times(count, frame_);
  makeRoom(count * (sizeof(double) + sizeof(std::int32_t)), "time");
  check(nc_put_vara(file_, trajectoryIndex_, &begin_, &count, index.data()), "trajectoryIndex");
  check(nc_put_vara(file_, time_, &begin_, &count, times.data()), "time");
  rows_ += count;
}

std::int32_t TrajectoryFile::trajectoryOf(const Particle& particle, std::int32_t guess)
{
  // Ids mostly come in the order in which they first came, with gaps of those that are lost.
  const auto end =
    static_cast<std::int32_t>(std::min(trajectories_.size(), static_cast<std::size_t>(guess) + 4));
  for (std::int32_t i = guess; i < end; ++i)
  {
    if (trajectories_[i] == particle)
    {
      return i;
    }
  }
  const auto next = static_cast<std::int32_t>(trajectories_.size());
  const auto [place, isNew] = indexOf_.emplace(particle, next);
  if (isNew)
  {
    trajectories_.push_back(particle);
    lastFrame_.push_back(0);
  }
  return place->second;
}

template <class T>
constexpr int TrajectoryFile::typeOf()
{
  if constexpr (std::is_floating_point_v<T>)
  {
    return sizeof(T) == 4 ? NC_FLOAT : NC_DOUBLE;
  }
  else if constexpr (std::is_signed_v<T>)
  {
    return sizeof(T) == 1   ? NC_BYTE
           : sizeof(T) == 2 ? NC_SHORT
           : sizeof(T) == 4 ? NC_INT
                            : NC_INT64;
  }
  else
  {
    return sizeof(T) == 1   ? NC_UBYTE
           : sizeof(T) == 2 ? NC_USHORT
           : sizeof(T) == 4 ? NC_UINT
                            : NC_UINT64;
  }
}

template <class T>
void TrajectoryFile::put(const Column& column, const T* values, std::size_t stride)
{
  std::vector<T> packed;
  for (std::size_t first = begin_; first < rows_; first += blockRows)
  {
    const std::size_t count = std::min(blockRows, rows_ - first);
    const T* from = values + (first - begin_) * stride;
    makeRoom(count * sizeof(double), column.name);
    if (stride > 1)
    {
      packed.resize(count);
      for (std::size_t i = 0; i < count; ++i)
      {
        packed[i] = from[i * stride];
      }
      from = packed.data();
    }
    if (column.type == typeOf<T>())
    {
      check(nc_put_vara(file_, column.id, &first, &count, from), column.name);
    }
    else // netCDF converts to what the first frame had, and refuses what does not fit
    {
      const std::vector<double> converted(from, from + count);
      check(nc_put_vara_double(file_, column.id, &first, &count, converted.data()), column.name);
    }
  }
}

void TrajectoryFile::writePositions(const double* values)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    put(position_[axis], values + axis, 3);
  }
}

template <class T>
void TrajectoryFile::writeRows(const Variable& variable, const T* values, std::size_t stride)
{
  put(columnOf(variable, typeOf<T>()), values, stride);
}

// The types of VTK's arrays.
#define INSTANTIATE(type)                                                                          \
  template void TrajectoryFile::writeRows(const Variable&, const type*, std::size_t);
INSTANTIATE(char)
INSTANTIATE(signed char)
INSTANTIATE(unsigned char)
INSTANTIATE(short)
INSTANTIATE(unsigned short)
INSTANTIATE(int)
INSTANTIATE(unsigned int)
INSTANTIATE(long)
INSTANTIATE(unsigned long)
INSTANTIATE(long long)
INSTANTIATE(unsigned long long)
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

TrajectoryFile::Column TrajectoryFile::columnOf(const Variable& variable, int type)
{
  const auto known = columns_.find(variable.name);
  if (known != columns_.end())
  {
    return known->second;
  }
  // Those that come at the end.
  static const std::set<std::string> reserved{ "particle_id", "clump_sphere", "trajectory_id",
    "trajectory", "obs", "frame" };
  std::string name = toCfName(variable.name);
  int taken = -1;
  while (reserved.count(name) > 0 || nc_inq_varid(file_, name.c_str(), &taken) == NC_NOERR)
  {
    name += '_';
  }
  const Column column{ defineVariable(name, type, obs_, chunkRows), type, name };
  // Integers get none: readers would turn all of them into real numbers.
  if (type == NC_FLOAT)
  {
    const float fill = std::numeric_limits<float>::quiet_NaN();
    check(nc_def_var_fill(file_, column.id, NC_FILL, &fill), name);
  }
  else if (type == NC_DOUBLE)
  {
    const double fill = std::numeric_limits<double>::quiet_NaN();
    check(nc_def_var_fill(file_, column.id, NC_FILL, &fill), name);
  }
  setText(column.id, "long_name", variable.longName);
  setText(column.id, "units", variable.units);
  setText(column.id, "coordinates", "time x y z");
  return columns_.emplace(variable.name, column).first->second;
}

void TrajectoryFile::commit(const About& about)
{
  setText(NC_GLOBAL, "Conventions", "CF-1.9");
  setText(NC_GLOBAL, "featureType", "trajectory");
  setText(NC_GLOBAL, "title", about.title);
  setText(NC_GLOBAL, "source", about.source);
  setText(NC_GLOBAL, "history", about.history);
  setText(NC_GLOBAL, "comment", about.comment);
  writeTrajectories();

  reserve_.release();
  const int status = nc_close(file_); // here the last chunks reach the disk
  file_ = -1;
  check(status, "the end of the file");
  std::error_code error;
  std::filesystem::rename(part_, name_, error);
  if (error)
  {
    refuseToWrite(error.message());
  }
  isOnDisk_ = false;
}

void TrajectoryFile::writeTrajectories()
{
  const std::size_t count = trajectories_.size();
  makeRoom(3 * count * sizeof(double), "trajectories");
  const int dimension = defineDimension("trajectory", count);
  const std::size_t chunk = std::clamp<std::size_t>(count, 1, chunkRows);
  const std::size_t zero = 0;
  const auto write = [&](const char* name, int type, const char* longName, bool isId, const void* v)
  {
    const int variable = defineVariable(name, type, dimension, chunk);
    setText(variable, "long_name", longName);
    if (isId)
    {
      setText(variable, "cf_role", "trajectory_id");
    }
    if (count > 0)
    {
      check(nc_put_vara(file_, variable, &zero, &count, v), name);
    }
  };
  std::vector<long long> ids(count);
  std::transform(trajectories_.begin(), trajectories_.end(), ids.begin(),
    [](const Particle& p) { return p.id; });
  write("particle_id", NC_INT64, "particle, the same for life", !hasSpheres_, ids.data());
  if (hasSpheres_)
  {
    std::vector<int> spheres(count), numbers(count);
    for (std::size_t i = 0; i < count; ++i)
    {
      spheres[i] = trajectories_[i].sphere;
      numbers[i] = static_cast<int>(i);
    }
    write("clump_sphere", NC_INT, "sphere of the particle, a block", false, spheres.data());
    write("trajectory_id", NC_INT, "number of the trajectory: of one sphere of one particle", true,
      numbers.data());
  }
}

int TrajectoryFile::defineDimension(const char* name, std::size_t length)
{
  int dimension = -1;
  check(nc_def_dim(file_, name, length, &dimension), name);
  return dimension;
}

int TrajectoryFile::defineVariable(
  const std::string& name, int type, int dimension, std::size_t chunk)
{
  if (const int error = reserve_.hold(chunkCache))
  {
    refuseToWrite(name + ": " + std::strerror(error));
  }
  int variable = -1;
  check(nc_def_var(file_, name.c_str(), type, 1, &dimension, &variable), name);
  check(nc_def_var_chunking(file_, variable, NC_CHUNKED, &chunk), name);
  // Rows are only appended: the last chunk is all that is needed, not 16 MB a variable.
  check(nc_set_var_chunk_cache(file_, variable, chunkCache, 11, 1), name);
  if (compression_ > 0)
  {
    check(nc_def_var_deflate(file_, variable, NC_SHUFFLE, 1, compression_), name);
  }
  return variable;
}

void TrajectoryFile::setText(int variable, const char* attribute, const std::string& text)
{
  if (!text.empty())
  {
    check(nc_put_att_text(file_, variable, attribute, text.size(), text.data()), attribute);
  }
}

void TrajectoryFile::check(int status, const std::string& what)
{
  if (status != NC_NOERR)
  {
    refuseToWrite(what + ": " + nc_strerror(status));
  }
}

void TrajectoryFile::refuseToWrite(const std::string& why)
{
  discard();
  std::error_code error;
  const auto folder = std::filesystem::absolute(name_, error).parent_path();
  const auto space = std::filesystem::space(folder, error);
  if (error)
  {
    refuseInput(name_, " was not written, ", folder.string(), ": ", error.message(),
      "; name a file in a folder that exists");
  }
  refuseInput(name_, " was not written (", why, "); ", space.available >> 20, " MB are free in ",
    folder.string(), ": free space there, or name a folder that can be written to");
}

void TrajectoryFile::makeRoom(std::size_t bytes, const std::string& what)
{
  // Chunks are written whole, and some metadata with them.
  if (const int error = reserve_.makeRoom(bytes + 2 * chunkCache))
  {
    refuseToWrite(what + ": " + std::strerror(error));
  }
}

void TrajectoryFile::discard()
{
  reserve_.release();
  if (file_ >= 0)
  {
    nc_close(file_);
    file_ = -1;
  }
  if (isOnDisk_)
  {
    std::error_code error;
    std::filesystem::remove(part_, error);
    isOnDisk_ = false;
  }
}

std::size_t TrajectoryFile::ParticleHash::operator()(const Particle& p) const
{
  return std::hash<std::uint64_t>()(
    static_cast<std::uint64_t>(p.id) * 1000003u + static_cast<std::uint64_t>(p.sphere));
}

} // namespace lapilli

#include "GranularFlow/History.h"

#include "Error.h"

#include <map>

namespace lapilli
{

void checkObstacleNames(
  const std::vector<std::string>& obstacles, const std::vector<std::string>& walls)
{
  std::map<std::string, std::string> owners{ { "support_force",
    "the force of all that stands still" } };
  const auto take = [&](const std::string& name, const std::string& owner)
  {
    for (const char* what : { "_force", "_greatest_force", "_impulse" })
    {
      const auto [taken, isNew] = owners.emplace(columnName(name) + what, owner);
      if (!isNew)
        throw InvalidInput("the name of " + owner + " gives the column " + taken->first +
                           ", which is that of " + taken->second +
                           "; call it otherwise (the field data array name)");
    }
  };
  for (const std::string& wall : walls)
    take(wall, "the domain's " + wall);
  for (const std::string& obstacle : obstacles)
    take(obstacle, "obstacle '" + obstacle + "'");
}

History::Column& History::column(
  std::size_t& next, const std::string& name, const char* unit, bool isCount)
{
  if (next == columns_.size())
    columns_.push_back({ name, unit, {}, {}, isCount });
  return columns_[next++];
}

void History::add(const Report& report)
{
  std::size_t next = 0;
  const auto count = [&](const std::string& name, std::int64_t value)
  { column(next, name, "", true).counts.push_back(value); };
  const auto number = [&](const std::string& name, const char* unit, double value)
  { column(next, name, unit, false).values.push_back(value); };
  const auto vector =
    [&](const std::string& name, const char* unit, const std::array<double, 3>& value)
  {
    number(name + "_x", unit, value[0]);
    number(name + "_y", unit, value[1]);
    number(name + "_z", unit, value[2]);
  };

  number("time", "s", report.time);
  count("steps", report.steps);
  number("time_step", "s", report.timeStep);
  count("particles", report.particles);
  count("particles_at_rest", report.particlesAtRest);
  number("mass", "kg", report.mass);
  number("mass_in", "kg", report.massIn);
  number("mass_at_rest", "kg", report.massAtRest);
  number("kinetic_energy", "J", report.kineticEnergy);
  number("rotational_energy", "J", report.rotationalEnergy);
  number("potential_energy", "J", report.potentialEnergy);
  vector("momentum", "kg m/s", report.momentum);
  vector("support_force", "N", report.supportForce);
  number("greatest_speed", "m/s", report.greatestSpeed);
  number("front_distance", "m", report.frontDistance);
  for (const Loss& loss : report.losses)
    number("lost_mass_" + columnName(loss.reason), "kg", loss.mass);
  for (const ObstacleForce& obstacle : report.obstacles)
  {
    const std::string name = columnName(obstacle.name);
    vector(name + "_force", "N", obstacle.force);
    number(name + "_greatest_force", "N", obstacle.greatestForce);
    vector(name + "_impulse", "N s", obstacle.impulse);
  }
  ++rows_;
}

Table History::table() const
{
  Table table;
  table.name = "history";
  for (const Column& column : columns_)
  {
    Array array;
    array.name = column.name;
    array.unit = column.unit;
    if (column.isCount)
      array.values = column.counts;
    else
      array.values = column.values;
    table.columns.push_back(std::move(array));
  }
  return table;
}

void History::save(CheckpointWriter& writer) const
{
  writer.beginSection("history", 2);
  for (const Column& column : columns_)
  {
    writer.array(column.counts);
    writer.array(column.values);
  }
}

void History::restore(CheckpointReader& reader, std::size_t rows)
{
  reader.expectSection("history", 2);
  for (Column& column : columns_)
  {
    column.counts = reader.array<std::int64_t>(rows);
    column.values = reader.array<double>(rows);
    if ((column.isCount ? column.counts.size() : column.values.size()) != rows)
      throw InvalidInput("the checkpoint's history has gaps; compute it anew");
  }
  rows_ = rows;
}

} // namespace lapilli

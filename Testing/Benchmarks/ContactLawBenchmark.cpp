// What each contact law costs alone: one thread, contacts in the processor's cache, time per contact.
#include "Contacts/ContactForce.h"
#include "Contacts/HertzMindlin.h"
#include "Contacts/LinearSpring.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <vector>

namespace
{

using namespace lapilli;

constexpr std::size_t kContacts = 1000;
constexpr float kTimeStep = 1e-5f;

std::vector<Contact> someContacts()
{
  std::mt19937 random(1);
  std::uniform_real_distribution<float> some(-1, 1), part(0.1f, 1);
  std::vector<Contact> contacts(kContacts);
  for (Contact& contact : contacts)
  {
    contact = {};
    contact.normal = { 0, 0, 1 };
    contact.overlap = 1e-4f * part(random);
    contact.radius = 0.05f * part(random);
    const float mass = part(random);
    contact.setMasses(mass, 1 / mass, BodyForm().shearRatio());
    contact.inertia = 0.4f * contact.mass * contact.radius * contact.radius;
    contact.approach = some(random);
    contact.slip = { some(random), some(random), 0 };
    contact.rolling = { some(random), some(random), 0 };
  }
  return contacts;
}

template <class NormalLaw>
void contactLaw(benchmark::State& state, const NormalLaw& normalLaw)
{
  PairLaw law{};
  law.damping = 0.3f;
  law.friction = 0.5f;
  law.rollingFriction = state.range(0) != 0 ? 0.2f : 0;
  law.cohesion = state.range(1) != 0 ? 1e4f : 0;
  law.youngs = 1e9f;
  law.shear = 2e8f;
  const std::vector<Contact> contacts = someContacts();
  std::vector<Vec3f> springs(kContacts), angles(kContacts);
  for (auto _ : state)
  {
    for (std::size_t i = 0; i < kContacts; ++i)
      benchmark::DoNotOptimize(contactForce(normalLaw, law, contacts[i], &springs[i], &angles[i]));
  }
  // Printed as seconds per contact.
  state.counters["per contact"] = benchmark::Counter(static_cast<double>(kContacts),
    benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void Linear(benchmark::State& state)
{
  contactLaw(state, LinearSpring{ 2000, kTimeStep });
}

void Hertz(benchmark::State& state)
{
  contactLaw(state, HertzMindlin{ kTimeStep });
}

} // namespace

BENCHMARK(Linear)->ArgNames({ "rolling", "cohesion" })->Args({ 0, 0 })->Args({ 1, 0 });
BENCHMARK(Hertz)
  ->ArgNames({ "rolling", "cohesion" })
  ->Args({ 0, 0 })
  ->Args({ 1, 0 })
  ->Args({ 1, 1 });

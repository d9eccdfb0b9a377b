/// @file
/// Memory of one backend: uninitialised, growing, never shrinking.
#pragma once

#include "Parallel/Assert.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace lapilli
{
using Index = std::int32_t;  ///< of particles and triangles
using Offset = std::int64_t; ///< into lists of pairs

namespace LAPILLI_BACKEND
{

/// Plain memory of the backend. @throws BackendError with the number of bytes
void* allocateBytes(std::size_t bytes);
void releaseBytes(void* memory) noexcept;
/// How often memory has been allocated, by all there is of the backend.
std::int64_t allocations() noexcept;
void copyToDevice(void* target, const void* source, std::size_t bytes);
void copyToHost(void* target, const void* source, std::size_t bytes);
/// Whether the backend reads the host's own memory.
bool isHostMemory() noexcept;
void copyOnDevice(void* target, const void* source, std::size_t bytes);

/// Elements behind the last one that may be read and written though they mean nothing: kernels work on whole
/// groups of lanes.
constexpr std::size_t kPadding = 16;

template <class T>
class Buffer
{
  static_assert(std::is_trivially_copyable<T>::value, "moved between host and device as bytes");

public:
  Buffer() = default;
  ~Buffer() { release(); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept
  {
    swap(other);
    return *this;
  }

  void swap(Buffer& other) noexcept
  {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(borrowed_, other.borrowed_);
  }

  /// Sets the size; the contents are undefined afterwards where the buffer had to grow.
  void resizeDiscarding(std::size_t size)
  {
    if (size > capacity_)
    {
      // What grew once may go on to do so, slowly.
      const std::size_t capacity = capacity_ > 0 ? size + size / 8 : size;
      release();
      data_ = static_cast<T*>(allocateBytes((capacity + kPadding) * sizeof(T)));
      capacity_ = capacity;
    }
    size_ = size;
  }

  /// Drops elements at the end.
  void shrink(std::size_t size)
  {
    LAPILLI_ASSERT(size <= size_);
    size_ = size;
  }

  void upload(const std::vector<T>& values)
  {
    resizeDiscarding(values.size());
    copyToDevice(data_, values.data(), values.size() * sizeof(T));
  }
  /// Reads the values where they are, if the backend can: they must outlive the buffer and stay as they are.
  void borrow(const std::vector<T>& values)
  {
    if (!isHostMemory() || values.empty())
    {
      upload(values);
      return;
    }
    release();
    data_ =
      const_cast<T*>(values.data()); // for readers only; a list that grows gets its own memory
    size_ = values.size();
    borrowed_ = true;
  }
  /// Adds elements at the end and keeps the others.
  void append(const std::vector<T>& values)
  {
    const std::size_t former = size_;
    if (former + values.size() > capacity_)
    {
      Buffer grown;
      grown.resizeDiscarding(former + values.size() + former / 2);
      copyOnDevice(grown.data_, data_, former * sizeof(T));
      swap(grown);
    }
    size_ = former + values.size();
    copyToDevice(data_ + former, values.data(), values.size() * sizeof(T));
  }
  std::vector<T> download() const { return download(0, size_); }
  std::vector<T> download(std::size_t first, std::size_t count) const
  {
    LAPILLI_ASSERT(first + count <= size_);
    std::vector<T> values(count);
    copyToHost(values.data(), data_ + first, count * sizeof(T));
    return values;
  }

  /// The buffer is a handle: who may read it may be given a view that writes.
  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return (borrowed_ ? size_ : capacity_) * sizeof(T); }

private:
  void release() noexcept
  {
    if (!borrowed_)
    {
      releaseBytes(data_);
    }
    data_ = nullptr;
    size_ = capacity_ = 0;
    borrowed_ = false;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0; ///< 0 of what is borrowed
  bool borrowed_ = false;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli

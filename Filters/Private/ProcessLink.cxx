#include "ProcessLink.h"

#include <vtkMultiProcessController.h>

#ifdef LAPILLI_MPI
#include <vtkMPICommunicator.h>
#include <vtkMPIController.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <list>
#include <thread>

namespace lapilli
{

#ifdef LAPILLI_MPI

namespace
{

using Clock = std::chrono::steady_clock;

constexpr auto longestWait = std::chrono::seconds(60); // for process 0 to come
constexpr auto longestPause = std::chrono::milliseconds(20);
constexpr int firstTag = 0x4c00; // [firstTag, firstTag + tagCount): of this filter's messages
constexpr int tagCount = 1024;

enum class Kind : char
{
  Begun,  // process 0 serves the request
  Served, // … and has done so
  Abort   // asked for by another process
};

} // namespace

//------------------------------------------------------------------------------
/// Small messages that are sent without waiting for the receiver.
class ProcessLink::Messages
{
public:
  struct Message
  {
    Kind kind = Kind::Begun;
    std::int64_t frame =
      -1; ///< asked for: tells what belongs to a request that its receiver has never seen
    std::vector<char> content;
  };

  Messages(vtkMPIController* controller, int tag)
    : controller_(controller)
    , tag_(tag)
  {
  }

  ~Messages()
  {
    for (Sent& sent : sent_)
    {
      if (!sent.request.Test())
      {
        sent.request.Cancel(); // for a process that never came
      }
    }
  }

  bool isFirst() const { return controller_->GetLocalProcessId() == 0; }

  void sendToOthers(const Message& message)
  {
    for (int process = 1; process < controller_->GetNumberOfProcesses(); ++process)
    {
      this->send(message, process);
    }
  }

  void send(const Message& message, int process)
  {
    sent_.remove_if([](Sent& sent) { return sent.request.Test() != 0; });
    Sent& sent = sent_.emplace_back();
    sent.bytes.resize(1 + sizeof(message.frame) + message.content.size());
    sent.bytes[0] = static_cast<char>(message.kind);
    std::memcpy(&sent.bytes[1], &message.frame, sizeof(message.frame));
    std::copy(message.content.begin(), message.content.end(),
      sent.bytes.begin() + 1 + sizeof(message.frame));
    controller_->NoBlockSend(reinterpret_cast<const unsigned char*>(sent.bytes.data()),
      static_cast<int>(sent.bytes.size()), process, tag_, sent.request);
  }

  /// The next one from a process, any of them by default; none if there is none yet.
  std::optional<Message> receive(int from = vtkMultiProcessController::ANY_SOURCE)
  {
    int isThere = 0;
    int source = 0;
    int size = 0;
    const char* type = nullptr;
    controller_->Iprobe(from, tag_, &isThere, &source, type, &size);
    Message message;
    if (!isThere || size < static_cast<int>(1 + sizeof(message.frame)))
    {
      return std::nullopt;
    }
    std::vector<unsigned char> bytes(static_cast<std::size_t>(size));
    controller_->Receive(bytes.data(), size, source, tag_);
    message.kind = static_cast<Kind>(bytes[0]);
    std::memcpy(&message.frame, &bytes[1], sizeof(message.frame));
    message.content.assign(bytes.begin() + 1 + sizeof(message.frame), bytes.end());
    return message;
  }

  /// The next one from process 0 about a request for this frame. What came before it belongs to requests that this
  /// process has never seen, and goes; what has come for later ones stays.
  std::optional<Message> receiveAbout(std::int64_t frame)
  {
    while (auto message = this->receive(0))
    {
      inbox_.push_back(std::move(*message));
    }
    const auto found = std::find_if(inbox_.begin(), inbox_.end(),
      [frame](const Message& message) { return message.frame == frame; });
    if (found == inbox_.end())
    {
      return std::nullopt;
    }
    Message message = std::move(*found);
    inbox_.erase(inbox_.begin(), std::next(found));
    return message;
  }

private:
  struct Sent
  {
    std::vector<char> bytes;
    vtkMPICommunicator::Request request;
  };

  vtkMPIController* controller_;
  int tag_;
  std::list<Sent> sent_; ///< MPI may still read them
  std::vector<Message> inbox_;
};

//------------------------------------------------------------------------------
ProcessLink::ProcessLink()
{
  static int filters = 0;
  const int tag = firstTag + filters++ % tagCount;
  auto* controller =
    vtkMPIController::SafeDownCast(vtkMultiProcessController::GetGlobalController());
  if (controller && controller->GetNumberOfProcesses() > 1)
  {
    messages_ = std::make_unique<Messages>(controller, tag);
  }
}

ProcessLink::~ProcessLink() = default;

bool ProcessLink::isAlone() const
{
  return !messages_;
}

bool ProcessLink::isSimulating() const
{
  return !messages_ || messages_->isFirst();
}

void ProcessLink::begin(std::int64_t frame)
{
  frame_ = frame;
  if (messages_ && messages_->isFirst())
  {
    messages_->sendToOthers({ Kind::Begun, frame_, {} });
  }
}

bool ProcessLink::isAbortAsked()
{
  bool isAsked = false;
  while (const auto message = messages_ ? messages_->receive() : std::nullopt)
  {
    isAsked = isAsked || (message->kind == Kind::Abort && message->frame == frame_);
  }
  return isAsked;
}

/// Of an outcome in a message: whether it was aborted, time and origin.
constexpr std::size_t headBytes = 1 + sizeof(Outcome::time) + sizeof(Outcome::origin);

void ProcessLink::tell(const Outcome& outcome)
{
  if (!messages_)
  {
    return;
  }
  Messages::Message message{ Kind::Served, frame_, {} };
  message.content.resize(headBytes);
  message.content[0] = outcome.isAborted ? 1 : 0;
  std::memcpy(&message.content[1], &outcome.time, sizeof(outcome.time));
  std::memcpy(&message.content[1 + sizeof(outcome.time)], &outcome.origin, sizeof(outcome.origin));
  message.content.insert(message.content.end(), outcome.frame.begin(), outcome.frame.end());
  messages_->sendToOthers(message);
}

std::optional<Outcome> ProcessLink::hear(const std::function<bool()>& wantsAbort)
{
  const auto start = Clock::now();
  auto pause = std::chrono::milliseconds(1);
  bool hasBegun = false;
  bool hasAskedForAbort = false;
  while (hasBegun || Clock::now() - start < longestWait)
  {
    if (!hasAskedForAbort && wantsAbort())
    {
      hasAskedForAbort = true;
      messages_->send({ Kind::Abort, frame_, {} }, 0);
    }
    const auto message = messages_->receiveAbout(frame_);
    if (!message)
    {
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, std::chrono::milliseconds(longestPause));
      continue;
    }
    hasBegun = hasBegun || message->kind == Kind::Begun;
    Outcome outcome;
    if (message->kind == Kind::Served && message->content.size() >= headBytes)
    {
      outcome.isAborted = message->content[0] != 0;
      std::memcpy(&outcome.time, &message->content[1], sizeof(outcome.time));
      std::memcpy(
        &outcome.origin, &message->content[1 + sizeof(outcome.time)], sizeof(outcome.origin));
      outcome.frame.assign(
        message->content.begin() + static_cast<std::ptrdiff_t>(headBytes), message->content.end());
      return outcome;
    }
  }
  return std::nullopt;
}

#else // without MPI there is one process

class ProcessLink::Messages
{
};

ProcessLink::ProcessLink() = default;
ProcessLink::~ProcessLink() = default;

bool ProcessLink::isAlone() const
{
  return true;
}

bool ProcessLink::isSimulating() const
{
  return true;
}

void ProcessLink::begin(std::int64_t frame)
{
  frame_ = frame;
}

bool ProcessLink::isAbortAsked()
{
  return false;
}

void ProcessLink::tell(const Outcome&) {}

std::optional<Outcome> ProcessLink::hear(const std::function<bool()>&)
{
  return std::nullopt;
}

#endif

} // namespace lapilli

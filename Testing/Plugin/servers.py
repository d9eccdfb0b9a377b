"""A client whose server is another process: plugin, terrain, cache and frames are there, not here.

The script starts a server on the loopback device and ends it.
"""

import json
import os
import shutil
import socket
import sys
from support import OUTPUT, PLUGIN, check, point_arrays, same_bits, simple, small_rockfall, start

PROCESSES = (1, 2)  # of the server


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def client(port, file):
    simple.Connect("127.0.0.1", int(port))
    simple.LoadPlugin(PLUGIN, remote=True, ns=vars(simple))
    simple.LoadPlugin(PLUGIN, remote=False, ns=vars(simple))
    _, _, flow = small_rockfall()
    flow.CacheFolder = str(OUTPUT / "server-cache")
    frames = [point_arrays(flow, t) for t in (0.0, 1.0, 0.5)]
    text = {f"{i} {name}": values.tobytes().hex() for i, frame in enumerate(frames) for name, values in frame.items()}
    flow.UpdatePropertyInformation()
    (OUTPUT / file).write_text(json.dumps({"frames": text, "particles": int(flow.Particles)}))
    # Bad input is told here, and the server lives on.
    flow.Restitution = 3
    flow.UpdatePipeline(0.5)
    check(flow.GetDataInformation().GetNumberOfPoints() == 0, "particles in spite of a bad restitution")
    flow.Restitution = 0.4
    check(same_bits(point_arrays(flow, 0.5), frames[2]), "the frame differs after the slip")


if len(sys.argv) > 1:
    client(*sys.argv[1:])
    sys.exit()

simple.LoadPlugin(PLUGIN, remote=False, ns=vars(simple))
_, _, flow = small_rockfall()
expected = {f"{i} {name}": values.tobytes().hex()
            for i, t in enumerate((0.0, 1.0, 0.5)) for name, values in point_arrays(flow, t).items()}
for count in PROCESSES:
    shutil.rmtree(OUTPUT / "server-cache", ignore_errors=True)
    port, file = free_port(), f"client{count}.json"
    server = start(["pvserver", f"--server-port={port}", "--force-offscreen-rendering"], count)
    try:
        for line in server.stdout:  # "Accepting connection(s): …"
            if "Accepting" in line:
                break
        visitor = start([os.readlink("/proc/self/exe"), sys.argv[0], str(port), file])
        told = visitor.communicate(timeout=120)[0]
        print(told.replace("ERR|", ""))  # one is expected
        check(visitor.returncode == 0, f"the client of {count} processes failed")
        check("restitution is 3" in told, "the client was not told of the bad restitution")
        rest = server.communicate(timeout=60)[0]  # it ends with its client
        print(rest.replace("ERR|", ""))
        check(server.returncode == 0, f"the server of {count} processes ended with {server.returncode}")
    finally:
        if server.poll() is None:
            server.kill()
    result = json.loads((OUTPUT / file).read_text())
    check(result["frames"] == expected, f"other particles from a server of {count} processes")
    check(result["particles"] > 100, f"the panel tells of {result['particles']} particles")
    check(len(list((OUTPUT / "server-cache").glob("lapilli-*/frame-*"))) == 11, "the server kept no frames")

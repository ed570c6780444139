"""The Python child process of one row: loads one adapter and runs its trials, one at a time, as the host says over file descriptor 3.

The protocol is that of adapters/protocol.ts. Standard output belongs to the framework; so do the runtime's defaults.
"""

# The channel is taken before anything else is imported, so that no framework finds it open under its number.
import socket

CHANNEL = socket.socket(fileno=3)
CHANNEL.set_inheritable(False)

import asyncio  # noqa: E402

from agentgauge.host_channel import serve  # noqa: E402

if __name__ == "__main__":
    asyncio.run(serve(CHANNEL))

"""For frameworks whose run is an ordinary call: it has a thread to itself, so that the worker can still be spoken to."""

import asyncio
from collections.abc import Callable


async def in_thread(work: Callable[[], str], interrupt: Callable[[], object] | None = None) -> str:
    """Ends when the call has ended, also when cancelled: what goes on behind the back of a trial is no end of it.

    @param interrupt the framework's own way to stop the call, if it has one; without it only the host can end this process
    """
    future = asyncio.get_running_loop().run_in_executor(None, work)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        if interrupt is not None:
            interrupt()
        await asyncio.wait([future])
        raise

"""For frameworks whose run is an ordinary call: one thread for all of them, so that the worker can still be spoken to."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")

# One, since GraphBit finds a node's tools only in the thread that built the node. It is made when the first call comes.
_THREAD = ThreadPoolExecutor(max_workers=1)


async def in_thread(work: Callable[[], Result], interrupt: Callable[[], object] | None = None) -> Result:
    """Ends when the call has ended, also when cancelled: what goes on behind the back of a trial is no end of it.

    @param interrupt the framework's own way to stop the call, if it has one; without it only the host can end this process
    """
    future = asyncio.get_running_loop().run_in_executor(_THREAD, work)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        if interrupt is not None:
            interrupt()
        await asyncio.wait([future])
        raise

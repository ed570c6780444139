"""Resident memory of this process, now and at its highest since the last reset; adapters/peak-memory.ts in Python."""

import resource
import sys


def reset_peak() -> None:
    """Where the kernel allows it: proc(5), clear_refs, value 5."""
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        # No procfs, or a sandbox that forbids it: the peak is then the whole process's.
        pass


def read_peak() -> dict[str, int | str]:
    kilobytes = _status("VmHWM:")
    if kilobytes is not None:
        return {"peakRssBytes": kilobytes * 1024, "rssMethod": "vm-hwm"}
    return {"peakRssBytes": _max_rss_bytes(), "rssMethod": "max-rss"}


def read_rss_bytes() -> int:
    kilobytes = _status("VmRSS:")
    return _max_rss_bytes() if kilobytes is None else kilobytes * 1024


def _status(field: str) -> int | None:
    try:
        with open("/proc/self/status") as file:
            return next((int(line.split()[1]) for line in file if line.startswith(field)), None)
    except OSError:
        return None


def _max_rss_bytes() -> int:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024

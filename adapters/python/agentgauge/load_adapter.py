"""Imports one adapter and times that. Failing is an answer here: a missing framework is named, so that the host can say how to get it."""

import importlib.util
import re
import site
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from agentgauge.memory import read_rss_bytes
from agentgauge.messages import Message
from agentgauge.terms import Shape


@dataclass(frozen=True, slots=True)
class LoadedAdapter:
    shape: Shape
    import_ms: float
    rss_after_import_bytes: int
    versions: dict[str, str]


class LoadFailure(Exception):
    def __init__(self, code: str, message: str, package: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.package = package


def load_adapter(start: Message) -> LoadedAdapter:
    """@throws LoadFailure"""
    path = Path(start["adapterModule"])
    begun = time.monotonic()
    try:
        spec = importlib.util.spec_from_file_location("agentgauge_row", path)
        if spec is None or spec.loader is None:
            raise ImportError(f"{path} is no Python module")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    except Exception as error:
        raise _failure_of(error, start["packages"]) from error
    import_ms = (time.monotonic() - begun) * 1000
    rss_after_import_bytes = read_rss_bytes()
    adapter = getattr(module, start["exportName"], None)
    if not isinstance(adapter, dict):
        names = ", ".join(name for name in vars(module) if not name.startswith("_"))
        raise LoadFailure("NO_SHAPE", f"{path} has no export '{start['exportName']}' that is an adapter; it exports: {names}")
    shape = adapter.get(start["shape"])
    if not callable(shape):
        raise LoadFailure("NO_SHAPE", f"{start['exportName']} has no shape '{start['shape']}'; it has: {', '.join(adapter)}")
    return LoadedAdapter(shape, import_ms, rss_after_import_bytes, installed_versions(start["packages"]))


def installed_versions(packages: list[str]) -> dict[str, str]:
    """Read from the names of folders: `importlib.metadata` would be one more library in every row's memory."""
    found = dict(_distribution(folder.name) for place in site.getsitepackages() for folder in Path(place).glob("*.dist-info"))
    return {package: found[_normal(package)] for package in packages if _normal(package) in found}


def _distribution(folder: str) -> tuple[str, str]:
    name, _, version = folder.removesuffix(".dist-info").partition("-")
    return _normal(name), version


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _failure_of(error: Exception, packages: list[str]) -> LoadFailure:
    installed = installed_versions(packages)
    missing = next((package for package in packages if package not in installed), None)
    if missing is None and isinstance(error, ModuleNotFoundError):
        missing = (error.name or "").partition(".")[0] or None
    if missing is None:
        return LoadFailure("LOAD_FAILED", f"{type(error).__name__}: {error}")
    return LoadFailure("MISSING_PACKAGE", f"package {missing} is not installed", missing)

"""What an adapter file imports: the terms of a trial, and what it gives back."""

from agentgauge.terms import Adapter, Prepared, Shape, Terms, Tool

__all__ = ["Adapter", "Prepared", "Shape", "Terms", "Tool"]

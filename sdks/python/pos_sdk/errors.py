"""What the client raises."""

from __future__ import annotations

import json
from typing import Any, Mapping
from urllib.parse import urljoin, urlsplit


class PosError(Exception):
    """Any failure that this package raises by itself."""


class PosApiError(PosError):
    """The service refused a call, or failed."""

    operation: str
    status: int
    reason: str | None
    """One of `ProblemReason`, or a reason of a newer service. None where something before the service answered."""
    trace_id: str | None
    """Names the request in the log of the service."""
    fields: dict[str, list[str]]
    """Messages by member path or header name; empty when no member is at fault."""
    documentation: str | None
    """The address of the page about the reason."""
    body: Any
    """The body as it arrived, parsed when it is JSON."""

    def __init__(self, operation: str, status: int, headers: Mapping[str, str], text: str, base_url: str) -> None:
        body = _parse(text)
        problem = body if isinstance(body, dict) else {}
        self.operation = operation
        self.status = status
        self.body = body
        self.reason = _read_text(problem, "reason")
        self.trace_id = _read_text(problem, "traceId") or headers.get("trace-id")
        self.fields = _read_fields(problem.get("errors"))
        self.documentation = _resolve(base_url, _read_text(problem, "documentation"))
        title = self.reason or _read_text(problem, "title") or "without a problem body"
        super().__init__(f"{operation}: {status} {title}: {_read_text(problem, 'detail') or ''}")


class PosConnectionError(PosError):
    """No answer arrived; whether the call took effect is unknown."""


class PosTimeoutError(PosError):
    """The time limit passed before an answer arrived; whether the call took effect is unknown."""


class PosAnswerError(PosError):
    """The answer of a successful status is not JSON, so something other than the service sent it."""


class PosUsageError(PosError):
    """The client was created or called in a way that cannot work; nothing was sent."""


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _read_text(problem: Mapping[str, Any], name: str) -> str | None:
    value = problem.get(name)
    return value if isinstance(value, str) else None


def _read_fields(errors: Any) -> dict[str, list[str]]:
    if not isinstance(errors, dict):
        return {}
    lists = errors.values()
    is_readable = all(isinstance(each, list) and all(isinstance(text, str) for text in each) for each in lists)
    return errors if is_readable else {}


def _resolve(base_url: str, address: str | None) -> str | None:
    if address is None:
        return None
    try:
        resolved = urljoin(base_url, address)
        return resolved if urlsplit(resolved).hostname else None
    except ValueError:
        return None

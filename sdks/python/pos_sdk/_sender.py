"""Sends calls. The request of a call is built once, with its key, before the first attempt."""

from __future__ import annotations

import http.client
import json
import logging
import random
import re
import time
import urllib.error
import urllib.request
import uuid
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Sequence
from urllib.parse import quote, urlencode

from ._retry import FailedAttempt, Repeat, RetryLimits, decide_retry
from .errors import PosAnswerError, PosApiError, PosConnectionError, PosError, PosTimeoutError, PosUsageError

_CHUNK_BYTES = 65_536
_LOG = logging.getLogger("pos_sdk")

WarningsListener = Callable[[Sequence[str], str], None]
"""Receives what the service has noticed about a call and not refused, and the name of the operation.

`unknown_member:captureMod` is a member that the service does not know, `ignored_member:autoExpireIn` one without effect.
"""


@dataclass(frozen=True)
class OperationFacts:
    """What a call of an operation needs to know."""

    method: str
    path: str
    input: str | None
    """What follows the path members in the arguments of a call: `body`, `query` or None."""
    repeat: Repeat
    key: bool = False
    """An API key is sent."""
    partners: bool = False
    customer_secret: bool = False
    """The secret of a customer is sent in place of a key."""
    pages: str | None = None
    """Where the cursors of a listing are: `members` of the input, or in its member `cursor`."""


@dataclass(frozen=True)
class SenderSettings:
    """How a client calls. Times are seconds."""

    base_url: str
    api_key: str
    version: str
    software_house_id: str | None
    reseller_id: str | None
    retries_max: int
    timeout: float
    attempt_timeout: float
    chance: Callable[[], float] = random.random
    on_warnings: WarningsListener | None = None


@dataclass(frozen=True)
class Call:
    """A call of one operation."""

    name: str
    facts: OperationFacts
    members: Sequence[str]
    """The values of the members of the path, in their order."""
    payload: Any = None
    idempotency_key: str | None = None
    timeout: float | None = None
    customer_secret: str | None = None


class _RedirectRefuser(urllib.request.HTTPRedirectHandler):
    """A redirect is an answer like any other: following it would send the API key to another address."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_RedirectRefuser)


@dataclass(frozen=True)
class _Answer:
    status: int
    headers: Mapping[str, str]
    text: str


def send_call(settings: SenderSettings, call: Call) -> Any:
    """Sends a call until it has an answer, or no further attempt is safe or in time. The answer 204 is None."""
    timeout = settings.timeout if call.timeout is None else call.timeout
    # Written so that a time that is no number is refused.
    if not timeout > 0:
        raise PosUsageError(f"{call.name}: timeout is no time")
    request = _build_request(settings, call)
    end = time.monotonic() + timeout
    retries = 0
    while True:
        failed, error = _attempt(settings, call, request, end)
        if failed is None:
            return error
        limits = RetryLimits(retries, settings.retries_max, settings.chance(), time.time() * 1000)
        wait_ms = decide_retry(failed, call.facts.repeat, limits)
        if wait_ms is None or time.monotonic() + wait_ms / 1000 >= end:
            raise error
        time.sleep(wait_ms / 1000)
        retries += 1


def _attempt(settings: SenderSettings, call: Call, request: urllib.request.Request, end: float) -> tuple[Any, Any]:
    """How the attempt failed, and its error; or None and the answer."""
    limit = min(end, time.monotonic() + settings.attempt_timeout)
    try:
        answer = _exchange(request, limit)
    except (OSError, http.client.HTTPException) as cause:
        reason = cause.reason if isinstance(cause, urllib.error.URLError) else cause
        is_timeout = isinstance(reason, TimeoutError)
        error: PosError = (PosTimeoutError if is_timeout else PosConnectionError)(f"{call.name}: no answer: {reason}")
        error.__cause__ = cause
        return FailedAttempt("timeout" if is_timeout else "connection"), error
    _report_warnings(settings, call.name, answer.headers.get("warnings"))
    if 200 <= answer.status < 300:
        return None, _read_answer(call.name, answer)
    refused = PosApiError(call.name, answer.status, answer.headers, answer.text, settings.base_url)
    return FailedAttempt("answer", answer.status, refused.reason, answer.headers.get("retry-after")), refused


def _report_warnings(settings: SenderSettings, name: str, sent: str | None) -> None:
    """A listener that fails must not hide the answer: the money may have moved."""
    if not sent:
        return
    if settings.on_warnings is None:
        _LOG.warning("%s: %s", name, sent)
        return
    try:
        settings.on_warnings(sent.split(", "), name)
    except Exception:
        _LOG.exception("%s: on_warnings has failed", name)


def _exchange(request: urllib.request.Request, limit: float) -> _Answer:
    try:
        response = _OPENER.open(request, timeout=_remaining(limit))
    except urllib.error.HTTPError as refusal:
        response = refusal
    with response:
        chunks = []
        # Each read has a limit of its own, so a body that arrives slowly is measured between the reads.
        while chunk := response.read1(_CHUNK_BYTES) if hasattr(response, "read1") else response.read(_CHUNK_BYTES):
            chunks.append(chunk)
            _remaining(limit)
        # A body that ends before its announced length would otherwise pass for a whole one.
        if getattr(response, "length", None):
            raise http.client.IncompleteRead(b"".join(chunks))
        headers = {name.lower(): value for name, value in response.headers.items()}
        return _Answer(response.status, headers, b"".join(chunks).decode("utf-8", "replace"))


def _remaining(limit: float) -> float:
    remaining = limit - time.monotonic()
    if remaining <= 0:
        raise TimeoutError("the time limit has passed")
    return remaining


def _read_answer(name: str, answer: _Answer) -> Any:
    if answer.status == 204:
        return None
    try:
        return json.loads(answer.text)
    except ValueError as cause:
        raise PosAnswerError(f"{name}: {answer.status} without JSON") from cause


def _build_request(settings: SenderSettings, call: Call) -> urllib.request.Request:
    """Made once for all attempts, so that they have the same key."""
    facts = call.facts
    headers = {
        "accept": "application/json, application/problem+json",
        "version": settings.version,
        "user-agent": "pos-sdk-python",
    }
    if facts.key:
        headers["authorization"] = f"Bearer {settings.api_key}"
    if facts.partners:
        if settings.software_house_id is None or settings.reseller_id is None:
            raise PosUsageError(f"{call.name} needs software_house_id and reseller_id")
        headers |= {"software-house-id": settings.software_house_id, "reseller-id": settings.reseller_id}
    if facts.customer_secret:
        if not call.customer_secret:
            raise PosUsageError(f"{call.name} needs customer_secret")
        headers["authorization"] = f"Basic {call.customer_secret}"
    key = _choose_key(call)
    if key is not None:
        headers["idempotencyKey"] = key
    data = None
    if facts.input == "body":
        headers["content-type"] = "application/json"
        data = json.dumps(call.payload, allow_nan=False).encode("utf-8")
    query = _build_query(call.payload) if facts.input == "query" else ""
    url = f"{settings.base_url}{_build_path(call)}{query}"
    return urllib.request.Request(url, data, headers, method=facts.method)


def _choose_key(call: Call) -> str | None:
    """One key for all attempts of a call: a second key would make a second operation."""
    if call.idempotency_key is None:
        return str(uuid.uuid4()) if call.facts.repeat == "key" else None
    # Silence would let the caller trust in a key that nobody reads.
    if call.facts.repeat != "key":
        raise PosUsageError(f"{call.name} takes no idempotency_key")
    if not re.fullmatch(r"[!-~]{1,100}", call.idempotency_key):
        raise PosUsageError(f"{call.name}: idempotency_key must be 1 to 100 visible ASCII characters")
    return call.idempotency_key


def _build_path(call: Call) -> str:
    members = iter(call.members)

    def replace(match: re.Match[str]) -> str:
        value = next(members, None)
        # An empty member would address another operation, and so would `.` and `..`, which proxies resolve.
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise PosUsageError(f"{call.name} needs {match.group(1)}")
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", replace, call.facts.path)


def _build_query(query: Mapping[str, Any] | None) -> str:
    pairs = []
    for name, value in (query or {}).items():
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if each is not None:
                pairs.append((name, str(each).lower() if isinstance(each, bool) else str(each)))
    return f"?{urlencode(pairs)}" if pairs else ""

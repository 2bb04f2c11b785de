"""Decides which failed attempts are repeated. All clients share this policy; sdks/vectors/retries.json tests it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Literal

Repeat = Literal["read", "key", "never"]

# Statuses of a passing state, also when a proxy answers.
_PASSING = (408, 429, 502, 503, 504)
# Refusals of status 409 that end by themselves.
_PASSING_CONFLICTS = ("idempotency_in_progress", "saved_card_busy", "setup_intent_busy")
# The service promises that nothing was done, so that a repeat is safe without a key.
_NOTHING_DONE = ("rate_limited", "service_unavailable", "request_timeout")
# Repeats do not help until a person has changed something.
_LASTING = ("acquirer_not_configured",)
_FIRST_WAIT_MS = 250
_WAIT_MS_MAX = 8_000


@dataclass(frozen=True)
class FailedAttempt:
    """How an attempt failed. Status, reason and retry_after are those of an answer."""

    kind: Literal["connection", "timeout", "answer"]
    status: int = 0
    reason: str | None = None
    retry_after: str | None = None


@dataclass(frozen=True)
class RetryLimits:
    """How many retries were made, how many are permitted, a chance from 0 to 1, and milliseconds since 1970."""

    retries: int
    retries_max: int
    chance: float
    now_ms: float


def decide_retry(failed: FailedAttempt, repeat: Repeat, limits: RetryLimits) -> float | None:
    """How many milliseconds to wait before the next attempt; None: the failure is final."""
    if limits.retries >= limits.retries_max or not _is_repeatable(failed, repeat):
        return None
    # The exponent has a limit, because a float has one.
    longest: float = min(_WAIT_MS_MAX, _FIRST_WAIT_MS * 2 ** min(limits.retries, 16))
    asked = _read_retry_after(failed.retry_after, limits.now_ms)
    if asked is None:
        return longest / 2 + longest / 2 * limits.chance
    # The jitter is on top, so that callers who were refused together do not come back together.
    return asked + _FIRST_WAIT_MS * limits.chance


def _is_repeatable(failed: FailedAttempt, repeat: Repeat) -> bool:
    if failed.kind != "answer":
        return repeat != "never"
    if failed.reason in _LASTING:
        return False
    is_passing = failed.status in _PASSING or (failed.status == 409 and failed.reason in _PASSING_CONFLICTS)
    return is_passing and (repeat != "never" or failed.reason in _NOTHING_DONE)


def _read_retry_after(header: str | None, now_ms: float) -> float | None:
    """The milliseconds of a `retry-after`, in seconds or as a date; None for anything else."""
    if header is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", header):
        return int(header) * 1000
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() * 1000 - now_ms)
    except (ValueError, TypeError, OverflowError):
        return None

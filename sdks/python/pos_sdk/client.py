"""A client of the payments API, for servers."""

from __future__ import annotations

import random
import re
from typing import Any, Callable, Iterator, Sequence
from urllib.parse import urlsplit

from ._sender import Call, SenderSettings, WarningsListener, send_call
from .errors import PosAnswerError, PosUsageError
from .operations import NEWEST_RELEASE, OPERATIONS, PosOperations


class PosClient(PosOperations):
    """Calls the payments API. Threads may share a client. Raises PosUsageError for settings that cannot work."""

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        software_house_id: str | None = None,
        reseller_id: str | None = None,
        version: str = NEWEST_RELEASE,
        retries_max: int = 4,
        timeout: float = 60.0,
        attempt_timeout: float = 30.0,
        chance: Callable[[], float] = random.random,
        on_warnings: WarningsListener | None = None,
    ) -> None:
        """Times are seconds: `timeout` limits a call with all its retries, `attempt_timeout` limits one attempt.

        Operations of card machines need `software_house_id` and `reseller_id`. `chance` is the jitter of waits.
        `on_warnings` is called for an answer that names oddities of its request, such as a misspelt member, with the
        warnings and the name of the operation. They are logged by the logger `pos_sdk` when it is left out.
        """
        try:
            address = urlsplit(base_url)
        except ValueError as cause:
            raise PosUsageError("base_url is no http address") from cause
        if address.scheme not in ("http", "https") or not address.hostname:
            raise PosUsageError("base_url is no http address")
        if not re.fullmatch(r"[!-~]+", api_key):
            raise PosUsageError("api_key is empty, or has characters that no key has")
        if not isinstance(retries_max, int) or retries_max < 0:
            raise PosUsageError("retries_max must be a whole number, at least 0")
        for name, value in (("timeout", timeout), ("attempt_timeout", attempt_timeout)):
            if not value > 0:
                raise PosUsageError(f"{name} must be a number of seconds above 0")
        self._settings = SenderSettings(
            *(base_url.rstrip("/"), api_key, version, software_house_id, reseller_id),
            *(retries_max, timeout, attempt_timeout, chance, on_warnings),
        )

    def __repr__(self) -> str:
        # The key must not appear in logs.
        return f"PosClient({self._settings.base_url!r})"

    def call(
        self,
        operation: str,
        members: Sequence[str] = (),
        payload: Any = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        customer_secret: str | None = None,
    ) -> Any:
        """Calls an operation by its id in the contract, for programs that choose it at run time."""
        facts = OPERATIONS.get(operation)
        if facts is None:
            raise PosUsageError(f"there is no operation {operation}")
        call = Call(operation, facts, members, payload, idempotency_key, timeout, customer_secret)
        return send_call(self._settings, call)

    def iterate(
        self, operation: str, members: Sequence[str] = (), payload: Any = None, *, timeout: float | None = None
    ) -> Iterator[Any]:
        """Every element of a listing, from page to page; a page is read when the loop arrives at it."""
        facts = OPERATIONS.get(operation)
        if facts is None or facts.pages is None:
            raise PosUsageError(f"{operation} has no pages")
        first = dict(payload or {})
        after = None
        while True:
            asked = first if after is None else _point_to(first, facts.pages, after)
            page = self.call(operation, members, asked, timeout=timeout)
            yield from page["data"]
            # A loop without an end is worse than an error.
            if page["after"] is not None and page["after"] == after:
                raise PosAnswerError(f"{operation}: the page after {after} is itself")
            after = page["after"]
            if after is None:
                return


def _point_to(first: dict[str, Any], pages: str, after: str) -> dict[str, Any]:
    """The same question with the cursor of the next page, which replaces one of the caller."""
    if pages == "cursor":
        return {**first, "cursor": _point_to(dict(first.get("cursor") or {}), "members", after)}
    return {**{name: value for name, value in first.items() if name != "before"}, "after": after}

"""Verifies webhooks and types their events. The verifier itself is one file that programs may copy."""

from __future__ import annotations

from typing import Mapping, Sequence, cast

from . import webhooks
from .schemas import WebhookEvent


def verify_webhook(
    raw_body: bytes,
    headers: Mapping[str, str],
    secrets: Sequence[str],
    tolerance_seconds: float = webhooks.TOLERANCE_SECONDS,
    now: float | None = None,
) -> WebhookEvent:
    """Returns the event of a delivery that was signed with one of the secrets, over exactly these bytes and recently.

    Raises a WebhookRefused for any other. Give all secrets of the subscription while you replace one. Compare the
    member `event` before you read `data`, so that a type checker knows its form.
    """
    return cast(WebhookEvent, webhooks.verify_webhook(raw_body, headers, secrets, tolerance_seconds, now))


def verify_service_signature(
    raw_body: bytes,
    headers: Mapping[str, str],
    secrets: Sequence[str],
    tolerance_seconds: float | None = None,
    now: float | None = None,
) -> WebhookEvent:
    """Returns the event of a delivery whose service-signature was made with one of the secrets over exactly these bytes.

    Raises a WebhookRefused for any other. This signature does not cover the time of sending: prefer verify_webhook where
    the standard headers arrive. With tolerance_seconds an event is also refused whose createdAt is further from now.
    """
    return cast(
        WebhookEvent, webhooks.verify_service_signature(raw_body, headers, secrets, tolerance_seconds, now)
    )

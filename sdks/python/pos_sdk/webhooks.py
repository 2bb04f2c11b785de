"""Verifies webhooks of the payments API. Needs Python 3.9 or newer and nothing else: copy this file."""

import base64
import calendar
import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, List, Mapping, Optional, Sequence

TOLERANCE_SECONDS = 300
# Base64 of 32 bytes has this form.
SIGNATURE = re.compile(r"v1,([A-Za-z0-9+/]{43}=)", re.ASCII)
TIMESTAMP = re.compile(r"[0-9]{1,12}", re.ASCII)
# The form of a secret for libraries of standard-webhooks.
STANDARD_SECRET = re.compile(r"whsec_([A-Za-z0-9+/]+={0,2})", re.ASCII)
SERVICE_SIGNATURE = re.compile(r"sha256=([0-9A-F]{2}(?:-[0-9A-F]{2}){31})", re.ASCII)
# The service writes times in UTC.
MOMENT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]+)?Z", re.ASCII)


class WebhookRefused(Exception):
    """A delivery that must not be processed."""


class WebhookHeaderMissing(WebhookRefused):
    """A header that every delivery has is missing."""


class WebhookMalformed(WebhookRefused):
    """A header or the body has another form than a delivery."""


class WebhookTooOld(WebhookRefused):
    """The delivery was sent too long ago, or the clocks differ."""


class WebhookSignatureInvalid(WebhookRefused):
    """No signature was made with any of the secrets over this body, id and time."""


def verify_webhook(
    raw_body: bytes,
    headers: Mapping[str, str],
    secrets: Sequence[str],
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now: Optional[float] = None,
) -> Dict[str, Any]:
    """Returns the event of a delivery that was signed with one of the secrets, over exactly these bytes and recently.

    Raises a WebhookRefused for any other. Give all secrets of the subscription while you replace one.
    """
    if isinstance(secrets, str) or not secrets or "" in secrets:
        raise ValueError("secrets must be a list of texts, none empty")
    event_id = _read_header(headers, "webhook-id")
    timestamp = _read_header(headers, "webhook-timestamp")
    signatures = _read_signatures(_read_header(headers, "webhook-signature"))
    if not TIMESTAMP.fullmatch(timestamp):
        raise WebhookMalformed("webhook-timestamp is no number of seconds")
    signed = f"{event_id}.{timestamp}.".encode("utf-8") + raw_body
    # All pairs are compared, so the time does not say which secret matched.
    matches = [_is_signed(secret, signed, signature) for secret in secrets for signature in signatures]
    if not any(matches):
        raise WebhookSignatureInvalid("no signature matches a secret and this body")
    # Written so that a time or tolerance that is no number refuses.
    if not abs((time.time() if now is None else now) - int(timestamp)) <= tolerance_seconds:
        raise WebhookTooOld(f"webhook-timestamp is more than {tolerance_seconds} seconds from now")
    return _read_event(raw_body, event_id)


def sign_webhook(secret: str, event_id: str, timestamp: int, body: bytes) -> Dict[str, str]:
    """Returns the headers of a delivery as the service signs it, for tests of your endpoint.

    The timestamp is in seconds since 1970.
    """
    signed = f"{event_id}.{timestamp}.".encode("utf-8") + body
    digest = hmac.new(secret.encode("utf-8"), signed, hashlib.sha256).digest()
    return {
        "webhook-id": event_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{base64.b64encode(digest).decode('ascii')}",
    }


def verify_service_signature(
    raw_body: bytes,
    headers: Mapping[str, str],
    secrets: Sequence[str],
    tolerance_seconds: Optional[float] = None,
    now: Optional[float] = None,
) -> Dict[str, Any]:
    """Returns the event of a delivery whose service-signature was made with one of the secrets over exactly these bytes.

    Raises a WebhookRefused for any other. This signature does not cover the time of sending, so a recorded delivery can
    be sent again: prefer verify_webhook where the standard headers arrive. With tolerance_seconds an event is also
    refused whose createdAt is further from now. A delivery is repeated for four days with the same createdAt.
    """
    if isinstance(secrets, str) or not secrets or "" in secrets:
        raise ValueError("secrets must be a list of texts, none empty")
    match = SERVICE_SIGNATURE.fullmatch(_read_header(headers, "service-signature"))
    if match is None:
        raise WebhookMalformed("service-signature is not sha256= and 32 bytes")
    signature = bytes.fromhex(match.group(1).replace("-", ""))
    # All secrets are compared, so the time does not say which one matched.
    matches = [_is_signed(secret, raw_body, signature) for secret in secrets]
    if not any(matches):
        raise WebhookSignatureInvalid("no signature matches a secret and this body")
    event = _read_event(raw_body)
    if tolerance_seconds is not None:
        age = (time.time() if now is None else now) - _read_created_at(event)
        # Written so that a time or tolerance that is no number refuses.
        if not abs(age) <= tolerance_seconds:
            raise WebhookTooOld(f"createdAt is more than {tolerance_seconds} seconds from now")
    return event


def sign_service_signature(secret: str, body: bytes) -> Dict[str, str]:
    """Returns the header service-signature as the service makes it, for tests of your endpoint."""
    digest = hmac.new(secret.encode("utf-8"), body, hashlib.sha256).digest()
    return {"service-signature": "sha256=" + digest.hex("-").upper()}


def _read_header(headers: Mapping[str, str], name: str) -> str:
    values = [value for key, value in headers.items() if key.lower() == name and value != ""]
    if not values:
        raise WebhookHeaderMissing(f"{name} is missing")
    if len(values) > 1:
        raise WebhookMalformed(f"{name} was sent more than once")
    return values[0]


def _read_signatures(header: str) -> List[bytes]:
    """The signatures of version 1; those of other versions are for other receivers."""
    found = [SIGNATURE.fullmatch(each) for each in header.split(" ")]
    signatures = [base64.b64decode(match.group(1)) for match in found if match is not None]
    if not signatures:
        raise WebhookMalformed("webhook-signature has no signature of version 1")
    return signatures


def _is_signed(secret: str, signed: bytes, signature: bytes) -> bool:
    digests = [hmac.new(key, signed, hashlib.sha256).digest() for key in _read_keys(secret)]
    return any([hmac.compare_digest(digest, signature) for digest in digests])


def _read_keys(secret: str) -> List[bytes]:
    """The text of the secret, byte by byte; of the form whsec_... also the text that it encodes."""
    match = STANDARD_SECRET.fullmatch(secret)
    decoded = [] if match is None or len(match.group(1)) % 4 else [base64.b64decode(match.group(1))]
    return [secret.encode("utf-8"), *decoded]


def _read_event(raw_body: bytes, event_id: Optional[str] = None) -> Dict[str, Any]:
    try:
        event = json.loads(raw_body)
    except ValueError as error:
        raise WebhookMalformed("the body is no JSON") from error
    if not isinstance(event, dict) or "event" not in event or "id" not in event:
        raise WebhookMalformed("the body is no event")
    if event_id is not None and event["id"] != event_id:
        raise WebhookMalformed("the event has another id than webhook-id")
    return event


def _read_created_at(event: Mapping[str, Any]) -> float:
    """Seconds since 1970."""
    created_at = event.get("createdAt")
    match = MOMENT.fullmatch(created_at) if isinstance(created_at, str) else None
    if match is None:
        raise WebhookMalformed("createdAt of the event is no time")
    try:
        seconds = calendar.timegm(time.strptime(match.group(1), "%Y-%m-%dT%H:%M:%S"))
    except ValueError as error:
        raise WebhookMalformed("createdAt of the event is no time") from error
    return seconds + float(match.group(2) or 0)

"""A client of the payments API. Needs Python 3.11 or newer and nothing else."""

from ._events import verify_service_signature, verify_webhook
from .client import PosClient
from .errors import PosAnswerError, PosApiError, PosConnectionError, PosError, PosTimeoutError, PosUsageError
from .webhooks import (
    WebhookHeaderMissing,
    WebhookMalformed,
    WebhookRefused,
    WebhookSignatureInvalid,
    WebhookTooOld,
    sign_service_signature,
    sign_webhook,
)

__all__ = [
    "PosAnswerError",
    "PosApiError",
    "PosClient",
    "PosConnectionError",
    "PosError",
    "PosTimeoutError",
    "PosUsageError",
    "WebhookHeaderMissing",
    "WebhookMalformed",
    "WebhookRefused",
    "WebhookSignatureInvalid",
    "WebhookTooOld",
    "sign_service_signature",
    "sign_webhook",
    "verify_service_signature",
    "verify_webhook",
]

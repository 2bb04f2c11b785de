"""Prints what the client does with the vectors that clients of all languages are tested with.

Arguments: the folder of the vectors, and the address of the scripted service.
"""

import json
import pathlib
import sys
from concurrent.futures import ThreadPoolExecutor

from pos_sdk import (
    PosAnswerError,
    PosApiError,
    PosClient,
    PosConnectionError,
    PosTimeoutError,
    PosUsageError,
    WebhookHeaderMissing,
    WebhookMalformed,
    WebhookSignatureInvalid,
    WebhookTooOld,
    sign_service_signature,
    sign_webhook,
    verify_service_signature,
    verify_webhook,
)
from pos_sdk._retry import FailedAttempt, RetryLimits, decide_retry

FOLDER, ORIGIN = pathlib.Path(sys.argv[1]), sys.argv[2]
REFUSALS = {
    WebhookHeaderMissing: "missing",
    WebhookMalformed: "malformed",
    WebhookSignatureInvalid: "signature",
    WebhookTooOld: "timestamp",
}
FAILURES = {
    PosConnectionError: "connection",
    PosTimeoutError: "timeout",
    PosAnswerError: "malformed",
    PosUsageError: "usage",
}
# Names of the vectors, as this client has them; times become seconds.
SETTINGS = {
    "baseUrl": "base_url",
    "apiKey": "api_key",
    "softwareHouseId": "software_house_id",
    "resellerId": "reseller_id",
    "retriesMax": "retries_max",
    "timeoutMs": "timeout",
    "attemptTimeoutMs": "attempt_timeout",
    "idempotencyKey": "idempotency_key",
    "customerSecret": "customer_secret",
}


def read_vectors(name):
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def check_webhook(vector, verify=verify_webhook):
    try:
        body = vector["body"].encode("utf-8")
        event = verify(
            body, vector["headers"], vector["secrets"], vector["toleranceSeconds"], now=vector["now"]
        )
        return "accepted" if event == json.loads(body) else "another event"
    except tuple(REFUSALS) as refusal:
        return REFUSALS[type(refusal)]


def sign(vector):
    return sign_webhook(vector["secrets"][0], "evt_1", vector["now"], vector["body"].encode("utf-8"))


def sign_for_service(vector):
    return sign_service_signature(vector["secrets"][0], vector["body"].encode("utf-8"))


def decide(vector, now):
    failed = vector["failed"]
    attempt = FailedAttempt(
        failed["kind"], failed.get("status", 0), failed.get("reason"), failed.get("retryAfter")
    )
    limits = RetryLimits(vector["retries"], vector["retriesMax"], vector["chance"], now)
    return decide_retry(attempt, vector["repeat"], limits)


def translate(settings):
    return {
        SETTINGS[name]: value / 1000 if name.endswith("Ms") else value for name, value in settings.items()
    }


def call(index, vector):
    warnings = []

    def receive(names, operation):
        warnings.append([operation, list(names)])
        if vector.get("listener") == "fails":
            raise RuntimeError("the listener has failed")

    return {**end_call(index, vector, receive), "warnings": warnings}


def end_call(index, vector, on_warnings):
    settings = {"baseUrl": f"{ORIGIN}/{index}", "apiKey": "sk_sandbox_1", **vector.get("settings", {})}
    try:
        client = PosClient(chance=lambda: 0.0, on_warnings=on_warnings, **translate(settings))
        arguments = (vector["operation"], vector["members"], vector.get("payload"))
        if vector.get("iterate"):
            return {"outcome": "answer", "answer": list(client.iterate(*arguments))}
        answer = client.call(*arguments, **translate(vector.get("options", {})))
        return {"outcome": "nothing"} if answer is None else {"outcome": "answer", "answer": answer}
    except PosApiError as error:
        return {
            "outcome": "api",
            "status": error.status,
            "reason": error.reason,
            "traceId": error.trace_id,
            "fields": error.fields,
            "documentation": error.documentation,
        }
    except tuple(FAILURES) as error:
        return {"outcome": FAILURES[type(error)]}


webhooks = read_vectors("webhooks")["vectors"]
signed_for_service = read_vectors("service-signatures")["vectors"]
retries = read_vectors("retries")
calls = read_vectors("calls")["vectors"]
with ThreadPoolExecutor(8) as pool:
    found = {
        "webhooks": [check_webhook(vector) for vector in webhooks],
        "signatures": [sign(vector) for vector in webhooks],
        "serviceSignatures": [check_webhook(vector, verify_service_signature) for vector in signed_for_service],
        "madeServiceSignatures": [sign_for_service(vector) for vector in signed_for_service],
        "retries": [decide(vector, retries["now"]) for vector in retries["vectors"]],
        "calls": list(pool.map(call, range(len(calls)), calls)),
    }
print(json.dumps(found))

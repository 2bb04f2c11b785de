"""Prints what the verifier says to each of the deliveries that clients of all languages are tested with."""

import json
import sys

from pos_webhooks import (
    WebhookHeaderMissing,
    WebhookMalformed,
    WebhookSignatureInvalid,
    WebhookTooOld,
    verify_webhook,
)

REFUSALS = {
    WebhookHeaderMissing: "missing",
    WebhookMalformed: "malformed",
    WebhookSignatureInvalid: "signature",
    WebhookTooOld: "timestamp",
}


def check(vector):
    try:
        body = vector["body"].encode("utf-8")
        event = verify_webhook(
            body, vector["headers"], vector["secrets"], vector["toleranceSeconds"], now=vector["now"]
        )
        return "accepted" if event == json.loads(body) else "another event"
    except tuple(REFUSALS) as refusal:
        return REFUSALS[type(refusal)]


with open(sys.argv[1], encoding="utf-8") as file:
    print(json.dumps([check(vector) for vector in json.load(file)["vectors"]]))

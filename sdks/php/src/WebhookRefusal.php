<?php

declare(strict_types=1);

namespace Pos;

/** Why a delivery is refused. */
enum WebhookRefusal: string
{
    /** A header that every delivery has is missing. */
    case Missing = 'missing';
    /** A header or the body has another form than a delivery. */
    case Malformed = 'malformed';
    /** No signature was made with any of the secrets over this body, id and time. */
    case Signature = 'signature';
    /** The delivery was sent too long ago, or the clocks differ. */
    case Timestamp = 'timestamp';
}

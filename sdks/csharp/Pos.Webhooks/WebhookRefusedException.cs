using System;

namespace Pos.Webhooks
{
    /// <summary>Why a delivery is refused.</summary>
    public enum WebhookRefusal
    {
        /// <summary>A header that every delivery has is missing.</summary>
        Missing,

        /// <summary>A header has another form than that of a delivery.</summary>
        Malformed,

        /// <summary>No signature was made with any of the secrets over this body, id and time.</summary>
        Signature,

        /// <summary>The delivery was sent too long ago, or the clocks differ.</summary>
        Timestamp,
    }

    /// <summary>A delivery that must not be processed.</summary>
    public sealed class WebhookRefusedException : Exception
    {
        internal WebhookRefusedException(WebhookRefusal refusal, string message)
            : base(message)
        {
            Refusal = refusal;
        }

        /// <summary>Why the delivery is refused.</summary>
        public WebhookRefusal Refusal { get; }
    }
}

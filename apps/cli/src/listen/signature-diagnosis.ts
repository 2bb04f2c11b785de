import { isServiceSignature } from '@pos/core/webhook-signatures';
import {
  verifyWebhook,
  WebhookHeaderMissingError,
  WebhookMalformedError,
  WebhookSignatureError,
  WebhookTooOldError,
} from '@pos/sdk';

/** A delivery as an endpoint has recorded it. */
export interface RecordedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Whether a delivery is valid, and what is wrong where it is not. */
export interface SignatureDiagnosis {
  readonly verdict: 'valid' | 'header' | 'clock' | 'secret' | 'body' | 'signed-headers' | 'unknown';
  readonly explanation: string;
}

/** Finds out why a delivery is refused: it tries what usually goes wrong, one thing at a time. */
export async function diagnoseSignature(
  recorded: RecordedWebhook,
  { secrets, now }: { readonly secrets: readonly string[]; readonly now: Date },
): Promise<SignatureDiagnosis> {
  const verify = (parts: Partial<RecordedWebhook>, tried: readonly string[] = secrets): Promise<Error | null> => {
    const { body, headers } = { ...recorded, ...parts };
    return verifyWebhook(body, headers, { secrets: tried, now }).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    );
  };
  const refusal = await verify({});
  if (refusal === null) return { verdict: 'valid', explanation: 'The signature is right, and the time is recent.' };
  if (refusal instanceof WebhookTooOldError) return explainClock(recorded, now);
  if (!(refusal instanceof WebhookSignatureError)) return explainForm(refusal);
  for (const { body, explanation } of listBodyVariants(recorded.body)) {
    if (isSigned(await verify({ body }))) return { verdict: 'body', explanation };
  }
  const trimmed = secrets.map((secret) => secret.trim()).filter((secret) => secret !== '');
  if (trimmed.length > 0 && isSigned(await verify({}, trimmed))) {
    return { verdict: 'secret', explanation: 'The secret has a space or a line feed at its beginning or its end.' };
  }
  return explainByServiceSignature(recorded, secrets);
}

/** A recording is signed, and old. */
function isSigned(refusal: Error | null): boolean {
  return refusal === null || refusal instanceof WebhookTooOldError;
}

function explainForm(refusal: Error): SignatureDiagnosis {
  const isHeader = refusal instanceof WebhookHeaderMissingError || refusal instanceof WebhookMalformedError;
  return { verdict: isHeader ? 'header' : 'unknown', explanation: `${refusal.message}.` };
}

function explainClock({ headers }: RecordedWebhook, now: Date): SignatureDiagnosis {
  const sentAt = Number(findHeader(headers, 'webhook-timestamp')) * 1000;
  const seconds = Math.round((now.getTime() - sentAt) / 1000);
  const distance = `${Math.abs(seconds)} s ${seconds > 0 ? 'ago' : 'in the future'}`;
  return {
    verdict: 'clock',
    explanation:
      `The signature is right, and the delivery was sent ${distance}: it is a recording, or a clock is wrong. ` +
      'To verify a recording, give --at with the time when it arrived.',
  };
}

interface BodyVariant {
  readonly body: string;
  readonly explanation: string;
}

function listBodyVariants(body: string): readonly BodyVariant[] {
  const parsed = parseJson(body);
  return [
    {
      body: body.replace(/\r?\n$/, ''),
      explanation: 'The body has a line feed at its end that was not sent, as editors add.',
    },
    ...(parsed === undefined
      ? []
      : [
          {
            body: JSON.stringify(parsed),
            explanation: 'The body was parsed and written again. Verify the raw bytes, before anything parses them.',
          },
        ]),
    {
      body: Buffer.from(body, 'latin1').toString('utf8'),
      explanation: 'The body was read as Latin-1. Read its bytes, or read it as UTF-8.',
    },
  ].filter((variant) => variant.body !== body);
}

/** The other signature covers the body alone, and so says whether the body or what else is signed was changed. */
function explainByServiceSignature({ headers, body }: RecordedWebhook, secrets: readonly string[]): SignatureDiagnosis {
  const header = findHeader(headers, 'service-signature');
  if (header !== undefined && secrets.some((secret) => isServiceSignature(header, secret, body))) {
    return {
      verdict: 'signed-headers',
      explanation:
        'Secret and body are right, as service-signature shows. So webhook-id, webhook-timestamp or webhook-signature ' +
        'is not as it was sent.',
    };
  }
  return {
    verdict: 'unknown',
    explanation:
      'No signature was made with this secret over this body. Compare the secret with that of the subscription that sent ' +
      'the delivery; if it is the same, the body is not as it was sent.',
  };
}

function findHeader(headers: RecordedWebhook['headers'], name: string): string | undefined {
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

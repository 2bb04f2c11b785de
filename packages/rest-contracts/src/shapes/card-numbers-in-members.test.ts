import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { CARD_VAULT_OPERATIONS } from '../card-vault/client-payments.js';
import { API_OPERATIONS } from '../operations/operations.js';
import { PORTAL_OPERATIONS } from '../portal/portal-operations.js';
import type { Operation } from '../operation/operation.js';

const GROUPED = '4456 5300 0009 1014';
const IN_ONE_PIECE = 'call 4456530000091014 now';
const IN_AN_ADDRESS = '4456530000091014@a.example';

interface AcceptingMembers {
  /** Operations and paths, as `operation path`; `*` is any operation. */
  readonly members: RegExp;
  readonly reason: string;
}

// A new text of a body is refused by this test until it is `freeText` or `ownReference`, or has a reason here.
const ACCEPTING: readonly AcceptingMembers[] = [
  { members: / (card\.)?(cardNumber|expiryDate|cV2|cv2)$/, reason: 'The card itself: the vault receives it.' },
  { members: /^submitOrder order\./, reason: 'An order is checked as a whole, at every depth (`PlacedOrder`).' },
  {
    members:
      / (startDate|endDate|startTime|endTime|expectedEndTime|from|to|by|expireAt|expiresIn|autoExpireIn|\w+\.availabilityDate)$/,
    reason: 'Read as a time, and refused if it is none.',
  },
  { members: / (cursor\.)?(before|after)$/, reason: 'A cursor of the service, never stored.' },
  {
    members:
      / (customerId|savedCardId|customer\.savedCardId|paymentIntentId|paymentMethodId|terminalId|accountId|details\.\w+\.paymentIntentId|id|key|location|terminal)$/,
    reason: 'An id of the service: looked up, and never stored as it was sent.',
  },
  {
    members:
      / (secret|customer\.secret|password|presentPassword|auth\.basic\.password|recoveryCode|passkey\.[\w.[\]]+)$/,
    reason: 'A secret or a proof of a person: sealed, hashed or only verified.',
  },
  { members: / (token|paRes|transactionId)$/, reason: 'Encrypted or created by a wallet or an issuer.' },
  { members: / previousTransactionId$/, reason: 'An id of the acquirer, which may be digits of any number.' },
  { members: / (merchantId|tid)$/, reason: 'A number that the acquirer has assigned.' },
  {
    members: / ((tableIds\[\])|reservationId|event\.(orderId|partyId|reservationId))$/,
    reason: 'An id of the EPOS, which must reach it unchanged.',
  },
  { members: / events\[\]$/, reason: 'A name of a list; others are refused.' },
  { members: / (email)$/, reason: 'Looked up, or the address of a sign-in; never stored as it was sent.' },
  { members: / embeddingOrigins\.\w+\[\]$/, reason: 'An origin of a web page; others are refused.' },
];

/** Of these a number in one piece is an id of the integrator; groups of a card are refused. */
const REFERENCES =
  / (reference|auth\.basic\.username|orderDetails\.(id|externalId)|(itemLines|taxLines)\[\]\.(id|plu|affectedPlu|modifiers\[\]\.id))$/;

const OPERATIONS: readonly Operation[] = [...API_OPERATIONS, ...CARD_VAULT_OPERATIONS, ...PORTAL_OPERATIONS];
const TEXTS = OPERATIONS.flatMap(({ id, body }) =>
  body === undefined ? [] : [...listTexts(body, '')].map(([path, schema]) => [`${id} ${path}`, schema] as const),
);

test('the walk finds the texts of bodies', () => {
  expect(TEXTS.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'createPaymentIntent itemLines[].modifiers[].name',
      'createPaymentIntent orderDetails.externalId',
      'decideFourEyesRequest reason',
      'payByCard shippingDetails.deliveryNotes',
    ]),
  );
});

test.each(TEXTS)('%s accepts no card number', (name, schema) => {
  const accepts = (text: string): boolean => z.safeParse(schema, text).success;
  const hasReason = ACCEPTING.some(({ members }) => members.test(name));
  expect({ name, accepts: accepts(GROUPED) && !hasReason }).toEqual({ name, accepts: false });
  const acceptsOnePiece = (accepts(IN_ONE_PIECE) || accepts(IN_AN_ADDRESS)) && !hasReason;
  expect({ name, acceptsOnePiece }).toEqual({ name, acceptsOnePiece: acceptsOnePiece && REFERENCES.test(name) });
});

test.each(ACCEPTING)('$members is still needed: $reason', ({ members }) => {
  expect(TEXTS.some(([name, schema]) => members.test(name) && z.safeParse(schema, GROUPED).success)).toBe(true);
});

/** Every text of a schema without a list of its values, by its path. */
function* listTexts(schema: z.core.$ZodType, path: string): Generator<readonly [string, z.core.$ZodType]> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ('innerType' in def) yield* listTexts(def.innerType, path);
  else if (def.type === 'pipe') yield* listTexts(def.in, path);
  else if (def.type === 'array') yield* listTexts(def.element, `${path}[]`);
  else if (def.type === 'union') for (const option of def.options) yield* listTexts(option, path);
  else if (def.type === 'object') {
    for (const [name, member] of Object.entries(def.shape))
      yield* listTexts(member, path === '' ? name : `${path}.${name}`);
  } else if (def.type === 'lazy') throw new Error(`${path} is recursive: end the walk`);
  else if (def.type === 'string') yield [path, schema];
}

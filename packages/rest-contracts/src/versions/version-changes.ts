import { isMembers, type Members, type ReshapedBody } from '../shapes/reshape.js';
import type { Release, VersionChange } from './versions.js';

type Json = Readonly<Record<string, unknown>>;

/** Every breaking change, newest first. No other code depends on a version. */
export const VERSION_CHANGES: readonly VersionChange[] = [
  {
    since: '2025-09-10',
    says: 'The notifications `CardError` and `ReEnterCard` have their own names; before, they are written as `CardUnsupported` and `InsertCard`.',
    writes: {
      NotificationEvent: ({ notificationType, ...members }) => ({
        notificationType: OLDER_NOTIFICATIONS[String(notificationType)] ?? notificationType,
        ...members,
      }),
    },
    schemas: {
      NotificationEvent: (schema) => withMember(schema, 'notificationType', omitMember(['CardError', 'ReEnterCard'])),
    },
  },
  {
    since: '2024-02-05',
    says: 'An item line is written with its text as `caption` and as `name`; before, as `caption` only.',
    writes: { ItemLine: ({ name: _, ...members }) => members },
    schemas: { ItemLine: (schema) => withoutMember(schema, 'name') },
  },
  {
    since: '2024-02-05',
    says: 'An item line that is sent must have its `amountTotal`; before, one without counts as zero.',
    reads: { NewPaymentIntent: withLineAmounts, NewAmount: withLineAmounts },
    schemas: {
      NewItemLine: (schema) => ({ ...schema, required: listNames(schema, (name) => name !== 'amountTotal') }),
    },
  },
  {
    since: '2024-02-05',
    says: 'The card of `paymentDetails` is in `card` only; before, `cardNumber`, `cardName`, `expiryDate` and `cardType` are repeated beside it.',
    writes: { PaymentDetails: withCardBeside, SetupOutcome: withCardBeside },
    schemas: { PaymentDetails: listCardBeside, SetupOutcome: listCardBeside },
  },
  {
    since: '2024-02-05',
    says: 'A payment with a card that is keyed in is reported by `cardHolderNotPresent` only; before, also by `transactionSource`.',
    writes: {
      PaymentIntent: (members) =>
        members['cardHolderNotPresent'] === true ? { ...members, transactionSource: 'MOTO' } : members,
    },
    schemas: {
      PaymentIntent: (schema) =>
        withMember(schema, 'transactionSource', () => ({
          type: 'string',
          enum: ['MOTO'],
          description: 'Present when `cardHolderNotPresent` is true.',
        })),
    },
  },
  {
    since: '2024-02-05',
    says: '`SavedCard` is one of `paymentMethods`; before, it is not written.',
    writes: rewriteEveryIntent(withoutSavedCard),
    schemas: rewriteEveryIntent(unlistSavedCard),
  },
  {
    since: '2024-02-05',
    says: 'A setup intent that is cancelled after its card was authorised is `Closed`; before, it is written as `Canceled`.',
    writes: { SetupIntent: renameClosedStatus, PublicSetupIntent: renameClosedStatus },
    schemas: {
      SetupIntent: (schema) => withMember(schema, 'status', omitMember(['Closed'])),
      PublicSetupIntent: (schema) => withMember(schema, 'status', omitMember(['Closed'])),
    },
  },
  {
    since: '2024-02-05',
    says: 'A new setup intent may be `Unscheduled`; before, only `NoShow` is accepted.',
    reads: { NewSetupIntent: withoutUnscheduled },
    schemas: {
      NewSetupIntent: (schema) => withMember(schema, 'merchantInitiatedTransactionType', omitMember(['Unscheduled'])),
    },
  },
];

/** The changes after an older release, newest first. */
export function changesAfter(release: Release): readonly VersionChange[] {
  // The text order of dates in this form is their order in time.
  return VERSION_CHANGES.filter(({ since }) => since > release);
}

const OLDER_NOTIFICATIONS: Readonly<Record<string, string>> = {
  CardError: 'CardUnsupported',
  ReEnterCard: 'InsertCard',
};

/** Gives lines without an amount the amount zero in the currency of the payment. */
function withLineAmounts(members: Members): ReshapedBody {
  const { amount, itemLines } = members;
  if (!Array.isArray(itemLines) || !isMembers(amount)) return { members, conflicts: [] };
  const amountTotal = { value: 0, currencyCode: amount['currencyCode'] };
  const lines = itemLines.map((line: unknown) => (isMembers(line) ? { amountTotal, ...line } : line));
  return { members: { ...members, itemLines: lines }, conflicts: [] };
}

function withCardBeside(members: Members): Members {
  const { cardNumber, cardName, expiryDate, cardType } = isMembers(members['card']) ? members['card'] : {};
  return { ...members, cardNumber, cardName, expiryDate, cardType };
}

function listCardBeside(schema: Json): Json {
  return ['cardNumber', 'cardName', 'expiryDate', 'cardType'].reduce<Json>(
    (made, name) => withMember(made, name, () => ({ type: 'string', description: `Equal to \`card.${name}\`.` })),
    schema,
  );
}

/** The shapes of payment intents and setup intents, for keys and for payers. */
function rewriteEveryIntent<T>(change: T): Readonly<Record<string, T>> {
  return { PaymentIntent: change, PublicPaymentIntent: change, SetupIntent: change, PublicSetupIntent: change };
}

function renameClosedStatus(members: Members): Members {
  return members['status'] === 'Closed' ? { ...members, status: 'Canceled' } : members;
}

function withoutUnscheduled(members: Members): ReshapedBody {
  const isLater = members['merchantInitiatedTransactionType'] === 'Unscheduled';
  const conflicts = [
    { path: ['merchantInitiatedTransactionType'], message: 'Unscheduled is read from version 2024-02-05 on.' },
  ];
  return { members, conflicts: isLater ? conflicts : [] };
}

function withoutSavedCard(members: Members): Members {
  const { paymentMethods } = members;
  if (!Array.isArray(paymentMethods)) return members;
  return { ...members, paymentMethods: paymentMethods.filter((method) => method !== 'SavedCard') };
}

function unlistSavedCard(schema: Json): Json {
  return withMember(schema, 'paymentMethods', (methods) => ({
    ...methods,
    items: omitMember(['SavedCard'])(toJson(methods['items'])),
  }));
}

/** An enum without some of its values. */
function omitMember(values: readonly string[]): (schema: Json) => Json {
  return (schema) => {
    const listed: unknown = schema['enum'];
    if (!Array.isArray(listed)) throw new Error('a list of values was expected');
    return { ...schema, enum: listed.filter((value) => !values.includes(String(value))) };
  };
}

function withMember(schema: Json, name: string, change: (member: Json) => Json): Json {
  const properties = toJson(schema['properties']);
  return { ...schema, properties: { ...properties, [name]: change(toJson(properties[name])) } };
}

function withoutMember(schema: Json, name: string): Json {
  const { [name]: _, ...properties } = toJson(schema['properties']);
  return { ...schema, properties, required: listNames(schema, (each) => each !== name) };
}

function listNames(schema: Json, isKept: (name: string) => boolean): unknown {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((name) => isKept(String(name))) : required;
}

function toJson(value: unknown): Json {
  return isMembers(value) ? value : {};
}

import { NAMED_PERMISSIONS, ROLE_NAMES } from '@pos/core/identity';
import { changeKey, createRoleKey, listKeys, revokeKey } from '@pos/administration/api-keys';
import type { ApiKey } from '@pos/store/repositories';
import { type CommandDefinition, defineChange, defineQuery } from '../command/command-definition.js';
import { account, choice, environment, optional, text, withDefault } from '../command/flags.js';
import { formatMoment, toTable } from '../command/result-lines.js';

const STRICT =
  'Whether requests of the key that move money are refused for an unknown member, instead of named in `warnings`.';

const create = defineChange({
  path: 'key create',
  details: [
    'The service stores a keyed hash of the text and cannot show it again.',
    'Roles: `full` for an integrator, `machines-only` for card machines, `gateway` for waiters’ devices, `epos-only` for an EPOS, `pci` for an integrator who sends card numbers and has an attestation.',
    'No role has `branding.write`, so that a lost key of a role cannot replace the logo that payers see. `--grant` adds it.',
  ],
  examples: [
    'key create --account acc_... --role full --label "web shop" --reason "contract 4711"',
    'key create --account acc_... --role machines-only --label "card machines" --reason "contract 4711"',
    'key create --account acc_... --role read-only --grant branding.write --label "brand portal" --reason "contract 4711"',
  ],
  flags: {
    account: account(),
    environment: environment(),
    role: choice('What the key may do.', ROLE_NAMES),
    grant: optional(choice('A permission that no role has.', NAMED_PERMISSIONS)),
    label: text('The name of the key.', 'name'),
    strict: withDefault(choice(STRICT, ['on', 'off']), 'on'),
  },
  async run(session, { values, change }) {
    const { role, label, grant, strict } = values;
    const grants = grant === undefined ? [] : [grant];
    const { key, text: keyText } = await session.transact(values, (tx) =>
      createRoleKey(tx, change, { role, label, grants, isStrict: strict === 'on' }),
    );
    return {
      data: { ...presentKey(key), text: keyText },
      lines: [`created ${key.id}; its text is shown now and never again:`, keyText],
    };
  },
});

const update = defineChange({
  path: 'key update',
  details: ['Every process applies it within a second. Keys that are older than this setting are `off`.'],
  examples: ['key update --account acc_... --key key_... --strict on --reason "its program sends no unknown member"'],
  flags: {
    account: account(),
    environment: environment(),
    key: text('The key.', 'key_...'),
    strict: choice(STRICT, ['on', 'off']),
  },
  async run(session, { values, change }) {
    const request = { keyId: values.key, isStrict: values.strict === 'on' };
    const changed = await session.transact(values, (tx) => changeKey(tx, change, request));
    return { data: presentKey(changed), lines: [`changed ${changed.id}: strict ${values.strict}`] };
  },
});

const revoke = defineChange({
  path: 'key revoke',
  examples: ['key revoke --account acc_... --key key_... --reason "it was in a public repository"'],
  flags: { account: account(), environment: environment(), key: text('The key.', 'key_...') },
  async run(session, { values, change }) {
    await session.transact(values, (tx) => revokeKey(tx, change, values.key));
    return { data: { id: values.key }, lines: [`revoked ${values.key}`] };
  },
});

const listAll = defineQuery({
  path: 'key list',
  examples: ['key list --account acc_...'],
  flags: { account: account(), environment: environment() },
  async run(session, { values }) {
    const keys = await session.read(values, listKeys);
    const rows = keys.map(({ id, prefix, last4, label, isStrict, lastUsedAt }) => [
      ...[id, `${prefix}...${last4}`, isStrict ? 'on' : 'off', formatMoment(lastUsedAt)],
      label,
    ]);
    return {
      data: keys.map(presentKey),
      lines: toTable(['KEY', 'TEXT', 'STRICT', 'LAST USED', 'LABEL'], rows, 'there are no keys'),
    };
  },
});

function presentKey({ id, prefix, last4, label, permissions, isStrict, createdAt, lastUsedAt }: ApiKey) {
  return { id, prefix, last4, label, permissions, strict: isStrict, createdAt, lastUsedAt };
}

export const KEY_COMMANDS: readonly CommandDefinition[] = [create, update, revoke, listAll];

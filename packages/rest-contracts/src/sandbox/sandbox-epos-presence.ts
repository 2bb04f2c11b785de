import { z } from 'zod';
import type { Operation } from '../operation/operation.js';

const members = {
  isEnabled: z.boolean().meta({ description: 'False: the EPOS of the sandbox does not connect for this account.' }),
};
const examples = [{ isEnabled: false }];
const SandboxEpos = z.object(members).meta({ id: 'SandboxEpos', examples });
const NewSandboxEpos = z.object(members).meta({ id: 'NewSandboxEpos', examples });

const sandboxEpos = {
  path: '/sandbox/epos',
  tag: 'Sandbox',
  sandboxOnly: 'path_unknown',
  version: 'optional',
  returns: SandboxEpos,
} as const;

export const readSandboxEpos = {
  ...sandboxEpos,
  id: 'readSandboxEpos',
  method: 'GET',
  summary: 'Read whether the EPOS of the sandbox serves this account',
  permission: 'epos.read',
  idempotency: 'none',
  refusals: [],
} as const satisfies Operation;

export const putSandboxEpos = {
  ...sandboxEpos,
  id: 'putSandboxEpos',
  method: 'PUT',
  summary: 'Say whether the EPOS of the sandbox serves this account',
  description:
    'Of the sockets and streams that are open for an account the newest serves. Switch the EPOS of the sandbox off before ' +
    'you connect an EPOS of your own, so that the two do not displace each other. Its open connections end within seconds. ' +
    'Switched on again, it connects within a minute. EPOSes that the service calls at an address are not affected: ' +
    'registering your own address replaces that of the sandbox.',
  permission: 'epos.write',
  idempotency: 'optional',
  body: NewSandboxEpos,
  refusals: [],
} as const satisfies Operation;

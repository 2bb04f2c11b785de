import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { Moment, text } from '../shapes/shapes.js';

const password = text({ min: 1, max: 200 });
const shared = { tag: 'Portal', permission: null, version: 'none', idempotency: 'none' } as const;
const SESSION_REFUSALS = ['portal_session_missing', 'password_change_needed', 'cross_site_request'] as const;
const EXAMPLE_SESSION = '9f86d081884c7d659a2feaa0c55ad015';

export const changePortalPassword = {
  ...shared,
  id: 'changePortalPassword',
  method: 'PUT',
  path: '/portal/session/password',
  summary: 'Change the own password, and end all other sessions of the user',
  description:
    'The new one has 12 to 200 characters with a letter and a digit. It is no common password, has neither the name of the user nor that of the service, and is none of the last four. `errors` lists all that is wrong.',
  body: z.object({ presentPassword: password, password: text({ min: 1, max: 1_000 }) }).meta({
    id: 'PortalPasswordChange',
    examples: [{ presentPassword: 'bcdfg-hjkm2-npqr3-stvw4', password: 'grey heron lake 7' }],
  }),
  returns: null,
  refusals: ['portal_session_missing', 'cross_site_request', 'sign_in_refused', 'password_locked', 'validation_failed'],
} as const satisfies Operation;

const OwnSession = z
  .object({
    id: z.string().describe('Names the session in this list. It opens nothing.'),
    createdAt: Moment.describe('The sign-in.'),
    usedAt: Moment.describe('The last use, to the minute.'),
    browser: z.string().optional().describe('The header `user-agent` of the sign-in; absent where it is not known.'),
    networkAddress: z.string().optional().describe('Where the sign-in came from; absent where it is not known.'),
    isCurrent: z.boolean().describe('The session of this request.'),
  })
  .meta({ id: 'OwnPortalSession' });
export type OwnSession = z.output<typeof OwnSession>;

export const listOwnSessions = {
  ...shared,
  id: 'listOwnSessions',
  method: 'GET',
  path: '/portal/sessions',
  summary: 'List the open sessions of the user, the one used last first',
  returns: z.array(OwnSession).meta({
    id: 'OwnPortalSessions',
    examples: [
      [
        {
          id: EXAMPLE_SESSION,
          createdAt: '2026-03-01T12:00:00.000Z',
          usedAt: '2026-03-01T12:10:00.000Z',
          browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0',
          networkAddress: '192.0.2.7',
          isCurrent: true,
        },
      ],
    ],
  }),
  refusals: SESSION_REFUSALS,
} as const satisfies Operation;

export const endOwnSession = {
  ...shared,
  id: 'endOwnSession',
  method: 'DELETE',
  path: '/portal/sessions/{sessionId}',
  summary: 'End one session of the user',
  params: z.object({ sessionId: text({ min: 1, max: 100 }) }),
  returns: null,
  refusals: [...SESSION_REFUSALS, 'validation_failed'],
} as const satisfies Operation;

export const endOtherSessions = {
  ...shared,
  id: 'endOtherSessions',
  method: 'POST',
  path: '/portal/sessions/end-others',
  summary: 'End all sessions of the user but this one',
  returns: null,
  refusals: SESSION_REFUSALS,
} as const satisfies Operation;

/** What users do with their own password and sessions. */
export const OWN_USER_OPERATIONS: readonly Operation[] = [
  changePortalPassword,
  listOwnSessions,
  endOwnSession,
  endOtherSessions,
];

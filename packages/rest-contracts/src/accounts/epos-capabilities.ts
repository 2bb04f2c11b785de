import {
  CAPABILITY_SYNONYMS,
  CAPABILITY_VERSIONS,
  findCapability,
  EPOS_CAPABILITIES,
  type EposCapability,
} from '@pos/core/tables';
import { z } from 'zod';
import { ownReference } from '../shapes/free-text.js';
import { Moment, text, WORDS_MAX } from '../shapes/shapes.js';

// What an EPOS can do, and how the service authenticates itself there.

const NAMES = [...EPOS_CAPABILITIES, ...Object.keys(CAPABILITY_SYNONYMS)];
const CREDENTIAL_LENGTH_MAX = 255;

const CapabilityInput = z
  .object({
    name: z.enum(NAMES).describe('Name of the capability or one of its synonyms.'),
    version: z.enum(CAPABILITY_VERSIONS).describe('Version of the capability; both spellings mean the same.'),
  })
  .meta({ id: 'NewEposCapability', examples: [{ name: 'GetOrderById', version: 'v1' }] });

export const Capability = z
  .object({
    name: z.enum(NAMES).describe('Name of the capability as it was registered.'),
    version: z.enum(CAPABILITY_VERSIONS).describe('Version as it was registered; both spellings mean the same.'),
    updatedAt: Moment.describe('When the capability was registered.'),
  })
  .meta({
    id: 'EposCapability',
    description: 'Name and version as they were sent.',
    examples: [{ name: 'GetOrderById', version: 'v1', updatedAt: '2026-03-01T12:00:00.000Z' }],
  });

export const CapabilitiesInput = z
  .array(CapabilityInput)
  .max(WORDS_MAX)
  .check((subject) => {
    const seen = new Set<EposCapability | null>();
    subject.value.forEach(({ name }, place) => {
      const capability = findCapability(name);
      if (seen.has(capability)) {
        const message = `Is there twice: ${capability ?? name}.`;
        subject.issues.push({ code: 'custom', input: name, path: [place, 'name'], message });
      }
      seen.add(capability);
    });
  });

export const Auth = z
  .object({
    authType: z.literal('basic').describe('Always `basic`: HTTP Basic authentication.'),
    basic: z
      .object({ username: z.string().describe('User name that the service sends to the EPOS.') })
      .describe('The credentials, without the password.'),
  })
  .meta({ id: 'EposAuth', description: 'The password is never returned.' });

export const AuthInput = z
  .object({
    authType: z.literal('basic').describe('Always `basic`: HTTP Basic authentication.'),
    basic: z
      .object({
        username: ownReference({ min: 1, max: CREDENTIAL_LENGTH_MAX })
          .refine((name) => !name.includes(':'), {
            error: 'Must not contain a colon: it ends the user name in HTTP Basic.',
          })
          .describe('User name that the service sends to the EPOS; without a colon.'),
        password: text({ min: 1, max: CREDENTIAL_LENGTH_MAX }).describe(
          'Password that the service sends to the EPOS. Stored encrypted and never returned.',
        ),
      })
      .describe('The credentials that the EPOS expects.'),
  })
  .meta({ id: 'NewEposAuth', description: 'Sent to the EPOS as HTTP Basic, base64 of `username:password`.' });

import { Client } from '@grpc/grpc-js';
import { WrongSetting } from '@pos/core/refusals';
import {
  type InternalApp,
  type InternalChannel,
  InternalIdentity,
  queryHealth,
  STORED_NUMBERS_HEALTH,
} from '@pos/service-kit/internal';
import { type DoctorFinding, note, ok, problem } from './finding.js';
import { SILENT_LOG } from './silent-log.js';

/** An internal gRPC port that the service needs. */
export interface Endpoint {
  readonly subject: string;
  readonly app: InternalApp;
  readonly address: string;
  /** The setting that the address comes from. */
  readonly addressSetting: string;
}

type IdentitySettings = Omit<ConstructorParameters<typeof InternalIdentity>[0], 'TLS_RELOAD_MS' | 'NODE_ENV'>;

const CONNECT_TIMEOUT_MS = 3_000;
/** Longer than a check: the files are read once. */
const TLS_RELOAD_MS = 60_000;

/** Connects to each endpoint with the certificate of the app `admin`, all at once. */
export async function checkEndpoints(
  endpoints: readonly Endpoint[],
  settings: IdentitySettings,
): Promise<DoctorFinding[]> {
  let identity: InternalIdentity;
  try {
    // As in production: a check without a certificate reports the missing setting, in place of a port that does not answer.
    identity = new InternalIdentity({ ...settings, TLS_RELOAD_MS, NODE_ENV: 'production' }, SILENT_LOG);
  } catch (error) {
    return [describeWrongSetting('ports', error)];
  }
  try {
    return await Promise.all(endpoints.map((endpoint) => checkEndpoint(endpoint, identity)));
  } finally {
    identity.close();
  }
}

async function checkEndpoint({ subject, ...target }: Endpoint, identity: InternalIdentity): Promise<DoctorFinding> {
  const { address } = target;
  let channel: InternalChannel;
  try {
    channel = identity.createChannel(target);
  } catch (error) {
    return describeWrongSetting(subject, error);
  }
  const client = new Client(address, channel.credentials, channel.options);
  try {
    if (await isReachable(client)) return await describeReachable({ subject, ...target }, client);
  } finally {
    client.close();
  }
  return problem(
    subject,
    `${address} does not answer within ${CONNECT_TIMEOUT_MS / 1_000} s`,
    'is it running, reachable from here, and encrypted with a certificate that INTERNAL_TLS_CA has issued?',
  );
}

function isReachable(client: Client): Promise<boolean> {
  return new Promise((resolve) => {
    client.waitForReady(new Date(Date.now() + CONNECT_TIMEOUT_MS), (error) => {
      resolve(error === undefined);
    });
  });
}

/** A card vault also reports whether it can decrypt what is stored: this command has none of its keys. */
async function describeReachable({ subject, app, address }: Endpoint, client: Client): Promise<DoctorFinding> {
  if (app !== 'card-vault') return ok(subject, `${address} answers`);
  switch (await queryHealth(client, STORED_NUMBERS_HEALTH, CONNECT_TIMEOUT_MS)) {
    case 'serving':
      return ok(subject, `${address} answers, and can decrypt the stored card numbers`);
    case 'notServing': {
      const message = `${address} answers, and cannot decrypt all stored card numbers`;
      return problem(
        subject,
        message,
        'its log names the keys: vault.numbers_unusable, add them to its VAULT_KEYS; vault.numbers_unchecked, its key service does not answer',
      );
    }
    case 'unknown': {
      const message = `${address} answers, and does not report whether it can decrypt the stored card numbers`;
      return note(subject, message, 'replace it if it is an earlier release, or run doctor again in a minute');
    }
  }
}

function describeWrongSetting(subject: string, error: unknown): DoctorFinding {
  if (!(error instanceof WrongSetting)) throw error;
  return problem(subject, `it cannot be checked: ${error.problems.join('; ')}`, 'correct the setting');
}

/** A note for each endpoint that no setting names. */
export function listUncheckedEndpoints(names: readonly string[]): DoctorFinding[] {
  return names.map((name) =>
    note('endpoints', `${name} is not set, so it is not checked`, 'set it as the apps have it'),
  );
}

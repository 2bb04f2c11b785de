import { DEFAULT_ACQUIRER } from '@pos/core/accounts';
import { WrongSetting } from '@pos/core/refusals';
import { AcquirerClient } from '@pos/payments/acquirer';
import type { AcquirerSettings } from '@pos/service-kit/config';
import { type AcquirerChannels, type AcquirerChannelTarget, openAcquirerChannels } from '@pos/service-kit/grpc';
import { type DoctorFinding, ok, problem } from './finding.js';
import { SILENT_LOG } from './silent-log.js';

const DEADLINE_MS = 3_000;

/** Asks each acquirer of the settings what it can do: with the address, TLS files and credential that the apps use. */
export async function checkAcquirers(settings: Partial<AcquirerSettings>): Promise<DoctorFinding[]> {
  let channels: AcquirerChannels;
  try {
    channels = openAcquirerChannels(settings, SILENT_LOG);
  } catch (error) {
    if (!(error instanceof WrongSetting)) throw error;
    return [problem('acquirers', `they cannot be called: ${error.problems.join('; ')}`, 'correct the setting')];
  }
  try {
    return await Promise.all(channels.targets.map(checkAcquirer));
  } finally {
    channels.close();
  }
}

/** The subject of findings about an acquirer. */
export function formatAcquirer({ environment, name }: Pick<AcquirerChannelTarget, 'environment' | 'name'>): string {
  return `acquirer ${name === DEFAULT_ACQUIRER ? '' : `${name} `}of ${environment === 'sandbox' ? 'sandboxes' : environment}`;
}

async function checkAcquirer({
  environment,
  name,
  address,
  tls,
  credential,
}: AcquirerChannelTarget): Promise<DoctorFinding> {
  const subject = formatAcquirer({ environment, name });
  const client = new AcquirerClient(address, { tls, credential: credential ?? undefined });
  try {
    const answer = await client.getCapabilities({ deadlineMs: DEADLINE_MS });
    switch (answer.outcome) {
      case 'declared':
        return ok(subject, `${address} answers, and declares what it can do`);
      case 'notImplemented':
        return ok(subject, `${address} answers, and declares nothing: it counts as able to do all but wallets`);
      case 'unknown': {
        const reason = answer.reason.replaceAll(/\s+/g, ' ');
        return problem(subject, `${address} does not answer as an acquirer: ${reason}`, ACTION);
      }
    }
  } finally {
    client.close();
  }
}

const ACTION = 'is it running, reachable from here, and do its TLS files and its credential fit?';

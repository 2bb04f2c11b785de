import { requireValue } from '@pos/core/refusals';
import { Outcome } from '@pos/grpc-contracts/acquirer';
import { AcquirerChannel } from '@pos/payments/acquirer';
import { readConfig } from '@pos/service-kit/config';
import { chooseChannelCredentials, openAcquirerChannels } from '@pos/service-kit/grpc';
import { exitOnFailure } from '@pos/service-kit/lifecycle';
import { openTlsFiles } from '@pos/service-kit/network';
import { createLog } from '@pos/service-kit/telemetry';
import { AcquirerTerminal } from './acquirer-terminal.js';
import { Settings } from './settings.js';
import { TrialMachine } from './trial-machine.js';

// `node tools/dist/operations/trial-machine/main.js` is a simulated card machine for trials of an installation: it connects to
// a gateway, authorises one sale at an adapter with a test card of the processor, reports it, and ends with 0 if it was
// approved. It is no part of production: it reads a card number from its settings.

const GATEWAY_TLS = { cert: 'GATEWAY_TLS_CERT', key: 'GATEWAY_TLS_KEY', ca: 'GATEWAY_TLS_CA' } as const;

try {
  const settings = readConfig(Settings, process.env);
  const { GATEWAY_ADDRESS: address, TID: tid, MERCHANT_ID: merchantId } = settings;
  const log = createLog({ app: 'trial-machine', level: 'warn' });
  const tls = openTlsFiles(GATEWAY_TLS, settings, { log });
  const rule = { tls, isEncryptedElsewhere: false, tlsSetting: 'GATEWAY_TLS_CA' };
  const channels = openAcquirerChannels(settings, log);
  const target = channels.targets.find(({ environment }) => environment === 'production') ?? channels.targets[0];
  const { address: acquirerAddress, tls: acquirerTls, credential } = requireValue(target, 'an acquirer');
  const channel = new AcquirerChannel(acquirerAddress, { tls: acquirerTls, credential: credential ?? undefined });
  const [month = '', year = ''] = settings.CARD_EXPIRY.split('/');
  const card = {
    merchantId,
    number: settings.CARD_NUMBER.reveal(),
    expiryMonth: Number(month),
    expiryYear: Number(year),
  };
  const write = (line: string): void => {
    process.stdout.write(`machine ${tid} ${line}\n`);
  };
  const machine = new TrialMachine({
    ...{ address, tid, merchantId, write, acquirer: new AcquirerTerminal(channel, card) },
    credentials: chooseChannelCredentials({ ...rule, address, addressSetting: 'GATEWAY_ADDRESS' }),
    ...{ key: settings.MACHINES_KEY.reveal(), credential: settings.MACHINE_CREDENTIAL.reveal() },
  });
  const { outcome } = await machine.runSale();
  const isApproved = outcome === Outcome.OUTCOME_APPROVED;
  write(isApproved ? 'is approved' : 'is declined');
  channel.close();
  channels.close();
  tls?.close();
  process.exitCode = isApproved ? 0 : 1;
} catch (error) {
  exitOnFailure(error);
}

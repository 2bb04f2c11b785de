import { acquirerSettings, hostPortSetting, secretSetting, tlsFileSetting } from '@pos/service-kit/config';
import { z } from 'zod';

const CREDENTIAL_LENGTH_MIN = 32;
const CARD_LENGTH_MIN = 12;

/** Every setting of the simulated card machine for trials. */
export const Settings = z.object({
  GATEWAY_ADDRESS: hostPortSetting().describe("The gateway's gRPC port (`host:port`)."),
  GATEWAY_TLS_CA: tlsFileSetting().describe("PEM file with the authority of the gateway's certificate."),
  GATEWAY_TLS_CERT: tlsFileSetting().describe(
    "PEM file with the machine's certificate, where the gateway has `GRPC_TLS_CA`.",
  ),
  GATEWAY_TLS_KEY: tlsFileSetting().describe('PEM file with its key.'),
  MACHINES_KEY: secretSetting(1).describe('The API key of the card machines.'),
  MACHINE_CREDENTIAL: secretSetting(CREDENTIAL_LENGTH_MIN).describe('The secret of this machine alone.'),
  TID: z.string().min(1).describe('The TID that is registered.'),
  MERCHANT_ID: z.string().min(1).describe('The merchant number of the account.'),
  CARD_NUMBER: secretSetting(CARD_LENGTH_MIN).describe('The number of a test card of the processor.'),
  CARD_EXPIRY: z
    .string()
    .regex(/^(0[1-9]|1[0-2])\/\d{4}$/, { error: 'is not MM/YYYY' })
    .describe('The month in which the card expires, `MM/YYYY`.'),
  ...acquirerSettings({ purpose: 'for the authorisations of this machine' }),
});

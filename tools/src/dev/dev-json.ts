import path from 'node:path';
import { z } from 'zod';

const SignInJson = z.object({ email: z.string(), password: z.string() });

/** What tools and demos need of a running world: its addresses and its keys. */
export const DevJson = z.object({
  apiKey: z.string(),
  otherApiKey: z.string(),
  pciApiKey: z.string(),
  resellerId: z.string(),
  softwareHouseId: z.string(),
  urls: z.object({
    api: z.string(),
    cardVault: z.string(),
    gatewayGrpc: z.string(),
    /** The addresses where EPOSes open sockets. */
    gatewayWs: z.string(),
    eposTester: z.string(),
    sandbox: z.string(),
    checkout: z.string(),
    /** The pages of the simulated restaurant. */
    start: z.string(),
    waiter: z.string(),
    kitchen: z.string(),
    portal: z.string(),
    database: z.string(),
  }),
  /** Each with another transport to its EPOS; `apiKey` is the first's, `otherApiKey` the second's. */
  restaurants: z.array(
    z.object({
      name: z.string(),
      tradingName: z.string(),
      accountId: z.string(),
      apiKey: z.string(),
      way: z.string(),
      wayInWords: z.string(),
    }),
  ),
  /** Where throw-away accounts are created and deleted, and the token for it. */
  accountServer: z.object({ url: z.string(), token: z.string() }),
  /** Who may sign in to the portal: an admin of the first account, and an operator. */
  portal: z.object({ admin: SignInJson, operator: SignInJson }),
  ready: z.array(z.string()),
  /** The files by which clients connect where the world has TLS. */
  tls: z.object({ ca: z.string(), cert: z.string(), key: z.string() }).nullable(),
});
export type DevJson = z.output<typeof DevJson>;

export function getDevJsonPath(dataDir: string): string {
  return path.join(dataDir, 'dev.json');
}

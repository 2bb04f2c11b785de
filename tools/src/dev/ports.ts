/** The address where every process of a developer's machine listens. */
export const LOOPBACK = '127.0.0.1';

/** The ports of the README, and the setting of `npm start` that changes each. Worlds of tests take free ones. */
export const DEFAULT_PORTS = {
  api: { port: 3000, setting: 'API_PORT' },
  cardVault: { port: 3001, setting: 'CARD_VAULT_PORT' },
  workerHealth: { port: 3002, setting: 'WORKER_PORT' },
  gatewayHttp: { port: 3003, setting: 'GATEWAY_PORT' },
  eposTester: { port: 3004, setting: 'EPOS_TESTER_PORT' },
  sandboxControl: { port: 3005, setting: 'SANDBOX_PORT' },
  checkout: { port: 3006, setting: 'CHECKOUT_PORT' },
  portal: { port: 3007, setting: 'PORTAL_PORT' },
  sandboxEpos: { port: 3009, setting: 'SANDBOX_EPOS_PORT' },
  receiver: { port: 3008, setting: 'DEMO_RECEIVER_PORT' },
  gatewayGrpc: { port: 50_051, setting: 'GATEWAY_GRPC_PORT' },
  sandboxGrpc: { port: 50_052, setting: 'SANDBOX_GRPC_PORT' },
  cardVaultGrpc: { port: 50_053, setting: 'CARD_VAULT_GRPC_PORT' },
  gatewayInternal: { port: 50_054, setting: 'GATEWAY_INTERNAL_PORT' },
} as const;
export type PortName = keyof typeof DEFAULT_PORTS;
/** Ports that replace those of the README. */
export type ChosenPorts = Readonly<Partial<Record<PortName, number>>>;

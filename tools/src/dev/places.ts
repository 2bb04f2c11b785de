import path from 'node:path';
import { REPOSITORY } from '../repository/repository.js';
import { findFreePorts, isPortTaken } from '@pos/dev-database';
import { type ChosenPorts, DEFAULT_PORTS, LOOPBACK, type PortName } from './ports.js';
import { WORLD_APPS, type WorldApp, type WorldAppName } from './world-apps.js';

/** The ports of every process of a world. */
export interface WorldAddressBook {
  readonly processes: readonly AppAddress[];
  readonly receiverPorts: readonly number[];
}

export interface AppAddress {
  /** `api`, or `api-2` for the second process of an app. */
  readonly name: string;
  readonly app: WorldAppName;
  readonly ports: Readonly<Partial<Record<PortName, number>>>;
}

/** The number of processes and the choice of ports. */
export interface AddressOptions {
  /** The ports of the README, those with exceptions, or free ones so that worlds do not conflict. */
  readonly ports: 'default' | 'free' | ChosenPorts;
  readonly count?: Partial<Record<Exclude<WorldAppName, 'sandbox'>, number>>;
  readonly receivers?: number;
}

/** Draws the ports. Throws when requested ports are in use: a sentence for each, with the setting that changes it. */
export async function chooseAddresses({ ports, count = {}, receivers = 1 }: AddressOptions): Promise<WorldAddressBook> {
  const names = Object.keys(WORLD_APPS) as WorldAppName[];
  const wanted = names.flatMap((app) => {
    const processes = app === 'sandbox' ? 1 : (count[app] ?? 1);
    return Array.from({ length: processes }, (_, index) => ({ app, index }));
  });
  const portCount = wanted.reduce((total, { app }) => total + listPortNames(app).length, 0);
  const free = await findFreePorts(portCount + receivers);
  const next = (): number => free.shift() ?? 0;
  const chosen = (name: PortName): number =>
    (typeof ports === 'object' ? ports[name] : undefined) ?? DEFAULT_PORTS[name].port;
  const processes: AppAddress[] = [];
  const collisions: string[] = [];
  for (const { app, index } of wanted) {
    const name = index === 0 ? app : `${app}-${index + 1}`;
    const entries: [PortName, number][] = [];
    for (const portName of listPortNames(app)) {
      // A second process of an app cannot have the port of the README.
      const isChosen = ports !== 'free' && index === 0;
      const port = isChosen ? chosen(portName) : next();
      if (isChosen && (await isPortTaken(port))) collisions.push(describePortInUse(name, portName, port));
      entries.push([portName, port]);
    }
    processes.push({ name, app, ports: Object.fromEntries(entries) });
  }
  if (collisions.length > 0) throw new Error(collisions.join('\n  '));
  const receiverPorts = Array.from({ length: receivers }, (_, index) =>
    ports !== 'free' && index === 0 ? chosen('receiver') : next(),
  );
  return { processes, receiverPorts };
}

/**
 * What the processes of apps run: `bundle`, which `build` makes and images contain, or `modules`, file by file as they
 * are compiled.
 */
export type ProgramForm = 'bundle' | 'modules';

/** The program of an app, in this build of the repository or in another one. */
export function getProgram(app: WorldAppName, form: ProgramForm, root = REPOSITORY): string {
  return path.join(root, WORLD_APPS[app].folder, form === 'bundle' ? 'bundle/main.js' : 'dist/main.js');
}

function listPortNames(name: WorldAppName): PortName[] {
  const app: WorldApp = WORLD_APPS[name];
  return Object.values(app.ports);
}

function describePortInUse(name: string, portName: PortName, port: number): string {
  const { setting } = DEFAULT_PORTS[portName];
  return `Port ${port} for ${name} is taken by another program: stop that one, or set ${setting} to another port.`;
}

export interface WorldAddresses {
  readonly api: readonly string[];
  readonly cardVault: readonly string[];
  readonly eposTester: string;
  readonly checkout: string;
  readonly portal: string;
  readonly sandbox: string;
  /** Where the EPOSes of the sandbox are called over REST. */
  readonly sandboxEpos: string;
  readonly gatewayGrpc: readonly string[];
  readonly gatewayInternal: readonly string[];
  readonly gatewayHttp: readonly string[];
}

/** The same ports as addresses. */
export function getAddresses(places: WorldAddressBook, scheme: 'http' | 'https'): WorldAddresses {
  const all = (app: WorldAppName, port: PortName): string[] =>
    places.processes.filter((place) => place.app === app).map((place) => `${LOOPBACK}:${place.ports[port] ?? 0}`);
  const http = (app: WorldAppName, port: PortName): string[] =>
    all(app, port).map((address) => `${scheme}://${address}`);
  return {
    api: http('api', 'api'),
    cardVault: http('card-vault', 'cardVault'),
    eposTester: http('epos-tester', 'eposTester')[0] ?? '',
    checkout: http('checkout', 'checkout')[0] ?? '',
    portal: http('portal', 'portal')[0] ?? '',
    sandbox: http('sandbox', 'sandboxControl')[0] ?? '',
    sandboxEpos: http('sandbox', 'sandboxEpos')[0] ?? '',
    gatewayGrpc: all('pay-at-table-gateway', 'gatewayGrpc'),
    gatewayInternal: all('pay-at-table-gateway', 'gatewayInternal'),
    gatewayHttp: http('pay-at-table-gateway', 'gatewayHttp'),
  };
}

/** A port of the first process of an app; 0 when the app is not there. */
export function getPort(places: WorldAddressBook, app: WorldAppName, port: PortName): number {
  return places.processes.find((place) => place.app === app)?.ports[port] ?? 0;
}

import { spawnSync } from 'node:child_process';
import { createServer, connect, type Server } from 'node:net';

const BRIDGE = 'pos0';
const SUBNET = '10.91.0';
const FIRST_HOST = 10;
const LOOPBACK = '127.0.0.1';

/**
 * The network of a compose file: a bridge in the network namespace of this process, which should be its own, and a
 * namespace for each service. The kernel removes everything with the namespace of this process.
 */
export class ComposeNetwork {
  readonly #servers: Server[] = [];
  readonly #namespaces = new Map<string, string>();

  /** Opens a network where each service has an address. */
  constructor(private readonly services: readonly string[]) {
    runIp('link', 'set', 'lo', 'up');
    runIp('link', 'add', BRIDGE, 'type', 'bridge');
    runIp('address', 'add', `${SUBNET}.1/24`, 'dev', BRIDGE);
    runIp('link', 'set', BRIDGE, 'up');
  }

  /** The file of names that each container gets, in place of a name server. */
  get hosts(): string {
    const lines = this.services.map((service) => `${this.addressOf(service)} ${service}`);
    return [`${LOOPBACK} localhost`, ...lines, ''].join('\n');
  }

  addressOf(service: string): string {
    return `${SUBNET}.${FIRST_HOST + this.services.indexOf(service)}`;
  }

  /** Makes the namespace of a service, unless it exists, and returns its file. */
  join(service: string): string {
    const known = this.#namespaces.get(service);
    if (known !== undefined) return known;
    const file = this.isolate(service);
    const outer = `pos-${this.services.indexOf(service)}`;
    runIp('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', service);
    runIp('link', 'set', outer, 'master', BRIDGE, 'up');
    runIp('-n', service, 'address', 'add', `${this.addressOf(service)}/24`, 'dev', 'eth0');
    runIp('-n', service, 'link', 'set', 'eth0', 'up');
    return file;
  }

  /** The same with nothing but a loopback. */
  isolate(name: string): string {
    const known = this.#namespaces.get(name);
    if (known !== undefined) return known;
    runIp('netns', 'add', name);
    runIp('-n', name, 'link', 'set', 'lo', 'up');
    const file = `/run/netns/${name}`;
    this.#namespaces.set(name, file);
    return file;
  }

  /** Forwards a port of the loopback to a service, in the form of Compose: `127.0.0.1:3000:3000`. */
  async publish(service: string, text: string): Promise<void> {
    const [host = '', from, to] = text.split(':');
    const server = createServer((client) => {
      const upstream = connect(Number(to), this.addressOf(service));
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        one.pipe(other);
        one.on('error', () => other.destroy());
      }
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(Number(from), host, resolve));
  }

  close(): void {
    for (const server of this.#servers) server.close();
  }
}

function runIp(...words: readonly string[]): void {
  const { status, stderr, error } = spawnSync('ip', [...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${words.join(' ')}: ${error?.message ?? stderr}`);
}

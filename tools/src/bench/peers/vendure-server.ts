import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';

/**
 * Serves Vendure with a shop of one product, in one process, as it is configured without plugins. It creates its tables
 * in an empty database. Settings: PEER_FOLDER, where its packages are installed, DATABASE_URL, DATABASE_CONNECTIONS and
 * PORT.
 */

/** A Nest application. */
interface VendureApp {
  get(provider: unknown): ProductImporter;
  getHttpAdapter(): { getInstance(): RequestListener };
}

interface ProductImporter {
  parseAndImport(
    csv: string,
    language: string,
  ): { subscribe(observer: { complete(): void; error(cause: unknown): void }): unknown };
}

/** What is used of `@vendure/core`. */
interface VendureCore {
  bootstrap(config: object): Promise<VendureApp>;
  readonly DefaultLogger: new (options: object) => object;
  readonly LogLevel: { readonly Error: number };
  readonly Importer: unknown;
}

const require = createRequire(path.join(process.env['PEER_FOLDER'] ?? '', 'package.json'));
const core = require('@vendure/core') as VendureCore;
const shop = require('@vendure/core/cli') as {
  populate(start: () => Promise<VendureApp>, initialData: object): Promise<VendureApp>;
};

/** Vendure sells to the countries of its default zone, and adds a rate of tax. */
const SHOP = {
  defaultLanguage: 'en',
  defaultZone: 'Europe',
  countries: [{ name: 'United Kingdom', code: 'GB', zone: 'Europe' }],
  taxRates: [{ name: 'Standard', percentage: 20 }],
  shippingMethods: [],
  paymentMethods: [],
  collections: [],
};

/** Its stock is not counted, so that orders do not wait for each other. */
const PRODUCTS = `name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets
Lunch,lunch,,,,,,LUNCH,12.50,Standard,1,false,,
`;

const app = await shop.populate(() => core.bootstrap(createConfig()), SHOP);
const importing = app.get(core.Importer).parseAndImport(PRODUCTS, SHOP.defaultLanguage);
await new Promise<void>((complete, error) => {
  importing.subscribe({ complete, error });
});
// It answers at PORT only now: an order of a shop that is not complete fails.
createServer(app.getHttpAdapter().getInstance()).listen(Number(process.env['PORT']), '127.0.0.1');

function createConfig(): object {
  // A URL of TypeORM cannot name a Unix socket, one of pg can.
  const pool = {
    connectionString: process.env['DATABASE_URL'] ?? '',
    max: Number(process.env['DATABASE_CONNECTIONS']),
  };
  return {
    // Any free port, until it is complete.
    apiOptions: { port: 0, hostname: '127.0.0.1', cors: false },
    authOptions: {
      tokenMethod: ['bearer'],
      // In production it refuses its default password.
      superadminCredentials: { identifier: 'bench', password: randomBytes(16).toString('hex') },
    },
    dbConnectionOptions: { type: 'postgres', synchronize: true, logging: false, extra: pool },
    paymentOptions: { paymentMethodHandlers: [] },
    logger: new core.DefaultLogger({ level: core.LogLevel.Error, timestamp: false }),
  };
}

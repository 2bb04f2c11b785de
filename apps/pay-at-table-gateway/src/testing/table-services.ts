import { AcquirerClients } from '@pos/nest-modules/acquirer-clients';
import { AcquirerCalls } from '@pos/payments/settlement/acquirer-calls';
import { createTableServices, type TableServices, type TableServicesOptions } from '../modules/table-services.js';

/** The services of a gateway that asks the acquirer at an address; its `stop` closes the connection, too. */
export function createTestTableServices({
  acquirerAddress,
  ...options
}: Omit<TableServicesOptions, 'calls'> & { readonly acquirerAddress: string }): TableServices {
  const { database, accounts, settings, log } = options;
  const acquirers = new AcquirerClients({ ACQUIRER_ADDRESS: acquirerAddress }, log, settings.inquiryIntervalMs);
  const calls = new AcquirerCalls({
    ...{ database, accounts, settings },
    acquirer: acquirers.sandbox,
    productionAcquirer: acquirers.production,
  });
  const services = createTableServices({ ...options, calls });
  return {
    ...services,
    stop: async () => {
      await services.stop();
      acquirers.close();
    },
  };
}

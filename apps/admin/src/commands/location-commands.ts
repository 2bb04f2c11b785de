import { changeLocation, createLocation, listAccountLocations } from '@pos/administration/accounts';
import { type CommandDefinition, defineChange, defineQuery } from '../command/command-definition.js';
import { account, environment, optional, text } from '../command/flags.js';
import { formatValue, toTable } from '../command/result-lines.js';

const LOCATION = optional(text('The postal address.', 'address'));
const ZONE = optional(
  text('The time zone of its receipts and days, such as `Europe/London`; a new location has UTC.', 'zone'),
);
const PHONE = optional(text('The phone number.', 'number'));

const create = defineChange({
  path: 'location create',
  examples: [
    'location create --account acc_... --name "Harbour terrace" --address "3 Quay Street" --time-zone Europe/London --reason "new site"',
  ],
  flags: {
    account: account(),
    environment: environment(),
    name: text('The name for operators.', 'name'),
    address: LOCATION,
    phone: PHONE,
    'time-zone': ZONE,
  },
  async run(session, { values, change }) {
    const { name, address, phone, 'time-zone': timeZone } = values;
    const texts = {
      ...(address !== undefined && { address }),
      ...(phone !== undefined && { phoneNumber: phone }),
      ...(timeZone !== undefined && { timeZone }),
    };
    const created = await session.transact(values, (tx) => createLocation(tx, change, { name, ...texts }));
    return { data: created, lines: [`created ${created.id}`] };
  },
});

const update = defineChange({
  path: 'location update',
  examples: ['location update --account acc_... --location loc_... --phone "020 7946 0001" --reason "new number"'],
  flags: {
    account: account(),
    environment: environment(),
    location: text('The location.', 'loc_...'),
    name: optional(text('The name for operators.', 'name')),
    address: LOCATION,
    phone: PHONE,
    'time-zone': ZONE,
  },
  async run(session, { values, change }) {
    const { location: id, name, address, phone, 'time-zone': timeZone } = values;
    const request = {
      ...{ id, ...(name !== undefined && { name }), ...(address !== undefined && { address }) },
      ...(phone !== undefined && { phoneNumber: phone }),
      ...(timeZone !== undefined && { timeZone }),
    };
    const changed = await session.transact(values, (tx) => changeLocation(tx, change, request));
    return { data: changed, lines: [`changed ${changed.id}`] };
  },
});

const listAll = defineQuery({
  path: 'location list',
  examples: ['location list --account acc_...'],
  flags: { account: account(), environment: environment() },
  async run(session, { values }) {
    const locations = await session.read(values, listAccountLocations);
    const rows = locations.map(({ id, name, address, phoneNumber, timeZone }) => [
      ...[id, name, formatValue(address), formatValue(phoneNumber), timeZone],
    ]);
    return {
      data: locations,
      lines: toTable(['LOCATION', 'NAME', 'ADDRESS', 'PHONE', 'TIME ZONE'], rows, 'there are no locations'),
    };
  },
});

export const LOCATION_COMMANDS: readonly CommandDefinition[] = [create, update, listAll];

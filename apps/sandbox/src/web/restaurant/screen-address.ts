/** What an address of the sandbox's pages shows. */
export type ScreenAddress =
  | { readonly screen: 'start' }
  /** The token names the table. */
  | { readonly screen: 'guest'; readonly token: string }
  /** `accountId` null: the first restaurant of the sandbox. */
  | { readonly screen: 'epos'; readonly accountId: string | null }
  | {
      readonly screen: 'machine';
      readonly tid: string;
      readonly accountId: string | null;
      /** The page begins with the payment of the smallest open bill. */
      readonly paysNext: boolean;
    };

/** Reads the address of a page. An unknown one shows the start. */
export function readScreenAddress(pathname: string, search: string): ScreenAddress {
  const query = new URLSearchParams(search);
  const accountId = query.get('account');
  const [, screen, id] = pathname.split('/');
  if (screen === 'machine' && id !== undefined && id !== '') {
    return { screen, tid: decodeURIComponent(id), accountId, paysNext: query.has('pay') };
  }
  if (screen === 'guest' && id !== undefined && id !== '') return { screen, token: decodeURIComponent(id) };
  return screen === 'epos' ? { screen, accountId } : { screen: 'start' };
}

/** The address of a machine's page. */
export function createMachineAddress(tid: string, options: { accountId?: string; paysNext?: boolean } = {}): string {
  const query = new URLSearchParams();
  if (options.accountId !== undefined) query.set('account', options.accountId);
  if (options.paysNext === true) query.set('pay', 'next');
  const text = query.toString();
  return `/machine/${encodeURIComponent(tid)}${text === '' ? '' : `?${text}`}`;
}

/** The address of the kitchen's page. */
export function createEposAddress(accountId: string): string {
  return `/epos?account=${encodeURIComponent(accountId)}`;
}

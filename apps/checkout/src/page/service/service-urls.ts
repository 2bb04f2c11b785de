/** The services that the page calls; the server writes them into the page. */
export interface ServiceUrls {
  readonly api: string;
  readonly vault: string;
  /** The page of the simulated wallets for sandbox accounts; null where none is configured. */
  readonly walletSheet: string | null;
}

export function readServiceUrls(): ServiceUrls {
  return JSON.parse(document.body.dataset['services'] ?? '{}') as ServiceUrls;
}

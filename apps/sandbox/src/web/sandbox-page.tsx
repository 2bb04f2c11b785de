import { lazy, Suspense, type ReactNode } from 'react';
import { readScreenAddress } from './restaurant/screen-address.js';

const StartPage = lazy(async () => ({ default: (await import('./start/start-page.js')).StartPage }));
const MachinePage = lazy(async () => ({ default: (await import('./machine/machine-page.js')).MachinePage }));
const GuestPage = lazy(async () => ({ default: (await import('./guest/guest-page.js')).GuestPage }));
const EposPage = lazy(async () => ({ default: (await import('./epos/epos-page.js')).EposPage }));

/** The screen that the address names. */
export function SandboxPage({ pathname, search }: { pathname: string; search: string }): ReactNode {
  return <Suspense fallback={null}>{chooseScreen(pathname, search)}</Suspense>;
}

function chooseScreen(pathname: string, search: string): ReactNode {
  const address = readScreenAddress(pathname, search);
  switch (address.screen) {
    case 'machine':
      return <MachinePage tid={address.tid} accountId={address.accountId} paysNext={address.paysNext} />;
    case 'epos':
      return <EposPage accountId={address.accountId} />;
    case 'guest':
      return <GuestPage token={address.token} />;
    case 'start':
      return <StartPage />;
  }
}

import { createContext, type ReactNode, useContext, useState } from 'react';
import { SecretOnce, type SecretOnceProps } from '../components/SecretOnce.js';

type Secret = Omit<SecretOnceProps, 'onClose'>;

const ShowSecret = createContext<(secret: Secret) => void>(() => undefined);

/** Returns what shows a secret until the user ends its dialog. */
export function useShowSecret(): (secret: Secret) => void {
  return useContext(ShowSecret);
}

/**
 * Shows a secret that the service cannot show again. It is outside of the page: a page that is closed, refreshed or left
 * for another account, or a form that is closed before its answer arrives, does not take the secret with it.
 */
export function ShownSecretProvider({ children }: { children: ReactNode }): ReactNode {
  const [secret, setSecret] = useState<Secret | null>(null);
  return (
    <ShowSecret value={setSecret}>
      {children}
      {secret !== null && <SecretOnce {...secret} onClose={() => setSecret(null)} />}
    </ShowSecret>
  );
}

import { createContext, type ReactNode, useContext, useState } from 'react';

/** Returns the dialog with a secret, which calls `onClose` at its end. */
type SecretDialog = (onClose: () => void) => ReactNode;

const OpenSecret = createContext<(dialog: SecretDialog) => void>(() => undefined);

/** Returns what opens the dialog with a secret. */
export function useOpenSecret(): (dialog: SecretDialog) => void {
  return useContext(OpenSecret);
}

/**
 * Shows a secret that the service cannot show again. It is outside of the page: a page that is closed, refreshed or left
 * for another account, or a form that is closed before its answer arrives, does not take the secret with it.
 */
export function ShownSecretProvider({ children }: { children: ReactNode }): ReactNode {
  const [shown, setShown] = useState<{ readonly dialog: SecretDialog } | null>(null);
  return (
    <OpenSecret value={(dialog) => setShown({ dialog })}>
      {children}
      {shown?.dialog(() => setShown(null))}
    </OpenSecret>
  );
}

import { LoadingState } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { lazy, type ReactNode, Suspense } from 'react';
import type { SessionAnswer } from '../../client/answers.js';
import { ReauthenticationProvider } from '../../shell/Reauthentication.js';
import { SHELL_MESSAGES } from '../../shell/shell-messages.js';

// Few users load them, so the sign-in page does not contain them.
const SecondFactorGate = lazy(async () => ({ default: (await import('./SecondFactorGate.js')).SecondFactorGate }));
const PasswordChangePage = lazy(async () => ({
  default: (await import('./PasswordChangePage.js')).PasswordChangePage,
}));

/** Whether the user must change the password, or give a second factor, before anything else. */
export function isGateClosed({ passwordChange, isSecondFactorMissing }: SessionAnswer): boolean {
  return passwordChange !== undefined || isSecondFactorMissing;
}

/** In place of the pages: first the change of the password, then the second factor. */
export function SessionGate({ session }: { session: SessionAnswer }): ReactNode {
  const text = useMessages(SHELL_MESSAGES);
  return (
    <Suspense fallback={<LoadingState label={text('loading')} />}>
      {session.passwordChange === undefined ? (
        <ReauthenticationProvider>
          <SecondFactorGate session={session} />
        </ReauthenticationProvider>
      ) : (
        <PasswordChangePage user={session.user} reason={session.passwordChange} />
      )}
    </Suspense>
  );
}

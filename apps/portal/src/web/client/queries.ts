import { QueryClient } from '@tanstack/react-query';
import type { SessionAnswer } from './answers.js';
import { RequestProblem } from './call-operation.js';
import { setShownAccount } from './shown-account.js';

const FRESH_MS = 10_000;
const RETRIES_MAX = 2;

/** The answers of the service by their keys. A refusal is not repeated; it would be refused again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchOnWindowFocus: true,
      retry: (failures, error) =>
        failures < RETRIES_MAX && (!(error instanceof RequestProblem) || error.problem.status >= 500),
    },
  },
});

/** The first part of each key, by what a live event is about. */
export const SESSION = 'session';
export const PAYMENTS = 'payments';
export const OVERVIEW = 'overview';
export const TERMINALS = 'terminals';
export const WEBHOOKS = 'webhooks';
export const API_KEYS = 'api-keys';
export const REQUESTS = 'requests';
export const TABLES = 'tables';
export const PENDING = 'pending';
export const CUSTOMERS = 'customers';
export const EPOS = 'epos';
export const ORDERS = 'orders';
export const SETUP_INTENTS = 'setup-intents';
export const PAYMENT_VIEWS = 'payment-views';
export const ACCOUNT_SETTINGS = 'account-settings';
export const SECOND_PERSON = 'second-person';
export const SIMULATOR = 'simulator';
export const TEST_CLOCK = 'test-clock';
export const SECOND_FACTORS = 'second-factors';
export const OWN_SESSIONS = 'own-sessions';
export const SIGN_IN_OPTIONS = 'sign-in-options';
export const BOOKINGS = 'bookings';
/** What operators of the service read. */
export const ADMINISTRATION = 'administration';

setShownAccount({
  read: () => {
    const current = queryClient.getQueryData<SessionAnswer | null>([SESSION])?.current;
    return current === undefined ? null : `${current.accountId}/${current.environment}`;
  },
  onOtherChosen: () => void queryClient.invalidateQueries({ queryKey: [SESSION] }),
  // The session says so, and the page asks for the change.
  onPasswordChangeNeeded: () => void queryClient.invalidateQueries({ queryKey: [SESSION] }),
  // The page shows the sign-in. No data of the session stays in memory: the next user may work in another account.
  onSessionEnded: () => {
    queryClient.setQueryData<SessionAnswer | null>([SESSION], null);
    queryClient.removeQueries({ predicate: ({ queryKey: [first] }) => first !== SESSION && first !== SIGN_IN_OPTIONS });
  },
});

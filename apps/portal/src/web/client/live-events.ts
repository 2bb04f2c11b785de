import { PORTAL_EVENTS_PATH, type PortalEvent } from '@pos/rest-contracts/portal';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { LiveConnection } from './live-connection.js';
import { OVERVIEW, PAYMENTS, SESSION, TERMINALS, WEBHOOKS } from './queries.js';

/** Many events at once, as of a busy evening, cause one refresh. */
const REFRESH_MS = 400;

/**
 * Refreshes what is shown when the service says that it has changed. The service closes the stream of a session that has
 * ended, and refuses the next one. The session is then read, so that an unattended page shows the sign-in.
 */
export function useLiveEvents(scope: string): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: number | null = null;
    const connection = new LiveConnection({
      openSource: () => new EventSource(PORTAL_EVENTS_PATH),
      onEvent: (data) => {
        const { kind } = JSON.parse(data) as PortalEvent;
        const keys = [OVERVIEW, WEBHOOKS, kind.startsWith('payment_intent') ? PAYMENTS : TERMINALS];
        timer ??= window.setTimeout(() => {
          timer = null;
          for (const key of keys) void client.invalidateQueries({ queryKey: [key] });
        }, REFRESH_MS);
      },
      onRefused: () => void client.invalidateQueries({ queryKey: [SESSION] }),
    });
    return () => {
      connection.close();
      if (timer !== null) window.clearTimeout(timer);
    };
  }, [client, scope]);
}

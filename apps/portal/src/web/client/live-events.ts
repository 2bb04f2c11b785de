import type { PortalEvent } from '@pos/rest-contracts/portal/portal-events';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { OVERVIEW, PAYMENTS, TERMINALS, WEBHOOKS } from './queries.js';

const EVENTS = '/portal/events';
/** Many events at once, as of a busy evening, cause one refresh. */
const REFRESH_MS = 400;

/** Refreshes what is shown when the service says that it has changed. The browser reconnects by itself. */
export function useLiveEvents(scope: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const source = new EventSource(EVENTS);
    let timer: number | null = null;
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const { kind } = JSON.parse(data) as PortalEvent;
      const keys = [OVERVIEW, WEBHOOKS, kind.startsWith('payment_intent') ? PAYMENTS : TERMINALS];
      timer ??= window.setTimeout(() => {
        timer = null;
        for (const key of keys) void client.invalidateQueries({ queryKey: [key] });
      }, REFRESH_MS);
    };
    return () => {
      source.close();
      if (timer !== null) window.clearTimeout(timer);
    };
  }, [client, scope]);
}

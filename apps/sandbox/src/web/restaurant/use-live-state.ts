import { useEffect, useState } from 'react';

/** The newest state of a stream of the sandbox, and whether the stream is open. */
export interface LiveState<T> {
  /** Null until the first state has arrived. */
  readonly state: T | null;
  readonly isOpen: boolean;
}

/** Follows a stream of server-sent events while the page is open. The browser opens a broken stream again. */
export function useLiveState<T>(path: string | null): LiveState<T> {
  const [live, setLive] = useState<LiveState<T>>({ state: null, isOpen: false });
  useEffect(() => {
    if (path === null) return;
    const source = new EventSource(path);
    source.onmessage = (event: MessageEvent<string>) => setLive({ state: JSON.parse(event.data) as T, isOpen: true });
    source.onerror = () => setLive(({ state }) => ({ state, isOpen: false }));
    return () => source.close();
  }, [path]);
  return live;
}

/** Longer than the slowest page refreshes by itself after an input, and much shorter than a session may be idle. */
const RECENT_MS = 60_000;
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/**
 * Knows whether the user of a page has used it recently. Pages refresh by themselves: without this, an unattended page
 * would keep its session alive.
 */
export class UserActivity {
  #lastInputAt: number;

  constructor(private readonly now: () => number) {
    // Somebody has opened the page.
    this.#lastInputAt = now();
  }

  /** Records each input of the page. Call it once. */
  observe(page: Pick<EventTarget, 'addEventListener'>): void {
    const record = (): void => {
      this.#lastInputAt = this.now();
    };
    for (const input of INPUTS) page.addEventListener(input, record, { capture: true, passive: true });
  }

  isRecent(): boolean {
    return this.now() - this.#lastInputAt <= RECENT_MS;
  }
}

/** The activity on this page. */
export const USER_ACTIVITY = new UserActivity(() => performance.now());

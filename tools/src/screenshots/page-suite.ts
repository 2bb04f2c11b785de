import type { BrowserContextOptions, Page } from 'playwright-core';

/** How a page is looked at. */
export interface Look {
  readonly width: 390 | 1280;
  readonly theme: 'light' | 'dark';
  readonly locale: string;
}

/** A page that a person has open, and what its browser complained about. */
export interface PageVisit {
  readonly page: Page;
  readonly complaints: readonly string[];
  leave(): Promise<void>;
}

/** A state of a page: how a person reaches it. */
export interface PageState<Stage, Visit extends PageVisit> {
  readonly name: string;
  readonly reach: (stage: Stage, visit: Visit) => Promise<void>;
}

interface OpenSuite<Stage, Visit extends PageVisit> {
  readonly stage: Stage;
  /** Opens a browser of a new person. */
  readonly visit: (context: BrowserContextOptions) => Promise<Visit>;
  readonly close: () => Promise<void>;
}

interface SuiteDefinition<Stage, Visit extends PageVisit> {
  readonly name: string;
  readonly states: readonly PageState<Stage, Visit>[];
  readonly open: (executable: string) => Promise<OpenSuite<Stage, Visit>>;
}

/** A state that was reached, or the error that prevented it. `leave` closes it. */
export interface ReachedState {
  readonly visit: PageVisit;
  readonly error: Error | null;
}

/** The pages of one app in all their states. */
export interface PageSuite {
  readonly name: string;
  readonly stateNames: readonly string[];
  /** Starts what the pages need. */
  readonly open: (executable: string) => Promise<{
    readonly reach: (stateName: string, look: Look) => Promise<ReachedState>;
    readonly close: () => Promise<void>;
  }>;
}

const HEIGHT = 900;

export function defineSuite<Stage, Visit extends PageVisit>({
  name,
  states,
  open,
}: SuiteDefinition<Stage, Visit>): PageSuite {
  return {
    name,
    stateNames: states.map((state) => state.name),
    open: async (executable) => {
      const { stage, visit: openVisit, close } = await open(executable);
      return {
        close,
        reach: async (stateName, { width, theme, locale }) => {
          const state = states.find((each) => each.name === stateName);
          if (state === undefined) throw new Error(`${name} has no state ${stateName}`);
          const viewport = { width, height: HEIGHT };
          const visit = await openVisit({ viewport, colorScheme: theme, locale, reducedMotion: 'reduce' });
          const error = await state.reach(stage, visit).then(
            () => null,
            (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
          );
          return { visit, error };
        },
      };
    },
  };
}

import type { BrowserContextOptions, Page } from 'playwright-core';

/** How a page is looked at. */
export interface Look {
  readonly width: 390 | 1280;
  readonly theme: 'light' | 'dark';
  readonly locale: string;
}

/** A page that a person has open, and what its browser complained about. */
export interface OpenPage {
  readonly page: Page;
  readonly complaints: readonly string[];
  leave(): Promise<void>;
}

/** A state of a page: how a person reaches it. */
export interface PageState<Stage, Opened extends OpenPage> {
  readonly name: string;
  readonly reach: (stage: Stage, opened: Opened) => Promise<void>;
}

interface OpenSuite<Stage, Opened extends OpenPage> {
  readonly stage: Stage;
  /** Opens a browser of a new person. */
  readonly openPage: (context: BrowserContextOptions) => Promise<Opened>;
  readonly close: () => Promise<void>;
}

interface SuiteDefinition<Stage, Opened extends OpenPage> {
  readonly name: string;
  readonly states: readonly PageState<Stage, Opened>[];
  readonly open: (executable: string) => Promise<OpenSuite<Stage, Opened>>;
}

/** A state that was reached, or the error that prevented it. `leave` closes it. */
export interface ReachedState {
  readonly opened: OpenPage;
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

export function defineSuite<Stage, Opened extends OpenPage>({
  name,
  states,
  open,
}: SuiteDefinition<Stage, Opened>): PageSuite {
  return {
    name,
    stateNames: states.map((state) => state.name),
    open: async (executable) => {
      const { stage, openPage, close } = await open(executable);
      return {
        close,
        reach: async (stateName, { width, theme, locale }) => {
          const state = states.find((each) => each.name === stateName);
          if (state === undefined) throw new Error(`${name} has no state ${stateName}`);
          const viewport = { width, height: HEIGHT };
          const opened = await openPage({ viewport, colorScheme: theme, locale, reducedMotion: 'reduce' });
          const error = await state.reach(stage, opened).then(
            () => null,
            (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
          );
          return { opened, error };
        },
      };
    },
  };
}

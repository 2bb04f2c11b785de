/** The account of this page, which each of its requests states. The session may have another one since. */
export interface ShownAccount {
  /** As `acc_…/sandbox`; null before a choice. */
  readonly read: () => string | null;
  /** Called when the service has refused a request because the session works in another account. */
  readonly onOtherChosen: () => void;
  /** Called when the service has refused a request because the user must change the password first. */
  readonly onPasswordChangeNeeded: () => void;
  /** Called when the service has refused a request because nobody is signed in any more. */
  readonly onSessionEnded: () => void;
}

let current: ShownAccount = {
  read: () => null,
  onOtherChosen: () => undefined,
  onPasswordChangeNeeded: () => undefined,
  onSessionEnded: () => undefined,
};

export function setShownAccount(shown: ShownAccount): void {
  current = shown;
}

export function getShownAccount(): ShownAccount {
  return current;
}

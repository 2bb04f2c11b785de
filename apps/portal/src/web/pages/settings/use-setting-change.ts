import { useState } from 'react';
import type { SettingChange } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { changePortalAccountSettings } from '../../client/endpoints.js';
import { ACCOUNT_SETTINGS } from '../../client/queries.js';
import { findError } from '../../components/ProblemNote.js';
import { type Action, useAction } from '../../components/use-action.js';

/** The change of one section of the page. */
export interface SettingAction extends Action<SettingChange> {
  /** The last change was stored, and nothing was entered since. */
  readonly isSaved: boolean;
  /** To call when something is entered. */
  readonly touch: () => void;
  /** Why the value of a member was refused, as a sentence. */
  readonly findViolation: (...members: readonly string[]) => string | undefined;
}

export function useSettingChange(): SettingAction {
  const [isSaved, setSaved] = useState(false);
  const action = useAction((body: SettingChange) => callOperation(changePortalAccountSettings, { body }), {
    refreshes: [[ACCOUNT_SETTINGS]],
    onDone: () => setSaved(true),
  });
  return {
    ...action,
    isSaved,
    touch: () => setSaved(false),
    findViolation: (...members) => toSentence(findError(action.problem, ...members)),
  };
}

/** Messages about settings continue the name of their member: `must be a colour`. */
function toSentence(message: string | undefined): string | undefined {
  if (message === undefined) return undefined;
  const sentence = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}`;
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}

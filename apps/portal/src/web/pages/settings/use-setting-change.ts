import { changePortalAccountSettings } from '@pos/rest-contracts/portal';
import { type ReactNode, useState } from 'react';
import type { SettingChange } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { ACCOUNT_SETTINGS } from '../../client/queries.js';
import { findError } from '../../components/ProblemNote.js';
import { type Action, useAction } from '../../components/use-action.js';

/** The change of one section of the page. */
export interface SettingAction extends Action<SettingChange> {
  /** The last change was stored, and nothing was entered since. */
  readonly isSaved: boolean;
  /** To call when something is entered. */
  readonly touch: () => void;
  /** Why the value of a member was refused; undefined when it was not. */
  readonly findViolation: (...members: readonly string[]) => ReactNode;
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
    findViolation: (...members) => findError(action.problem, ...members),
  };
}

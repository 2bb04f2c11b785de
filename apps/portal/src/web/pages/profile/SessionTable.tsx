import { Button } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { endOtherSessions, endOwnSession } from '@pos/rest-contracts/portal';
import type { ReactNode } from 'react';
import type { OwnSessionAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { OWN_SESSIONS } from '../../client/queries.js';
import { DataTable } from '../../components/DataTable.js';
import { ProblemNote } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { readBrowserName } from './browser-name.js';
import classes from './profile.module.css';
import { PROFILE_MESSAGES } from './profile-messages.js';

/** The open sessions of the user. The present one ends by signing out. */
export function SessionTable({ sessions }: { sessions: readonly OwnSessionAnswer[] }): ReactNode {
  const text = useMessages(PROFILE_MESSAGES);
  const language = useLanguage();
  const refreshes = [[OWN_SESSIONS]];
  const ending = useAction((sessionId: string) => callOperation(endOwnSession, { params: { sessionId } }), {
    refreshes,
  });
  const endingOthers = useAction(() => callOperation(endOtherSessions, {}), { refreshes });
  const describe = useBrowserDescription();
  const columns = (['browser', 'address', 'since', 'lastUse'] as const).map((name) => ({ name: text(name) }));
  return (
    <>
      <DataTable label={text('sessions')} columns={columns} hasActions>
        {sessions.map(({ id, browser, networkAddress = text('unknown'), createdAt, usedAt, isCurrent }) => {
          const since = formatMoment(createdAt, language);
          const name = describe(browser);
          return (
            <tr key={id}>
              <td>
                {name}
                {isCurrent && ` (${text('thisOne')})`}
              </td>
              <td>{networkAddress}</td>
              <td>{since}</td>
              <td>{formatMoment(usedAt, language)}</td>
              <td>
                {!isCurrent && (
                  <Button
                    kind="quiet"
                    aria-label={text('endOf', { browser: name, address: networkAddress, since })}
                    onClick={() => void ending.run(id)}
                  >
                    {text('end')}
                  </Button>
                )}
              </td>
            </tr>
          );
        })}
      </DataTable>
      <ProblemNote problem={ending.problem ?? endingOthers.problem} />
      {sessions.some(({ isCurrent }) => !isCurrent) && (
        <div className={classes['others']}>
          <Button isBusy={endingOthers.isBusy} onClick={() => void endingOthers.run(undefined)}>
            {text('endOthers')}
          </Button>
        </div>
      )}
    </>
  );
}

function useBrowserDescription(): (userAgent: string | undefined) => string {
  const text = useMessages(PROFILE_MESSAGES);
  return (userAgent = '') => {
    const { browser, system } = readBrowserName(userAgent);
    if (browser !== null && system !== null) return text('onSystem', { browser, system });
    return browser ?? system ?? text('unknown');
  };
}

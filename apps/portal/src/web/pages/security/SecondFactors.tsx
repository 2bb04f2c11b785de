import { Button } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { removeOneTimeCodes, removePasskey, renewRecoveryCodes } from '@pos/rest-contracts/portal';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { SecondFactorsAnswer } from '../../client/answers.js';
import { callOperation } from '../../client/call-operation.js';
import { offersPasskeysHere } from '../../client/passkeys.js';
import { SECOND_FACTORS, SESSION } from '../../client/queries.js';
import { Card } from '../../components/Card.js';
import { ProblemNote } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import { AddPasskeyDialog } from './AddPasskeyDialog.js';
import { CodesDialog } from './CodesDialog.js';
import { RecoveryCodesDialog } from './RecoveryCodesDialog.js';
import classes from './security.module.css';
import { SECURITY_MESSAGES } from './security-messages.js';

interface SectionProps {
  readonly factors: SecondFactorsAnswer;
  /** Recovery codes that only this answer had; none when left out. */
  readonly onDone: (answer: { readonly recoveryCodes?: readonly string[] | undefined }) => void;
}

/** The factors of the user, and what changes them. New recovery codes are shown until the user has kept them. */
export function SecondFactors({ factors }: { factors: SecondFactorsAnswer }): ReactNode {
  const client = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  // The session last: with the factor in it, the page that asks for one gives way to the portal.
  const refresh = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey: [SECOND_FACTORS] });
    await client.invalidateQueries({ queryKey: [SESSION] });
  };
  const finish: SectionProps['onDone'] = ({ recoveryCodes }) => {
    if (recoveryCodes === undefined) void refresh();
    else setCodes(recoveryCodes);
  };
  return (
    <div className={classes['sections']}>
      <Passkeys factors={factors} onDone={finish} />
      <OneTimeCodes factors={factors} onDone={finish} />
      {(factors.passkeys.length > 0 || factors.codesSince !== undefined) && (
        <RecoveryCodes factors={factors} onDone={finish} />
      )}
      {codes !== null && (
        <RecoveryCodesDialog
          codes={codes}
          onClose={() => {
            setCodes(null);
            void refresh();
          }}
        />
      )}
    </div>
  );
}

function Passkeys({ factors, onDone }: SectionProps): ReactNode {
  const text = useMessages(SECURITY_MESSAGES);
  const language = useLanguage();
  const [isAdding, setAdding] = useState(false);
  const removing = useAction((passkeyId: string) => callOperation(removePasskey, { params: { passkeyId } }), {
    refreshes: [[SECOND_FACTORS]],
  });
  return (
    <Card title={text('passkeys')}>
      <div className={classes['section']}>
        <p className={classes['text']}>{text('passkeysText')}</p>
        {factors.passkeys.length === 0 && <p className={classes['text']}>{text('noPasskeys')}</p>}
        <ul className={classes['list']}>
          {factors.passkeys.map(({ id, name, createdAt, usedAt }) => (
            <li key={id} className={classes['item']}>
              <strong className={classes['name']}>{name}</strong>
              <span className={classes['detail']}>
                {text('added')}: {formatMoment(createdAt, language)}. {text('lastUse')}:{' '}
                {usedAt === undefined ? text('never') : formatMoment(usedAt, language)}
              </span>
              <Button kind="quiet" aria-label={text('removeOf', { name })} onClick={() => void removing.run(id)}>
                {text('remove')}
              </Button>
            </li>
          ))}
        </ul>
        <ProblemNote problem={removing.problem} />
        {offersPasskeysHere(factors) ? (
          <Button onClick={() => setAdding(true)}>{text('addPasskey')}</Button>
        ) : (
          <p className={classes['text']}>{text('notOffered')}</p>
        )}
        {isAdding && <AddPasskeyDialog onDone={onDone} onClose={() => setAdding(false)} />}
      </div>
    </Card>
  );
}

function OneTimeCodes({ factors: { codesSince }, onDone }: SectionProps): ReactNode {
  const text = useMessages(SECURITY_MESSAGES);
  const language = useLanguage();
  const [isAdding, setAdding] = useState(false);
  const removing = useAction(() => callOperation(removeOneTimeCodes, {}), { refreshes: [[SECOND_FACTORS]] });
  return (
    <Card title={text('codes')}>
      <div className={classes['section']}>
        <p className={classes['text']}>{text('codesText')}</p>
        {codesSince !== undefined && (
          <p className={classes['text']}>{text('codesSince', { date: formatMoment(codesSince, language) })}</p>
        )}
        <ProblemNote problem={removing.problem} />
        <div className={classes['actions']}>
          <Button onClick={() => setAdding(true)}>
            {text(codesSince === undefined ? 'setUpCodes' : 'replaceCodes')}
          </Button>
          {codesSince !== undefined && (
            <Button kind="quiet" isBusy={removing.isBusy} onClick={() => void removing.run(undefined)}>
              {text('removeCodes')}
            </Button>
          )}
        </div>
        {isAdding && <CodesDialog onDone={onDone} onClose={() => setAdding(false)} />}
      </div>
    </Card>
  );
}

function RecoveryCodes({ factors: { recoveryCodesLeft }, onDone }: SectionProps): ReactNode {
  const text = useMessages(SECURITY_MESSAGES);
  const renewing = useAction(() => callOperation(renewRecoveryCodes, {}), { refreshes: [], onDone });
  return (
    <Card title={text('recovery')}>
      <div className={classes['section']}>
        <p className={classes['text']}>{text('recoveryText', { count: String(recoveryCodesLeft) })}</p>
        <ProblemNote problem={renewing.problem} />
        <Button isBusy={renewing.isBusy} onClick={() => void renewing.run(undefined)}>
          {text('renew')}
        </Button>
      </div>
    </Card>
  );
}

import { LoadingState, TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { addOneTimeCodes, beginOneTimeCodes } from '@pos/rest-contracts/portal';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { FormDialog } from '../../components/FormDialog.js';
import { findError } from '../../components/ProblemNote.js';
import { QrCode } from '../../components/QrCode.js';
import { useAction } from '../../components/use-action.js';
import { SHELL_MESSAGES } from '../../shell/shell-messages.js';
import classes from './security.module.css';
import { SECURITY_MESSAGES } from './security-messages.js';

interface FactorDialogProps {
  readonly onDone: (answer: { readonly recoveryCodes?: readonly string[] | undefined }) => void;
  readonly onClose: () => void;
}

interface Secret {
  readonly secret: string;
  readonly uri: string;
}

/** Shows the secret of an app for one-time codes, and takes the first code of it. */
export function CodesDialog({ onDone, onClose }: FactorDialogProps): ReactNode {
  const text = useMessages(SECURITY_MESSAGES);
  const shell = useMessages(SHELL_MESSAGES);
  const [code, setCode] = useState('');
  const [secret, setSecret] = useState<Secret | null>(null);
  const beginning = useAction(() => callOperation(beginOneTimeCodes, {}), { refreshes: [], onDone: setSecret });
  const adding = useAction(() => callOperation(addOneTimeCodes, { body: { code: code.replaceAll(/\s/g, '') } }), {
    refreshes: [],
    onDone: (answer) => {
      onClose();
      onDone(answer);
    },
  });
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void beginning.run(undefined);
  });
  return (
    <FormDialog
      title={text('setUpCodes')}
      cancel={text('cancel')}
      submit={text('confirm')}
      isReady={secret !== null && code !== ''}
      isBusy={adding.isBusy}
      problem={beginning.problem ?? (adding.problem?.errors['code'] === undefined ? adding.problem : null)}
      onSubmit={() => void adding.run(undefined)}
      onClose={onClose}
    >
      {secret === null && beginning.problem === null && <LoadingState label={shell('loading')} />}
      {secret !== null && (
        <>
          <p className={classes['text']}>{text('scan')}</p>
          <QrCode content={secret.uri} label={text('qrCode')} />
          <code className={classes['secret']}>{secret.secret}</code>
          <TextField
            label={text('code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            error={findError(adding.problem, 'code')}
            onValueChange={setCode}
          />
        </>
      )}
    </FormDialog>
  );
}

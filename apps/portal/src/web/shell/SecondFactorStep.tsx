import { Button, TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import type { SentBodyOf } from '@pos/rest-contracts/operation';
import { completeSignIn, createSignInOptions } from '@pos/rest-contracts/portal';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callOperation, RequestProblem } from '../client/call-operation.js';
import { PasskeyNotGiven, signWithPasskey } from '../client/passkeys.js';
import { SESSION } from '../client/queries.js';
import { FACTOR_MESSAGES } from './factor-messages.js';
import { SHELL_MESSAGES } from './shell-messages.js';
import classes from './sign-in.module.css';

/** What the user can give as a second factor. */
export interface StepMethods {
  readonly passkey: boolean;
  readonly code: boolean;
  readonly recoveryCode: boolean;
}

interface StepProps {
  readonly methods: StepMethods;
  /** The user begins the sign-in again. */
  readonly onRestart: () => void;
}

/** Asks for the second factor of a sign-in. */
export function SecondFactorStep({ methods, onRestart }: StepProps): ReactNode {
  const text = useMessages(FACTOR_MESSAGES);
  const client = useQueryClient();
  const completing = useMutation({
    mutationFn: async (body: SentBodyOf<typeof completeSignIn> | null) => {
      const proof = body ?? { passkey: await signWithPasskey(await callOperation(createSignInOptions, {})) };
      return callOperation(completeSignIn, { body: proof });
    },
    onSuccess: (session) => client.setQueryData([SESSION], session),
  });
  const hasTyped = methods.code || methods.recoveryCode;
  return (
    <>
      <h1 className={classes['title']}>{text('stepTitle')}</h1>
      <p className={classes['text']}>{text('stepText')}</p>
      <FactorError error={completing.error} />
      {methods.passkey && (
        <Button
          kind="primary"
          size="large"
          isBusy={completing.isPending && completing.variables === null}
          onClick={() => completing.mutate(null)}
        >
          {text('usePasskey')}
        </Button>
      )}
      {hasTyped && (
        <CodeForm methods={methods} isBusy={completing.isPending} onSubmit={(body) => completing.mutate(body)} />
      )}
      <Button kind="quiet" onClick={onRestart}>
        {text('back')}
      </Button>
    </>
  );
}

interface CodeFormProps {
  readonly methods: StepMethods;
  readonly isBusy: boolean;
  readonly onSubmit: (body: { readonly code: string } | { readonly recoveryCode: string }) => void;
}

function CodeForm({ methods, isBusy, onSubmit }: CodeFormProps): ReactNode {
  const text = useMessages(FACTOR_MESSAGES);
  const [isRecovery, setRecovery] = useState(!methods.code);
  const [entered, setEntered] = useState('');
  const submit = (): void => {
    const typed = entered.replaceAll(/\s/g, '');
    onSubmit(isRecovery ? { recoveryCode: typed } : { code: typed });
    setEntered('');
  };
  return (
    <form
      className={classes['step']}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        key={String(isRecovery)}
        label={text(isRecovery ? 'recoveryCode' : 'code')}
        hint={isRecovery ? undefined : text('codeHint')}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        required
        value={entered}
        onValueChange={setEntered}
      />
      <Button kind={methods.passkey ? 'secondary' : 'primary'} size="large" type="submit" isBusy={isBusy}>
        {text('confirm')}
      </Button>
      {methods.code && methods.recoveryCode && (
        <Button kind="quiet" type="button" onClick={() => setRecovery(!isRecovery)}>
          {text(isRecovery ? 'useCode' : 'useRecoveryCode')}
        </Button>
      )}
    </form>
  );
}

/** Why a second factor was not accepted. */
export function FactorError({ error }: { error: Error | null }): ReactNode {
  const text = useMessages(FACTOR_MESSAGES);
  const shared = useMessages(SHELL_MESSAGES);
  if (error === null) return null;
  const reason = error instanceof RequestProblem ? error.problem.reason : null;
  const message = (): string => {
    if (error instanceof PasskeyNotGiven) return text('notGiven');
    if (reason === 'rate_limited') return shared('tooMany');
    if (reason === 'sign_in_expired') return text('expired');
    return reason === 'second_factor_refused' || reason === 'validation_failed'
      ? text('refused')
      : shared('unreachable');
  };
  return (
    <p className={classes['error']} role="alert">
      {message()}
    </p>
  );
}

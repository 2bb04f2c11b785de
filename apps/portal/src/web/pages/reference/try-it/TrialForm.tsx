import { Button, TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { type ReactNode, useId, useState } from 'react';
import { RequestProblem } from '../../../client/call-operation.js';
import { useGuarded } from '../../../shell/Reauthentication.js';
import type { ReferenceExample, ReferenceOperation } from '../data/reference-data.js';
import { REFERENCE_MESSAGES } from '../data/reference-messages.js';
import { useRelease } from '../data/reference-queries.js';
import { createTrialRequest, sendTrial, takesKey, type TrialAnswer } from './trial-request.js';
import { TrialResult } from './TrialResult.js';
import classes from './try-it.module.css';

interface TrialFormProps {
  readonly operation: ReferenceOperation;
  readonly example: ReferenceExample | null;
}

/** The fields of an operation, filled with its example, and the answer to it. */
export function TrialForm({ operation, example }: TrialFormProps): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const release = useRelease();
  const guarded = useGuarded();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(() => (example?.body === undefined ? '' : JSON.stringify(example.body, null, 2)));
  const [idempotencyKey, setKey] = useState<string>(() => crypto.randomUUID());
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [bodyError, setBodyError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<TrialAnswer | 'unanswered' | null>(null);
  const send = async (): Promise<void> => {
    const request = createTrialRequest(operation, { values, body, idempotencyKey, release });
    setMissing('missing' in request ? request.missing : []);
    setBodyError('bodyError' in request ? request.bodyError : null);
    if ('missing' in request || isBusy) return;
    setBusy(true);
    try {
      setAnswer(await guarded(async () => requireRecentPassword(await sendTrial(request))));
    } catch (error) {
      setAnswer(error instanceof RefusedTrial ? error.answer : 'unanswered');
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <form
        className={classes['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {operation.parameters
          .filter(({ in: place }) => place !== 'header')
          .map(({ name }) => (
            <TextField
              key={name}
              label={name}
              value={values[name] ?? ''}
              placeholder={example?.params[name] ?? example?.query[name]}
              autoComplete="off"
              spellCheck={false}
              error={missing.includes(name) ? text('fieldMissing') : undefined}
              onValueChange={(next) => setValues({ ...values, [name]: next })}
            />
          ))}
        {operation.body !== null && <BodyField {...{ body, error: bodyError, onChange: setBody }} />}
        {takesKey(operation) && <KeyField {...{ idempotencyKey, onChange: setKey }} />}
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {text('send')}
        </Button>
      </form>
      <TrialResult answer={answer} />
    </>
  );
}

function KeyField({
  idempotencyKey,
  onChange,
}: {
  idempotencyKey: string;
  onChange: (key: string) => void;
}): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  return (
    <div className={classes['key']}>
      <TextField
        label={text('idempotencyKey')}
        hint={text('idempotencyHint')}
        value={idempotencyKey}
        autoComplete="off"
        spellCheck={false}
        onValueChange={onChange}
      />
      <Button onClick={() => onChange(crypto.randomUUID())}>{text('newKey')}</Button>
    </div>
  );
}

function BodyField({
  body,
  error,
  onChange,
}: {
  body: string;
  error: string | null;
  onChange: (body: string) => void;
}): ReactNode {
  const text = useMessages(REFERENCE_MESSAGES);
  const id = useId();
  return (
    <div className={classes['body']}>
      <label htmlFor={id}>{text('body')}</label>
      <textarea
        id={id}
        lang="en"
        rows={Math.min(Math.max(body.split('\n').length, 4), 18)}
        spellCheck={false}
        value={body}
        aria-invalid={error !== null}
        aria-describedby={`${id}-error`}
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={`${id}-error`} role="alert" className={classes['error']}>
        {error === null ? '' : text('bodyInvalid', { message: error })}
      </p>
    </div>
  );
}

/** Carries the answer through the dialog that asks for the password. */
class RefusedTrial extends RequestProblem {
  constructor(readonly answer: TrialAnswer) {
    const { status, reason, traceId } = answer;
    super({ status, title: '', detail: '', reason: reason ?? '', errors: {}, traceId });
  }
}

/** An answer that asks for the password is thrown, so that the portal asks for it and the request is sent again. */
function requireRecentPassword(answer: TrialAnswer): TrialAnswer {
  if (answer.reason === 'reauthentication_needed') throw new RefusedTrial(answer);
  return answer;
}

import { startFlow, type Flow } from '@pos/rest-contracts/operators';
import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../client/call-operation.js';
import { EPOS } from '../../client/queries.js';
import { Choice } from '../../components/Choice.js';
import { FormDialog } from '../../components/FormDialog.js';
import { findError } from '../../components/ProblemNote.js';
import { useAction } from '../../components/use-action.js';
import classes from './epos.module.css';
import { TESTER_MESSAGES } from './tester-messages.js';

type ReadFlow = Readonly<Pick<Flow, 'name'>> & { readonly params: readonly Readonly<Flow['params'][number]>[] };
type Values = Readonly<Record<string, string>>;

interface StartRunDialogProps {
  readonly flows: readonly ReadFlow[];
  readonly onClose: () => void;
}

/** Starts a flow with the parameters that are entered, and shows its run. */
export function StartRunDialog({ flows, onClose }: StartRunDialogProps): ReactNode {
  const text = useMessages(TESTER_MESSAGES);
  const navigate = useNavigate();
  const [name, setName] = useState(flows[0]?.name ?? '');
  const [values, setValues] = useState<Values>({});
  const params = flows.find((flow) => flow.name === name)?.params ?? [];
  const action = useAction(
    (sent: Values, idempotencyKey) => callOperation(startFlow, { body: { flow: name, params: sent }, idempotencyKey }),
    {
      refreshes: [[EPOS, 'runs']],
      onDone: (id) => void navigate({ to: '/restaurant/tester-runs/$id', params: { id } }),
    },
  );
  const findViolation = (param: string): ReactNode => findError(action.problem, `params.${param}`, param);
  const isAtField = params.some((param) => findViolation(param.name) !== undefined);
  return (
    <FormDialog
      title={text('start')}
      cancel={text('cancel')}
      submit={text('start')}
      isBusy={action.isBusy}
      problem={isAtField ? null : action.problem}
      intro={text('startText')}
      onSubmit={() => void action.run(readEntered(params, values))}
      onClose={onClose}
    >
      <Choice
        label={text('flow')}
        value={name}
        options={flows.map((flow) => [flow.name, flow.name])}
        onChange={(chosen) => {
          action.clear();
          setName(chosen);
        }}
      />
      {/* Open where a field shows why its value was refused. */}
      <details open={isAtField || params.some(({ required }) => required)}>
        <summary>{text('params', { count: String(params.length) })}</summary>
        <Params params={params} values={values} findViolation={findViolation} onChange={setValues} />
      </details>
    </FormDialog>
  );
}

interface ParamsProps {
  readonly params: ReadFlow['params'];
  readonly values: Values;
  readonly findViolation: (param: string) => ReactNode;
  readonly onChange: (values: Values) => void;
}

function Params({ params, values, findViolation, onChange }: ParamsProps): ReactNode {
  return (
    <div className={classes['params']}>
      {params.map(({ name, description, required, default: standard }) => (
        <TextField
          key={name}
          label={name}
          required={required}
          autoComplete="off"
          placeholder={standard}
          value={values[name] ?? ''}
          hint={description}
          error={findViolation(name)}
          onValueChange={(value) => onChange({ ...values, [name]: value })}
        />
      ))}
    </div>
  );
}

/** What was entered for the flow; a parameter that is left empty has its default. */
function readEntered(params: ReadFlow['params'], values: Values): Values {
  return Object.fromEntries(
    params.flatMap(({ name }): [string, string][] => {
      const value = values[name]?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}

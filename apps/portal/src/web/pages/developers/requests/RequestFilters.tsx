import { Choice } from '../../../components/Choice.js';
import { Button, TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { findTraceId, REQUEST_OUTCOMES, RequestFilter } from './request-filter.js';
import { REQUEST_MESSAGES } from './request-messages.js';
import layout from './requests.module.css';

interface RequestFiltersProps {
  readonly filter: RequestFilter;
  readonly onChange: (filter: RequestFilter) => void;
}

/** The filters of the list, which begin at the newest request, and the way to the request of a trace. */
export function RequestFilters({ filter, onChange }: RequestFiltersProps): ReactNode {
  const text = useMessages(REQUEST_MESSAGES);
  const [outcome, setOutcome] = useState<string>(filter.outcome ?? '');
  const [status, setStatus] = useState(String(filter.status ?? ''));
  const [operation, setOperation] = useState(filter.operation ?? '');
  const [keyId, setKeyId] = useState(filter.keyId ?? '');
  const isFiltered = Object.keys(RequestFilter.withoutCursor(filter)).length > 0;
  return (
    <div className={layout['filters']}>
      <form
        className={layout['filter']}
        onSubmit={(event) => {
          event.preventDefault();
          onChange(RequestFilter.parse({ outcome, status, operation, keyId }));
        }}
      >
        <Choice
          label={text('outcome')}
          value={outcome}
          options={[['', text('all')], ...REQUEST_OUTCOMES.map((each) => [each, text(each)] as const)]}
          onChange={setOutcome}
        />
        <TextField
          label={text('status')}
          type="number"
          min={100}
          max={599}
          size={6}
          value={status}
          onValueChange={setStatus}
        />
        <TextField label={text('operation')} value={operation} onValueChange={setOperation} />
        <TextField label={text('keyId')} value={keyId} onValueChange={setKeyId} />
        <Button type="submit">{text('apply')}</Button>
        {isFiltered && (
          <Button kind="quiet" onClick={() => onChange({})}>
            {text('clear')}
          </Button>
        )}
      </form>
      <TraceForm />
    </div>
  );
}

function TraceForm(): ReactNode {
  const text = useMessages(REQUEST_MESSAGES);
  const navigate = useNavigate();
  const [value, setValue] = useState('');
  const [isWrong, setWrong] = useState(false);
  return (
    <form
      className={`${layout['filter']} ${layout['trace']}`}
      onSubmit={(event) => {
        event.preventDefault();
        const traceId = findTraceId(value);
        setWrong(traceId === undefined);
        if (traceId !== undefined) void navigate({ to: '/developers/requests/$traceId', params: { traceId } });
      }}
    >
      <TextField
        label={text('traceId')}
        value={value}
        error={isWrong ? text('traceWrong') : undefined}
        onValueChange={setValue}
      />
      <Button type="submit">{text('find')}</Button>
    </form>
  );
}

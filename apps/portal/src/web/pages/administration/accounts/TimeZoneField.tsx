import { TextField } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { type ReactNode, useId } from 'react';
import { ACCOUNT_MESSAGES } from './account-messages.js';

interface TimeZoneFieldProps {
  readonly value: string;
  readonly required?: boolean;
  readonly error?: ReactNode;
  readonly onValueChange: (value: string) => void;
}

/** A text with the zones that the browser knows as suggestions. The service decides, because it may know others. */
export function TimeZoneField({ value, required = false, error, onValueChange }: TimeZoneFieldProps): ReactNode {
  const text = useMessages(ACCOUNT_MESSAGES);
  const suggestions = useId();
  return (
    <>
      <TextField
        label={text('timeZone')}
        required={required}
        list={suggestions}
        value={value}
        hint={text('timeZoneHint')}
        error={error}
        onValueChange={onValueChange}
      />
      <datalist id={suggestions}>
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

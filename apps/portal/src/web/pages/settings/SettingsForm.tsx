import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import type { ReactNode } from 'react';
import { Card } from '../../components/Card.js';
import { ProblemNote } from '../../components/ProblemNote.js';
import { SETTING_MESSAGES } from './setting-messages.js';
import classes from './settings.module.css';
import type { SettingAction } from './use-setting-change.js';

interface SettingsFormProps {
  readonly title: string;
  readonly action: SettingAction;
  /** The user may see the settings and not change them. */
  readonly isReadOnly: boolean;
  /** Members whose fields show why their values were refused. */
  readonly members: readonly string[];
  readonly children: ReactNode;
  readonly onSubmit: () => void;
}

/** A section of settings that are saved together. */
export function SettingsForm(props: SettingsFormProps): ReactNode {
  const { title, action, isReadOnly, members, children, onSubmit } = props;
  const text = useMessages(SETTING_MESSAGES);
  const isAtField = action.findViolation(...members) !== undefined;
  return (
    <Card title={title}>
      <form
        aria-label={title}
        className={classes['form']}
        onChange={action.touch}
        onSubmit={(event) => {
          event.preventDefault();
          if (!action.isBusy) onSubmit();
        }}
      >
        <fieldset className={classes['fields']} disabled={isReadOnly}>
          {children}
        </fieldset>
        {!isAtField && <ProblemNote problem={action.problem} />}
        {!isReadOnly && (
          <div className={classes['actions']}>
            <Button type="submit" isBusy={action.isBusy} aria-label={text('saveSection', { title })}>
              {text('save')}
            </Button>
            <span role="status" className={classes['saved']}>
              {action.isSaved ? text('saved') : ''}
            </span>
          </div>
        )}
      </form>
    </Card>
  );
}

import { AUDIT_ACTIONS } from '@pos/core/administration';
import { Button } from '@pos/web-ui/components';
import { useMessages } from '@pos/web-ui/messages';
import { type ReactNode, useState } from 'react';
import { ADMINISTRATION_MESSAGES } from '../administration-messages.js';
import classes from '../administration.module.css';
import { AuditFilter } from './audit-filter.js';
import { AUDIT_MESSAGES } from './audit-messages.js';
import { Choice } from '../../../components/Choice.js';
import { useAccounts } from '../TargetChoice.js';

interface AuditFiltersProps {
  /** Without a position: a change begins at the newest entries again. */
  readonly filter: Omit<AuditFilter, 'after'>;
  readonly onChange: (filter: AuditFilter) => void;
}

const SERVICE = 'service';

/** The filters of the audit log. */
export function AuditFilters({ filter, onChange }: AuditFiltersProps): ReactNode {
  const text = useMessages(AUDIT_MESSAGES);
  const shared = useMessages(ADMINISTRATION_MESSAGES);
  const { data: accounts = [] } = useAccounts();
  const { account: _account, isSystem: _isSystem, ...others } = filter;
  const owners = accounts.map(({ id, tradingName }) => [id, tradingName] as const);
  return (
    <div className={classes['filters']}>
      <Choice
        label={shared('account')}
        value={filter.isSystem === true ? SERVICE : (filter.account ?? '')}
        options={[['', shared('allAccounts')], [SERVICE, shared('service')], ...owners]}
        onChange={(chosen) =>
          onChange(AuditFilter.parse({ ...others, ...(chosen === SERVICE ? { isSystem: true } : { account: chosen }) }))
        }
      />
      <Choice
        label={text('action')}
        value={filter.action ?? ''}
        options={[['', text('allActions')], ...AUDIT_ACTIONS.toSorted().map((each) => [each, each] as const)]}
        onChange={(action) => onChange(AuditFilter.parse({ ...filter, action }))}
      />
      {(['from', 'to'] as const).map((name) => (
        <label key={name} className={classes['choice']}>
          {text(name)}
          <input
            type="date"
            value={filter[name] ?? ''}
            onChange={({ target }) => onChange(AuditFilter.parse({ ...filter, [name]: target.value }))}
          />
        </label>
      ))}
      <ActorFilter actor={filter.actor ?? ''} onChange={(actor) => onChange(AuditFilter.parse({ ...filter, actor }))} />
      {Object.keys(filter).length > 0 && (
        <Button kind="quiet" onClick={() => onChange({})}>
          {text('clear')}
        </Button>
      )}
    </div>
  );
}

/** Typed, so it counts when it is complete: by Enter, or when the field is left. */
function ActorFilter({ actor, onChange }: { actor: string; onChange: (actor: string) => void }): ReactNode {
  const text = useMessages(AUDIT_MESSAGES);
  const [typed, setTyped] = useState(actor);
  const apply = (): void => {
    if (typed.trim() !== actor) onChange(typed.trim());
  };
  return (
    <label className={classes['choice']}>
      {text('actor')}
      <input
        type="search"
        value={typed}
        placeholder={text('actorHint')}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={apply}
        onKeyDown={({ key }) => key === 'Enter' && apply()}
      />
    </label>
  );
}

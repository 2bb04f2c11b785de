import { Badge, EmptyState } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { listAgreedSettings } from '@pos/rest-contracts/portal';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { DataTable } from '../../../components/DataTable.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import type { SettingAnswer } from '../administration-answers.js';
import parts from '../../../components/page-parts.module.css';
import classes from '../administration.module.css';
import { AGREED_SETTING_MESSAGES } from './agreed-setting-messages.js';
import { ADMINISTRATION } from '../../../client/queries.js';

/** The settings that all processes have agreed on, and the apps that disagree. */
export function AgreedSettingsPage(): ReactNode {
  const text = useMessages(AGREED_SETTING_MESSAGES);
  const query = useQuery({
    queryKey: [ADMINISTRATION, 'agreed-settings'],
    queryFn: ({ signal }) => callOperation(listAgreedSettings, { signal }),
  });
  return (
    <>
      <PageHeader title={text('settings')} intro={text('intro')} />
      <QueryBoundary query={query}>
        {(settings) =>
          settings.length === 0 ? (
            <EmptyState title={text('noneTitle')}>{text('noneText')}</EmptyState>
          ) : (
            <div className={parts['parts']}>
              <RefusedStarts settings={settings} />
              <SettingTable settings={settings} />
            </div>
          )
        }
      </QueryBoundary>
    </>
  );
}

function SettingTable({ settings }: { settings: readonly SettingAnswer[] }): ReactNode {
  const text = useMessages(AGREED_SETTING_MESSAGES);
  const language = useLanguage();
  const columns = (['setting', 'state', 'value', 'next', 'app'] as const).map((name) => ({
    name: text(name),
  }));
  return (
    <DataTable label={text('settings')} columns={columns}>
      {settings.map((setting) => (
        <tr key={setting.name}>
          <td>
            <code>{setting.name}</code>
          </td>
          <td>
            <SettingState setting={setting} />
          </td>
          <td className={classes['words']}>{setting.value}</td>
          <td className={classes['words']}>{setting.nextValue ?? '–'}</td>
          <td>
            <span className={classes['owner']}>
              <span>{setting.app}</span>
              <span className={classes['minor']}>{formatMoment(setting.changedAt, language)}</span>
            </span>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function SettingState({ setting: { refused, nextValue } }: { setting: SettingAnswer }): ReactNode {
  const text = useMessages(AGREED_SETTING_MESSAGES);
  if (refused.length > 0) {
    const apps = refused.map(({ app }) => app).join(', ');
    return <Badge tone="negative">{text('disagrees', { apps })}</Badge>;
  }
  if (nextValue !== undefined) return <Badge tone="attention">{text('changing')}</Badge>;
  return <Badge tone="positive">{text('agreed')}</Badge>;
}

function RefusedStarts({ settings }: { settings: readonly SettingAnswer[] }): ReactNode {
  const text = useMessages(AGREED_SETTING_MESSAGES);
  const language = useLanguage();
  const starts = settings.flatMap(({ name, value, refused }) =>
    refused.map((start) => ({ ...start, name, agreed: value })),
  );
  if (starts.length === 0) return null;
  return (
    <section>
      <h2 className={parts['title']}>{text('refusedTitle')}</h2>
      <DataTable
        label={text('refusedTitle')}
        columns={[text('setting'), text('state'), text('at')].map((name) => ({ name }))}
      >
        {starts.map(({ name, app, value, agreed, at }) => (
          <tr key={`${name}/${app}`}>
            <td>
              <code>{name}</code>
            </td>
            <td className={classes['words']}>{text('refusedText', { app, own: value, value: agreed })}</td>
            <td>{formatMoment(at, language)}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

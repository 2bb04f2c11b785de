import { EmptyState } from '@pos/web-ui/components';
import { formatMoment } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import type { listEposIntegrations } from '@pos/rest-contracts/accounts';
import type { ReturnsOf } from '@pos/rest-contracts/operation';
import type { ReactNode } from 'react';
import { Card, Facts } from '../../components/Card.js';
import { EPOS_MESSAGES } from './epos-messages.js';
import parts from '../../components/page-parts.module.css';
import classes from './epos.module.css';

type Integrations = ReturnsOf<typeof listEposIntegrations>;

/** What a card shows of a registration; each kind has other members. */
interface Registration {
  readonly kind: 'rest' | 'grpc' | 'ws' | 'service';
  readonly createdAt: string;
  readonly url?: string;
  readonly username?: string;
  readonly capabilities?: Integrations['wsIntegrations'][number]['capabilities'];
}

/** A card for each registration of the EPOS. */
export function EposRegistrations({ integrations }: { integrations: Integrations }): ReactNode {
  const text = useMessages(EPOS_MESSAGES);
  const registrations = listRegistrations(integrations);
  if (registrations.length === 0) return <EmptyState title={text('noneTitle')}>{text('noneText')}</EmptyState>;
  return (
    <section>
      <h2 className={parts['title']}>{text('registrations')}</h2>
      <div className={classes['cards']}>
        {registrations.map((registration, place) => (
          <RegistrationCard key={place} registration={registration} />
        ))}
      </div>
    </section>
  );
}

function listRegistrations(integrations: Integrations): Registration[] {
  const { restIntegrations, grpcIntegrations, wsIntegrations, serviceManagedIntegrations } = integrations;
  return [
    ...restIntegrations.map(({ url, auth, capabilities, createdAt }) => ({
      ...{ kind: 'rest' as const, url, username: auth.basic.username, capabilities, createdAt },
    })),
    ...grpcIntegrations.map(({ url, auth, createdAt }) => ({
      ...{ kind: 'grpc' as const, url, username: auth.basic.username, createdAt },
    })),
    ...wsIntegrations.map((each) => ({ kind: 'ws' as const, ...each })),
    ...serviceManagedIntegrations.map((each) => ({ kind: 'service' as const, ...each })),
  ];
}

function RegistrationCard({ registration }: { registration: Registration }): ReactNode {
  const text = useMessages(EPOS_MESSAGES);
  const language = useLanguage();
  const { kind, url, username, capabilities, createdAt } = registration;
  const facts: (readonly [string, ReactNode])[] = [
    ...(url === undefined ? [] : [[text('address'), <code>{url}</code>] as const]),
    ...(username === undefined ? [] : [[text('user'), username] as const]),
    ...(capabilities === undefined
      ? []
      : [[text('capabilities'), <Capabilities names={capabilities.map(({ name }) => name)} />] as const]),
    [text('registered'), formatMoment(createdAt, language)],
  ];
  return (
    <Card title={text(kind)}>
      <Facts facts={facts} />
    </Card>
  );
}

function Capabilities({ names }: { names: readonly string[] }): ReactNode {
  const text = useMessages(EPOS_MESSAGES);
  if (names.length === 0) return text('noCapabilities');
  return (
    <ul className={classes['capabilities']}>
      {names.map((name) => (
        <li key={name}>
          <code>{name}</code>
        </li>
      ))}
    </ul>
  );
}

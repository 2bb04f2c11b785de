import { listEventKinds, EVENT_USE_CASES } from '@pos/rest-contracts/webhooks';
import { useMessages } from '@pos/web-ui/messages';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { WEBHOOKS } from '../../../client/queries.js';
import { BackLink } from '../../../components/BackLink.js';
import { DataTable } from '../../../components/DataTable.js';
import { PageHeader } from '../../../components/PageHeader.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import { CATALOGUE_MESSAGES, KIND_MESSAGES, USE_CASE_MESSAGES } from './catalogue-messages.js';
import layout from './webhooks.module.css';

/** The kinds of events, and which of them each kind of payment sends: data of the contract that a test has played. */
export function EventCataloguePage(): ReactNode {
  const text = useMessages(CATALOGUE_MESSAGES);
  const describe = useMessages(USE_CASE_MESSAGES);
  return (
    <>
      <BackLink to="/developers/webhooks">{text('subscriptions')}</BackLink>
      <PageHeader title={text('catalogue')} intro={text('intro')} />
      <div className={layout['stack']}>
        <h2 className={layout['title']}>{text('kinds')}</h2>
        <EventKinds />
        <h2 className={layout['title']}>{text('useCases')}</h2>
        {EVENT_USE_CASES.map(({ key, steps }) => (
          <section key={key} className={layout['stack']}>
            <h3 className={layout['case']}>{describe(key)}</h3>
            <DataTable label={describe(key)} columns={[{ name: text('request') }, { name: text('events') }]}>
              {steps.map(({ method, path, events }, place) => (
                <tr key={`${method} ${path} ${place}`} className={layout['request']}>
                  <td>
                    <code>
                      {method} {path}
                    </code>
                  </td>
                  <td>
                    <ol className={layout['events']}>
                      {events.map(({ kind, value }, number) => (
                        <li key={`${kind} ${number}`}>
                          <code>{kind}</code> {value ?? text('several')}
                        </li>
                      ))}
                    </ol>
                  </td>
                </tr>
              ))}
            </DataTable>
          </section>
        ))}
      </div>
    </>
  );
}

function EventKinds(): ReactNode {
  const text = useMessages(CATALOGUE_MESSAGES);
  const explain = useMessages(KIND_MESSAGES);
  const query = useQuery({
    queryKey: [WEBHOOKS, 'kinds'],
    queryFn: async ({ signal }) => {
      const [listed, all] = await Promise.all([
        callOperation(listEventKinds, { query: {}, signal }),
        callOperation(listEventKinds, { query: { optIn: true }, signal }),
      ]);
      const inCatalogue = new Set(listed.flatMap(({ events }) => events));
      return all.flatMap(({ events }) => events).map((kind) => ({ kind, isListed: inCatalogue.has(kind) }));
    },
  });
  const columns = (['kind', 'happens', 'listed'] as const).map((name) => ({ name: text(name) }));
  return (
    <QueryBoundary query={query}>
      {(kinds) => (
        <DataTable label={text('kinds')} columns={columns}>
          {kinds.map(({ kind, isListed }) => (
            <tr key={kind}>
              <td>
                <code>{kind}</code>
              </td>
              <td className={layout['wrapped']}>{explain(kind)}</td>
              <td>{text(isListed ? 'inCatalogue' : 'onRequest')}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </QueryBoundary>
  );
}

import { formatPartnerReport, type PartnerReportLine } from '@pos/core/accounts';
import { Button, EmptyState, TextField } from '@pos/web-ui/components';
import { formatMoney } from '@pos/web-ui/format';
import { useLanguage, useMessages } from '@pos/web-ui/messages';
import { reportAdministeredPartners } from '@pos/rest-contracts/portal';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { callOperation } from '../../../client/call-operation.js';
import { DataTable, NumberCell } from '../../../components/DataTable.js';
import { QueryBoundary } from '../../../components/QueryBoundary.js';
import parts from '../../../components/page-parts.module.css';
import { saveText } from '../../../components/save-text.js';
import type { PartnerLineAnswer } from '../administration-answers.js';
import classes from '../administration.module.css';
import { PARTNER_MESSAGES } from './partner-messages.js';
import { ADMINISTRATION } from '../../../client/queries.js';

const DAY_MS = 86_400_000;
const DAYS_SHOWN = 30;

/** The day so many days from today, as UTC has it: the report counts whole days of UTC. */
function toDay(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}

/** The turnover of partners by currency, with the days that it is about. */
export function PartnerReport(): ReactNode {
  const text = useMessages(PARTNER_MESSAGES);
  const [days, setDays] = useState({ from: toDay(-DAYS_SHOWN), to: toDay(0) });
  const query = useQuery({
    queryKey: [ADMINISTRATION, 'partner-report', days],
    queryFn: ({ signal }) => callOperation(reportAdministeredPartners, { query: toQuery(days), signal }),
    enabled: days.from !== '' && days.to !== '',
  });
  return (
    <section>
      <h2 className={parts['title']}>{text('report')}</h2>
      <p className={classes['note']}>{text('reportIntro')}</p>
      <div className={classes['filters']}>
        {(['from', 'to'] as const).map((name) => (
          <TextField
            key={name}
            label={text(name)}
            type="date"
            value={days[name]}
            onValueChange={(value) => setDays({ ...days, [name]: value })}
          />
        ))}
      </div>
      <QueryBoundary query={query}>
        {(lines) =>
          lines.length === 0 ? (
            <EmptyState title={text('noTurnoverTitle')}>{text('noTurnoverText')}</EmptyState>
          ) : (
            <>
              <ReportTable lines={lines} />
              <Button
                kind="quiet"
                onClick={() => saveText(`partners-${days.from}-${days.to}.csv`, formatPartnerReport(lines.map(toLine)))}
              >
                {text('download')}
              </Button>
            </>
          )
        }
      </QueryBoundary>
    </section>
  );
}

/** Both days are a part of the report. */
function toQuery({ from, to }: { readonly from: string; readonly to: string }) {
  const end = new Date(Date.parse(`${to}T00:00:00.000Z`) + DAY_MS).toISOString();
  return { from: `${from}T00:00:00.000Z`, to: end };
}

function toLine(line: PartnerLineAnswer): PartnerReportLine {
  const { partnerId, name, status } = line;
  return { ...line, partnerId: partnerId ?? null, name: name ?? null, status: status ?? null };
}

function ReportTable({ lines }: { lines: readonly PartnerLineAnswer[] }): ReactNode {
  const text = useMessages(PARTNER_MESSAGES);
  const language = useLanguage();
  const columns = [
    ...(['partner', 'kind'] as const).map((name) => ({ name: text(name) })),
    ...(['payments', 'taken', 'returned', 'net'] as const).map((name) => ({ name: text(name), isNumber: true })),
  ];
  return (
    <DataTable label={text('report')} columns={columns}>
      {lines.map(({ kind, partnerId, name, paymentCount, taken, returned, net }) => (
        <tr key={`${kind}/${partnerId}/${taken.currencyCode}`}>
          <td className={classes['words']}>
            <span className={classes['owner']}>
              <span>{partnerId === undefined ? text('unnamed') : (name ?? text('unregistered'))}</span>
              <span className={classes['minor']}>{partnerId}</span>
            </span>
          </td>
          <td>{text(kind)}</td>
          <NumberCell>{paymentCount.toLocaleString(language)}</NumberCell>
          {[taken, returned, net].map((amount, index) => (
            <NumberCell key={['taken', 'returned', 'net'][index]}>{formatMoney(amount, language)}</NumberCell>
          ))}
        </tr>
      ))}
    </DataTable>
  );
}

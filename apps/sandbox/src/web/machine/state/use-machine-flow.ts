import { useEffect, useRef, useState } from 'react';
import type { TableView } from '@pos/rest-contracts/sandbox';
import { SandboxError } from '../../restaurant/sandbox-request.js';
import type { MachineClient } from './machine-client.js';
import {
  findSmallestBill,
  prepareFull,
  prepareNextShare,
  type FlowStep,
  type PreparedPayment,
} from './machine-flow.js';

const NEWCOMER_TABLES_MAX = 4;
const IDLE: FlowStep = { at: 'idle' };

/** The waiter's way through the screens, and the requests on it. A refusal is shown above the screen. */
export function useMachineFlow(client: MachineClient, { paysNext }: { readonly paysNext: boolean }) {
  const [step, setStep] = useState<FlowStep>(paysNext ? { at: 'loading' } : IDLE);
  const [error, setError] = useState<string | null>(null);
  const [started, setStarted] = useState<PreparedPayment | null>(null);
  const fail = (reason: unknown): void => setError(reason instanceof SandboxError ? reason.message : '');
  const run = (work: () => Promise<void>): void => {
    setError(null);
    work().catch(fail);
  };
  const goTo = (next: FlowStep): void => {
    setError(null);
    setStep(next);
  };
  const openBill = (table: TableView): void =>
    run(async () => setStep({ at: 'bill', table, bill: await client.readBill(table.sessionId) }));

  const startPayment = async (prepared: PreparedPayment, gratuity: number): Promise<void> => {
    await client.pay({ sessionId: prepared.table.sessionId, part: prepared.part, gratuity });
    setStarted(prepared);
    setStep(IDLE);
  };

  const hasBegun = useRef(false);
  useEffect(() => {
    if (!paysNext || hasBegun.current) return;
    hasBegun.current = true;
    const openSmallest = async (): Promise<void> => {
      const tables = (await client.listTables()).tables.slice(0, NEWCOMER_TABLES_MAX);
      const bills = await Promise.all(
        tables.map(async (table) => [table, await client.readBill(table.sessionId)] as const),
      );
      const smallest = findSmallestBill(bills);
      // A page that is loaded again must not begin another payment.
      window.history.replaceState(null, '', removePayment(window.location));
      if (smallest === null) setStep({ at: 'tables' });
      else await startPayment(prepareFull(...smallest), 0);
    };
    openSmallest().catch((reason: unknown) => {
      fail(reason);
      setStep(IDLE);
    });
  });

  return {
    ...{ step, error, goTo, openBill, run, fail },
    pay: (prepared: PreparedPayment, gratuity: number): void => run(async () => startPayment(prepared, gratuity)),
    /** Continues with the next guest of the same table. */
    payNextPart: (): void =>
      run(async () => {
        if (started === null) return;
        const bill = await client.readBill(started.table.sessionId);
        const next = prepareNextShare(started, bill);
        setStep(next === null ? { at: 'bill', table: started.table, bill } : { at: 'tip', prepared: next });
      }),
    started,
  };
}

/** The address of the machine without the request to begin with a payment. */
function removePayment({ pathname, search }: Location): string {
  const query = new URLSearchParams(search);
  query.delete('pay');
  return query.size === 0 ? pathname : `${pathname}?${query}`;
}

export type MachineFlow = ReturnType<typeof useMachineFlow>;

import { useEffect, useState } from 'react';
import type { ReturnsOf } from '@pos/rest-contracts/operation';
import { listMachines, listSandboxAccounts, readSandboxLinks } from '@pos/rest-contracts/sandbox';
import { callSandbox } from './sandbox-request.js';

/** A restaurant of the sandbox. */
export type SandboxAccount = ReturnsOf<typeof listSandboxAccounts>['accounts'][number];

/** The restaurants of the sandbox; null until they are read. */
export function useAccounts(): readonly SandboxAccount[] | null {
  const [accounts, setAccounts] = useState<readonly SandboxAccount[] | null>(null);
  useEffect(() => {
    const read = async (): Promise<void> => {
      const answer = await callSandbox(listSandboxAccounts, {});
      setAccounts(answer.accounts);
    };
    read().catch(() => setAccounts([]));
  }, []);
  return accounts;
}

/** Addresses of pages of other apps. */
type SandboxLinks = ReturnsOf<typeof readSandboxLinks>;

/** The pages of other apps; none until they are read. */
export function useLinks(): SandboxLinks {
  const [links, setLinks] = useState<SandboxLinks>({});
  useEffect(() => {
    callSandbox(readSandboxLinks, {}).then(setLinks, () => undefined);
  }, []);
  return links;
}

/** A card machine of a restaurant. */
type SandboxMachine = ReturnsOf<typeof listMachines>['machines'][number];

/** The card machines of a restaurant; none until they are read. */
export function useMachines(accountId: string): readonly SandboxMachine[] {
  const [machines, setMachines] = useState<readonly SandboxMachine[]>([]);
  useEffect(() => {
    callSandbox(listMachines, { params: { accountId } }).then(
      (answer) => setMachines(answer.machines),
      () => setMachines([]),
    );
  }, [accountId]);
  return machines;
}

import type { ReportContext } from '@pos/core/testing';
import { type AcquirerCall, createAcquirerCall } from '@pos/core/acquirer-calls';
import { toAcquirerAnswer, findAmountMismatch } from '@pos/core/acquirer';
import type { CardPresentApproval } from '@pos/core/cards';
import {
  applyReport,
  applyWindowEnd,
  bookUnmadeRefund,
  checkMachineApproval,
  decideLate,
  type EndedCall,
  isCertainlyUnmade,
  isReportPostponed,
  isSessionFinal,
  type MachineReport,
  releaseUnmadeRefund,
  SESSION_WINDOWS,
  type SessionDecision,
  type TerminalSession,
} from '@pos/core/terminals';
import { type Money, money } from '@pos/core/money';
import { type Edge, walkStates } from './state-walk.js';

/** The rules that decide about a refund on a card machine; a test replaces one with a wrong one. */
export interface MachineRefundRules {
  readonly applyReport: typeof applyReport;
  readonly toAcquirerAnswer: typeof toAcquirerAnswer;
  readonly findAmountMismatch: typeof findAmountMismatch;
  readonly decideLate: typeof decideLate;
  readonly checkMachineApproval: typeof checkMachineApproval;
  readonly isCertainlyUnmade: typeof isCertainlyUnmade;
  /** The order to a machine for an expired session whose refund is open. */
  readonly orderExpired: (session: TerminalSession) => 'cancel' | 'stop';
  /** Whether an approval of a refund that has ended can be booked. */
  readonly endedRefund: (booked: boolean, room: number) => EndedCall;
}

export const MACHINE_REFUND_RULES: MachineRefundRules = {
  ...{ applyReport, toAcquirerAnswer, findAmountMismatch, decideLate, checkMachineApproval },
  isCertainlyUnmade,
  orderExpired: () => 'cancel',
  endedRefund: (booked, room) => (booked ? 'booked' : room >= 1 ? 'bookable' : 'noRoom'),
};

type MachineState = MachineReport extends infer R ? (R extends MachineReport ? Omit<R, 'number'> : never) : never;

interface Node {
  readonly session: TerminalSession;
  readonly call: 'open' | 'approved' | 'free';
  /** What the payment has left to refund, in refunds: one is reserved at first. */
  readonly room: number;
  readonly booked: number;
  readonly hasAlarm: boolean;
  readonly notFound: number;
  readonly isStartOnItsWay: boolean;
  /** `refusing`: it was ordered to cancel or stop a session that it does not have. */
  readonly machine: 'unaware' | 'asking' | 'cardIn' | 'ended' | 'lostMemory' | 'refusing';
  /** At most one: two at once are only found by the daily comparison with the acquirer's books. */
  readonly fault: 'none' | 'lostMemory' | 'contradicted' | 'otherAmount' | 'unreadable' | 'gap';
  /** `madeOther`: over another amount than the machine reports. */
  readonly acquirer: 'nothing' | 'asked' | 'made' | 'madeOther' | 'declined';
  /** The machine's approval was compared with the acquirer's answer. */
  readonly isChecked: boolean;
  /** The machine's pending reports, in order. */
  readonly reports: readonly MachineState[];
}

const AT = new Date('2026-03-01T12:00:00Z');
const LATER = new Date('2026-03-01T12:05:00Z');
const NOT_FOUND_MAX = 4;

/**
 * Walks every state that a refund on a card machine can reach: a start that never arrives or arrives late, a machine
 * that loses its memory or contradicts itself at any time, reports with any delay, an acquirer that receives
 * inquiries before and after the refund and lists another amount than the machine reports, an operator who concludes
 * by the list, and another refund of the payment that takes what was freed.
 */
export function exploreMachineRefunds(
  rules: MachineRefundRules,
  refund: { readonly session: TerminalSession; readonly approval: CardPresentApproval },
): { readonly states: number; readonly violations: readonly string[] } {
  const first: Node = {
    ...{ session: refund.session, call: 'open', room: 0, booked: 0, hasAlarm: false, notFound: 0 },
    ...{
      isStartOnItsWay: true,
      machine: 'unaware',
      fault: 'none',
      acquirer: 'nothing',
      reports: [],
      isChecked: false,
    },
  };
  const { nodes, violations } = walkStates<Node>({
    first,
    computeKey,
    listEdges: (node) => [
      ...listMachineEdges(node, refund.approval),
      ...listServiceEdges(rules, node, refund.approval),
    ],
    isEnd: (node) => node.call !== 'open' && node.reports.length === 0 && !isCheckDue(node),
    findProblems,
    findEdgeProblems: () => [],
  });
  return { states: nodes.length, violations };
}

function computeKey({ session, reports, ...rest }: Node): string {
  const { status, cardPresented, isUnknownToMachine, approval } = session;
  const isBegun = session.lastReport > 0;
  const isPostponing = session.postponedReport === session.lastReport + 2;
  const kinds = reports.map(({ kind }) => kind);
  return JSON.stringify({
    ...rest,
    status,
    cardPresented,
    isUnknownToMachine,
    isTaken: approval !== null,
    isBegun,
    isPostponing,
    kinds,
  });
}

function findProblems(node: Node): string[] {
  const { call, room, booked, hasAlarm, machine, acquirer, reports, isStartOnItsWay } = node;
  const hasLeft = acquirer === 'made' || acquirer === 'madeOther';
  const isSilent = reports.length === 0 && machine !== 'cardIn';
  const mayBegin = machine === 'asking' || (isStartOnItsWay && (machine === 'unaware' || machine === 'lostMemory'));
  const rules: Record<string, boolean> = {
    'booked twice': booked > 1,
    'refunded more than was taken': room < 0,
    'booked, and no money has left': booked > 0 && !hasLeft,
    'money has left unnoticed': hasLeft && call !== 'open' && isSilent && booked === 0 && !hasAlarm,
    'booked over another amount than the acquirer lists, unnoticed':
      acquirer === 'madeOther' && booked > 0 && !isCheckDue(node) && !hasAlarm,
    'freed while the machine may still begin': call === 'free' && mayBegin,
  };
  return Object.keys(rules).filter((rule) => rules[rule]);
}

/** The actions of the machine and the acquirer. */
function listMachineEdges(node: Node, approval: CardPresentApproval): Edge<Node>[] {
  const { machine, acquirer, reports, isStartOnItsWay } = node;
  const edges: Edge<Node>[] = [];
  const addEdge = (name: string, change: Partial<Node>, ...newReports: MachineState[]): void => {
    edges.push({ name, to: { ...node, ...change, reports: [...reports, ...newReports] } });
  };
  if (isStartOnItsWay && (machine === 'unaware' || machine === 'lostMemory')) {
    addEdge('start arrives', { machine: 'asking', isStartOnItsWay: false }, { kind: 'confirmed' });
  }
  if (isStartOnItsWay && machine === 'refusing') {
    addEdge('start is refused', { isStartOnItsWay: false }, { kind: 'unable', reason: 'ordered to stop before' });
  }
  if (machine === 'asking') {
    const shown: MachineState = { kind: 'notification', notificationType: 'PleaseWait' };
    addEdge('card is in', { machine: 'cardIn' }, shown);
    addEdge('cancelled at the machine', { machine: 'ended' }, { kind: 'canceled' });
  }
  // A machine that contradicts itself: it has reported its end, and reads a card all the same.
  if (machine === 'ended' && acquirer === 'nothing' && node.fault === 'none') {
    addEdge('card is read after the end', { machine: 'cardIn', fault: 'contradicted' });
  }
  if (machine === 'cardIn' && acquirer === 'nothing') addEdge('acquirer is asked', { acquirer: 'asked' });
  if (acquirer === 'asked') {
    const isThere = machine === 'cardIn';
    const to = isThere ? ({ machine: 'ended' } as const) : {};
    const yes: MachineState = { kind: 'approved', approval, isSignatureRequired: false };
    addEdge('acquirer makes it', { ...to, acquirer: 'made' }, ...(isThere ? [yes] : []));
    if (node.fault === 'none') {
      const other = { acquirer: 'madeOther', fault: 'otherAmount' } as const;
      addEdge('acquirer makes it over another amount', { ...to, ...other }, ...(isThere ? [yes] : []));
      const garbled: MachineState = { kind: 'unreadableApproval', problem: 'amount', details: {} };
      if (isThere) addEdge('its approval is garbled', { ...to, acquirer: 'made', fault: 'unreadable' }, garbled);
    }
    addEdge(
      'acquirer declines',
      { ...to, acquirer: 'declined' },
      ...(isThere ? [{ kind: 'declined', result: approval } as const] : []),
    );
  }
  if (node.fault === 'none' && machine !== 'unaware') {
    // Its undelivered orders are lost with the stream, and it restarts more slowly than an unconfirmed session
    // expires.
    const lostMemory = { machine: 'lostMemory', fault: 'lostMemory', reports: [], isStartOnItsWay: false } as const;
    edges.push({ name: 'machine loses its memory', to: { ...node, ...lostMemory } });
  }
  return edges;
}

/** Our actions, each in one transaction or one order to the machine. */
function listServiceEdges(rules: MachineRefundRules, node: Node, approval: CardPresentApproval): Edge<Node>[] {
  const { session, call, room, reports } = node;
  const edges: Edge<Node>[] = [];
  const [report, ...rest] = reports;
  if (report !== undefined) {
    const number = report.kind === 'unknownSession' ? 1 : session.lastReport + 1;
    const received = rules.applyReport(session, { ...report, number }, createReportContext(rules, node));
    edges.push({ name: `report ${report.kind}`, to: applyDecision({ ...node, reports: rest }, received) });
  }
  const skipping = skipReport(rules, node);
  if (skipping !== null) edges.push(skipping);
  const expired = isSessionFinal(session.status)
    ? null
    : applyWindowEnd(session, { ...createReportContext(rules, node), now: LATER });
  if (expired !== null) edges.push({ name: 'window passes', to: applyDecision(node, expired) });
  // Another refund takes what was freed.
  if (room > 0) edges.push({ name: 'another refund', to: { ...node, room: room - 1 } });
  if (isCheckDue(node)) edges.push({ name: 'approval is checked', to: checkApproval(rules, node, approval) });
  if (session.status !== 'Expired' || call !== 'open') return edges;
  const listed = settleByList(rules, node, approval);
  if (listed !== null) edges.push({ name: 'settled as listed', to: listed });
  const decided = applyInquiry(rules, node, approval);
  if (decided !== null) edges.push({ name: 'inquiry', to: decided });
  const ordered = endByCommand(node, rules.orderExpired(session));
  if (ordered !== null) edges.push({ name: 'order arrives', to: ordered });
  // If a card was seen and the machine has lost its memory, an operator looks into the acquirer's books.
  if (session.cardPresented && node.machine === 'refusing' && reports.length === 0) {
    if (node.acquirer !== 'asked') edges.push({ name: 'operator', to: applyDecision(node, decideAsOperator(node)) });
  }
  // Another amount is for an operator, too, who has the alarm.
  if (node.acquirer === 'madeOther' && node.hasAlarm && reports.length === 0) {
    edges.push({ name: 'operator, after an alarm', to: applyDecision(node, decideAsOperator(node)) });
  }
  return edges;
}

/** The second report arrives before the first one, which the machine either repeats or has lost. */
function skipReport(rules: MachineRefundRules, node: Node): Edge<Node> | null {
  const [, second, ...rest] = node.reports;
  if (second === undefined || second.kind === 'unknownSession') return null;
  if (node.fault !== 'none' && node.fault !== 'gap') return null;
  const report = { ...second, number: node.session.lastReport + 2 };
  const context = createReportContext(rules, node);
  const decision = rules.applyReport(node.session, report, context);
  const reports = isReportPostponed(node.session, report, context) ? node.reports : rest;
  return {
    name: `report ${second.kind} before another`,
    to: applyDecision({ ...node, fault: 'gap', reports }, decision),
  };
}

/** The decision of an operator who sees the acquirer's books. */
function decideAsOperator({ session, acquirer }: Node): SessionDecision {
  return acquirer === 'made' || acquirer === 'madeOther' ? bookUnmadeRefund(session) : releaseUnmadeRefund(session);
}

/** Whether an approval that the machine has reported is still to be compared with the acquirer's answer. */
function isCheckDue({ session, booked, isChecked }: Node): boolean {
  return session.approval !== null && booked > 0 && !isChecked;
}

function checkApproval(rules: MachineRefundRules, node: Node, approval: CardPresentApproval): Node {
  const { transactionId, transactionDateTime } = approval;
  const answer = { outcome: 'done', transactionId, transactionDateTime, amount: getListedAmount(node) } as const;
  const { outcome } = rules.checkMachineApproval({ call: callOf(node.session), approval }, answer, 1);
  return { ...node, isChecked: true, hasAlarm: node.hasAlarm || outcome === 'differs' };
}

/** Concludes by the acquirer's list for an operator; null while the acquirer has not decided. */
function settleByList(rules: MachineRefundRules, node: Node, approval: CardPresentApproval): Node | null {
  const { session, acquirer } = node;
  if (acquirer === 'asked') return null;
  if (acquirer === 'nothing') return applyInquiry(rules, node, approval);
  const call = callOf(session);
  const status = acquirer === 'declined' ? 'declined' : 'booked';
  const answer = rules.toAcquirerAnswer(call, {
    ...{ reference: call.reference, originalReference: null, kind: 'Refund', status, bookedAt: AT },
    ...{ transactionId: '', tid: '' },
    amount: getListedAmount(node),
  });
  if (rules.findAmountMismatch(session.total, answer) !== null) return { ...node, hasAlarm: true };
  const decision = rules.decideLate(session, answer, { approve: () => bookUnmadeRefund(session), isDecided: true });
  return decision === null ? node : applyDecision(node, decision);
}

function getListedAmount({ session, acquirer }: Node): Money {
  const { value, currencyCode } = session.total;
  return money(acquirer === 'madeOther' ? value + 1 : value, currencyCode);
}

function callOf({ acquirerReference: reference, total: amount }: TerminalSession): AcquirerCall {
  const about = {
    acquirer: 'default',
    merchantId: 'M-1',
    originalReference: null,
    paymentIntentId: null,
    terminalSessionId: null,
  };
  return createAcquirerCall({ reference, kind: 'Refund', ...about, amount, deadlineAt: AT });
}

/** A call that has reached the acquirer is in progress or decided; only a call that was never sent is not found. */
function applyInquiry(rules: MachineRefundRules, node: Node, approval: CardPresentApproval): Node | null {
  const { session, acquirer } = node;
  switch (acquirer) {
    case 'asked':
      return null;
    case 'madeOther': {
      const { total } = session;
      const answer = {
        outcome: 'done',
        transactionId: '',
        transactionDateTime: '',
        amount: getListedAmount(node),
      } as const;
      if (rules.findAmountMismatch(total, answer) !== null) return { ...node, hasAlarm: true };
      return applyDecision(node, bookUnmadeRefund(session));
    }
    case 'made': {
      const report = {
        kind: 'approved',
        approval,
        isSignatureRequired: false,
        number: session.lastReport + 1,
      } as const;
      const { lastReport } = session;
      const decision = rules.applyReport(session, report, createReportContext(rules, node));
      return applyDecision(node, { ...decision, session: { ...decision.session, lastReport } });
    }
    case 'declined':
      return applyDecision(node, releaseUnmadeRefund(session));
    case 'nothing': {
      const notFound = session.isUnknownToMachine ? Math.min(NOT_FOUND_MAX, node.notFound + 1) : 0;
      const asked = { ...node, notFound };
      return rules.isCertainlyUnmade(session, notFound) ? applyDecision(asked, releaseUnmadeRefund(session)) : asked;
    }
  }
}

function endByCommand(node: Node, order: 'cancel' | 'stop'): Node | null {
  const { machine, reports } = node;
  const addReport = (report: MachineState): Node['reports'] => (order === 'cancel' ? [...reports, report] : reports);
  switch (machine) {
    case 'unaware':
    case 'lostMemory':
      return { ...node, machine: 'refusing', reports: addReport({ kind: 'unknownSession' }) };
    case 'asking':
      return { ...node, machine: 'ended', reports: addReport({ kind: 'canceled' }) };
    case 'cardIn':
    case 'ended':
    case 'refusing':
      return null;
  }
}

function applyDecision(node: Node, { session, onIntent, onAttempt, alarms }: SessionDecision): Node {
  const isBooked = onIntent?.kind === 'bookRefund' || onIntent?.kind === 'concludeFreedRefund';
  const roomLess = onIntent?.kind === 'concludeFreedRefund' ? 1 : 0;
  const roomMore = onIntent?.kind === 'freeRefund' ? 1 : 0;
  return {
    ...node,
    session: { ...session, version: 1, updatedAt: AT, expireAt: node.session.expireAt },
    room: node.room - roomLess + roomMore,
    booked: node.booked + (isBooked ? 1 : 0),
    // A gap alone does not show that money has left.
    hasAlarm: node.hasAlarm || alarms.some(({ kind }) => kind !== 'MachineReportsMissing'),
    call: callAfter(node.call, onAttempt),
  };
}

function callAfter(call: Node['call'], onAttempt: SessionDecision['onAttempt']): Node['call'] {
  switch (onAttempt?.kind) {
    case 'settled':
    case 'corrected':
    case 'booked':
      return 'approved';
    case 'declined':
    case 'canceled':
      return 'free';
    case 'approved':
    case 'undo':
    case 'givenUp':
    case 'uncertain':
    case undefined:
      return call;
  }
}

function createReportContext(rules: MachineRefundRules, { call, room, booked }: Node): ReportContext {
  return {
    ...{ now: AT, heading: HEADING, windows: SESSION_WINDOWS },
    isAttemptOpen: call === 'open',
    endedCall: rules.endedRefund(call === 'approved' || booked > 0, room),
    paidCard: null,
  };
}

const HEADING: ReportContext['heading'] = {
  ...{
    merchantName: 'A restaurant',
    phoneNumber: null,
    site: null,
    tid: '90000001',
    table: null,
    handset: null,
    timeZone: 'UTC',
  },
};

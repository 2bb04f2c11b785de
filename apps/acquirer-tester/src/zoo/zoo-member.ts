import { ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js';
import type { AcquirerSimulator } from '@pos/sandbox/acquirer';
import type { ClauseId } from '../clauses/clauses.js';

/** The acquirer of the sandbox with one defect, and the check that must detect it. */
export interface ZooMember {
  /** The defect, as the rest of a sentence that begins with "An acquirer". Unique among the members. */
  readonly defect: string;
  /** The flow that tests for it, and the clause of its first failed check. */
  readonly flow: string;
  readonly clause: ClauseId;
  /** Other clauses that the defect breaks, which other flows may report first. */
  readonly also?: readonly ClauseId[];
  /** Changes the acquirer. */
  readonly prepare?: (simulator: AcquirerSimulator) => void;
  /** Changes its messages. */
  readonly interceptors?: readonly ServerInterceptor[];
  readonly checksCredential?: boolean;
}

/** Changes the answers of one method on the wire. */
export function changeAnswers<A>(method: string, change: (answer: A) => A): ServerInterceptor {
  return ({ path }, call) =>
    new ServerInterceptingCall(call, {
      sendMessage: (message: A, next) => {
        next(path.endsWith(`/${method}`) ? change(message) : message);
      },
    });
}

/** Lets an acquirer challenge payers for whom the request says that no challenge is possible. */
export const ignoreNoChallenge = (): ServerInterceptor =>
  changeRequests<{ readonly noChallenge: boolean }>('Authorise', (request) => ({ ...request, noChallenge: false }));

/** Changes the requests of one method on the wire. */
export function changeRequests<Q>(method: string, change: (request: Q) => Q): ServerInterceptor {
  return ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (next) => {
        next({
          onReceiveMessage: (message: Q, nextMessage) => {
            nextMessage(path.endsWith(`/${method}`) ? change(message) : message);
          },
        });
      },
    });
}

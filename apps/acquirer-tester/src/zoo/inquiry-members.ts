import {
  type Booking,
  BookingKind,
  BookingStatus,
  type ListBookedRequest,
  type ListBookedResponse,
} from '@pos/grpc-contracts/acquirer';
import type { AcquirerSimulator } from '@pos/sandbox/acquirer';
import { changeAnswers, changeRequests, type ZooMember } from './zoo-member.js';

type AcquirerCallState = Awaited<ReturnType<AcquirerSimulator['inquire']>>;

/** Acquirers whose inquiries or lists are wrong. */
export const INQUIRY_MEMBERS: readonly ZooMember[] = [
  {
    defect: 'that does not know a call that is in progress',
    ...{ flow: 'late-approval', clause: 'inquire.in-progress' },
    prepare: patchInquire((state) =>
      state.outcome === 'InProgress' ? { ...state, outcome: 'NotFound', amount: null, call: null } : state,
    ),
  },
  {
    defect: 'that does not know calls that it has declined',
    ...{ flow: 'authorise-declined', clause: 'inquire.agrees' },
    prepare: patchInquire((state) =>
      state.outcome === 'Declined' ? { ...state, outcome: 'NotFound', amount: null, call: null } : state,
    ),
  },
  {
    defect: 'that answers inquiries with the opposite',
    ...{ flow: 'authorise-hold', clause: 'inquire.agrees', also: ['inquire.final'] },
    prepare: patchInquire((state) => (state.outcome === 'Approved' ? { ...state, outcome: 'Declined' } : state)),
  },
  {
    defect: 'whose outcome changes after some inquiries',
    ...{ flow: 'final-outcome', clause: 'inquire.final', also: ['inquire.agrees'] },
    prepare: (simulator) => {
      let inquiries = 0;
      patchInquire((state) => {
        inquiries += 1;
        return state.outcome === 'Approved' && inquiries % 4 === 0 ? { ...state, outcome: 'InProgress' } : state;
      })(simulator);
    },
  },
  {
    defect: 'that inquires no more about a challenge',
    ...{ flow: 'challenge-answer-lost', clause: 'challenge.lost' },
    prepare: (simulator) => {
      const completions = new Map<string, number>();
      const complete = simulator.completeChallenge.bind(simulator);
      simulator.completeChallenge = (reference, answer) => {
        completions.set(reference, (completions.get(reference) ?? 0) + 1);
        return complete(reference, answer);
      };
      // Only a second completion, whose answer arrives, makes it look again.
      patchInquire((state) => (completions.get(state.reference) === 1 ? { ...state, outcome: 'Challenged' } : state))(
        simulator,
      );
    },
  },
  {
    defect: 'that takes an unknown reference for a call in progress',
    ...{ flow: 'inquire-unknown', clause: 'inquire.unknown' },
    prepare: patchInquire((state) => (state.outcome === 'NotFound' ? { ...state, outcome: 'InProgress' } : state)),
  },
  {
    defect: 'that lists what it has declined as booked',
    ...{ flow: 'authorise-declined', clause: 'list.only-booked' },
    interceptors: [
      changeBookings((bookings) =>
        bookings.map((booking) => ({ ...booking, status: BookingStatus.BOOKING_STATUS_BOOKED })),
      ),
    ],
  },
  {
    defect: 'that lists every booking twice',
    ...{ flow: 'authorise-hold', clause: 'repeat.once' },
    interceptors: [changeBookings((bookings) => bookings.flatMap((booking) => [booking, booking]))],
  },
  {
    defect: 'that lists a purchase without its capture',
    ...{ flow: 'authorise-purchase', clause: 'list.complete' },
    interceptors: [
      changeBookings((bookings) => bookings.filter(({ kind }) => kind !== BookingKind.BOOKING_KIND_CAPTURE)),
    ],
  },
  {
    defect: 'that lists amounts without their minor units',
    ...{ flow: 'refund-part', clause: 'list.amounts' },
    interceptors: [changeBookings((bookings) => bookings.map((each) => ({ ...each, amount: each.amount / 100n })))],
  },
  {
    defect: 'that lists what was reversed as booked',
    ...{ flow: 'reverse-hold', clause: 'list.statuses' },
    interceptors: [
      changeBookings((bookings) =>
        bookings.map((each) =>
          each.status === BookingStatus.BOOKING_STATUS_REVERSED
            ? { ...each, status: BookingStatus.BOOKING_STATUS_BOOKED }
            : each,
        ),
      ),
    ],
  },
  {
    defect: 'that lists refunds without their payment',
    ...{ flow: 'refund-full', clause: 'list.original' },
    interceptors: [changeBookings((bookings) => bookings.map((each) => ({ ...each, originalReference: '' })))],
  },
  {
    defect: 'that lists the newest booking first',
    ...{ flow: 'list-pages', clause: 'list.pages', also: ['list.order'] },
    interceptors: [changeBookings((bookings) => bookings.toReversed())],
  },
  {
    defect: 'whose pages overlap',
    ...{ flow: 'list-pages', clause: 'list.pages', also: ['repeat.once'] },
    interceptors: [
      changeRequests<ListBookedRequest>('ListBooked', (request) => ({
        ...request,
        pageToken: request.pageToken === '' ? '' : String(Math.max(0, Number(request.pageToken) - 1)),
      })),
    ],
  },
  {
    defect: 'that ignores the end of a list',
    ...{ flow: 'list-range', clause: 'list.range' },
    interceptors: [changeRequests<ListBookedRequest>('ListBooked', (request) => ({ ...request, to: undefined }))],
  },
  {
    defect: 'that takes any page token',
    ...{ flow: 'list-bad-page', clause: 'list.bad-page' },
    interceptors: [
      changeRequests<ListBookedRequest>('ListBooked', (request) => ({
        ...request,
        pageToken: /^\d*$/.test(request.pageToken) ? request.pageToken : '',
      })),
    ],
  },
];

function patchInquire(change: (state: AcquirerCallState) => AcquirerCallState) {
  return (simulator: AcquirerSimulator): void => {
    const inquire = simulator.inquire.bind(simulator);
    simulator.inquire = async (reference) => change(await inquire(reference));
  };
}

function changeBookings(change: (bookings: Booking[]) => Booking[]) {
  return changeAnswers<ListBookedResponse>('ListBooked', (answer) => ({
    ...answer,
    bookings: change(answer.bookings),
  }));
}

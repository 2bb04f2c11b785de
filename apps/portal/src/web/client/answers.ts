import type { createReservation, getParty, getReservation } from '@pos/rest-contracts/bookings';
import type { listApiKeys, searchCustomers } from '@pos/rest-contracts/accounts';
import type { groupErrors, listPaymentActivities, listRequests } from '@pos/rest-contracts/activities';
import type { ReturnsOf, SentBodyOf } from '@pos/rest-contracts/operation';
import type { listSavedCards, readPaymentIntent } from '@pos/rest-contracts/payment-intents';
import type {
  changePortalAccountSettings,
  listFourEyesRequests,
  listOwnSessions,
  listPaymentViews,
  readPortalAccountSettings,
  readPortalOverview,
  readPortalSession,
  readSecondFactors,
  readSimulator,
} from '@pos/rest-contracts/portal';
import type { readSetupIntent } from '@pos/rest-contracts/setup-intents';
import type { readDelivery, readSubscription } from '@pos/rest-contracts/webhooks';

/** What the service answers, as nobody changes it. */
export type PaymentAnswer = ReturnsOf<typeof readPaymentIntent>;
export type SessionAnswer = ReturnsOf<typeof readPortalSession>;
export type SecondFactorsAnswer = ReturnsOf<typeof readSecondFactors>;
export type OwnSessionAnswer = ReturnsOf<typeof listOwnSessions>[number];
export type OverviewAnswer = ReturnsOf<typeof readPortalOverview>;
export type KeyAnswer = ReturnsOf<typeof listApiKeys>[number];
export type DeliveryAnswer = ReturnsOf<typeof readDelivery>;
export type SubscriptionAnswer = ReturnsOf<typeof readSubscription>;
export type SecretAnswer = SubscriptionAnswer['secrets'][number];
export type RequestAnswer = ReturnsOf<typeof listRequests>['data'][number];
export type ErrorGroupAnswer = ReturnsOf<typeof groupErrors>['data'][number];
export type ActivityAnswer = ReturnsOf<typeof listPaymentActivities>['data'][number];
export type CustomerAnswer = ReturnsOf<typeof searchCustomers>['data'][number];
export type SavedCardAnswer = ReturnsOf<typeof listSavedCards>['savedPaymentMethods'][number];
export type SetupIntentAnswer = ReturnsOf<typeof readSetupIntent>;
export type PaymentViewAnswer = ReturnsOf<typeof listPaymentViews>[number];
export type AccountSettingsAnswer = ReturnsOf<typeof readPortalAccountSettings>;
export type SettingChange = SentBodyOf<typeof changePortalAccountSettings>;
export type FourEyesAnswer = ReturnsOf<typeof listFourEyesRequests>['requests'][number];
export type ReservationAnswer = ReturnsOf<typeof getReservation>;
export type PartyAnswer = ReturnsOf<typeof getParty>;
export type SentReservation = SentBodyOf<typeof createReservation>;
export type SimulatorAnswer = ReturnsOf<typeof readSimulator>;

import type { listApiKeys } from '@pos/rest-contracts/accounts/api-keys';
import type { searchCustomers } from '@pos/rest-contracts/accounts/customers';
import type { groupErrors, listPaymentActivities, listRequests } from '@pos/rest-contracts/activities/activities';
import type { ReturnsOf, SentBodyOf } from '@pos/rest-contracts/operation/operation';
import type { readPaymentIntent } from '@pos/rest-contracts/payment-intents/payment-intent-operations';
import type { listSavedCards } from '@pos/rest-contracts/payment-intents/saved-cards';
import type {
  changePortalAccountSettings,
  readPortalAccountSettings,
} from '@pos/rest-contracts/portal/account-settings';
import type { listOwnSessions } from '@pos/rest-contracts/portal/own-user';
import type { listPaymentViews } from '@pos/rest-contracts/portal/payment-views';
import type { readPortalOverview } from '@pos/rest-contracts/portal/portal-overview';
import type { readPortalSession } from '@pos/rest-contracts/portal/portal-session';
import type { readSimulator } from '@pos/rest-contracts/portal/simulator';
import type { readSetupIntent } from '@pos/rest-contracts/setup-intents/setup-intent-operations';
import type { readDelivery } from '@pos/rest-contracts/webhooks/webhook-deliveries';
import type { readSubscription } from '@pos/rest-contracts/webhooks/webhooks';

/** What the service answers, as nobody changes it. */
export type PaymentAnswer = ReturnsOf<typeof readPaymentIntent>;
export type SessionAnswer = ReturnsOf<typeof readPortalSession>;
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
export type SimulatorAnswer = ReturnsOf<typeof readSimulator>;

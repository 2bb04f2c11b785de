import type { AccountId, ApiKeyId, Scope } from '../identity/identity.js';

/** Every change and every read that the audit log stores. */
export const AUDIT_ACTIONS = [
  'CreateAccount',
  'DisableAccount',
  'EnableAccount',
  'CreateLocation',
  'UpdateLocation',
  'RegisterTerminal',
  'ReplaceTerminal',
  'ResetTerminalCredential',
  'CreateApiKey',
  'ChangeApiKey',
  'RevokeApiKey',
  'ChangeSettings',
  'RetireMerchantId',
  'ReleaseDeposit',
  'ResolvePending',
  'AnswerDifference',
  'StartReconciliation',
  'ImportSettlementFile',
  'DeclareEmptyDays',
  'ReplayDelivery',
  'ReplayDeadLetters',
  'ResealValues',
  'RetirePepper',
  'ChangeAgreedSetting',
  'FinishAgreedSetting',
  'ResetAgreedSettings',
  'CreatePortalUser',
  'DisablePortalUser',
  'EnablePortalUser',
  'ResetPortalPassword',
  'ChangePortalPassword',
  'LockPortalUser',
  'UnlockPortalUser',
  'EndPortalSessions',
  'GrantPortalRole',
  'RevokePortalRole',
  'RegisterPartner',
  'UpdatePartner',
  'RetirePartner',
  'ReactivatePartner',
  'EnforcePartners',
  'PortalRequest',
  'RequestFourEyes',
  'ApproveFourEyes',
  'RefuseFourEyes',
  'FinishFourEyes',
  'RequireSecondOperator',
  'SignIn',
  'SignInRefused',
  'SignOut',
  'SignOutEverywhere',
  'Reauthenticate',
  'ReauthenticationRefused',
  'AddSecondFactor',
  'RemoveSecondFactor',
  'CreateRecoveryCodes',
  'UseRecoveryCode',
  'SecondFactorRefused',
  'ResetSecondFactor',
  'ReadPersonalData',
  'ReadAuditLog',
  'Migrate',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The operator of a change, and the reason. */
export interface AuditedChange {
  readonly actor: string;
  readonly reason: string;
  /** Who runs the command according to its machine, beside the actor that they name; none for a request. */
  readonly operatingSystemUser?: string;
  /** The numbers of that user, to compare two people; none for a request. */
  readonly operatingSystem?: OperatingSystemIdentity;
}

/** What identifies the user of the operating system who runs a command. */
export interface OperatingSystemIdentity {
  /** Of the login session; null where the system has none. No process changes it, and `sudo` keeps it. */
  readonly login: number | null;
  /** The number of the process's user, and the one that `sudo` names. */
  readonly numbers: readonly number[];
}

/** The state of a subject before or after a change: plain JSON without secrets. */
export type AuditState = Readonly<Record<string, unknown>>;

/** A change as it is stored. */
export interface AuditEntry extends Omit<AuditedChange, 'operatingSystemUser' | 'operatingSystem'> {
  readonly id: string;
  readonly scope: Scope;
  readonly action: AuditAction;
  /** The id or name of what was changed. */
  readonly subject: string;
  readonly operatingSystemUser: string | null;
  readonly before: AuditState | null;
  readonly after: AuditState | null;
  /** Database time. */
  readonly createdAt: Date;
}

/** The account of audit entries that belong to none. It has no row of its own, no keys and no payments. */
export const SYSTEM_ACCOUNT_ID: AccountId = 'acc_system0000000000000000';
/** Where changes of the whole service are stored. */
export const SYSTEM_SCOPE: Scope = { accountId: SYSTEM_ACCOUNT_ID, environment: 'production' };

/**
 * Stands for operators of the whole service among the API keys that have made operator calls: for `pos-admin`, and for
 * the operations pages of the portal. The audit log names the person.
 */
export const ADMINISTRATION_KEY_ID: ApiKeyId = 'key_administration00000000';

/** Stands for the portal among the API keys that have made operator calls; the audit log names the user. */
export const PORTAL_KEY_ID: ApiKeyId = 'key_portal0000000000000000';

export const AUDIT_ACTOR_LENGTH_MAX = 200;
export const AUDIT_REASON_LENGTH_MAX = 1000;

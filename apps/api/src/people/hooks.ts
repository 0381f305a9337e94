import type { Currency } from '@nearhand/contract/currencies';
import type { MemberRole } from '@nearhand/contract/operation';
import type { AccountDeletionState, DeletionObstacle } from '@nearhand/contract/people/account-deletion';
import type { BusinessDecision } from '@nearhand/contract/people/business-verification';
import type { CertificateKind } from '@nearhand/contract/people/certificates.rules';
import type { IdentityDecision } from '@nearhand/contract/people/identity-checks';
import type { FormerMember } from '../platform/anonymise.ts';
import type { Db, Tx } from '../platform/db.ts';
import { createHooks } from '../platform/hooks.ts';
import type { Scope } from '../platform/http/scope.ts';
import type { TaskScope } from '../platform/tasks/tasks.ts';

/** What keeps a business from closing. */
export type ClosingObstacles = { runningJobs: number; hasMoney: boolean };

/** News of a team for some of its members, or for someone who is no longer one. */
export type TeamNews = {
  kind:
    | 'joined'
    | 'invitation-declined'
    | 'invitation-asked'
    | 'role-changed'
    | 'removed'
    | 'left'
    | 'ownership-offered'
    | 'ownership-accepted'
    | 'ownership-declined'
    | 'ownership-expired';
  to: readonly string[];
  business: { id: string; name: string };
  /** Whom it is about. */
  personName: string;
  role: MemberRole;
  /** Until when an offer can be answered. */
  by?: Date;
  /** Distinguishes one event of its kind from the next. */
  event: string;
};

type NoticeScope = Pick<Scope, 'clock'> & Partial<Pick<Scope, 'unmailed' | 'config'>>;

/** What happens in `people` that later domains act on or answer, in the same transaction. */
export type PeopleHooks = {
  /** Someone followed a link mailed to this address: mail may go there again. */
  addressConfirmed(db: Db, address: string): Promise<void>;
  /** Asks whether the mail server of a verified address has refused mail since. */
  isAddressRefused(db: Db, accountId: string): Promise<boolean>;
  /** All sessions of an account ended, or all but one: everything that opens without a session must stop working. */
  sessionsEnded(tx: Tx, accountId: string): Promise<void>;
  /** Devices of an account were signed out: none that skips the second step may be left. */
  devicesSignedOut(tx: Tx, accountId: string): Promise<void>;
  /** Every way to sign in that an account was given since a time is removed: passkeys too. */
  signInForgotten(tx: Tx, accountId: string, since: Date): Promise<void>;
  /** A password was changed or reset: links that were mailed before must stop working. */
  passwordChanged(tx: Tx, accountId: string): Promise<void>;
  /** The identity provider has another account with the address that this one changed to: it keeps the one before. */
  emailRefused(
    tx: Tx,
    scope: Pick<Scope, 'clock'>,
    refused: { accountId: string; email: string },
  ): Promise<void>;
  /** Asks how many notifications `accounts.me` shows as unread. */
  countUnread(db: Db, accountId: string): Promise<number>;
  /** Skills, availability or home changed: match scores are out of date. */
  workerChanged(tx: Tx, workerId: string): Promise<void>;
  /** A business has a new name. */
  businessRenamed(tx: Tx, business: { id: string; name: string }): Promise<void>;
  /** An operator verified a business, asked for more or rejected it: its owners and managers are notified with the reason. */
  businessDecided(
    tx: Tx,
    scope: NoticeScope,
    business: { id: string; name: string; managerIds: readonly string[] },
    decided: { decision: BusinessDecision; reason: string },
  ): Promise<void>;
  /** A person's identity document was verified, refused, or more is needed: they are notified with the reason. */
  identityDecided(
    tx: Tx,
    scope: NoticeScope,
    check: { id: string; accountId: string },
    decided: { decision: IdentityDecision; reason: string },
  ): Promise<void>;
  /** A certificate was decided, or is about to end or over: the person is notified. `event` distinguishes one reminder from the next. */
  certificateNews(
    tx: Tx,
    scope: NoticeScope,
    certificate: { accountId: string; kind: CertificateKind; expiresOn: string },
    news: { news: 'checked' | 'refused' | 'expiring' | 'expired'; reason: string; event: string },
  ): Promise<void>;
  /** Someone joined or left a team, or their role in it changed. */
  teamChanged(tx: Tx, scope: NoticeScope, news: TeamNews): Promise<void>;
  /** Asks what stands in the way of closing a business, which the caller has locked. */
  businessClosing(tx: Tx, businessId: string): Promise<ClosingObstacles>;
  /** A business is being closed for good: its promotional credit ends. @returns what ended, in minor units */
  businessClosed(
    tx: Tx,
    scope: Scope,
    businessId: string,
  ): Promise<{ amountMinor: number; currency: Currency }[]>;
  /** Asks what keeps an account from being deleted: money, unsettled work, offers, a role as operator. */
  accountObstacles(db: Db, accountId: string): Promise<DeletionObstacle[]>;
  /** Asks which payouts a bank may still return, by currency in minor units. */
  moneyThatMayReturn(db: Db, accountId: string, now: Date): Promise<AccountDeletionState['mayReturn']>;
  /** The caller asked to delete their account, which the transaction has locked: what they have asked of others ends. */
  accountLeaving(tx: Tx, scope: Scope, accountId: string): Promise<void>;
  /** An account is removed: every slice takes what names the person out of its tables. Memberships, files and the profile are still there. */
  accountRemoved(tx: Tx, scope: TaskScope, member: FormerMember): Promise<void>;
};

export const peopleHooks = createHooks<PeopleHooks>('people');

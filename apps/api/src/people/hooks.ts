import type { HouseRule } from '@nearhand/contract/house-rules';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { AccountDeletionState, DeletionObstacle } from '@nearhand/contract/people/account-deletion';
import type { BusinessDecision } from '@nearhand/contract/people/business-verification';
import type { BusinessClosing } from '@nearhand/contract/people/businesses';
import type { CertificateDecision } from '@nearhand/contract/people/certificates';
import type { CertificateKind } from '@nearhand/contract/people/certificates.rules';
import type { IdentityDecision } from '@nearhand/contract/people/identity-checks';
import type { FormerMember } from '../platform/anonymise.ts';
import type { Db, Tx } from '../platform/db.ts';
import { createHooks } from '../platform/hooks.ts';
import type { ClockScope, Scope } from '../platform/http/scope.ts';
import type { TaskScope } from '../platform/tasks/tasks.ts';

export type TeamNews = {
  kind:
    | 'invited'
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
  personName: string;
  role: MemberRole;
  by?: Date;
  event: string;
};

type AddedBranch = { id: string; businessId: string; address: string; lat: number; lng: number };

/** The scope of a handler that sends notices. */
export type NoticeScope = ClockScope & Partial<Pick<Scope, 'unmailed' | 'config'>>;

/** An operator's decision; a refusal names the rule it rests on. */
export type DecidedBusiness = {
  decision: BusinessDecision;
  reason: string;
  rule: HouseRule | null;
  by: string;
};

export type DecidedCertificate = { id: string; accountId: string; kind: CertificateKind; expiresOn: string };

/** Events that later domains handle in the same transaction. */
export type PeopleEvents = {
  /** The address was proven by its link, so an earlier bounce no longer blocks it. */
  addressConfirmed(db: Db, address: string): Promise<void>;
  /** All sessions ended, or all but one: everything that opens without a session must stop working. */
  sessionsEnded(tx: Tx, accountId: string): Promise<void>;
  /** Devices were signed out: none that skips the second step may remain. */
  devicesSignedOut(tx: Tx, accountId: string): Promise<void>;
  /** Removes every way to sign in that was added since a time, passkeys included. */
  signInForgotten(tx: Tx, accountId: string, since: Date): Promise<void>;
  /** A password changed: links mailed before must stop working. */
  passwordChanged(tx: Tx, accountId: string): Promise<void>;
  /** The identity provider has another account with the new address, so the change was reverted. */
  emailRefused(tx: Tx, scope: ClockScope, refused: { accountId: string; email: string }): Promise<void>;
  /** Skills, availability or home changed: match scores are stale. */
  workerChanged(tx: Tx, workerId: string): Promise<void>;
  businessRenamed(tx: Tx, business: { id: string; name: string }): Promise<void>;
  /** Its caller has locked the business. */
  branchAdded(tx: Tx, scope: ClockScope, branch: AddedBranch): Promise<void>;
  businessDecided(
    tx: Tx,
    scope: NoticeScope,
    business: { id: string; name: string; managerIds: readonly string[] },
    decided: DecidedBusiness,
  ): Promise<void>;
  identityDecided(
    tx: Tx,
    scope: NoticeScope,
    check: { id: string; accountId: string },
    decided: { decision: IdentityDecision; reason: string; by: string },
  ): Promise<void>;
  certificateDecided(
    tx: Tx,
    scope: NoticeScope,
    certificate: DecidedCertificate,
    decided: { decision: CertificateDecision; reason: string; by: string },
  ): Promise<void>;
  /** `event` distinguishes one reminder from the next. */
  certificateNews(
    tx: Tx,
    scope: NoticeScope,
    certificate: Omit<DecidedCertificate, 'id'>,
    news: { news: 'expiring' | 'expired'; event: string },
  ): Promise<void>;
  teamChanged(tx: Tx, scope: NoticeScope, news: TeamNews): Promise<void>;
  /** Notifies other members of a closed business, and ends its credit limit and promotional credit. */
  businessClosed(
    tx: Tx,
    scope: Scope,
    business: { id: string; name: string; memberIds: readonly string[] },
  ): Promise<void>;
  /** Ends the caller's applications, giveaways and calendar feed. The account must be locked. */
  accountLeaving(tx: Tx, scope: Scope, accountId: string): Promise<void>;
  /** Each slice clears personal data from its tables. Memberships, files and the profile still exist. */
  accountRemoved(tx: Tx, scope: TaskScope, member: FormerMember): Promise<void>;
};

/** Questions and requests to later domains, in the same transaction. */
export type PeopleNeeds = {
  /** Returns whether the mail server has rejected mail since the address was verified. */
  isAddressRefused(db: Db, accountId: string): Promise<boolean>;
  countUnread(db: Db, accountId: string): Promise<number>;
  /** A caller that closes the business has locked it. */
  closingObstacles(db: Db, businessId: string, now: Date): Promise<BusinessClosing>;
  /**
   * Closes the open jobs of a business that its caller has locked.
   * @throws as `jobs.close` does
   */
  closeJobs(tx: Tx, scope: Scope, jobIds: readonly string[]): Promise<void>;
  /** Reasons an account can't be deleted yet: money, unsettled work, offers, an operator role. */
  accountObstacles(db: Db, accountId: string): Promise<DeletionObstacle[]>;
  /** Payouts a bank may still return, by currency in minor units. */
  moneyThatMayReturn(db: Db, accountId: string, now: Date): Promise<AccountDeletionState['mayReturn']>;
  /** Businesses that `accountRemoved` locks. They are locked before the account (ADR 38). */
  removalBusinesses(db: Db, accountId: string): Promise<string[]>;
};

export const peopleHooks = createHooks<PeopleEvents, PeopleNeeds>('people');

import type { MemberRole } from '@nearhand/contract/operation';
import type { DeletionObstacle } from '@nearhand/contract/people/account-deletion';
import type { Db, Tx } from '../platform/db.ts';
import type { FormerMember } from '../platform/former-member.ts';
import type { Scope } from '../platform/http/scope.ts';
import { createOutcomes } from '../platform/outcomes.ts';
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
  /** Tells one event of its kind from the next. */
  event: string;
};

type NoticeScope = Pick<Scope, 'clock'> & Partial<Pick<Scope, 'unmailed' | 'config'>>;

/** What happens in `people` that later domains act on or answer, in the same transaction. */
export type PeopleOutcomes = {
  /** Someone followed a link mailed to this address: mail may go there again. */
  addressConfirmed(db: Db, address: string): Promise<void>;
  /** Asks whether the mail server of a verified address has refused mail since. */
  isAddressRefused(db: Db, accountId: string): Promise<boolean>;
  /** A password was reset: everything that opens without a session must stop working. */
  passwordReset(tx: Tx, accountId: string): Promise<void>;
  /** Asks how many notifications `accounts.me` shows as unread. */
  countUnread(db: Db, accountId: string): Promise<number>;
  /** Skills, availability or home changed: match scores are out of date. */
  workerChanged(tx: Tx, workerId: string): Promise<void>;
  /** A business has a new name. */
  businessRenamed(tx: Tx, business: { id: string; name: string }): Promise<void>;
  /** An operator verified a business: its owners and managers are notified. */
  businessVerified(
    tx: Tx,
    scope: NoticeScope,
    business: { id: string; name: string; managerIds: readonly string[] },
  ): Promise<void>;
  /** Someone joined or left a team, or their role in it changed. */
  teamChanged(tx: Tx, scope: NoticeScope, news: TeamNews): Promise<void>;
  /** Asks what stands in the way of closing a business, which the caller has locked. */
  businessClosing(tx: Tx, businessId: string): Promise<ClosingObstacles>;
  /** Asks what keeps an account from being deleted: money, unsettled work, offers, a role as operator. */
  accountObstacles(db: Db, accountId: string): Promise<DeletionObstacle[]>;
  /** The caller asked to delete their account, which the transaction has locked: what they have asked of others ends. */
  accountLeaving(tx: Tx, scope: Scope, accountId: string): Promise<void>;
  /** An account is removed: every slice takes what names the person out of its tables. Memberships, files and the profile are still there. */
  accountRemoved(tx: Tx, scope: TaskScope, member: FormerMember): Promise<void>;
};

export const peopleOutcomes = createOutcomes<PeopleOutcomes>('people');

import type { Tx } from '../../platform/db.ts';
import { endCalendarFeed } from '../calendar/calendar-feeds.service.ts';

/**
 * Takes back what opens something of an account without a session, when its password was reset: whoever resets it may have lost the account to somebody, and an address of
 * their calendar says where they are to be and when (ADR 0127).
 */
export const takeBackHandedOut = (tx: Tx, accountId: string): Promise<void> => endCalendarFeed(tx, accountId);

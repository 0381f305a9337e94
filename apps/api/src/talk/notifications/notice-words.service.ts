import type { Tx } from '../../platform/db.ts';
import { dropReasons } from './notice-words.sql.ts';

/** For other slices: a message was deleted, so notices of this group no longer quote it. What was mailed or pushed is out of reach. */
export const forgetQuotes = (tx: Tx, group: string): Promise<void> => dropReasons(tx, group);

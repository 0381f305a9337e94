import type { Tx } from '../../platform/db.ts';
import { dropReasons } from './notice-words.sql.ts';

/** For other slices: somebody took back what they wrote, so notices of this group quote it no longer. What was mailed or pushed is out. */
export const forgetQuotes = (tx: Tx, group: string): Promise<void> => dropReasons(tx, group);

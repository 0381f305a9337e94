import type { Db } from '../../platform/db.ts';
import { findBusinessesOf } from './memberships.sql.ts';

/** For real time: the businesses whose signals each of these accounts hears, whatever their role; signals name ids, and the API decides what of them is shown (ADR 0089). */
export const businessesOf = (
  db: Db,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => findBusinessesOf(db, accountIds);

import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db.ts';
import { numberFees } from './offers.sql.ts';

/** At server start: assigns a version to new configured fees, so that no offer has to wait for it (ADR 141). */
export const noteFees = (
  db: Db,
  config: Pick<Config, 'MERCHANT_FEE_BASIS_POINTS' | 'WORKER_FEE_BASIS_POINTS'>,
  clock: Clock,
): Promise<void> =>
  numberFees(db, config.MERCHANT_FEE_BASIS_POINTS, config.WORKER_FEE_BASIS_POINTS, clock.now());

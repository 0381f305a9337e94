import { chatDelivery } from './chat-delivery.ts';
import { chatOutage } from './chat-outage.ts';
import { chatSockets } from './chat-sockets.ts';
import { crawl } from './crawl.ts';
import { chaos } from './drills/chaos.ts';
import { diskFull } from './drills/disk-full.ts';
import { failover } from './drills/failover.ts';
import { monitoring } from './drills/monitoring.ts';
import { patroni } from './drills/patroni.ts';
import { pgbouncer } from './drills/pgbouncer.ts';
import { replica } from './drills/replica.ts';
import { rolling } from './drills/rolling.ts';
import { skewedClock } from './drills/skewed-clock.ts';
import { stalledMail } from './drills/stalled-mail.ts';
import { vanishedPrimary } from './drills/vanished-primary.ts';
import { hiringModel } from './hiring-model.ts';
import { holdsModel } from './holds-model.ts';
import { instantHireRace } from './instant-hire-race.ts';
import { ledgerModel } from './ledger-model.ts';
import { applyClose } from './load/apply-close.ts';
import { backupUnderLoad } from './load/backup-under-load.ts';
import { lockedTable } from './load/locked-table.ts';
import { outbox } from './load/outbox.ts';
import { overload } from './load/overload.ts';
import { soak } from './load/soak.ts';
import { stopUnderLoad } from './load/stop-under-load.ts';
import { cancelledPayouts } from './money/cancelled-payouts.ts';
import { endStates } from './money-end-states.ts';
import { exitAt } from './money-exit-at.ts';
import { killDatabase } from './money-kill-database.ts';
import { killServer } from './money-kill-server.ts';
import { oneKey } from './money-one-key.ts';
import { reviewsModel } from './reviews-model/reviews-experiment.ts';
import { searchAlerts } from './search-alerts.ts';
import { webhooksExperiment } from './webhooks.ts';
import { withdrawalRace } from './withdrawal-race.ts';

/** `npm run experiments -- NAME`: experiments too long for the tests; each prints figures and says whether they are as they must be. */
const experiments: Record<string, (say: (line: string) => void) => Promise<boolean>> = {
  race: instantHireRace,
  'hiring-model': hiringModel,
  'ledger-model': ledgerModel,
  'holds-model': holdsModel,
  webhooks: webhooksExperiment,
  withdrawals: withdrawalRace,
  'kill-server': killServer,
  'kill-database': killDatabase,
  'one-key': oneKey,
  'exit-at': exitAt,
  'end-states': endStates,
  'cancelled-payouts': cancelledPayouts,
  chaos,
  'chat-delivery': chatDelivery,
  'chat-outage': chatOutage,
  'chat-sockets': chatSockets,
  crawl,
  'search-alerts': searchAlerts,
  'reviews-model': reviewsModel,
  rolling,
  'stalled-mail': stalledMail,
  'vanished-primary': vanishedPrimary,
  failover,
  replica,
  patroni,
  pgbouncer,
  monitoring,
  'disk-full': diskFull,
  'skewed-clock': skewedClock,
  'apply-close': applyClose,
  outbox,
  overload,
  'stop-under-load': stopUnderLoad,
  'locked-table': lockedTable,
  backup: backupUnderLoad,
  soak,
};

const say = (line: string) => process.stdout.write(`${line}\n`);
const [name = ''] = process.argv.slice(2);
const chosen = experiments[name];
if (!chosen) {
  say(`Name an experiment: ${Object.keys(experiments).join(', ')}.`);
  process.exitCode = 1;
} else if (!(await chosen(say))) process.exitCode = 1;

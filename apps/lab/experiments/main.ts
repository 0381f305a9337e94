import { chatDelivery } from './chat-delivery.ts';
import { chatOutage } from './chat-outage.ts';
import { hiringModel } from './hiring-model.ts';
import { holdsModel } from './holds-model.ts';
import { ledgerModel } from './ledger-model.ts';
import { cancelledPayouts } from './money/cancelled-payouts.ts';
import { endStates } from './money-end-states.ts';
import { exitAt } from './money-exit-at.ts';
import { killDatabase } from './money-kill-database.ts';
import { killServer } from './money-kill-server.ts';
import { oneKey } from './money-one-key.ts';
import { reviewsModel } from './reviews-model/reviews-experiment.ts';
import { searchAlerts } from './search-alerts.ts';
import { webhooksExperiment } from './webhooks.ts';

/** `npm run experiments -- NAME`: experiments too long for the tests. */
const experiments: Record<string, (say: (line: string) => void) => Promise<boolean>> = {
  'hiring-model': hiringModel,
  'ledger-model': ledgerModel,
  'holds-model': holdsModel,
  webhooks: webhooksExperiment,
  'kill-server': killServer,
  'kill-database': killDatabase,
  'one-key': oneKey,
  'exit-at': exitAt,
  'end-states': endStates,
  'cancelled-payouts': cancelledPayouts,
  'chat-delivery': chatDelivery,
  'chat-outage': chatOutage,
  'search-alerts': searchAlerts,
  'reviews-model': reviewsModel,
};

const say = (line: string) => process.stdout.write(`${line}\n`);
const [name = ''] = process.argv.slice(2);
const chosen = experiments[name];
if (!chosen) {
  say(`Name an experiment: ${Object.keys(experiments).join(', ')}.`);
  process.exitCode = 1;
} else if (!(await chosen(say))) process.exitCode = 1;

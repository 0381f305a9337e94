import { accounts } from './accounts.ts';
import { applications } from './applications.ts';
import { attendance } from './attendance.ts';
import { businesses } from './businesses.ts';
import { calendar } from './calendar.ts';
import { chat } from './chat.ts';
import { disputes } from './disputes.ts';
import { engagements } from './engagements.ts';
import { files } from './files.ts';
import { holds } from './holds.ts';
import { interviews } from './interviews.ts';
import { jobs } from './jobs.ts';
import { notifications } from './notifications.ts';
import { offers } from './offers.ts';
import { operators } from './operators.ts';
import { payments } from './payments.ts';
import { payouts } from './payouts.ts';
import { pipeline } from './pipeline.ts';
import { places } from './places.ts';
import { profiles } from './profiles.ts';
import { reliability } from './reliability.ts';
import { settings } from './settings.ts';
import { analytics, statements } from './statements.ts';
import { timesheets } from './timesheets.ts';

/** Every operation of the API, by slice. Paths are under `/api`. Sign-in itself is under `/api/auth` and belongs to the provider (ADR 0010). */
export const contract = {
  accounts,
  analytics,
  applications,
  attendance,
  businesses,
  calendar,
  chat,
  disputes,
  engagements,
  files,
  holds,
  interviews,
  jobs,
  notifications,
  offers,
  operators,
  payments,
  payouts,
  pipeline,
  places,
  profiles,
  reliability,
  settings,
  statements,
  timesheets,
};
/** The whole API as a type, for clients. */
export type Contract = typeof contract;

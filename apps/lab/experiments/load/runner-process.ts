import { tasks } from '@nearhand/api/src/app.ts';
import { createMailer } from '@nearhand/api/src/platform/mail/mail.ts';
import { leaseTimes } from '@nearhand/api/src/platform/tasks/task-leases.ts';
import { startRunner } from '@nearhand/api/src/platform/tasks/task-runner.ts';
import { openServices } from '../money/services.ts';

/** A process that only runs tasks, for `outbox.ts`: the database's address, the mail server's, and how long a dead runner's tasks stay its own. */
const [url = '', smtpUrl = '', leaseSeconds = ''] = process.argv.slice(2);
const services = openServices(url);
const config = { ...services.config, SMTP_URL: smtpUrl };
const mailer = createMailer(config, services.db, services.clock);
const scope = { ...services.taskScope, config, mailer };
await startRunner(services.pool, tasks, scope, leaseTimes(Number(leaseSeconds)));
process.stdout.write('ready\n');

import { MailRefused } from '../../platform/mail/mail.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { dataExportMail } from './data-exports.mails.ts';
import { expireExport, makeExport, sendExport } from './data-exports.queue.ts';
import { runExpiry, runExport } from './data-exports.service.ts';

export const dataExportsTasks = [
  defineTask({
    ...makeExport,
    queue: 'housekeeping',
    run: (scope, { exportId }) => runExport(scope, exportId),
  }),
  defineTask({
    ...expireExport,
    queue: 'housekeeping',
    run: (scope, { exportId }) => runExpiry(scope, exportId),
  }),
  defineTask({
    ...sendExport,
    queue: 'messages',
    async run({ mailer, log }, { to, link, hours, key }) {
      try {
        await mailer.send(dataExportMail(to, link, hours, key));
      } catch (error) {
        if (!(error instanceof MailRefused)) throw error;
        log.info({ key }, 'a mail server rejected the address of a data export');
      }
    },
  }),
];

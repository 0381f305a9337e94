import { z } from 'zod';
import { MailRefused } from '../../platform/mail/mail.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { newDeviceMail } from './sessions.mails.ts';
import { deleteOldEvents, deleteOldLog, findMailAddress } from './sessions.sql.ts';

/** A refused address ends the task, since retrying is pointless. */
export const sendNewDevice = defineTask({
  name: 'sessions.send-new-device',
  queue: 'messages',
  payload: z.object({ accountId: z.uuid(), device: z.string(), at: z.iso.datetime(), key: z.string() }),
  async run({ db, config, mailer, log }, { accountId, device, at, key }) {
    const to = await findMailAddress(db, accountId);
    if (to === undefined) return;
    try {
      await mailer.send(newDeviceMail(config.PUBLIC_URL, { to, device, at: new Date(at), key }));
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      log.info({ key }, "a mail server rejected an account's address");
    }
  },
});

/** Removes sign-in history older than `limits.signInHistoryDays`, and what the log has held for a year. */
export const purgeHistory = defineTask({
  name: 'sessions.purge-history',
  payload: z.object({}),
  daily: true,
  async run({ db, clock }) {
    await deleteOldEvents(db, clock.now());
    await deleteOldLog(db);
  },
});

export const sessionsTasks = [sendNewDevice, purgeHistory];

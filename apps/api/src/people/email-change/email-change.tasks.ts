import { z } from 'zod';
import { MailRefused } from '../../platform/mail/mail.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { changeMail } from './email-change.mails.ts';
import { sendChangeMailTask } from './email-change.service.ts';
import { deleteOldChanges } from './email-change.sql.ts';

/** A hard refusal ends the task: the change then expires unconfirmed. */
const sendChangeMail = defineTask({
  ...sendChangeMailTask,
  queue: 'messages',
  async run({ config, mailer, log }, { key, ...mail }) {
    try {
      await mailer.send(changeMail(config.PUBLIC_URL, key, mail));
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      log.info({ key }, 'a mail server rejected the address of an email change');
    }
  },
});

/** Removes changes that can no longer be confirmed or undone. */
const purgeChanges = defineTask({
  name: 'email-change.purge',
  payload: z.object({}),
  daily: true,
  run: ({ db, clock }) => deleteOldChanges(db, clock.now()),
});

export const emailChangeTasks = [sendChangeMail, purgeChanges];

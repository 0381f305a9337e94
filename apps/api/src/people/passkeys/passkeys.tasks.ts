import { z } from 'zod';
import { MailRefused } from '../../platform/mail/mail.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { passkeyChangedMail } from './passkeys.mails.ts';
import { deleteOldQuestions } from './passkeys.sql.ts';

/** A refused address ends the task, since retrying is pointless. */
export const sendPasskeyChanged = defineTask({
  name: 'passkeys.send-changed',
  queue: 'messages',
  payload: z.object({
    to: z.string(),
    kind: z.enum(['added', 'removed']),
    name: z.string(),
    key: z.string(),
  }),
  async run({ config, mailer, log }, change) {
    try {
      await mailer.send(passkeyChangedMail(config.PUBLIC_URL, change));
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      log.info({ key: change.key }, "a mail server rejected an account's address");
    }
  },
});

/** Removes questions that were never answered. */
const purgeQuestions = defineTask({
  name: 'passkeys.purge-questions',
  payload: z.object({}),
  daily: true,
  run: ({ db, clock }) => deleteOldQuestions(db, clock.now()),
});

export const passkeysTasks = [sendPasskeyChanged, purgeQuestions];

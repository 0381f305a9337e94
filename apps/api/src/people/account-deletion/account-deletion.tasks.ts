import { limits } from '@nearhand/contract/limits';
import { z } from 'zod';
import type { Mail } from '../../platform/mail/mail.ts';
import { MailRefused } from '../../platform/mail/mail.ts';
import { defineTask, type TaskScope } from '../../platform/tasks/tasks.ts';
import {
  accountRemovedMail,
  deletionCodeMail,
  deletionPostponedMail,
  deletionScheduledMail,
  obstacleKinds,
} from './account-deletion.mails.ts';

/** Sends a mail; a refused address ends the task, since retrying is pointless. */
async function sendOnce({ mailer, log }: Pick<TaskScope, 'mailer' | 'log'>, mail: Mail): Promise<void> {
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    log.info({ key: mail.key }, 'a mail server rejected the address of a leaving account');
  }
}

const mail = { to: z.string(), key: z.string() };

export const sendDeletionCode = defineTask({
  name: 'account-deletion.send-code',
  queue: 'messages',
  payload: z.object({ ...mail, code: z.string() }),
  run: (scope, { to, code, key }) =>
    sendOnce(scope, deletionCodeMail(to, code, limits.deletionCodeMinutes, key)),
});

export const sendScheduled = defineTask({
  name: 'account-deletion.send-scheduled',
  queue: 'messages',
  payload: z.object({ ...mail, deleteAt: z.iso.datetime() }),
  run: (scope, { to, deleteAt, key }) =>
    sendOnce(scope, deletionScheduledMail(scope.config.PUBLIC_URL, to, new Date(deleteAt), key)),
});

export const sendPostponed = defineTask({
  name: 'account-deletion.send-postponed',
  queue: 'messages',
  payload: z.object({ ...mail, reasons: z.array(z.enum(obstacleKinds)) }),
  run: (scope, { to, reasons, key }) =>
    sendOnce(scope, deletionPostponedMail(scope.config.PUBLIC_URL, to, reasons, key)),
});

export const sendRemoved = defineTask({
  name: 'account-deletion.send-removed',
  queue: 'messages',
  payload: z.object(mail),
  run: (scope, { to, key }) => sendOnce(scope, accountRemovedMail(to, key)),
});

/** When an account is due to be removed; its handler is in the removal tasks. */
export const removal = {
  name: 'account-deletion.remove',
  payload: z.object({ deletionId: z.uuid() }),
};
export const removalKey = (deletionId: string): string => `account-deletion.remove/${deletionId}`;

import { z } from 'zod';
import { type Mail, MailRefused } from '../../platform/mail/mail.ts';
import { defineTask, type TaskScope } from '../../platform/tasks/tasks.ts';
import { confirmToken, forgetUnconfirmed } from './guest-tickets.service.ts';
import { replyAddress } from './reply-address.service.ts';
import { confirmationMail, confirmMailTask, guestMail, guestMailTask } from './ticket-mails.ts';
import { findTicket } from './tickets.sql.ts';

/** A hard refusal ends the task: anyone may enter any address. */
async function send({ mailer, log }: Pick<TaskScope, 'mailer' | 'log'>, mail: Mail): Promise<void> {
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    log.info({ key: mail.key }, 'a mail server rejected the address of a request');
  }
}

const mailKey = (key: string): string => key.replaceAll(/[^\w-]/g, '-');

const sendConfirmation = defineTask({
  ...confirmMailTask,
  queue: 'messages',
  async run(scope, { ticketId }) {
    const ticket = await findTicket(scope.db, ticketId);
    if (ticket?.status !== 'unconfirmed' || ticket.email === null) return;
    const token = confirmToken(scope.sign, ticketId);
    await send(
      scope,
      confirmationMail(scope.config.PUBLIC_URL, ticket.email, token, `ticket-confirm-${ticketId}`),
    );
  },
});

const sendGuestMail = defineTask({
  ...guestMailTask,
  queue: 'messages',
  async run(scope, { ticketId, what, body, key }) {
    const ticket = await findTicket(scope.db, ticketId);
    if (!ticket || ticket.email === null) return;
    const replyTo = replyAddress(scope, ticketId);
    const news = { what, subject: ticket.subject, body, replyTo };
    await send(scope, guestMail(scope.config.PUBLIC_URL, ticket.email, mailKey(key), news));
  },
});

const purgeUnconfirmed = defineTask({
  name: 'tickets.purge-unconfirmed',
  payload: z.object({}),
  daily: true,
  run: forgetUnconfirmed,
});

export const ticketsTasks = [sendConfirmation, sendGuestMail, purgeUnconfirmed];

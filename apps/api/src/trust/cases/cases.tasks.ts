import { caseKinds } from '@nearhand/contract/case-kinds';
import { z } from 'zod';
import { composeMail } from '../../platform/mail/mail-layout.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';

/** Says nothing of the case itself: a mailbox is no place for what the console shows. */
export const handOverMailTask = defineTask({
  name: 'cases.mail-hand-over',
  payload: z.object({
    kind: z.enum(caseKinds),
    subjectId: z.uuid(),
    to: z.uuid(),
    by: z.uuid(),
    key: z.string(),
  }),
  queue: 'messages',
  async run({ db, mailer, config }, { kind, subjectId, to, by, key }) {
    const rows = await db
      .selectFrom('accounts')
      .select(['id', 'name', 'email'])
      .where('id', 'in', [to, by])
      .where('disabledAt', 'is', null)
      .execute();
    const reader = rows.find(({ id }) => id === to);
    const sender = rows.find(({ id }) => id === by);
    if (!reader || !sender) return;
    await mailer.send(
      // English only, as the console is (ADR 176).
      composeMail(reader.email, key.replaceAll('/', '-'), {
        subject: `${sender.name} handed you a case`,
        heading: 'You have a case',
        paragraphs: [`${sender.name} handed you a case and left a note in it.`],
        action: { label: 'Open the case', url: `${config.PUBLIC_URL}/operator/cases/${kind}/${subjectId}` },
        footnote: "You're receiving this because you are an operator of Nearhand.",
      }),
    );
  },
});

export const casesTasks = [handOverMailTask];

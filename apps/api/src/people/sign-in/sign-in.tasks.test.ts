import { addMs, hourMs } from '@nearhand/contract/durations';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { MailRefusedError } from '../../platform/mail/mail.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { signInTasks } from './sign-in.ts';
import { purgeExpiredTask, sendPasswordResetTask } from './sign-in-calls.ts';

const app = useTestApp();

describe('sign-in.purge-expired', () => {
  it('deletes expired sessions and links daily and keeps the rest', async () => {
    const gone = await app.person();
    const here = await app.person();
    const at = (hours: number) => addMs(app.clock.now(), hours * hourMs);
    const ends = (sessionId: string, expiresAt: Date) =>
      app.db.updateTable('sessions').set({ expiresAt }).where('id', '=', sessionId).execute();
    await ends(gone.sessionId, at(-1));
    await ends(here.sessionId, at(1));
    for (const [identifier, hours] of [
      ['old', -1],
      ['young', 1],
    ] as const)
      await app.db
        .insertInto('verifications')
        .values({ id: crypto.randomUUID(), identifier, value: 'x', expiresAt: at(hours) })
        .execute();
    expect(purgeExpiredTask.daily).toBe(true);
    await app.db.transaction().execute((tx) => enqueue(tx, purgeExpiredTask, {}));
    await app.runDue();
    const sessions = await app.db.selectFrom('sessions').select('id').execute();
    expect(sessions.map(({ id }) => id)).toEqual([here.sessionId]);
    const links = await app.db.selectFrom('verifications').select('identifier').execute();
    expect(links.map(({ identifier }) => identifier)).toEqual(['young']);
  });
});

describe('the mails of an account', () => {
  const answers = (error: Error) => ({
    db: app.db,
    clock: app.clock,
    config: app.config,
    log: { info: () => {} },
    mailer: { send: () => Promise.reject(error) },
  });

  it('are dropped for an unknown address and retried on a temporary failure', async () => {
    const { email } = await app.person();
    const mails = signInTasks.filter(({ name }) => name.startsWith('sign-in.send-'));
    expect(mails).toHaveLength(5);
    for (const task of mails) {
      const payload = { email, token: 'x', key: task.name };
      const run = (error: Error) => task.run(answers(error) as never, payload as never);
      await expect(run(new MailRefusedError('550 5.1.1 no such user'))).resolves.toBeUndefined();
      await expect(run(new Error('451 4.7.1 try again later'))).rejects.toThrow('451');
    }
    expect(mails).toContain(sendPasswordResetTask);
  });
});

import { judge, requireNoViolations, withoutMotion } from './axe.ts';
import { accountId, conversationOn, photo } from './chatting.ts';
import { applyForJob, openShift, visibleButton } from './hiring.ts';
import { expect, test } from './moved-time.ts';

test.use(withoutMotion);

test('conversations, notices and their settings are accessible in light and dark', async ({ parts }) => {
  const { nadia, leila, shift } = await openShift(parts, { title: 'Weekend barista', daysAhead: 5 });
  const application = await applyForJob(leila, shift.id);
  const { id } = await nadia.api('POST', '/conversations', {
    jobId: shift.id,
    workerId: await accountId(leila),
  });
  const say = (who: typeof nadia, body: string, more: object = {}) =>
    who.api('POST', `/conversations/${id}/messages`, { clientId: crypto.randomUUID(), body, ...more });
  const first = await say(nadia, 'Could you come by on Thursday?');
  await say(leila, 'Yes. Call me on +31 6 1234 5678', { replyTo: first.seq });
  await nadia.api('PUT', `/conversations/${id}/messages/2/reaction`, { reaction: 'thumbs-up' });
  const gone = await say(leila, 'Wrong window.');
  await leila.api('POST', `/conversations/${id}/messages/${gone.seq}/redact`);
  await nadia.api('POST', `/applications/${application.id}/offers`, { message: '' });
  await say(nadia, 'Ring the bell, please.');
  const hers = conversationOn(leila.page);

  await test.step('the list, a conversation and its menus', async () => {
    await requireNoViolations(leila.page, '/chat');
    await leila.page.goto(`/chat?c=${id}`);
    await expect(visibleButton(leila.page, 'Accept for €99')).toBeVisible();
    await hers.foot
      .locator('input[type=file][multiple]')
      .setInputFiles({ name: 'certificate.png', mimeType: 'image/png', buffer: photo });
    await hers.say('My certificate');
    await expect(hers.line('My certificate').getByRole('button', { name: /^Open the photo/ })).toBeVisible();
    await judge(leila.page, 'a conversation');
    await hers.menuOf('Ring the bell, please.');
    await judge(leila.page, 'the menu of a message');
    await leila.page.keyboard.press('Escape');
    await visibleButton(leila.page, 'About this conversation').click();
    await visibleButton(leila.page, /^Report$/).click();
    const sheet = leila.page.getByRole('dialog').filter({ visible: true });
    await expect(sheet.getByRole('button', { name: 'Send report' })).toBeVisible();
    await judge(leila.page, 'a report');
    await leila.page.keyboard.press('Escape');
    await visibleButton(leila.page, 'Add files or quick replies').click();
    await expect(sheet).toBeVisible();
    await judge(leila.page, 'what can be added to a message');
  });

  await test.step("the business's conversation, and a blocked one", async () => {
    await nadia.page.goto(`/chat?c=${id}`);
    await expect(conversationOn(nadia.page).line('My certificate')).toBeVisible();
    await judge(nadia.page, 'a conversation of a business');
    await nadia.api('PUT', `/conversations/${id}/block`, { blocked: true });
    await expect(visibleButton(nadia.page, 'Unblock')).toBeVisible();
    await judge(nadia.page, 'a blocked conversation');
  });

  await test.step('notices and their settings', async () => {
    await requireNoViolations(leila.page, '/notifications');
    await leila.api('PATCH', '/notifications/settings', {
      quiet: { on: true, from: '22:00', to: '07:00', timeZone: 'Europe/Amsterdam' },
    });
    await leila.page.goto('/notification-settings');
    await visibleButton(leila.page, /^Choose for each of .*Offers$/).click();
    await visibleButton(leila.page, 'Send a test notification').click();
    await expect(leila.page.getByText(/On its way to/).first()).toBeVisible();
    await judge(leila.page, '/notification-settings with everything open');
  });
});

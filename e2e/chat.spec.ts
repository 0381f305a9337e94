import { badges, conversationOn, openConversation, openLive, photo, unreadOf } from './chatting.ts';
import { applyForJob, openShift, visibleButton, visibleText } from './hiring.ts';
import { wrote } from './journey.ts';
import { expect, test } from './moved-time.ts';

const script = `<script>window.wasRun = true</script><img src=x onerror="window.wasRun = true">`;
const fileName = '<img src=x onerror=window.wasRun=true>.png';
/** The stored name: no characters special to a shell or a page, and the extension of the file's bytes. */
const keptName = '_img src=x onerror=window.wasRun=true_.webp';

test("a worker and a recruiter write to each other, and each sees the other's actions at once", async ({
  parts,
}) => {
  const { nadia, leila, shift } = await openShift(parts, { title: 'Weekend barista', daysAhead: 5 });
  const application = await applyForJob(leila, shift.id);
  const hers = conversationOn(leila.page);
  const theirs = conversationOn(nadia.page);

  await test.step('both open the conversation: from the applicant, and from the list', async () => {
    await openLive(leila.page, '/tabs/menu/messages');
    await leila.page
      .getByRole('link', { name: /Kopi and Crumb/ })
      .filter({ visible: true })
      .first()
      .click();
    await expect(hers.log.getByText('You applied')).toBeVisible();
    await openLive(nadia.page, `/job-applicants/${shift.id}?applicant=${application.id}`);
    await nadia.page.getByRole('link', { name: 'Message', exact: true }).filter({ visible: true }).click();
    await expect(theirs.log.getByText('Leila Haddad applied')).toBeVisible();
  });

  await test.step('typing and read receipts are visible', async () => {
    await theirs.write('Could you come by on Thursday?');
    await expect(visibleText(leila.page, 'Kopi and Crumb is typing')).toBeVisible();
    await theirs.send();
    await expect(hers.line('Could you come by on Thursday?')).toBeVisible();
    await expect(visibleText(leila.page, 'Kopi and Crumb is typing')).toBeHidden();
    await expect(theirs.line('Could you come by on Thursday?').getByText('Read')).toBeVisible();
    await hers.write('Yes, at ten.');
    await expect(visibleText(nadia.page, 'Leila Haddad is typing')).toBeVisible();
    await hers.send();
    await expect(theirs.line('Yes, at ten.')).toBeVisible();
    await expect(hers.line('Yes, at ten.').getByText('Read')).toBeVisible();
  });

  await test.step('a photo arrives and opens, whatever its name', async () => {
    await hers.foot
      .locator('input[type=file][multiple]')
      .setInputFiles({ name: fileName, mimeType: 'image/png', buffer: photo });
    await expect(hers.foot.getByRole('button', { name: `Remove ${fileName}` })).toBeVisible();
    await hers.say('My certificate');
    await theirs
      .line('My certificate')
      .getByRole('button', { name: /^Open the photo from Leila Haddad/ })
      .click();
    const viewer = nadia.page.getByRole('dialog', { name: 'Photo from Leila Haddad' });
    await expect(viewer.getByText(wrote(keptName))).toBeVisible();
    const picture = viewer.getByRole('img', { name: /from Leila Haddad/ });
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(192);
    await viewer.getByRole('button', { name: 'Close' }).click();
    await expect(viewer).toBeHidden();
  });

  await test.step('text that looks like a script stays text', async () => {
    await hers.say(script);
    await expect(theirs.line(script)).toBeVisible();
    for (const { page } of [leila, nadia])
      expect(await page.evaluate(() => 'wasRun' in globalThis)).toBe(false);
  });

  await test.step('limits are reported before sending', async () => {
    await hers.foot
      .locator('input[type=file][multiple]')
      .setInputFiles({ name: 'film.png', mimeType: 'image/png', buffer: Buffer.alloc(11_000_000) });
    await expect(hers.foot.getByText(/^film\.png is larger than/)).toBeVisible();
    await hers.write('a'.repeat(6_000));
    await expect(hers.foot.getByText('1,000 characters too many. Split it into two messages.')).toBeVisible();
    await expect(hers.foot.getByRole('button', { name: 'Send', exact: true })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await hers.write('');
    await leila.page.goto(`/chat?c=${crypto.randomUUID()}`);
    await expect(visibleText(leila.page, "We couldn't open this conversation")).toBeVisible();
    await openLive(leila.page, `/chat?job=${shift.id}`);
    await expect(hers.line('My certificate')).toBeVisible();
  });

  await test.step('a reply and a reaction', async () => {
    await (await theirs.menuOf('Yes, at ten.'))
      .getByRole('button', { name: 'Reply to this message' })
      .click();
    await theirs.say('Ring the bell, please.');
    await expect(
      hers.line('Ring the bell, please.').getByRole('button', { name: /In reply to.*Yes, at ten\./ }),
    ).toBeVisible();
    await (await hers.menuOf('Ring the bell, please.')).getByRole('button', { name: 'Thumbs up' }).click();
    await expect(
      theirs.line('Ring the bell, please.').getByRole('button', { name: 'Thumbs up, 1' }),
    ).toBeVisible();
  });

  await test.step('a message is edited and deleted', async () => {
    await (await theirs.menuOf('Ring the bell, please.')).getByRole('button', { name: /^Edit/ }).click();
    await expect(theirs.foot.getByRole('textbox')).toHaveValue('Ring the bell, please.');
    await theirs.write('Ring twice, please.');
    await theirs.foot.getByRole('button', { name: 'Save changes' }).click();
    await expect(hers.line('Ring twice, please.').getByText('edited')).toBeVisible();
    await expect(hers.line('Ring the bell, please.')).toHaveCount(0);

    await (await hers.menuOf(script)).getByRole('button', { name: 'Delete message' }).click();
    await leila.page.getByRole('alertdialog').getByRole('button', { name: 'Delete message' }).click();
    await expect(theirs.log.getByText('Message deleted')).toBeVisible();
    await expect(theirs.line(script)).toHaveCount(0);
  });

  await test.step('contact details are sent, with a warning to both', async () => {
    await hers.write('Call me on +31 6 1234 5678');
    await expect(hers.foot.getByText(/You are giving away contact details/)).toBeVisible();
    await hers.send();
    await expect(theirs.line('Call me on').getByText(/^Be careful with contact details/)).toBeVisible();
    await expect(hers.line('Call me on').getByText(/^This contains contact details/)).toBeVisible();
  });

  await test.step('an offer appears as a line, with its answer', async () => {
    await nadia.api('POST', `/applications/${application.id}/offers`, { message: '' });
    await expect(hers.log.getByText('Kopi and Crumb offers you €99')).toBeVisible();
    await expect(visibleButton(leila.page, 'Accept for €99')).toBeVisible();
    await expect(theirs.log.getByText('You made an offer')).toBeVisible();
  });
});

test('offline messages are sent once and in order, an unread message counts until it is read, and a conversation is muted, reported and blocked', {
  tag: '@nightly',
}, async ({ parts, time }) => {
  const { nadia, leila, id } = await openConversation(parts);
  const hers = conversationOn(leila.page);
  const theirs = conversationOn(nadia.page);
  const ask = (body: string) =>
    nadia.api('POST', `/conversations/${id}/messages`, { clientId: crypto.randomUUID(), body });

  await test.step("a message counts in every device's badge until it is read on one", async () => {
    const tablet = await leila.elsewhere();
    const unread = badges(tablet).filter({ hasText: 'unread' });
    await openLive(tablet, '/tabs/menu/explore');
    await expect(unread).toHaveCount(0);
    await ask('When could you begin?');
    // The badge is a number with a word for screen readers, and not the sentence of a list.
    await expect(unread).toHaveText(/^1[^0-9]/);
    await leila.page.goto('/tabs/menu/messages');
    await leila.page
      .getByRole('link', { name: /Kopi and Crumb/ })
      .filter({ visible: true })
      .first()
      .click();
    await expect(hers.line('When could you begin?')).toBeVisible();
    await expect(unread).toHaveCount(0);
    await expect(badges(leila.page).filter({ hasText: 'unread' })).toHaveCount(0);
    await tablet.context().close();
  });

  await test.step('two offline messages, one with a photo, in two windows, and a reload before they are sent', async () => {
    await openLive(nadia.page, `/chat?c=${id}`);
    await leila.page.goto(`/chat?c=${id}`);
    await expect(hers.line('When could you begin?')).toBeVisible();
    const window = await leila.context.newPage();
    const beside = conversationOn(window);
    await window.goto(`/chat?c=${id}`);
    await expect(beside.line('When could you begin?')).toBeVisible();
    await leila.context.setOffline(true);
    await expect(visibleText(leila.page, "You're offline.")).toBeVisible();
    await hers.say('On the first of the month.');
    await hers.foot
      .locator('input[type=file][multiple]')
      .setInputFiles({ name: 'certificate.png', mimeType: 'image/png', buffer: photo });
    await hers.say('Or sooner, if you need me.');
    await expect(hers.log.getByText('Waiting for a connection').first()).toBeVisible();
    await expect(beside.line('Or sooner, if you need me.')).toBeVisible();

    // The app can't load offline, so the network returns, but the server accepts no messages or files yet.
    const sending = /\/api\/(conversations\/[^/]+\/messages|files)$/;
    await leila.context.route(sending, (route) =>
      route.request().method() === 'POST' ? route.abort('connectionfailed') : route.continue(),
    );
    await leila.context.setOffline(false);
    await leila.page.reload();
    for (const shown of [hers, beside])
      for (const text of ['On the first of the month.', 'Or sooner, if you need me.'])
        await expect(shown.line(text)).toBeVisible();
    await expect(theirs.line('On the first of the month.')).toHaveCount(0);

    // Both windows send the queue, and each message is sent once. Retries back off for up to half a minute.
    await leila.context.unroute(sending);
    await time.forward({ minutes: 1 });
    await expect(theirs.line('Or sooner, if you need me.')).toBeVisible();
    await expect(
      theirs.line('Or sooner, if you need me.').getByRole('button', { name: /^Open the photo/ }),
    ).toBeVisible();
    await expect(hers.line('Or sooner, if you need me.').getByText('Read')).toBeVisible();
    const { items } = (await nadia.api('GET', `/conversations/${id}/messages`)) as unknown as {
      items: { kind: string; body: string }[];
    };
    const said = ['When could you begin?', 'On the first of the month.', 'Or sooner, if you need me.'];
    expect(items.filter(({ kind }) => kind === 'text').map(({ body }) => body)).toEqual(said);
    for (const shown of [hers, beside, theirs])
      await expect(shown.log.locator('.chat-text')).toHaveText(said);
    await window.close();
  });

  await test.step('a muted one makes no notice, and still counts as unread', async () => {
    // The response arrives after the sheet is closed, and is shown anyway.
    await leila.page.route('**/mute', async (route) => {
      await expect(leila.page.getByRole('dialog').filter({ visible: true })).toHaveCount(0);
      await route.continue();
    });
    await visibleButton(leila.page, 'About this conversation').click();
    await visibleButton(leila.page, /^Mute/).click();
    await expect(visibleText(leila.page, 'Muted')).toBeVisible();
    await openLive(leila.page, '/tabs/menu/explore');
    const before = await unreadOf(leila);
    await ask('Are you there?');
    await expect(badges(leila.page).filter({ hasText: 'unread' })).toHaveText(/^1[^0-9]/);
    expect(await unreadOf(leila)).toBe(before);
    await leila.api('PUT', `/conversations/${id}/mute`, { muted: false });
    await ask('Hello?');
    await expect.poll(() => unreadOf(leila)).toBe(before + 1);
  });

  await test.step('a reporter gives a reason, and the other side is not notified', async () => {
    const before = await unreadOf(nadia);
    await leila.page.goto(`/chat?c=${id}`);
    await visibleButton(leila.page, 'About this conversation').click();
    await visibleButton(leila.page, /^Report$/).click();
    const form = leila.page.getByRole('dialog').filter({ visible: true });
    await form.getByRole('button', { name: 'Send report' }).click();
    await expect(form.getByText('Choose the best match.')).toBeVisible();
    await form.getByRole('radio', { name: 'Wants to pay or agree outside Nearhand' }).check();
    await form.getByLabel('What happened').fill('They asked for my bank account.');
    await form.getByRole('button', { name: 'Send report' }).click();
    await expect(visibleText(leila.page, 'Thank you. Our team will review it.')).toBeVisible();
    expect(await unreadOf(nadia)).toBe(before);
  });

  await test.step('a blocked person sees why they cannot write', async () => {
    await visibleButton(nadia.page, 'About this conversation').click();
    await visibleButton(nadia.page, 'Block Leila Haddad').click();
    await nadia.page.getByRole('alertdialog').getByRole('button', { name: 'Block Leila Haddad' }).click();
    await expect(visibleText(leila.page, "Kopi and Crumb isn't accepting messages from you.")).toBeVisible();
    await expect(hers.foot).toHaveCount(0);
    await expect(
      visibleText(nadia.page, 'You blocked Leila Haddad. Neither of you can write here.'),
    ).toBeVisible();
    await visibleButton(nadia.page, 'Unblock').click();
    await expect(hers.foot.getByRole('textbox')).toBeVisible();
  });
});

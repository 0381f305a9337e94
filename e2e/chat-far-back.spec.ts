import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { conversationOn, openConversation, openLive } from './chatting.ts';
import { wrote } from './journey.ts';
import { expect, test } from './moved-time.ts';

const writer = path.resolve(import.meta.dirname, '../apps/api/test/long-conversation.ts');

test('a message far back in a long conversation can be found, read in both directions, and answered', async ({
  ownServer,
  parts,
}) => {
  const { nadia, leila, id } = await openConversation(parts);
  // Years of messages, of which a search covers the newest two thousand.
  const write = (upTo: number) =>
    execFileSync(process.execPath, [writer, id, String(upTo)], {
      env: { ...process.env, DATA_DIR: ownServer.dataDir },
      encoding: 'utf8',
    })
      .split('\n')
      .forEach(wrote);
  write(1_300);
  const said = await leila.api('POST', `/conversations/${id}/messages`, {
    clientId: crypto.randomUUID(),
    body: 'The spare key lies under the basil.',
  });
  const place = Number(said.seq);
  write(3_000);
  const receipt = { conversationId: id, deliveredSeq: 3_000, readSeq: 3_000 };
  await nadia.api('PUT', '/conversations/receipts', { items: [receipt] });

  const { page } = nadia;
  const talk = conversationOn(page);
  const found = talk.line('under the basil');
  const numbers = async () =>
    (await talk.log.locator('.chat-text').allTextContents()).map((text) =>
      Number(text.match(/\d+$/)?.[0] ?? place),
    );
  const requireWhole = async () => {
    const drawn = await numbers();
    expect(drawn).toEqual(drawn.map((_, index) => (drawn[0] ?? 0) + index));
  };
  const scrollTo = async (number: number, by: number) => {
    await expect(async () => {
      await talk.log.evaluate((box, top) => box.scrollBy({ top }), by);
      await requireWhole();
      await expect(talk.log.getByText(`Line ${number}`, { exact: true })).toBeInViewport({ timeout: 100 });
    }).toPass({ intervals: [50], timeout: 60_000 });
  };

  await test.step('a search links to the message', async () => {
    await openLive(page, '/tabs/menu/messages');
    await page.getByRole('searchbox', { name: 'Search in messages' }).fill('basil');
    await page.getByRole('button', { name: '1 found under Hire' }).filter({ visible: true }).click();
    const hit = page.getByRole('link', { name: /under the basil/ }).filter({ visible: true });
    await hit.click();
    await expect(found).toBeInViewport();
    await expect(talk.line('Line 3000')).toHaveCount(0);
    await requireWhole();
  });

  await test.step('reading on from there, in both directions', async () => {
    await scrollTo(place - 90, -600);
    await scrollTo(place + 90, 600);
    await scrollTo(place + 1, -600);
  });

  await test.step('an answer is below the newest message, and links back', async () => {
    await (await talk.menuOf('under the basil'))
      .getByRole('button', { name: 'Reply to this message' })
      .click();
    await talk.say('It is still there.');
    const answer = talk.line('It is still there.');
    await expect(answer).toBeInViewport();
    await expect(talk.line('Line 3000')).toBeInViewport();
    await answer.getByRole('button', { name: /In reply to.*under the basil/ }).click();
    // The reply quotes the match, so wait until it has left the screen.
    await expect(answer).toHaveCount(0);
    await expect(found).toBeInViewport();
    await requireWhole();
    await page.getByRole('button', { name: 'Go to the newest message' }).filter({ visible: true }).click();
    await expect(answer).toBeInViewport();
  });
});

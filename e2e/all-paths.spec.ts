import type { Page } from '@playwright/test';
import { specRoutes } from '../apps/web/src/app/routes.ts';
import { accountId } from './chatting.ts';
import { overlappingTexts } from './fit.ts';
import { applyForJob, openShift } from './hiring.ts';
import { dailySample } from './journey.ts';
import { expect, test, worded } from './moved-time.ts';

const excuses = worded(
  /coming soon|not built yet|something went wrong|couldn't load|couldn't open|no such page/i,
);

/** Faults of the visible page: its heading, its content, and placeholder texts. */
async function faultsOf(page: Page): Promise<string[]> {
  const shown = page.locator('.screen').filter({ visible: true }).last();
  const titles = await shown.locator('h1').allInnerTexts();
  const text = ((await shown.textContent()) ?? '').trim();
  const words = await shown.evaluate((screen) => {
    const texts = document.createTreeWalker(screen, NodeFilter.SHOW_TEXT);
    const found: (string | null)[] = [];
    while (texts.nextNode()) found.push(texts.currentNode.textContent);
    return found.join(' ').replaceAll(/\s+/g, ' ');
  });
  const loading = await shown.getByRole('status', { name: 'Loading' }).filter({ visible: true }).count();
  return [
    ...(loading === 0 ? [] : ['still loading']),
    ...(titles.length === 1 ? [] : [`${titles.length} headings of the first level: ${titles.join(' | ')}`]),
    ...(titles.some((title) => title.trim() === '') ? ['an empty heading'] : []),
    ...(text.length < (titles[0]?.length ?? 0) + 20 ? [`hardly any content: ${text}`] : []),
    ...(excuses.test(words) ? [`an excuse: ${excuses.exec(words)?.[0]}`] : []),
  ];
}

const paths = specRoutes.map(([path]) => path);

async function faultsOn(
  page: Page,
  ids: Record<string, string>,
  visited: readonly string[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const path of visited) {
    const address = path.replace(/:(\w+)/, (_all, name: string) => ids[name] ?? 'none');
    await page.goto(address);
    let found: string[] = ['nothing was drawn'];
    await expect
      .poll(async () => (found = await faultsOf(page)), { timeout: 10_000 })
      .toEqual([])
      .catch(() => {});
    for (const fault of [...found, ...(await overlappingTexts(page))]) faults.push(`${path}: ${fault}`);
  }
  return faults;
}

test('every path of the specification shows a real screen to a guest, a worker and a business', async ({
  parts,
  page,
}) => {
  test.setTimeout(600_000);
  const { nadia, leila, shift } = await openShift(parts, { title: 'Weekend barista', daysAhead: 5 });
  await applyForJob(leila, shift.id);
  const ids = { jobid: shift.id, workerid: await accountId(leila) };
  expect(specRoutes).toHaveLength(45);
  // By day each of them visits other paths, a third of all together.
  for (const [who, of, offset] of [
    ['a guest', page, 0],
    ['a worker', leila.page, 3],
    ['a business', nadia.page, 6],
  ] as const) {
    const visited = dailySample(paths, { step: 9, offset });
    expect.soft(await faultsOn(of, ids, visited), `${who}, SEED=${process.env.SEED}`).toEqual([]);
  }
});

test('the check of a screen can fail', async ({ page }) => {
  const with_ = async (content: string) => {
    await page.setContent(`<div class="screen">${content}</div>`);
    return faultsOf(page);
  };
  const words = 'Everything that a person could want to read on a screen like this one.';
  expect(await with_(`<h1>Reviews</h1><p>${words}</p>`)).toEqual([]);
  expect(await with_(`<h1>Reviews</h1><p>Coming soon. ${words}</p>`)).toHaveLength(1);
  expect(await with_(`<h1>Reviews</h1>`)).toHaveLength(1);
  expect(await with_(`<p>${words}</p>`)).toHaveLength(1);
});

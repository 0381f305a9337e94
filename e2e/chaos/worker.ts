import type { Locator, Page } from '@playwright/test';
import { visibleButton } from '../hiring.ts';
import { expect, worded } from '../journey.ts';
import { portalTitle } from '../servers/faulty-network.ts';
import type { Dice } from './dice.ts';

/** The worker's actions, as the screens reported them at the time. */
export type Done = {
  said: string[];
  pressed: string[];
  /** Jobs whose screen reported the application as sent, or saved to be sent. */
  applied: Set<string>;
  hearts: Map<string, boolean>;
};

export type Place = {
  conversationId: string;
  engagementId: string;
  jobs: readonly { id: string; title: string }[];
};

const briefMs = 8_000;
const answerMs = 45_000;

/** Presses as the server records them: checking out ends a break. */
export function attendanceOf(pressed: readonly string[]): string[] {
  const onBreak = (at: number) => pressed[at - 1] === 'break_start';
  return pressed.flatMap((kind, at) => (kind === 'check_out' && onBreak(at) ? ['break_end', kind] : [kind]));
}

/** Checks that a screen opened offline reports it, with the age of its content. */
export async function admitsFaults(page: Page): Promise<void> {
  const banner = page.locator('.banner.wait').filter({ visible: true, hasText: 'Last updated:' });
  const failed = page
    .getByText(/^You're offline\. Try again|We couldn't reach Nearhand/)
    .filter({ visible: true });
  await expect(
    banner.or(failed).first(),
    `${page.url()} is shown without a network and does not say how old it is`,
  ).toBeVisible({ timeout: answerMs });
}
export const chat = ({ conversationId }: Place) => `/chat?c=${conversationId}`;
const work = ({ engagementId }: Place) => `/tabs/menu/my-work/engagement/${engagementId}`;
export const jobsRead = ({ jobs }: Place) => jobs.slice(0, 5);
export const screensToRead = (place: Place) => [
  '/tabs/menu/my-work',
  '/tabs/menu/messages',
  '/favorite',
  '/withdraw',
  work(place),
  chat(place),
];

/** Opens a screen as a cold start. Returns false on the sign-in page of a captive network. */
export async function visit(page: Page, path: string): Promise<boolean> {
  const at = new URL(page.url());
  if (at.pathname + at.search !== path || (await onPortal(page)))
    await page.goto(path, { waitUntil: 'commit' });
  return settled(page);
}

const onPortal = async (page: Page) => (await page.title()) === portalTitle;

/** Resolves once the app has rendered a screen; false on the sign-in page of a captive network. */
export async function settled(page: Page): Promise<boolean> {
  await page.waitForLoadState('domcontentloaded');
  if (await onPortal(page)) return false;
  await page
    .locator('h1, h2, [role="log"], form.chat-foot')
    .filter({ visible: true })
    .first()
    .waitFor({ timeout: 60_000 });
  return true;
}

export async function shownMessages(page: Page): Promise<{ text: string; sent: boolean }[]> {
  const lines = page.getByRole('log', { name: 'Messages' }).locator('.chat-line.me');
  return lines.evaluateAll((all) =>
    all.map((line) => ({
      text: line.querySelector('.chat-text')?.textContent ?? '',
      sent: line.querySelector('.msg.waiting, .msg.failed') === null,
    })),
  );
}

export async function say(page: Page, place: Place, done: Done): Promise<string> {
  if (!(await visit(page, chat(place)))) return 'portal';
  const field = page.locator('form.chat-foot').filter({ visible: true }).getByRole('textbox');
  // The conversation was open before, so writing needs no network.
  await field.waitFor({ timeout: answerMs });
  const text = `chaos ${done.said.length}.`;
  await field.fill(text);
  await page
    .locator('form.chat-foot')
    .filter({ visible: true })
    .getByRole('button', { name: 'Send', exact: true })
    .click();
  await page.getByRole('log', { name: 'Messages' }).getByText(text, { exact: true }).waitFor();
  done.said.push(text);
  return text;
}

const acts = {
  'Check in': 'check_in',
  'Check in again': 'check_in',
  'Start break': 'break_start',
  'End break': 'break_end',
  'Check out': 'check_out',
} as const;

type Chance = { dice: Dice; cut: boolean };

export async function attend(page: Page, place: Place, done: Done, { dice, cut }: Chance): Promise<string> {
  if (!(await visit(page, work(place)))) return 'portal';
  const open: (keyof typeof acts)[] = [];
  await page
    .locator('.act-main')
    .filter({ visible: true })
    .first()
    .waitFor({ timeout: briefMs })
    .catch(() => {});
  for (const name of Object.keys(acts) as (keyof typeof acts)[])
    if (await page.getByRole('button', { name, exact: true }).filter({ visible: true }).count())
      open.push(name);
  if (open.length === 0) return unavailable(page);
  const name = dice.one(open);
  await page.getByRole('button', { name, exact: true }).filter({ visible: true }).first().click();
  if (name === 'Check out') await visibleButton(page, 'Check out now').click();
  const refusal = page.locator('.act-refusal, .banner.bad').filter({ visible: true });
  const deliveredLines = page
    .getByText(
      /^(You're checked in|Break started|Break ended|You're checked out|Your recorded times for .+ were sent)$/,
    )
    .filter({ visible: true });
  const queued = page
    .getByText("Saved on this device. We'll send it when you're online.")
    .filter({ visible: true });
  const pressed = page.getByRole('button', { name, exact: true }).filter({ visible: true });
  if (!cut)
    await deliveredLines
      .or(refusal)
      .first()
      .waitFor({ timeout: briefMs })
      .catch(() => {});
  // The message disappears after some seconds, and so does the button.
  await expect(async () => {
    if ((await deliveredLines.or(refusal).or(queued).count()) === 0) expect(await pressed.count()).toBe(0);
  }, `${name} was pressed, and nothing says what came of it`).toPass({ timeout: 30_000 });
  if (await refusal.count()) return `refused ${name}: ${await refusal.first().textContent()}`;
  const isQueued = (await queued.count()) > 0;
  if (cut) expect(isQueued, `${name} without a network is called done`).toBe(true);
  done.pressed.push(acts[name]);
  return `${name}: ${isQueued ? 'kept' : 'sent'}`;
}

/** A job, mostly one read before: others can't be opened offline. */
function chosen(dice: Dice, jobs: Place['jobs'], place: Place): Place['jobs'][number] {
  const read = jobsRead(place).filter((job) => jobs.includes(job));
  return dice.chance(0.8) && read.length > 0 ? dice.one(read) : dice.one(jobs);
}

export async function apply(page: Page, place: Place, done: Done, { dice, cut }: Chance): Promise<string> {
  const left = place.jobs.filter(({ id }) => !done.applied.has(id));
  if (left.length === 0) return 'applied to all';
  const { id } = chosen(dice, left, place);
  if (!(await visit(page, `/job-desc/${id}`))) return 'portal';
  const start = page.getByRole('link', { name: 'Apply for this job' }).filter({ visible: true }).first();
  if (!(await opens(page, start))) return unavailable(page);
  await start.click();
  const words = page.getByLabel('Your message').filter({ visible: true }).first();
  if (!(await opens(page, words))) return unavailable(page);
  await words.fill(`I can come, ${id.slice(-4)}.`);
  await visibleButton(page, 'Continue').click();
  const send = visibleButton(page, 'Send application').first();
  if (!(await opens(page, send))) return unavailable(page);
  await send.click();
  const outcome = page
    .getByText(/^(Application sent|Saved\. We'll send it when you're online)$/)
    .filter({ visible: true })
    .first();
  await outcome.waitFor({ timeout: 60_000 });
  const outcomeText = (await outcome.textContent()) ?? '';
  if (cut) expect(outcomeText, 'the application is called sent without a network').toMatch(worded(/^Saved/));
  done.applied.add(id);
  return `${id.slice(-4)}: ${outcomeText}`;
}

export async function heart(page: Page, place: Place, done: Done, dice: Dice): Promise<string> {
  const { id, title } = chosen(dice, place.jobs, place);
  if (!(await visit(page, `/job-desc/${id}`))) return 'portal';
  const save = page
    .getByRole('button', { name: `Save ${title}` })
    .filter({ visible: true })
    .first();
  if (!(await opens(page, save))) return unavailable(page);
  const wasOn = done.hearts.get(id) ?? false;
  await expect(save, `the heart of ${title} shows another state than was tapped`).toHaveAttribute(
    'aria-pressed',
    String(wasOn),
  );
  await save.click();
  done.hearts.set(id, !wasOn);
  return `${wasOn ? 'removed' : 'saved'} ${id.slice(-4)}`;
}

const reasonOn = (page: Page) =>
  page
    .getByText(
      /You're offline|We couldn't reach Nearhand|didn't open|temporarily|Something went wrong|Try again/,
    )
    .filter({ visible: true })
    .first();

/** Returns whether this part of the screen appears, which may take as long as a response on a slow network. */
async function opens(page: Page, part: Locator): Promise<boolean> {
  await part
    .or(reasonOn(page))
    .first()
    .waitFor({ timeout: answerMs })
    .catch((reason: unknown) => {
      throw new Error(`the screen ${page.url()} neither works nor says why`, { cause: reason });
    });
  return part.waitFor({ timeout: briefMs }).then(
    () => true,
    () => false,
  );
}

/** The reason why an action is unavailable: nothing of this screen is stored, and there is no network. */
async function unavailable(page: Page): Promise<string> {
  const why = reasonOn(page);
  try {
    await why.waitFor({ timeout: answerMs });
  } catch (reason) {
    throw new Error(`the screen ${page.url()} neither works nor says why`, { cause: reason });
  }
  return `not now: ${await why.textContent()}`;
}

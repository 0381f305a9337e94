import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './journey.ts';

/** Disables animations (the app respects the setting), so that the checked page is stable. */
export const withoutMotion = { contextOptions: { reducedMotion: 'reduce' } } as const;

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
export const bestPractice = ['best-practice'];

/** Checks WCAG 2.2 AA as far as a machine can (look.md, Accessibility), in light and dark. */
export async function requireNoViolations(
  page: Page,
  path: string,
  also: readonly string[] = [],
): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  await judge(page, path, also);
}

/** Checks the current screen, such as an opened sheet or a refused form. */
export async function judge(page: Page, name: string, also: readonly string[] = []): Promise<void> {
  expect.soft(await violationsOf(page, name, also)).toEqual([]);
}

export async function violationsOf(
  page: Page,
  name: string,
  also: readonly string[] = [],
): Promise<string[]> {
  await settled(page);
  const dialog = (await page.locator('dialog[open]').count()) > 0;
  const everything = axe(page).withTags([...wcag, ...also, ...(dialog ? bestPractice : [])]);
  // The checker treats the inert page behind an open dialog as covering its buttons.
  if (dialog) everything.disableRules('target-size');
  const light = await violationTexts(everything, `${name}, light`);
  // Dark mode has the same elements in the same places; only colour rules can differ (ADR 58).
  await page.emulateMedia({ colorScheme: 'dark' });
  await settled(page);
  const dark = await violationTexts(
    axe(page).withRules(['color-contrast', 'link-in-text-block']),
    `${name}, dark`,
  );
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark];
}

/** Runs inside the page: for foreign frames, which do not occur, it would open a second page each time. */
const axe = (page: Page) => new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });

async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.loading, .sk')].every((element) => !element.checkVisibility()),
  );
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.catch(() => {})),
    );
  });
}

async function violationTexts(builder: AxeBuilder, name: string): Promise<string[]> {
  const { violations } = await builder.analyze();
  return violations.map(
    ({ id, nodes }) =>
      `${name}: ${id} (${nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary}`).join('; ')})`,
  );
}

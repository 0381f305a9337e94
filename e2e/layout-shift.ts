import type { Page } from '@playwright/test';

declare global {
  interface Window {
    layoutShifts: { value: number; moved: string }[];
  }
}

export const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; sources?: { node: Node | null }[] };
    window.layoutShifts = [];
    const wordsOf = (node: Node | null) =>
      node instanceof Element ? `${node.localName}.${node.getAttribute('class') ?? ''}` : 'text';
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[])
        window.layoutShifts.push({
          value: entry.value,
          moved: (entry.sources ?? []).map(({ node }) => wordsOf(node)).join(', '),
        });
    }).observe({ type: 'layout-shift', buffered: true });
  });

const most = 0.05;

/** The shifts on the current page since it was opened, if they exceed the limit. */
export async function tooMuchShift(page: Page, name: string): Promise<string[]> {
  const shifts = await page.evaluate(() => window.layoutShifts);
  const sum = shifts.reduce((before, { value }) => before + value, 0);
  if (sum < most) return [];
  return [
    `${name} moved ${sum.toFixed(2)}: ${shifts.map(({ value, moved }) => `${value.toFixed(2)} ${moved}`).join('; ')}`,
  ];
}

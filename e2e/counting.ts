import type { Page } from '@playwright/test';

export type Counted = {
  taps: number;
  fields: Set<string>;
};

/** Counts every real click, and each changed field once. The page counts, so no step is forgotten. */
export async function counting(page: Page): Promise<Counted> {
  const counted: Counted = { taps: 0, fields: new Set() };
  await page.exposeFunction('countTap', () => {
    counted.taps += 1;
  });
  await page.exposeFunction('countField', (name: string) => {
    counted.fields.add(name);
  });
  await page.addInitScript(() => {
    const page = window as unknown as { countTap: () => void; countField: (name: string) => void };
    // A label passes its click on to its control: one press of the pointer is one tap.
    addEventListener('pointerup', (event) => event.isTrusted && page.countTap(), true);
    addEventListener(
      'input',
      ({ target }) => {
        const field = target as HTMLInputElement;
        if (!/^(?:checkbox|radio)$/.test(field.type))
          page.countField(
            `${location.pathname}: ${field.labels?.[0]?.textContent ?? field.name ?? field.id}`,
          );
      },
      true,
    );
  });
  return counted;
}

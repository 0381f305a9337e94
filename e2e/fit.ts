import type { Page } from '@playwright/test';

/**
 * What people read or hear on the screen: each text, each whole element with texts, and the names of controls. Without title, business and save button of job cards, which have
 * people's words, perhaps of another journey.
 */
export const textsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = new Set<string>();
    const add = (text: string | null) => {
      const read = (text ?? '').replaceAll(/\s+/g, ' ').trim();
      if (/\p{L}/u.test(read)) found.add(read);
    };
    for (const element of document.body.querySelectorAll('*')) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      if (element.closest('.job-title, .job .who, .job .save')) continue;
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) add(element.getAttribute(name));
      const texts = [...element.childNodes].filter(
        (node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.textContent ?? ''),
      );
      for (const text of texts) add(text.textContent);
      if (texts.length > 0) add(element.textContent);
    }
    return [...found];
  });

/** Visible elements that stick out of the page at a side, and are in nothing that scrolls or cuts. */
export const overflowing = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const slack = 1;
    const width = document.documentElement.clientWidth;
    const kept = (element: Element): boolean => {
      for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
        const { left, right } = box.getBoundingClientRect();
        if (getComputedStyle(box).overflowX !== 'visible' && left >= -slack && right <= width + slack)
          return true;
      }
      return false;
    };
    const found = [...document.body.querySelectorAll('*:not(svg *)')].flatMap((element) => {
      if (!element.checkVisibility({ visibilityProperty: true })) return [];
      const { left, right, bottom, width: own } = element.getBoundingClientRect();
      // For screen readers only, or out of sight until it has the focus.
      if (own <= 1 || bottom <= 0 || (left >= -slack && right <= width + slack) || kept(element)) return [];
      const name = `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`;
      return [`${name} from ${Math.round(left)} to ${Math.round(right)} of ${width}`];
    });
    const pages = [document.documentElement, ...document.querySelectorAll('main')];
    const widest = Math.max(...pages.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    return widest > slack ? [...found, `the page is ${widest} too wide`] : found;
  });

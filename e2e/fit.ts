import type { Page } from '@playwright/test';

/** Texts that people read or hear, without job cards, which contain other journeys' data. */
export const textsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const problems = new Set<string>();
    const add = (text: string | null) => {
      const read = (text ?? '').replaceAll(/\s+/g, ' ').trim();
      if (/\p{L}/u.test(read)) problems.add(read);
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
    return [...problems];
  });

/** Visible elements that overflow the page at a side, outside of scrolling or clipping boxes. */
export const overflowing = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const slack = 1;
    const width = document.documentElement.clientWidth;
    const isKept = (element: Element): boolean => {
      for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
        const { left, right } = box.getBoundingClientRect();
        if (getComputedStyle(box).overflowX !== 'visible' && left >= -slack && right <= width + slack)
          return true;
      }
      return false;
    };
    const problems = [...document.body.querySelectorAll('*:not(svg *)')].flatMap((element) => {
      if (!element.checkVisibility({ visibilityProperty: true })) return [];
      const { left, right, bottom, width: own } = element.getBoundingClientRect();
      if (own <= 1 || bottom <= 0 || (left >= -slack && right <= width + slack) || isKept(element)) return [];
      const name = `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`;
      return [`${name} from ${Math.round(left)} to ${Math.round(right)} of ${width}`];
    });
    const pages = [document.documentElement, ...document.querySelectorAll('main')];
    const widest = Math.max(...pages.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    return widest > slack ? [...problems, `the page is ${widest} too wide`] : problems;
  });

/** Visible texts that overlap. Positioned elements overlap on purpose, so a text is compared with its own layer. */
export const overlappingTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    type Line = { text: string; node: Text; layer: Element | null; box: DOMRect };
    const slack = 2;
    /** The ends of a font's line are mostly empty, and lines of a title are closer than that. */
    const emptyShare = 0.24;
    const layerOf = (element: Element): Element | null => {
      for (let box: Element | null = element; box; box = box.parentElement)
        if (box.tagName === 'DIALOG' || /fixed|sticky|absolute/.test(getComputedStyle(box).position))
          return box;
      return null;
    };
    const shownOf = (box: DOMRect, parent: Element): DOMRect => {
      let { left, top, right, bottom } = box;
      for (
        let ancestor: Element | null = parent;
        ancestor && ancestor !== document.body;
        ancestor = ancestor.parentElement
      ) {
        const { overflowX, overflowY } = getComputedStyle(ancestor);
        if (overflowX === 'visible' && overflowY === 'visible') continue;
        const edge = ancestor.getBoundingClientRect();
        [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
        [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
      }
      return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
    };
    const lines: Line[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode as Text;
      const parent = node.parentElement;
      if (!/[\p{L}\p{N}]/u.test(node.data)) continue;
      if (!parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const layer = layerOf(parent);
      for (const { left, top, width, height } of range.getClientRects()) {
        const ink = new DOMRect(left, top + height * emptyShare, width, height * (1 - 2 * emptyShare));
        const box = shownOf(ink, parent);
        if (box.width > slack && box.height > slack) lines.push({ text: node.data.trim(), node, layer, box });
      }
    }
    lines.sort((a, b) => a.box.top - b.box.top);
    const overlaps = new Set<string>();
    for (const [index, line] of lines.entries())
      for (let next = index + 1; next < lines.length; next += 1) {
        const other = lines[next] as Line;
        if (other.box.top >= line.box.bottom - slack) break;
        if (other.node === line.node || other.layer !== line.layer) continue;
        const across = Math.min(line.box.right, other.box.right) - Math.max(line.box.left, other.box.left);
        const down = Math.min(line.box.bottom, other.box.bottom) - Math.max(line.box.top, other.box.top);
        if (across > slack && down > slack) overlaps.add(`"${line.text}" and "${other.text}" overlap`);
      }
    return [...overlaps];
  });

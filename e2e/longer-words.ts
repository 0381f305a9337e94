import type { BrowserContext, Page } from '@playwright/test';

/** Dutch is 7 % longer than English, over all messages; stretched by this it is 40 % longer. */
const stretch = 1.3;

/** Parses a catalogue like `JSON.parse`, with longer texts in brackets. Runs in the browser. */
function readStretched(json: string, factor: number): unknown {
  const accents: Record<string, string> = { a: 'å', c: 'ç', e: 'é', i: 'ï', n: 'ñ', o: 'ö', u: 'û', y: 'ý' };
  // No title has a longer word, and a title's words are not broken: the rest is a separate word.
  const longest = 17;
  const word = (letters: string) => {
    const more = Math.max(0, Math.round(letters.length * factor) - letters.length);
    const accented = [...letters].map((letter) => accents[letter] ?? letter).join('');
    return `${accented}${letters.length + more > longest ? ' ' : ''}${'ö'.repeat(more)}`;
  };
  const text = (plain: string) =>
    plain.replace(/<\/?\d+\/?>|\p{L}{2,}/gu, (part) => (part.startsWith('<') ? part : word(part)));
  const token = (part: unknown): unknown => {
    if (typeof part === 'string') return text(part);
    const [argument, type, cases] = part as [string, string?, Record<string, unknown>?];
    if (!cases) return part;
    const stretched = Object.entries(cases).map(([name, branch]) => [
      name,
      Array.isArray(branch) ? branch.map(token) : typeof branch === 'string' ? text(branch) : branch,
    ]);
    return [argument, type, Object.fromEntries(stretched)];
  };
  const messages = Object.entries(JSON.parse(json) as Record<string, unknown[]>);
  return Object.fromEntries(messages.map(([id, parts]) => [id, ['⟦', ...parts.map(token), '⟧']]));
}

/** Serves a stretched catalogue to a browser that asks for Dutch. */
export async function speakLonger(context: BrowserContext): Promise<void> {
  await context.route(/\/assets\/nl-[\w-]+\.js$/, async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    const reader = `((json) => (${readStretched})(json, ${stretch}))(`;
    await route.fulfill({ response, body: body.replace('JSON.parse(', () => reader) });
  });
}

/** Messages whose closing bracket is cut off by a box around them that does not scroll. */
export const clippedTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const slack = 2;
    const problems: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode as Text;
      const at = node.data.lastIndexOf('⟧');
      const parent = node.parentElement;
      if (at < 0 || !parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const end = range.getBoundingClientRect();
      if (end.bottom <= 0) continue;
      for (let box: Element | null = parent; box; box = box.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(box);
        const edge = box.getBoundingClientRect();
        if (edge.width <= 1 || edge.height <= 1) break;
        const scrolls = /auto|scroll/.test(overflowX) || /auto|scroll/.test(overflowY);
        const cutX =
          /hidden|clip/.test(overflowX) && (end.right > edge.right + slack || end.left < edge.left - slack);
        const cutY =
          /hidden|clip/.test(overflowY) && (end.bottom > edge.bottom + slack || end.top < edge.top - slack);
        if (cutX || cutY) {
          const name = `${parent.tagName.toLowerCase()}.${parent.className}`;
          problems.push(
            `${node.data.trim()} in ${name}, cut by ${box.tagName.toLowerCase()}.${box.className}`,
          );
          break;
        }
        if (scrolls) break;
      }
    }
    return problems;
  });

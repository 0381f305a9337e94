import { expect, it } from 'vitest';
import { adoptHeadStyles } from './adopted-styles.ts';

it('takes styles into sheets of the document and leaves other elements to the head', () => {
  const head = document.createElement('head');
  adoptHeadStyles(head);
  const style = document.createElement('style');
  style.textContent = '.a{color:red}';
  const before = document.adoptedStyleSheets.length;
  expect(head.insertBefore(style, null)).toBe(style);
  expect(head.childNodes).toHaveLength(0);
  expect(document.adoptedStyleSheets).toHaveLength(before + 1);
  const link = document.createElement('link');
  head.insertBefore(link, null);
  expect(head.firstChild).toBe(link);
});

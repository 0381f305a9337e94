import { describe, expect, it } from 'vitest';
import { isAutomatic, stripQuotedText, textOfHtml } from './inbound-mail.ts';

describe('textOfHtml', () => {
  it.each([
    ['<p>Hello</p><p>you &amp; me</p>', 'Hello\n\nyou & me'],
    ['a<br>b', 'a\nb'],
    ['3 < 4 and 5 > 4', '3 < 4 and 5 > 4'],
    ['<script>alert("</p>")</script>Hi', 'Hi'],
    ['<style>p{}', ''],
    ['Hi <!-- <b>no</b> --> there', 'Hi  there'],
    ['<div>Yes.</div><blockquote>You wrote</blockquote>', 'Yes.'],
    ['<blockquote>Only a quote</blockquote>', 'Only a quote'],
    ['&lt;b&gt; &#65;&#x42; &bogus; &#0;&#x110000;', '<b> AB &bogus;'],
    ['<img src=x onerror="alert(1)', ''],
  ])('%s', (html, text) => expect(textOfHtml(html)).toBe(text));

  it('is linear', () => {
    const before = performance.now();
    for (const piece of ['<script>', '<', '<!--', '&#', '<p', '</script>'])
      textOfHtml(piece.repeat(300_000 / piece.length));
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});

describe('ownWords', () => {
  it.each([
    ['Yes.\n\nOn Monday Ann wrote:\n> What?', 'Yes.'],
    ['Ja.\n\nAm Montag schrieb Ann:\n> Was?', 'Ja.'],
    ['> What?\nYes.', 'Yes.'],
    ['Yes.\n-- \nLeila', 'Yes.'],
    ['> only a quote', '> only a quote'],
    ['On time, as I wrote before.', 'On time, as I wrote before.'],
  ])('%j', (text, words) => expect(stripQuotedText(text)).toBe(words));
});

describe('isAutomatic', () => {
  it('tells automatic replies from personal ones', () => {
    expect(isAutomatic([{ key: 'auto-submitted', value: 'no' }])).toBe(false);
    expect(isAutomatic([{ key: 'precedence', value: 'Bulk' }])).toBe(true);
    expect(isAutomatic([{ key: 'x-autoreply', value: 'yes' }])).toBe(true);
    expect(isAutomatic([])).toBe(false);
  });
});

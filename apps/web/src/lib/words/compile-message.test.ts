import { readFileSync } from 'node:fs';
import { compileMessage as reference } from '@lingui/message-utils/compileMessage';
import { describe, expect, it } from 'vitest';
import { compileMessage } from './show-language.ts';

function catalogue(): string[] {
  const text = readFileSync(`${import.meta.dirname}/../../locales/en.po`, 'utf8');
  return [...text.matchAll(/^msgid ((?:".*"\n)+)/gm)]
    .map((match) =>
      (match[1] ?? '')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as string)
        .join(''),
    )
    .filter(Boolean);
}

describe('compiling messages', () => {
  it("returns the same as Lingui's own compiler for every message", () => {
    const messages = catalogue();
    expect(messages.length).toBeGreaterThan(300);
    for (const message of messages)
      expect([message, compileMessage(message)]).toEqual([message, reference(message)]);
  });

  it.each([
    'plain',
    '{name}',
    'a {0} b {1}',
    "it's {count, plural, one {# job} other {# jobs}} near",
    '{n, plural, offset:1 =0 {none} one {{name} and # other} other {# others}}',
    "{n, plural, other {''#'' is '#'}}",
    '{g, select, a {A} other {B {x}}}',
    "say '{'x'}' and '' and o'clock",
    '{place, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}',
    '<0>bold</0> and {value}',
    '# alone',
  ])('reads %s', (message) => expect(compileMessage(message)).toEqual(reference(message)));
});

// @ts-check
import { describe, expect, it } from 'vitest';
import { differences } from './words.mjs';

describe("the web app's messages", () => {
  const said = ['#: src/app/Menu.tsx', 'msgid "Menu"', 'msgstr "Menu"'];

  it('pass when the catalogue matches the sources', () => {
    expect(differences(said, [...said])).toEqual([]);
  });

  it('fail when a message is new, removed or elsewhere', () => {
    expect(differences(said, [...said, 'msgid "Work"'])).toEqual(['+ msgid "Work"']);
    expect(differences([...said, 'msgid "Work"'], said)).toEqual(['- msgid "Work"']);
    expect(differences(said, ['#: src/app/Tabs.tsx', ...said.slice(1)])).toEqual([
      '- #: src/app/Menu.tsx',
      '+ #: src/app/Tabs.tsx',
    ]);
    expect(differences(said, said.toReversed())).toEqual(['The same lines in a different order.']);
  });

  it('list only some of many differences', () => {
    expect(
      differences(
        [],
        Array.from({ length: 90 }, (_, at) => `line ${at}`),
      ),
    ).toHaveLength(20);
  });
});

import { describe, expect, it } from 'vitest';
import { fieldIssueOf } from '../field-issues.rules.ts';
import { plainEmail, plainPhone } from './contact.rules.ts';
import { accountEmail, contactEmail } from './email.ts';
import { personName } from './names.ts';
import { phone } from './profiles.ts';

describe('a phone number', () => {
  it.each([
    ['+31 (0)6 12345678', '+31612345678'],
    ['0031 (0)6-12345678', '+31612345678'],
    ['+31 06 12345678', '+31612345678'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    // Italian numbers keep their zero.
    ['+39 06 1234 5678', '+390612345678'],
    ['+٣١ ٦ ١٢٣٤٥٦٧٨', '+31612345678'],
    ['+۳۱ ۶ ۱۲۳۴۵۶۷۸', '+31612345678'],
    ['\u202a+31 6 12345678\u202c', '+31612345678'],
    ['+1 (202) 555-0123', '+12025550123'],
  ])('%s is %s', (typed, number) => expect(phone.parse(typed)).toBe(number));

  it.each(['06 12345678', '12', 'call me', ''])('%j is rejected', (typed) =>
    expect(phone.safeParse(typed).success).toBe(false),
  );

  it('keeps brackets that contain no trunk zero', () => {
    expect(plainPhone('(020) 123-4567')).toBe('0201234567');
  });
});

describe('a mail address', () => {
  it.each([
    ['info@bücher.example', 'info@xn--bcher-kva.example'],
    ['info@例え.example', 'info@xn--r8jz45g.example'],
    ['r&d@kopi.example', 'r&d@kopi.example'],
    ['a@b@bücher.example/x', 'a@b@bücher.example/x'],
    ['no address', 'no address'],
  ])('%s is stored as %s', (typed, stored) => expect(plainEmail(typed)).toBe(stored));

  it.each(['info@bücher.example', 'r&d@kopi.example', '50%off@kopi.example', 'name+tag@kopi.example'])(
    'accepts %s to write to',
    (typed) => expect(contactEmail(254).safeParse(typed).success).toBe(true),
  );

  it.each(['kopi', 'a@kopi', '.a@kopi.example', 'a..b@kopi.example', 'a@@kopi.example', 'a b@kopi.example'])(
    'rejects %s',
    (typed) => expect(contactEmail(254).safeParse(typed).success).toBe(false),
  );

  it('of an account can be at a domain with an umlaut', () =>
    expect(accountEmail(254).parse('Leila@Bücher.example')).toBe('Leila@xn--bcher-kva.example'));

  it('is rejected by a rule that forms have a message for', () => {
    const rulesOf = (typed: string) =>
      contactEmail(254)
        .safeParse(typed)
        .error?.issues.map((issue) => fieldIssueOf(issue).rule);
    for (const typed of ['kopi', 'a..b@kopi.example'])
      expect(new Set(rulesOf(typed))).toEqual(new Set(['email']));
    expect(
      personName(80)
        .safeParse('http://spam.example')
        .error?.issues.map((issue) => fieldIssueOf(issue).rule),
    ).toEqual(['name-address']);
  });
});

import { describe, expect, it } from 'vitest';
import { areaOf, cleanAvailability, cleanLanguages, cleanSkills } from './profiles.ts';

describe('the area of a home', () => {
  it.each([
    [null, null],
    ['Haarlem', 'Haarlem'],
    ['Jordaan, Amsterdam', 'Jordaan, Amsterdam'],
    ['Prinsengracht 263, Amsterdam', 'Amsterdam'],
    ['263 Prinsengracht', null],
    ['Prinsengracht 263, 1016 GV Amsterdam', null],
    ['Rosewood House, Baker Street, London', 'London'],
    ['شارع ١٢, القاهرة', 'القاهرة'],
    [' , ,', null],
  ])('of %s is %s', (label, area) => {
    expect(areaOf(label)).toBe(area);
  });
});

describe('duplicate entries', () => {
  it('count once, with the last value', () => {
    expect(
      cleanSkills([
        { skill: 'barista', level: 'beginner', years: 0 },
        { skill: 'waiter', level: 'expert', years: 9 },
        { skill: 'barista', level: 'expert', years: 4 },
      ]),
    ).toEqual([
      { skill: 'barista', level: 'expert', years: 4 },
      { skill: 'waiter', level: 'expert', years: 9 },
    ]);
    expect(
      cleanLanguages([
        { code: 'nl', level: 'basic' },
        { code: 'nl', level: 'good' },
      ]),
    ).toEqual([{ code: 'nl', level: 'good' }]);
    const monday = { day: 'mon', part: 'night' } as const;
    expect(cleanAvailability([monday, { ...monday }])).toEqual([monday]);
  });
});

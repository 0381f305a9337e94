import { describe, expect, it } from 'vitest';
import { holidayOn } from './holidays.ts';

describe('public holidays', () => {
  it.each([
    ['NL', '2026-12-25', 'Eerste Kerstdag'],
    ['NL', '2026-04-05', 'Eerste Paasdag'],
    ['NL', '2027-03-29', 'Tweede Paasdag'],
    ['NL', '2027-05-06', 'Hemelvaartsdag'],
    ['NL', '2027-04-27', 'Koningsdag'],
    ['NL', '2031-04-26', 'Koningsdag'],
    ['NL', '2031-04-27', null],
    ['DE', '2027-03-26', 'Karfreitag'],
    ['AT', '2027-05-27', 'Fronleichnam'],
    ['GB', '2027-05-03', 'Early May bank holiday'],
    ['GB', '2027-05-31', 'Spring bank holiday'],
    ['IE', '2026-10-26', 'October holiday'],
    ['US', '2026-11-26', 'Thanksgiving Day'],
    ['US', '2027-02-15', 'Washington’s Birthday'],
    ['US', '2038-04-25', null],
    ['NL', '2038-04-25', 'Eerste Paasdag'],
    ['FR', '2026-12-24', null],
    ['JP', '2026-01-01', null],
  ])('%s %s is %s', (country, day, name) => {
    expect(holidayOn(country, day)).toBe(name);
  });
});

import { expect, it } from 'vitest';
import { countryOfZone } from './home-country.rules.ts';

it.each([
  ['Europe/Amsterdam', 'NL'],
  ['Europe/Brussels', 'BE'],
  ['Asia/Ho_Chi_Minh', 'VN'],
  ['Asia/Kolkata', 'IN'],
  ['America/New_York', 'US'],
  ['Etc/GMT+2', null],
  ['UTC', null],
])('time zone %s is in %s', (zone, country) => expect(countryOfZone(zone)).toBe(country));

import { expect, test } from 'vitest';
import { Lookups } from './lookups.ts';

const lookups = new Lookups([
  ['From', 'Van'],
  ['On its way', 'Onderweg'],
  ['Step {at} of {all}', 'Stap {at} van {all}'],
  ['Save', 'Bewaar'],
  ['Save changes', 'Bewaar wijzigingen'],
  ['Reject', 'Afwijzen'],
  ['Reject {name}', '{name} afwijzen'],
  ['{name} is typing', '{name} typt'],
  ['{first} and {second}', '{first} en {second}'],
  ['Offer {what}', 'Bied {what} aan'],
  ['Offer a job', 'Bied een klus aan'],
  ['Offer to {name}', 'Aanbod aan {name}'],
  ['You get {amount} by {when}', 'Je krijgt {amount} voor {when}'],
  [
    '{count, plural, one {# job} other {# jobs}} near you',
    '{count, plural, one {# klus} other {# klussen}} bij jou',
  ],
  ['Role: {role}', 'Rol: {role}'],
  ['Recruiter', 'Werver'],
  ['Pending', 'In behandeling'],
  ['What you wrote was saved.', 'Wat je schreef is bewaard.'],
]);
const noOne = () => false;
const find = (sought: string | RegExp, exact = false, written: (text: string) => boolean = noOne) =>
  lookups.find(sought, exact, written);

test('a message is looked for as its translation, not as longer ones that have it', () => {
  expect(find('Save')?.test('Bewaar')).toBe(true);
  expect(find('Save')?.test('Save')).toBe(false);
  expect(find('save', true)).toBeNull();
  expect('Van Stap 3 van 5'.match(find('From', true) ?? /^/)).toBeNull();
});

test('values keep what people wrote, translate our words and take digits in any format', () => {
  expect(find('Kopi and Crumb is typing')?.test('Kopi and Crumb typt')).toBe(true);
  expect(find('Kopi and Crumb is typing')?.test('Leila typt')).toBe(false);
  expect(find('Role: Recruiter')?.test('Rol: Werver')).toBe(true);
  const paid = find('You get €1,234.50 by Mon 23 Nov');
  expect(paid?.test('Je krijgt € 1.234,50 voor ma 23 nov')).toBe(true);
  expect(paid?.test('Je krijgt € 1.234,60 voor ma 23 nov')).toBe(false);
  expect(find('2 jobs near you')?.test('2 klussen bij jou')).toBe(true);
});

test('an amount is looked for by its digits, a number as it is', () => {
  expect(find('€4.95', true)?.test('€ 4,95')).toBe(true);
  expect(find('€4.95', true)?.test('€ 14,95')).toBe(false);
  expect(find('1')).toBeNull();
  expect(find('€95')?.test('€ 95Teruggestuurd')).toBe(true);
  expect(find('€95')?.test('€ 950')).toBe(false);
});

test('the beginning of an amount is no other value', () => {
  expect(find(/^Offer €/)?.test('Bied € 99 aan')).toBe(true);
  expect(find(/^Offer €/)?.test('Bied een klus aan')).toBe(false);
});

test('a time is looked for by its digits, or with twelve hours as in Arabic', () => {
  expect(find('10:00')?.test('10 ص–4 م')).toBe(true);
  expect(find('16:30')?.test('4:30 م')).toBe(true);
  expect(find('16:30')?.test('4:30 ص')).toBe(false);
  expect(find('16:30')?.test('16.30 uur')).toBe(true);
  expect(find('16:00')?.test('14 م')).toBe(false);
});

test('of two readings it takes the one with more of our words', () => {
  expect(find('Offer to Leila', true)?.test('Aanbod aan Leila')).toBe(true);
  expect(find('Offer to Leila', true)?.test('Bied to Leila aan')).toBe(false);
});

test('a part of a message is looked for as the whole of its translation', () => {
  expect(find('you wrote was')?.test('Wat je schreef is bewaard.')).toBe(true);
  expect(find('you wrote was')?.test('bewaard')).toBe(false);
  expect(find('you wrote was', true)).toBeNull();
});

test('an expression begins and ends where it says, and leaves open what it leaves open', () => {
  expect(find(/^Reject/)?.test('Leila afwijzen')).toBe(true);
  expect(find(/^Reject$/)?.test('Leila afwijzen')).toBe(false);
  expect(find(/^You get .* by/)?.test('Je krijgt € 5 voor morgen')).toBe(true);
  expect(find(/^(Save|Reject)$/)?.test('Afwijzen')).toBe(true);
  expect(find(/^wrote/)).toBeNull();
  expect(find(/€0$/, true)?.test('Saldo € 0')).toBe(true);
});

test('a sentence may stand between others without a space', () => {
  expect(find('What you wrote was saved.')?.test('LetopWat je schreef is bewaard.Sluiten')).toBe(true);
  expect(find('From')?.test('vanaf')).toBe(false);
  expect(find('On its way')?.test('Onderweg')).toBe(true);
  expect(find('On its way')?.test('Onderweggeld')).toBe(false);
});

test('texts in a row are looked for one by one', () => {
  expect(find('Pending€99', true)?.test('In behandeling€ 99')).toBe(true);
  expect(find('Pending€99', true)?.test('In behandeling€ 98')).toBe(false);
});

test('a message in a row with a name is no other message with more words in its place', () => {
  const typed = (text: string) => text === 'Leila';
  const toLeila = find(/^Offer a job ?: Leila/, false, typed);
  expect(toLeila?.test('Bied een klus aan: Leila Haddad')).toBe(true);
  expect(toLeila?.test('Bied een klus aan: Kwame')).toBe(false);
});

test('a number at the end of a name stays with the name', () => {
  expect(find('Reject Recruiter 7')?.test('Recruiter 7 afwijzen')).toBe(true);
  expect(find('Reject Recruiter 7')?.test('Recruiter 8 afwijzen')).toBe(false);
});

test('what people wrote is looked for as it is, and as a message if it is one', () => {
  expect(find('Kopi and Crumb')).toBeNull();
  expect(find('Nadia Rahmani')).toBeNull();
  const both = find('Recruiter', true, (text) => text === 'Recruiter');
  expect(both?.test('Recruiter')).toBe(true);
  expect(both?.test('Werver')).toBe(true);
  const row = find(/^Pending ?: Recruiter/, false, (text) => text === 'Recruiter');
  expect(row?.test('In behandeling: Recruiters I trust')).toBe(false);
  expect(row?.test('In behandeling: Recruiter one')).toBe(true);
  expect(row?.test('In behandeling: Werver')).toBe(true);
});

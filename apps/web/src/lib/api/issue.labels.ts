import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { type Currency, currencies } from '@nearhand/contract/currencies';
import type { FieldIssue } from '@nearhand/contract/field-issues.rules';
import { formatMoney, formatNumber } from '../words/format.ts';

/** Names of typed fields by their name in the contract. A field that isn't typed, such as a token, has no name. */
const fieldText: Readonly<Record<string, MessageDescriptor>> = {
  password: msg`Password`,
  code: msg`Code`,
  pin: msg`PIN`,
  publicAfterMinutes: msg`Show it to everyone`,
  name: msg`Name`,
  note: msg`Note`,
  notes: msg`Notes`,
  text: msg`Note`,
  coverNote: msg`Message`,
  message: msg`Message`,
  body: msg`Message`,
  value: msg`Answer`,
  items: msg`Quick replies`,
  reason: msg`Reason`,
  payReason: msg`Reason`,
  shortReason: msg`Reason`,
  words: msg`Reason`,
  address: msg`Street and number`,
  area: msg`Town or neighbourhood`,
  lat: msg`Place`,
  lng: msg`Place`,
  label: msg`Name`,
  place: msg`Place`,
  where: msg`Place`,
  contactName: msg`Contact person`,
  contactPhone: msg`Phone`,
  phone: msg`Phone`,
  openingNotes: msg`Opening notes`,
  legalName: msg`Legal name`,
  registrationNumber: msg`Registration number`,
  vatId: msg`VAT ID`,
  registeredStreet: msg`Street and number`,
  registeredPostcode: msg`Postcode`,
  registeredTown: msg`Town`,
  street: msg`Street and number`,
  postcode: msg`Postcode`,
  town: msg`Town`,
  taxNumber: msg`Tax number`,
  vatStatus: msg`VAT`,
  vatSince: msg`VAT applies from`,
  description: msg`Description`,
  email: msg`Email`,
  newEmail: msg`Email`,
  website: msg`Website`,
  domain: msg`Website`,
  countryCode: msg`Country`,
  amountMinor: msg`Amount`,
  addMinor: msg`Amount`,
  limitMinor: msg`Monthly limit`,
  payMinor: msg`Pay`,
  minPay: msg`Pay`,
  minTotal: msg`Pay`,
  startsFrom: msg`Starts from`,
  endsBy: msg`Ends by`,
  maxMinutes: msg`Length of a shift`,
  weekdays: msg`Days of the week`,
  from: msg`From`,
  to: msg`To`,
  expiresOn: msg`Day`,
  day: msg`Day`,
  days: msg`Days`,
  dueOn: msg`Day`,
  month: msg`Month`,
  replaces: msg`Offer`,
  startsAt: msg`Start`,
  endsAt: msg`End`,
  bornOn: msg`Date of birth`,
  firstName: msg`First name`,
  lastName: msg`Last name`,
  minutes: msg`Minutes`,
  breakMinutes: msg`Break`,
  slots: msg`Times`,
  timeZone: msg`Time zone`,
  title: msg`Title`,
  requirements: msg`Requirements`,
  headCount: msg`People`,
  alsoOn: msg`Also on`,
  asBlock: msg`All dates together`,
  alsoFor: msg`Shifts`,
  declines: msg`Shifts`,
  maxUses: msg`People`,
  prompt: msg`Question`,
  choices: msg`Answers`,
  tags: msg`Tags`,
  answers: msg`Answers`,
  questions: msg`Questions`,
  skills: msg`Skills`,
  languages: msg`Languages`,
  availability: msg`Availability`,
  weekHoursMax: msg`Hours a week`,
  bio: msg`Introduction`,
  years: msg`Years`,
  stars: msg`Stars`,
  subject: msg`Subject`,
  radiusKm: msg`Distance`,
  q: msg`Search`,
};

/** The words for a field of a refused input, by the last name in its path; null for fields that aren't typed. */
export function fieldName(path: string): string | null {
  const names = path.split('.').filter((part) => !/^\d+$/.test(part));
  const words = fieldText[names.at(-1) ?? ''];
  return words ? i18n._(words) : null;
}

const isCurrency = (code: string | undefined): code is Currency =>
  (currencies as readonly (string | undefined)[]).includes(code);

/**
 * The sentence for a field: the problem with its value, and how to fix it. An amount's limit is in its
 * currency.
 */
export function issueText({ rule, limit = 0, path, currency }: Omit<FieldIssue, 'message'>): string {
  const maximum = limit;
  const isAmount = path.endsWith('Minor');
  if (isAmount && !isCurrency(currency) && (rule === 'too-large' || rule === 'too-small'))
    return rule === 'too-large' ? t`Enter a lower amount.` : t`Enter a higher amount.`;
  const count = isAmount && isCurrency(currency) ? formatMoney(limit, currency) : formatNumber(limit);
  switch (rule) {
    case 'missing':
      return t`Fill this in.`;
    case 'too-long':
      return t`Use ${maximum} characters or fewer.`;
    case 'too-short':
      return t`Use at least ${maximum} characters.`;
    case 'too-many':
      return t`Keep it to ${count} at most.`;
    case 'too-few':
      return t`Add at least ${count}.`;
    case 'too-large':
      return t`Enter ${count} or less.`;
    case 'too-small':
      return t`Enter ${count} or more.`;
    case 'whole':
      return t`Enter a whole number.`;
    case 'email':
      return t`Enter an address such as name@example.com.`;
    case 'web-address':
      return t`Enter an address such as https://example.com.`;
    case 'day':
      return t`Choose a day and time.`;
    case 'choice':
      return t`Choose one of the options.`;
    case 'characters':
      return t`Leave out characters that can't be shown.`;
    case 'pattern':
    case 'tax-number':
      return t`Check how this is written.`;
    case 'registration-number':
      return t`Enter the number as it is in the register of the country you chose.`;
    case 'registration-taken':
      return t`A verified business already has this number. Ask its owner to add you to the team, or check the number.`;
    case 'vat-id':
      return t`Enter a VAT ID of the country you chose. One of its digits may be wrong.`;
    case 'postcode':
      return t`Enter a postcode of the country you chose.`;
    case 'name-address':
      return t`Leave out web and email addresses.`;
    case 'name-marks':
      return t`Leave out the invisible marks that change the direction of text. Type the name again without pasting it.`;
    case 'name-markup':
      return t`Leave out characters such as < and >.`;
    case 'name-emoji':
      return t`Leave out emoji. A name has letters and numbers.`;
    case 'contact-details':
      return t`Remove phone numbers and email addresses. You can share them in the chat once you’re hired.`;
    default:
      return t`This isn't possible. Change it.`;
  }
}

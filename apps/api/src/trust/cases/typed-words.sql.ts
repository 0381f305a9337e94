import { shortIdIn } from '@nearhand/contract/hiring/public-pages.rules';
import { referencesIn } from '@nearhand/contract/money/bank-transfers.rules';
import { readCaseNumber } from '@nearhand/contract/trust/cases.rules';
import { isRecordId, searchLimits } from '@nearhand/contract/trust/staff-search.rules';
import { type RawBuilder, sql } from 'kysely';
import { feeSeries } from '../../money/statements/statements.rules.ts';

/** The typed text, read in each way it can mean. Null where it can't mean that. */
export type Query = {
  /** Words of a name, without punctuation and currency signs around them. */
  names: readonly string[];
  recordId: string | null;
  /** The ten digits in the address of a public page. */
  shortId: string | null;
  /** A whole email, or a part of one that has characters that names don't have. */
  email: string | null;
  /** The last eight digits of a phone number, with or without its country. */
  phone: string | null;
  /** The last four digits of an IBAN or account number, or of a longer part of one. */
  accountEnd: string | null;
  /** The digits that end a whole IBAN; in most countries those after the bank's letters. */
  ibanDigits: string | null;
  /** The payment provider's reference of a payment or withdrawal, such as `pi_3Q…`. */
  reference: string | null;
  /** A registration or VAT number without spaces and dots. */
  bareNumber: string | null;
  invoice: { series: string; year: number; number: number } | null;
  /** The last part of an invoice's number, with its zeros: `000042`. */
  invoiceEnd: number | null;
  /** An amount in cents: `123.45` or `1.234,56`. */
  amountMinor: number | null;
  /** The number in the reference of a business's bank transfers. */
  transferNumber: number | null;
  /** The number of a case, which is the end of an id, in small letters. */
  caseNumber: string | null;
};

const uuidIn = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const emailIn = /[^\s<>(),;:"]+@[^\s<>(),;:"]*/;

/** Reads what an operator typed or pasted, such as a name, `06 1234 5678`, `NHF-2026-000042` or the address of a page. */
export function readQuery(typed: string): Query {
  const words = typed.trim();
  const uuid = uuidIn.exec(words)?.[0].toLowerCase() ?? null;
  const digits = words.replaceAll(/\D/g, '');
  const bare = words.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase();
  const isPhone = /^[+\d][\d\s()./-]*$/.test(words) && digits.length >= 8 && digits.length <= 15;
  const iban = /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(bare) ? bare : null;
  const ending = words.replaceAll(/\s/g, '').toUpperCase();
  const email = emailIn.exec(words)?.[0].toLowerCase() ?? null;
  const isEmailPart = /^[^\s@]*[a-z][^\s@]*$/i.test(words) && /[._+\d-]/.test(words);
  const [, series, year, number] =
    /^([A-Z]{2,3}\d*)[\s-]+(\d{4})[\s-]+(\d{1,9})$/.exec(words.toUpperCase()) ?? [];
  return {
    names: words
      .split(/[\s,;]+/)
      .map((word) => word.replaceAll(/^[.“”"'()€$£]+|[.“”"'()€$£]+$/g, ''))
      .filter((word) => word !== ''),
    recordId: isRecordId(uuid ?? '') ? uuid : null,
    shortId: words.includes('/') && uuid === null ? shortIdIn(words) : null,
    email: email ?? (isEmailPart ? words.toLowerCase() : null),
    phone: isPhone ? digits.slice(-8) : null,
    accountEnd: iban?.slice(-4) ?? (/^[•*.]*(?:[A-Z]{4})?\d{4,}$/.test(ending) ? ending.slice(-4) : null),
    ibanDigits: /\d{6,}$/.exec(iban ?? '')?.[0] ?? null,
    reference: /^[a-z]+_\w+$/.test(words) ? words : null,
    bareNumber:
      /\d{4}/.test(bare) && bare.length <= 30
        ? bare.replace(/^(KVK|HRB|SIREN|SIRET|CIF|NIF)(?=\d)/, '')
        : null,
    invoice: series && year && number ? { series, year: Number(year), number: Number(number) } : null,
    invoiceEnd: /^0\d{3,8}$/.test(words) ? Number(words) : null,
    amountMinor: /^[€$£]?\s?(?:\d{1,9}|\d{1,3}(?:[.,\s]\d{3}){1,2})[.,]\d{2}$/.test(words)
      ? Number(digits)
      : null,
    transferNumber: referencesIn([words]).numbers[0] ?? null,
    caseNumber: readCaseNumber(words)?.toLowerCase() ?? null,
  };
}

/**
 * Matches every word, in any order, or words that are all too short for the trigram index together and in their order.
 * Ignores case and accents; the index has the same expression.
 */
export const nameMatches = (name: RawBuilder<unknown>, names: readonly string[]): RawBuilder<unknown> =>
  names.length === 0
    ? sql`false`
    : sql`(${sql.join(
        indexedWords(names).map(
          (word) => sql`folded_name(${name}) like ${likePattern(sql`folded_name(${word})`)}`,
        ),
        sql` and `,
      )})`;

const indexedWords = (names: readonly string[]): readonly string[] =>
  names.some((word) => [...word].length >= searchLimits.wordsMin) ? names : [names.join(' ')];

const likePattern = (words: RawBuilder<unknown>) =>
  sql`'%' || regexp_replace(${words}, '[\\\\%_]', '\\\\\\&', 'g') || '%'`;

export type Keyset = { before: string | null; limit: number };
export const beforeCursor = (column: string, page: Keyset) =>
  page.before === null ? sql`` : sql`and ${sql.ref(column)} < ${page.before}::uuid`;

/** Bounds the people or businesses whose work or cases are searched: more than those of one common name. */
export const matchedMax = 1_000;

/** Each part has an index of its own. */
export const unionOf = (parts: readonly (RawBuilder<unknown> | null | false)[]): RawBuilder<unknown> => {
  const applicable = parts.filter((part) => part !== null && part !== false);
  return applicable.length === 0 ? sql`select null::uuid where false` : sql.join(applicable, sql` union `);
};

/** The ids of people by their name, email, phone, bank account, withdrawal or invoice, newest first. */
export function peopleLike(query: Query, page: Keyset): RawBuilder<unknown> {
  const { names, email, phone, accountEnd, reference, invoice, invoiceEnd } = query;
  const isName = email === null || !email.includes('@');
  return unionOf([
    isName &&
      sql`(select id from accounts where ${nameMatches(sql`name`, names)} ${beforeCursor('id', page)} order by id desc limit ${page.limit})`,
    isName &&
      sql`(select account_id from payout_methods where ${nameMatches(sql`holder_name`, names)} ${beforeCursor('account_id', page)}
        order by account_id desc limit ${page.limit})`,
    email !== null &&
      sql`(select id from accounts where email like ${likePattern(sql`${email}::text`)} ${beforeCursor('id', page)} order by id desc limit ${page.limit})`,
    phone !== null &&
      sql`select account_id from profiles where phone is not null and phone_end(phone) = ${phone}`,
    accountEnd !== null && sql`select account_id from payout_methods where last4 = ${accountEnd}`,
    reference !== null && sql`select account_id from withdrawals where provider_ref = ${reference}`,
    invoice &&
      sql`select worker_id from worker_invoices where series = ${invoice.series} and year = ${invoice.year} and number = ${invoice.number}`,
    invoiceEnd !== null &&
      sql`(select worker_id from worker_invoices where number = ${invoiceEnd} ${beforeCursor('worker_id', page)}
        order by worker_id desc limit ${page.limit})`,
  ]);
}

/** The ids of businesses by their names, email, phone, payment by card, numbers or address. */
export function businessesLike(query: Query): RawBuilder<unknown> {
  const { names, email, phone, reference, invoice, invoiceEnd, bareNumber, transferNumber, shortId } = query;
  const isName = email === null || !email.includes('@');
  return unionOf([
    isName && sql`select id from businesses where ${nameMatches(sql`name || ' ' || legal_name`, names)}`,
    email !== null &&
      sql`select id from businesses where email is not null and lower(email) like ${likePattern(sql`${email}::text`)}`,
    phone !== null && sql`select id from businesses where phone is not null and phone_end(phone) = ${phone}`,
    reference !== null && sql`select business_id from charges where provider_ref = ${reference}`,
    bareNumber !== null &&
      sql`select id from businesses where registration_number <> '' and bare_number(registration_number) = ${bareNumber}
        union select id from businesses where vat_id <> '' and bare_number(vat_id) = ${bareNumber}`,
    invoice &&
      (invoice.series === feeSeries
        ? sql`select business_id from invoices where year = ${invoice.year} and number = ${invoice.number}`
        : sql`select business_id from worker_invoices where series = ${invoice.series} and year = ${invoice.year} and number = ${invoice.number}`),
    invoiceEnd !== null &&
      sql`select business_id from invoices where number = ${invoiceEnd}
        union (select business_id from worker_invoices where number = ${invoiceEnd}
          order by worker_id desc limit ${matchedMax})`,
    transferNumber !== null && sql`select id from businesses where transfer_number = ${transferNumber}`,
    shortId !== null && sql`select id from businesses where short_id = ${shortId}`,
  ]);
}

/** The columns of a request that its trigram index has. */
export const ticketText = sql`name || ' ' || coalesce(email, '') || ' ' || subject`;

/** The request that a request was merged into, which has its messages, or the request itself. */
export const joinedRequest = sql`coalesce(merged_into, id)`;

/** The typed words that a request's messages are searched for: a whole email is one of them. */
export const wordsOf = ({ names, email }: Query): readonly string[] =>
  email?.includes('@') ? [email] : names;

/**
 * The newest requests whose author wrote every word in one message; a number with any spaces, dots and commas between its
 * digits, and a phone number with or without its country. Indexes: `ticket_messages_words`, `ticket_messages_numbers`.
 */
export function requestsSaying(query: Query): RawBuilder<unknown> {
  const hasDigits = (digits: string) => sql`numbers_in(body) like ${`%${digits}%`}`;
  const says = indexedWords(wordsOf(query)).map((word) => {
    const digits = /^[\d.,/()+-]+$/.test(word) ? word.replaceAll(/\D/g, '') : '';
    const isWritten = nameMatches(sql`body`, [word]);
    return digits.length < searchLimits.wordsMin ? isWritten : sql`(${isWritten} or ${hasDigits(digits)})`;
  });
  const whole = query.phone ?? query.ibanDigits;
  const matching = says.length === 0 ? sql`false` : sql.join(says, sql` and `);
  return sql`(select ticket_id from ticket_messages where author = 'requester'
    and (${matching} ${whole === null ? sql`` : sql`or ${hasDigits(whole)}`}) order by id desc limit ${matchedMax})`;
}

/** A word and its forms with two neighbouring letters swapped: "ina", "nia", "ian". Words too short or long have none. */
function withSwaps(word: string): string[] {
  const letters = [...word];
  if (letters.length < searchLimits.wordsMin || letters.length > swapMax.letters) return [word];
  const swaps = letters
    .slice(1)
    .map((next, at) => [...letters.slice(0, at), next, letters[at], ...letters.slice(at + 2)].join(''));
  return [...new Set([word, ...swaps])];
}

/** Each form of a word is one look into the trigram index. */
const swapMax = { words: 4, letters: 16 } as const;

type WordMatch = (patterns: RawBuilder<unknown>, word: string) => RawBuilder<unknown>;

const everyWord = (name: RawBuilder<unknown>, names: readonly string[], matches: WordMatch) => {
  // `order by` refuses a bare constant.
  if (names.length === 0 || names.length > swapMax.words) return sql`false::boolean`;
  const words = names.map((word) => {
    const patterns = withSwaps(word).map((form) => likePattern(sql`folded_name(${form}::text)`));
    return matches(sql`${name} like any (array[${sql.join(patterns)}])`, word);
  });
  return sql`(${sql.join(words, sql` and `)})`;
};

/** Matches every word, at its place or with two letters swapped, which leaves too few common trigrams in a short name. */
export const swapMatches = (name: RawBuilder<unknown>, names: readonly string[]): RawBuilder<unknown> =>
  everyWord(name, names, (isSwapped) => isSwapped);

/** Matches every word with two letters swapped or close to a word of the name: "Rafeal Jansn". */
export const closeMatches = (name: RawBuilder<unknown>, names: readonly string[]): RawBuilder<unknown> =>
  everyWord(name, names, (isSwapped, word) => sql`(${isSwapped} or folded_name(${word}::text) <% ${name})`);

/** The name in what was typed, which for an email is the part before the @; null for an id and for a text that is too short. */
export function similarName({ names, email, recordId }: Query): string | null {
  const typedName = email?.includes('@') ? (email.split('@')[0] ?? '') : names.join(' ');
  return recordId !== null || typedName.length < searchLimits.wordsMin ? null : typedName;
}

/** True if a folded name is close to what was typed: with a letter missing, doubled, wrong or swapped with the next. */
export function isSimilarName(name: RawBuilder<unknown>, typedName: string): RawBuilder<boolean> {
  const words = sql`folded_name(${typedName})`;
  // The first compares whole names, the second finds a misspelt word in a long one; the trigram index has all of them.
  return sql`(${words} % ${name} or ${words} <% ${name} or ${closeMatches(name, typedName.split(' '))})`;
}

type CaseAlias = 'every_case' | 'closed';

/**
 * True if a case, open or closed, has what was typed: its number, the id of its record or of someone concerned, every word
 * of its title, or anything that finds a person or business it concerns, the author or the words of a request, or an open
 * bank transfer. People and businesses are found by their own indexes, before any case is read. With `isSimilar`, close names
 * and titles.
 */
export function matchesText(alias: CaseAlias, text: string, isSimilar = false): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const query = readQuery(text);
  const { recordId, caseNumber } = query;
  const concerns = (people: RawBuilder<unknown>, businesses: RawBuilder<unknown>) => [
    sql`${column('accountIds')} && array(select * from (${people}) person limit ${matchedMax})::uuid[]`,
    sql`${column('businessId')} = any (array((select * from (${businesses}) business limit ${matchedMax}) union
      select member.business_id from business_members member
        where member.account_id = any (array(select * from (${people}) person limit ${matchedMax}))))`,
  ];
  const anyOf = (parts: readonly RawBuilder<unknown>[]) => sql<boolean>`(${sql.join(parts, sql` or `)})`;
  if (recordId !== null)
    return anyOf([
      sql`${column('subjectId')} = ${recordId}::uuid`,
      ...concerns(sql`select ${recordId}::uuid`, sql`select ${recordId}::uuid`),
    ]);
  const title = sql`folded_name(${column('title')})`;
  const requests = (matching: RawBuilder<unknown>) =>
    sql`${column('subjectId')} = any (array(select ${joinedRequest} from tickets where ${matching} order by id desc limit ${matchedMax}))`;
  if (isSimilar) {
    const typedName = similarName(query);
    if (typedName === null) return sql<boolean>`false`;
    const close = (table: 'accounts' | 'businesses', name: RawBuilder<unknown>) =>
      sql`(select id from ${sql.table(table)} where ${isSimilarName(sql`folded_name(${name})`, typedName)}
        order by similarity(folded_name(${typedName}), folded_name(${name})) desc limit ${searchLimits.similar})`;
    return anyOf([
      isSimilarName(title, typedName),
      requests(isSimilarName(sql`folded_name(${ticketText})`, typedName)),
      ...concerns(close('accounts', sql`name`), close('businesses', sql`name || ' ' || legal_name`)),
    ]);
  }
  const parts = [nameMatches(column('title'), query.names)];
  if (caseNumber !== null) parts.push(sql`right(${column('subjectId')}::text, 6) = ${caseNumber}`);
  if (text.trim().length >= searchLimits.wordsMin) {
    parts.push(
      requests(nameMatches(ticketText, wordsOf(query))),
      sql`${column('subjectId')} = any (array(select ${joinedRequest} from tickets where id in ${requestsSaying(query)}))`,
      ...concerns(peopleLike(query, { before: null, limit: matchedMax }), businessesLike(query)),
    );
    if (alias === 'every_case')
      parts.push(sql`${column('subjectId')} = any (array(${transfersLike(query)}))`);
  }
  return anyOf(parts);
}

/** Open bank transfers by the amount, the payer or the end of the payer's account. Index: `bank_payments_unmatched`. */
const transfersLike = ({ amountMinor, accountEnd, names }: Query) => sql`
  select id from bank_payments where state = 'unmatched' and (amount_minor = ${amountMinor}::bigint
    or right(payer_iban, 4) = ${accountEnd}::text or ${nameMatches(sql`payer_name`, names)})`;

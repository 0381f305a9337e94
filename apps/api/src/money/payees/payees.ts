import type { PayeeNames } from '@nearhand/contract/money/payees';
import { sql } from 'kysely';
import { verifiedBusinessNames } from '../../people/business-verification/business-verification.ts';
import { verifiedNameOf } from '../../people/identity-checks/identity-checks.ts';
import type { Db } from '../../platform/db.ts';

/**
 * The names under which a bank account may be held: verified identity, the provider's record, verified
 * businesses.
 */
export async function payeeNamesOf(db: Db, accountId: string): Promise<PayeeNames> {
  const [document, provider, businesses] = await Promise.all([
    verifiedNameOf(db, accountId),
    findProviderName(db, accountId),
    verifiedBusinessNames(db, accountId),
  ]);
  const verified: PayeeNames['verified'] = [];
  if (document) verified.push({ name: document.name, source: 'document', at: document.at.toISOString() });
  if (provider)
    verified.push({
      name: provider.legalName,
      source: 'provider',
      at: provider.decidedAt.toISOString(),
    });
  return { verified, businesses };
}

/** Returns whether withdrawals to this account are held because its holder seems to be someone else. */
export async function isHeldFor(
  db: Db,
  accountId: string,
  method: { holderName: string; acceptedFor: string | null },
): Promise<boolean> {
  const names = await payeeNamesOf(db, accountId);
  return isOfAnother(
    { holderName: method.holderName, acceptedFor: method.acceptedFor },
    { verified: names.verified.map(({ name }) => name), businesses: names.businesses },
  );
}

async function findProviderName(
  db: Db,
  accountId: string,
): Promise<{ legalName: string; decidedAt: Date } | undefined> {
  const { rows } = await sql<{ legalName: string; decidedAt: Date }>`
    select legal_name, coalesce(decided_at, asked_at) as decided_at
    from payout_identities where account_id = ${accountId} and status = 'verified'`.execute(db);
  return rows[0];
}

const plain: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Splits a name into parts: `O'Brien` is one, `Anne-Marie` and `J.P.` are two. */
function nameParts(name: string): string[] {
  const folded = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}'’ʼ`]/gu, '')
    .replace(/[ßøæœłđðþı]/g, (letter) => plain[letter] ?? letter);
  return folded.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
}

/** Müller may also be written Mueller. */
const withoutUmlauts = (part: string): string => part.replace(/([aou])e/g, '$1');

const isSamePart = (a: string, b: string): boolean => a === b || withoutUmlauts(a) === withoutUmlauts(b);
const isInitialOf = (a: string, b: string): boolean =>
  (a.length === 1 && b.startsWith(a)) || (b.length === 1 && a.startsWith(b));

const initialsMax = 4;
const spreadInitials = (parts: readonly string[], otherParts: readonly string[]): string[] =>
  parts.flatMap((part) =>
    part.length <= initialsMax && !otherParts.some((otherPart) => isSamePart(part, otherPart))
      ? [...part]
      : [part],
  );

/** Matches every part of the shorter name, at least one in full, the others as initials. */
function isContained(shorter: readonly string[], longer: readonly string[]): boolean {
  if (shorter.length < 2) return false;
  const unmatched = [...longer];
  const take = (matches: (part: string) => boolean): boolean => {
    const at = unmatched.findIndex(matches);
    if (at >= 0) unmatched.splice(at, 1);
    return at >= 0;
  };
  const rest = shorter.filter((part) => !take((longPart) => isSamePart(part, longPart)));
  const hasWhole = shorter.some(
    (part) => part.length > 1 && longer.some((longPart) => isSamePart(part, longPart)),
  );
  return hasWhole && rest.every((part) => take((longPart) => isInitialOf(part, longPart)));
}

/**
 * Ignores accents, case and order; accepts missing middle names, initials and joint accounts, but not one
 * part alone.
 */
export function isSameName(a: string, b: string): boolean {
  const first = nameParts(a);
  const second = nameParts(b);
  if (first.length === 0 || second.length === 0) return false;
  if (isSamePart(first.join(''), second.join(''))) return true;
  const [shorter, longer] = first.length <= second.length ? [first, second] : [second, first];
  return (
    isContained(shorter, longer) ||
    isContained(spreadInitials(shorter, longer), longer) ||
    isContained(shorter, spreadInitials(longer, shorter))
  );
}

type Names = { verified: readonly string[]; businesses: readonly string[] };

/** The holder is neither the verified person, nor their business, nor an accepted name (ADR 77). */
export const isOfAnother = (
  { holderName, acceptedFor }: { holderName: string; acceptedFor: string | null },
  { verified, businesses }: Names,
): boolean =>
  verified.length > 0 &&
  !(acceptedFor !== null && verified.includes(acceptedFor)) &&
  ![...verified, ...businesses].some((name) => isSameName(name, holderName));

import { oc } from '@orpc/contract';
import { z } from 'zod';
import type { CaseKind } from './case-kinds.ts';
import type { ErrorCode } from './errors.ts';
import { refusedBy } from './field-issues.rules.ts';
import type { MemberRole } from './member-roles.ts';
import type { OperatorCapability } from './operator-roles.ts';

/**
 * Access to an operation.
 * - `public`: anyone.
 * - `signed-in`: an account, verified or not.
 * - `verified`: an account with a verified email.
 * - `member`: a verified member of the business, in any role.
 * - `member:<role>`: the same with that role or one that includes it (`people/team.rules.ts`); the policy decides.
 * - `operator`: platform staff, appointed on the command line (ADR 86). The policy decides about the record.
 */
export type Access = 'public' | 'signed-in' | 'verified' | 'member' | `member:${MemberRole}` | 'operator';

/** Checked and logged before the input of an operator's call is read (ADR 176). */
export type OperatorRule = {
  may: OperatorCapability;
  /**
   * - `nothing`: the call shows no personal data.
   * - `reason`: a claimed open case, or a reason in words (`operator-context.ts`).
   * - `claim`: a decision, which needs the claim of its case.
   */
  needs: 'nothing' | 'reason' | 'claim';
  /** The case of the call: its kind and the input field of its subject, or `input` for `kind` and `subjectId`. */
  case?: { kind: CaseKind; id: string } | 'input';
  /** True if the claim of a closed case is reason enough. */
  closed?: true;
  /** A write that can close a case has it: the case's record and the log read it from the input. */
  decides?: DecisionRule;
};

/** Names of input fields; a dot names a field of an object (ADR 392). `cases.rules.test.ts` holds them to the input. */
export type DecisionRule = {
  /**
   * The decision as `caseDecisions` or the case's record names it: always the same one, the value of a field
   * (`ifNull` if there is none), or one of two by a flag.
   */
  decision: string | { field: string; ifNull?: string } | { flag: string; set: string; unset: string };
  /** The field with the reason for those concerned; null for a decision without one. */
  reason: string | null;
  /** The field with the statement of reasons, if `reason` answers someone else. */
  statement?: string;
};

type Caller =
  | { access: Exclude<Access, 'operator'>; operator?: never }
  | { access: 'operator'; operator: OperatorRule };

/** A consequence of a write that the server checks before it runs (`letIn` in `platform/http/server.ts`, ADR 179). */
export type Effect =
  /**
   * Needs proof of identity within the last minutes (`session/password-required`): a stolen session must not change the
   * members of a business, payout targets or keys to the account. Reversible changes need none.
   */
  | 'guarded'
  /** Needs that proof for some records; the service checks it (`requireRecentProof`). */
  | 'guarded:record'
  /** Has the proof in its input, such as a password; the service checks it. */
  | 'guarded:input'
  /**
   * Asks an external identity provider first whether it still accepts the session, as `money` and `guarded` do: a session
   * that the provider has ended must not change or reveal this.
   */
  | 'provider-checked'
  /** Moves money out of a balance or card, or into a balance. */
  | 'money'
  /** Leads to a hire; with `field=value`, if that field of the input has this value. Refused during a suspension from hiring. */
  | 'hire'
  | `hire:${string}=${string}`
  /** Leads to being hired. Refused during a suspension from applying. */
  | 'apply'
  /**
   * Carries words to another person, such as a message, or to the public about a person, such as a review; not words
   * to staff, and not a job's own text. `text:note` does so only if the field `note` of the input is not blank;
   * `text:offer.note` names a field of an object or list item.
   */
  | 'text'
  | `text:${string}`;

/** Reasons to allow a write during a suspension from everything. */
export type OpenWhileSuspended =
  /** Booked work and earned money, with its texts: silence must not cost a worker their pay. */
  | 'owed'
  /** One's own account, its security and identity checks. */
  | 'account'
  /** Addressed to staff. */
  | 'staff'
  /** Only ends, mutes or hands over something. */
  | 'retreat';

export type OperationMeta = Caller & {
  /** The codes it throws in addition to every operation's (shape, session, limits, internal). */
  errors: readonly ErrorCode[];
  /** Effects of a write; `[]` for a write without any. A read has none. */
  effects?: readonly Effect[];
  /** Keeps a write open during a suspension from everything; every other write is refused (ADR 179). */
  whileSuspended?: OpenWhileSuspended;
  /** Allows a write to an account that is being deleted; every other write is refused (ADR 160). */
  whileLeaving?: true;
  /** Adds an ETag to a frequent read. `public`: the same for everyone; `viewer`: depends on the caller. */
  revalidated?: 'public' | 'viewer';
};

const begin = (meta: OperationMeta) =>
  oc.$meta<OperationMeta>({ ...meta, errors: [...new Set([...meta.errors, ...refusalsOf(meta)])] });

/** The errors that an operation's effects and its rule for operators bring. */
const refusalsOf = ({ effects = [], operator }: OperationMeta): ErrorCode[] => [
  ...(effects.includes('guarded') || effects.includes('guarded:record')
    ? (['session/password-required'] as const)
    : []),
  ...(effects.some((effect) => effect.startsWith('hire')) ? (['business/wrong-state'] as const) : []),
  ...(operator?.needs === 'claim' ? (['case/claim-required'] as const) : []),
];

type Builder = ReturnType<typeof begin>;
type Route = Parameters<Builder['route']>[0];
type WithMethod<Method extends string> = Omit<Builder, 'route'> & {
  route(route: Route & { method: Method }): ReturnType<Builder['route']>;
};

/** Starts every operation. Without `effects`, the compiler accepts no method but `GET`. */
export function operation(
  meta: OperationMeta & { effects: readonly Effect[] },
): WithMethod<'POST' | 'PUT' | 'PATCH' | 'DELETE'>;
export function operation(
  meta: OperationMeta & { effects?: never; whileSuspended?: never },
): WithMethod<'GET'>;
export function operation(meta: OperationMeta): Builder {
  return begin(meta);
}

/** UUIDv7, made in the app. */
export const id = z.uuid();

/** A person, business or record that an answer names without describing it. */
export const idAndName = z.object({ id, name: z.string() });

/** Server time, ISO 8601 in UTC. */
export const instant = z.iso.datetime({ offset: true });

/** A calendar day `YYYY-MM-DD` in the zone of its place. */
export const day = z.iso.date();

/** A calendar month `YYYY-MM` in the zone of its place. */
export const month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/);

/** A time of day `HH:MM` by the clock of its place. */
export const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** A record's version, sent back with an edit; an outdated one is refused with a 409. */
export const version = z.number().int().min(1);

const decimal = /^-?\d{1,15}(?:\.\d{1,20})?$/;
/** `Number` also accepts empty text, spaces, `0x34` and `1e1`. These stay text and are rejected. */
const fromDecimal = (value: unknown) =>
  typeof value === 'string' && decimal.test(value) ? Number(value) : value;

/** A number in a query string, inclusive limits. Accepts decimal notation only, so not `1e3` or ` 1`. */
export const queryNumber = (min: number, max: number) =>
  z.preprocess(fromDecimal, z.number().min(min).max(max));

const integerMax = 2_147_483_647;
/** The text of a list in a query. */
const listTextMax = 200;

/** A whole number in a path or query, within PostgreSQL's `integer`. */
export const queryInteger = (min: number, max = integerMax) =>
  z.preprocess(fromDecimal, z.number().int().min(min).max(max));

/** Values of a query, separated by commas: "sat,sun". */
export const queryList = <Value extends string>(values: readonly Value[]) =>
  z
    .string()
    .max(listTextMax)
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(values)).max(values.length));

/** Ids of a query, each once, separated by commas. */
export const queryIds = (max: number) =>
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(id).max(max))
    .refine((ids) => new Set(ids).size === ids.length, { message: 'each once' });

/** A boolean in a query: `true` or `false`. */
export const queryFlag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** The cursor of a best-match list marks which of its 90 jobs were returned already. */
const cursorMax = 1_200;
const pageMax = 100;
/** Keyset paging: pass `nextCursor` back as `cursor`; it is opaque. At most 100 items per page. */
export const pageInput = {
  cursor: z.string().max(cursorMax).optional(),
  limit: queryInteger(1, pageMax).default(20),
};

/** The output of every list: a keyset page with an opaque cursor, null on the last page. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

export type Page<Item> = { items: Item[]; nextCursor: string | null };

/** `cursor` is the `nextCursor` of the page before. */
export type PageInput = { cursor?: string; limit: number };

/** Control characters other than tab and line breaks: PostgreSQL refuses U+0000, and the rest are never intended. */
const controlCharacter = /[^\P{Cc}\t\n\r]/u;
const isPlain = (text: string) => text.isWellFormed() && !controlCharacter.test(text);
/** Embeddings, overrides and isolates can reverse the rest of a screen; names don't need them. */
const turnsText = /[\u202A-\u202E\u2066-\u2069]/;
const isVisible = (text: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
/**
 * Returns false for characters that change the direction of the text around them, which could disguise a
 * name.
 */
export const isStraight = (text: string): boolean => !turnsText.test(text);
/** Invisible characters, which make two names look like one and hide words from a search. */
const unseen = new RegExp(
  [
    '[\\u00AD\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B\\u2060-\\u2064\\u2800\\u3164\\uFEFF\\uFFA0]',
    '(?<=^|[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{N}\\s])[\\u200C\\u200D]',
    '(?<!\\u{1F3F4}[\\u{E0020}-\\u{E007F}]{0,8})[\\u{E0001}-\\u{E007F}]',
  ].join('|'),
  'gu',
);

/** More marks than any script puts on a letter: they cover the lines above and below. */
const piledMarks = /(?:[\u200C\u200D]{0,3}[\p{Mn}\p{Me}]){5}/u;

/** One line of human text: trimmed, without invisible or control characters or line breaks; any script and emoji. */
export const line = (max: number, min = 1) =>
  z
    .string()
    .overwrite((text) => text.replace(unseen, ''))
    .trim()
    .min(min)
    .max(max)
    .refine(
      (text) => isPlain(text) && !/[\n\r\t\u2028\u2029]/.test(text) && isStraight(text),
      refusedBy('characters', 'one line of plain text'),
    )
    .refine((text) => !piledMarks.test(text), refusedBy('characters', 'at most four marks on a letter'))
    .refine((text) => text === '' || isVisible(text), refusedBy('characters', 'something to read'));

/** Several lines of human text: trimmed, no control characters but line breaks and tabs. */
export const prose = (max: number, min = 0) =>
  z.string().trim().min(min).max(max).refine(isPlain, refusedBy('characters', 'plain text'));

/** Like `prose`, for texts that strangers read: without characters that reverse the text after them. */
export const publicProse = (max: number, min = 0) =>
  prose(max, min).refine(isStraight, refusedBy('characters', 'text without direction overrides'));

import { oc } from '@orpc/contract';
import { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** Roles a member can hold in a business (product.md, Words). */
export const memberRoles = ['owner', 'manager', 'recruiter', 'finance'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** Roles that act for a business towards applicants and workers: a recruiter, and who stands above one. Finance does not. */
export const recruiterRoles = ['owner', 'manager', 'recruiter'] as const satisfies readonly MemberRole[];

/**
 * Who may call an operation at all.
 * - `public`: anyone, signed in or not.
 * - `signed-in`: an account, its email verified or not.
 * - `verified`: an account with a verified email.
 * - `member:<role>`: a verified member of the business in question, with that role or a stronger one (owner > manager > recruiter; finance
 *   stands beside). The service's policy decides, since it knows the record.
 * - `operator`: platform staff, appointed on the command line (ADR 0086). The session says so.
 * Whether this caller may act on this very record is always the policy's question.
 */
export type Access = 'public' | 'signed-in' | 'verified' | `member:${MemberRole}` | 'operator';

/** What each operation says of itself besides its shapes. */
export type OperationMeta = {
  access: Access;
  /** The codes it throws on top of those that every operation may answer (shape, session, limits, internal). */
  errors: readonly ErrorCode[];
};

/** Start of every operation: `operation({ access, errors }).route({ method, path, summary }).input(...).output(...)`. */
export const operation = (meta: OperationMeta) => oc.$meta<OperationMeta>(meta);

/** UUIDv7, made in the app. */
export const id = z.uuid();

/** Server time, ISO 8601 in UTC. */
export const instant = z.iso.datetime({ offset: true });

/** A calendar day `YYYY-MM-DD` in the zone of the place it is about. */
export const day = z.iso.date();

const integerMax = 2_147_483_647;
/** A whole number that PostgreSQL keeps as `integer`, in a path or query. */
export const queryInteger = (min: number) => queryNumber.pipe(z.number().int().min(min).max(integerMax));

/** Version of a record, sent back with an edit; an older one is refused with a 409. */
export const version = z.number().int().min(1);

/** Numbers and booleans arrive as text in a query string. */
export const queryNumber = z.coerce.number();
/** A boolean of a query string: `true` or `false` in letters. */
export const queryFlag = z.enum(['true', 'false']).transform((text) => text === 'true');

const cursorMax = 400;
const pageMax = 100;
/** Keyset paging: pass `nextCursor` back as `cursor`; the cursor is opaque. At most 100 items a page. */
export const pageInput = {
  cursor: z.string().max(cursorMax).optional(),
  limit: queryNumber.int().min(1).max(pageMax).default(20),
};

/** One page of a list; `nextCursor` is null on the last page. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

/** Control characters other than tab and line breaks: PostgreSQL refuses U+0000, and the rest are never meant. */
const controlCharacter = /[^\P{Cc}\t\n\r]/u;
const isPlain = (text: string) => text.isWellFormed() && !controlCharacter.test(text);
/** Embeddings, overrides and isolates turn the rest of a screen round; scripts that run right to left do not need them in a name. */
const turnsText = /[\u202A-\u202E\u2066-\u2069]/;
const isVisible = (text: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** One line of human text: trimmed, no control characters or line breaks, any script and emoji. */
export const line = (max: number, min = 1) =>
  z
    .string()
    .trim()
    .min(min)
    .max(max)
    .refine((text) => isPlain(text) && !/[\n\r\t]/.test(text) && !turnsText.test(text), {
      message: 'one line of plain text',
    })
    .refine((text) => text === '' || isVisible(text), { message: 'something to read' });

/** Several lines of human text: trimmed, no control characters but line breaks and tabs. */
export const prose = (max: number, min = 0) =>
  z.string().trim().min(min).max(max).refine(isPlain, { message: 'plain text' });

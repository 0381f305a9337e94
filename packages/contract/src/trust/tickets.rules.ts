/** A ticket's status. `unconfirmed`: a guest has not followed the mailed link, so staff does not see it yet. */
export const ticketStatuses = ['unconfirmed', 'open', 'waiting', 'solved'] as const;
export type TicketStatus = (typeof ticketStatuses)[number];

export const ticketCategories = [
  'account',
  'finding_work',
  'on_the_job',
  'hiring',
  'payments',
  'safety',
  'problem',
  'other',
] as const;
export type TicketCategory = (typeof ticketCategories)[number];

/** Records that a person may attach. */
export const ticketRefKinds = [
  'job',
  'application',
  'engagement',
  'interview',
  'conversation',
  'worker',
  'business',
  'withdrawal',
  'payment',
] as const;
export type TicketRefKind = (typeof ticketRefKinds)[number];

/**
 * The header with the link that a guest's mail contains, for `/api/guest-tickets/thread` and the routes below
 * it (ADR 379).
 */
export const guestLinkHeader = 'nearhand-request-link';

export const ticketLimits = {
  subjectMax: 120,
  bodyMax: 5_000,
  pageMax: 300,
  filesMax: 5,
  refsMax: 5,
  /** New tickets and messages of an account in 24 hours. */
  perDay: 10,
  messagesPerDay: 100,
  /** Unconfirmed or new tickets of a guest in 24 hours, by address and by network. */
  perDayOfAddress: 3,
  /** Messages of a guest's address in 24 hours, in all its tickets. */
  messagesPerDayOfAddress: 20,
  perDayOfNetwork: 10,
  confirmHours: 48,
  /** The files of a guest's request, in all its messages, and together in one reply. */
  filesOfGuestMax: 10,
  replyBytesOfGuest: 10 * 1024 * 1024,
  /** The days a mailed link opens a guest's request, and the minutes between two new links. */
  linkDays: 30,
  linkMinutes: 60,
  messagesShown: 500,
  /** Other requests of the same person, offered to merge. */
  othersShown: 10,
  mergedShown: 50,
  closingsShown: 5,
  macroNameMax: 80,
} as const;

/** Variables of a macro, written as `{name}`. */
export const macroVariables = ['name', 'subject', 'operator'] as const;
export type MacroVariable = (typeof macroVariables)[number];

const variable = /\{(\w+)\}/g;

/** The first variable in braces that a macro does not know; null if it knows all. */
export function unknownVariable(text: string): string | null {
  const variables: readonly string[] = macroVariables;
  return (
    [...text.matchAll(variable)].map(([, name = '']) => name).find((name) => !variables.includes(name)) ??
    null
  );
}

/** Replaces the variables of a prepared answer. Unknown ones stay as typed, where the operator sees them. */
export const fillMacro = (text: string, values: Record<MacroVariable, string>): string =>
  text.replaceAll(variable, (match, name: string) => values[name as MacroVariable] ?? match);

export type TicketMover = 'requester' | 'staff' | 'timer';
export type TicketAction = 'confirm' | 'reply' | 'solve' | 'merge' | 'adopt';

/**
 * The moves of a ticket: `waiting` is for the requester's reply; a reply to a solved ticket opens it again, and so
 * does adopting the unanswered message of a ticket merged into it.
 */
export const ticketMoves = [
  ['unconfirmed', 'confirm', 'requester', 'open'],
  ['open', 'reply', 'requester', 'open'],
  ['waiting', 'reply', 'requester', 'open'],
  ['solved', 'reply', 'requester', 'open'],
  ['open', 'reply', 'staff', 'waiting'],
  ['waiting', 'reply', 'staff', 'waiting'],
  ['solved', 'reply', 'staff', 'waiting'],
  ['open', 'solve', 'requester', 'solved'],
  ['waiting', 'solve', 'requester', 'solved'],
  ['open', 'solve', 'staff', 'solved'],
  ['waiting', 'solve', 'staff', 'solved'],
  ['open', 'merge', 'staff', 'solved'],
  ['waiting', 'merge', 'staff', 'solved'],
  ['solved', 'merge', 'staff', 'solved'],
  ['waiting', 'adopt', 'staff', 'open'],
  ['solved', 'adopt', 'staff', 'open'],
] as const satisfies readonly (readonly [TicketStatus, TicketAction, TicketMover, TicketStatus])[];

/** The next status of a move; null if it is illegal. Solving a solved ticket is a no-op. */
export function nextTicketStatus(
  from: TicketStatus,
  action: TicketAction,
  mover: TicketMover,
): TicketStatus | null {
  if (action === 'solve' && from === 'solved') return 'solved';
  const move = ticketMoves.find(([before, name, who]) => before === from && name === action && who === mover);
  return move?.[3] ?? null;
}

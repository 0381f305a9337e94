import { addDays, dayIn, daysPerWeek } from '@nearhand/contract/durations';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { type RosterFileRows, type RosterShift, rosterFileRows } from '@nearhand/contract/hiring/roster';
import { type Language, languages } from '@nearhand/contract/languages';
import { limits } from '@nearhand/contract/limits';
import { day, id } from '@nearhand/contract/operation';
import { z } from 'zod';
import { printTable } from '../../money/downloads/download-files.ts';
import { languageOfAccount } from '../../people/account-settings/account-settings.ts';
import { requireBusinessRecruiter } from '../../people/businesses/businesses.ts';
import { isSessionOpen } from '../../people/sessions/sessions.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { formatsOf } from '../../platform/i18n.ts';
import { type MailText, phrase, phraseIn } from '../../platform/mail/mail-layout.ts';
import type { PrintedTable } from '../../platform/pdf/table-pdf.ts';
import { makeTicket, readTicket } from '../../platform/sign.ts';
import { endedJobStatuses, rosterWeek } from './roster.ts';

const purpose = 'roster link';
const ticketShape = z.object({
  session: id,
  accountId: id,
  businessId: id,
  from: day,
  rows: z.enum(rosterFileRows),
  branchId: id.nullable(),
  language: z.enum(languages),
});
type Week = { businessId: string; from: string; rows: RosterFileRows; branchId?: string };

/**
 * Returns a link to a week of the roster as PDF, which works for five minutes. For recruiters, each in their branches.
 * @throws branch/not-found
 */
export async function rosterLink(tx: Tx, scope: Scope, { branchId = undefined, ...week }: Week) {
  const branches = await requireBusinessRecruiter(tx, scope.actor, week.businessId);
  if (branchId !== undefined) {
    const branch = tx.selectFrom('branches').select('id').where('id', '=', branchId);
    const isOwn = await branch.where('businessId', '=', week.businessId).executeTakeFirst();
    if (!isOwn || (branches !== null && !branches.includes(branchId))) throw new AppError('branch/not-found');
  }
  const { accountId, sessionId: session } = scope.actor;
  const language = await languageOfAccount(tx, accountId);
  const value = { ...week, branchId: branchId ?? null, session, accountId, language };
  const { ticket, expiresAt } = makeTicket(scope, purpose, value, limits.fileLinkMinutes);
  return { path: `/roster/file?ticket=${ticket}`, expiresAt, fileName: `nearhand-roster-${week.from}.pdf` };
}

/** @throws file/link-expired, business/not-allowed, request/unavailable while the PDF queue is full */
export async function openRosterFile(db: Db, scope: Scope<Actor | null>, input: unknown) {
  const ticket = readTicket(scope, purpose, input, ticketShape);
  if (ticket === null || !(await isSessionOpen(db, scope, ticket.session)))
    throw new AppError('file/link-expired');
  const { businessId, from, branchId, accountId, session: sessionId } = ticket;
  const { shifts, more } = await rosterWeek(
    db,
    { ...scope, actor: { accountId, sessionId, emailVerified: true } },
    { businessId, from, branchId },
  );
  const about = await db
    .selectFrom('businesses')
    .leftJoin('branches', (join) => join.on('branches.id', '=', branchId))
    .select(['businesses.name', 'branches.name as branchName'])
    .where('businesses.id', '=', businessId)
    .executeTakeFirstOrThrow();
  const table = tableOf(shifts, ticket, { ...about, more, at: scope.clock.now() });
  return { name: `nearhand-roster-${from}.pdf`, body: await printTable(table) };
}

type TableRow = {
  key: string;
  name: string;
  lines: Map<string, PrintedTable['rows'][number]['cells'][number]>;
};

/** Rows by name; each shift is its hours, then its people or role, then the open spots. */
export function tableOf(
  shifts: readonly RosterShift[],
  { from, rows, language }: Pick<z.infer<typeof ticketShape>, 'from' | 'rows' | 'language'>,
  about: { name: string; branchName: string | null; more: boolean; at: Date },
): PrintedTable {
  const say = (words: MailText) => phraseIn(language, words);
  const days = Array.from({ length: daysPerWeek }, (_, index) => addDays(from, index));
  const table = new Map<string, TableRow>();
  const add = (key: string, name: string, shift: RosterShift, lines: readonly string[]) => {
    const row = table.get(key) ?? { key, name, lines: new Map() };
    const date = dayIn(shift.timeZone, shift.startsAt);
    const cell = row.lines.get(date) ?? [];
    row.lines.set(date, [
      ...cell,
      { text: hoursOf(shift, language), bold: true },
      ...lines.filter((line) => line !== '').map((text) => ({ text })),
    ]);
    table.set(key, row);
  };
  for (const shift of shifts) {
    const branch = shift.branch?.name ?? say(phrase('No branch'));
    const cannotBeFilled = endedJobStatuses.includes(shift.status) || shift.status === 'paused';
    const open = cannotBeFilled ? 0 : Math.max(0, shift.headCount - shift.people.length);
    const gap = open > 0 ? say(phrase('{open} open', { open })) : '';
    const state = stateOf(shift, language);
    const people = shift.people.map(({ name, status }) => {
      const person = name || say(phrase('Someone without a name'));
      if (status === 'no_show_reported') return say(phrase('{person} (no-show)', { person }));
      return status === 'offered' ? say(phrase('{person} (offered)', { person })) : person;
    });
    if (rows === 'role') add(shift.title, shift.title, shift, [state, ...people, gap]);
    else if (rows === 'branch')
      add(shift.branch?.id ?? '', branch, shift, [shift.title, state, ...people, gap]);
    else {
      for (const [index, person] of shift.people.entries())
        add(person.workerId, people[index] ?? '', shift, [shift.title, shift.branch?.name ?? '']);
      if (open > 0) add('', say(phrase('Not filled')), shift, [shift.title, state, gap]);
    }
  }
  const names = new Intl.Collator(language);
  const isLast = ({ key }: TableRow) => Number(key === '');
  const sorted = [...table.values()].toSorted(
    (first, second) => isLast(first) - isLast(second) || names.compare(first.name, second.name),
  );
  return {
    title: say(phrase('Roster of {business}', { business: about.name })),
    subtitle: [
      about.branchName ?? '',
      `${dayTextOf(from, language)} – ${dayTextOf(addDays(from, 6), language)}`,
    ]
      .filter((text) => text !== '')
      .join(' · '),
    note: about.more
      ? say(
          phrase('Only the first {count} shifts of this week are shown.', {
            count: hiringLimits.rosterShiftsMax,
          }),
        )
      : '',
    at: about.at,
    language,
    head: days.map((date) => dayTextOf(date, language)),
    rows: sorted.map(({ name, lines }) => ({ name, cells: days.map((date) => lines.get(date) ?? []) })),
    empty: say(phrase('No shifts this week.')),
  };
}

function stateOf({ status }: RosterShift, language: Language): string {
  if (status === 'draft') return phraseIn(language, phrase('Draft'));
  return status === 'paused' ? phraseIn(language, phrase('Paused')) : '';
}

const dayTextOf = (date: string, language: Language): string =>
  new Intl.DateTimeFormat(formatsOf(language), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  }).format(new Date(`${date}T12:00:00Z`));

function hoursOf({ startsAt, endsAt, timeZone }: RosterShift, language: Language): string {
  const clock = new Intl.DateTimeFormat(formatsOf(language), {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });
  return `${clock.format(new Date(startsAt))}–${clock.format(new Date(endsAt))}`;
}

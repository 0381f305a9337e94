import { sumOf } from '@nearhand/contract/arithmetic';
import { dayMs, hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import { otherSide } from '@nearhand/contract/sides';
import { sql } from 'kysely';
import { prepareUpload, uploadFile } from '../people/files/files.ts';
import { newId } from '../platform/ids.ts';
import { saveQuickReplies } from '../talk/conversations/chat-settings.ts';
import { openTheirConversation } from '../talk/conversations/opening.ts';
import { acknowledge } from '../talk/conversations/receipts.ts';
import { react } from '../talk/messages/message-changes.ts';
import { sendMessage } from '../talk/messages/messages.ts';
import type { TownPeople } from './seed-people.ts';
import type { Town } from './town/town.ts';
import { type TalkLine, type TownTables, townTables } from './town/town-tables.ts';
import { isByDay } from './town/town-time.ts';

type Subject = { jobId: string; workerId: string; ownerId: string };

type ConversationPlan = {
  lines: readonly TalkLine[];
  reader: 'leila' | 'nadia';
  among: 'applications' | 'engagements';
  statuses: readonly string[];
  /** Minimum and maximum days since its last change. */
  days?: readonly [number, number];
  kind?: 'task';
  unread?: number;
};

const conversationPlans = ({ talks }: TownTables['conversations']): readonly ConversationPlan[] => [
  { lines: talks.offer, reader: 'leila', among: 'applications', statuses: ['offered'], unread: 1 },
  {
    lines: talks.booked,
    reader: 'leila',
    among: 'engagements',
    statuses: ['booked', 'confirmed'],
    unread: 1,
  },
  { lines: talks.recent, reader: 'leila', among: 'engagements', statuses: ['completed'], days: [0, 25] },
  { lines: talks.old, reader: 'leila', among: 'engagements', statuses: ['completed'], days: [34, 400] },
  {
    lines: talks.applied,
    reader: 'leila',
    among: 'applications',
    statuses: ['submitted', 'viewed', 'shortlisted'],
  },
  {
    lines: talks.candidate,
    reader: 'nadia',
    among: 'applications',
    statuses: ['shortlisted', 'viewed', 'submitted'],
    unread: 1,
  },
  {
    lines: talks.today,
    reader: 'nadia',
    among: 'engagements',
    statuses: ['checked_in', 'confirmed', 'booked'],
    unread: 1,
  },
  {
    lines: talks.delivered,
    reader: 'nadia',
    among: 'engagements',
    statuses: ['delivered', 'changes_requested', 'completed'],
    kind: 'task',
  },
];

export async function seedConversations(town: Town, people: TownPeople): Promise<void> {
  const { conversations } = townTables();
  const used = new Set<string>();
  for (const plan of conversationPlans(conversations)) {
    const subject = await findSubject(town, people, plan, used);
    if (!subject) continue;
    used.add(`${subject.jobId}/${subject.workerId}`);
    await hold(town, subject, plan);
  }
  const nadia = town.scopeOf(people.nadia.accountId, town.now);
  await saveQuickReplies(town.tx, nadia, { items: conversations.quickReplies });
}

async function findSubject(
  { tx, now }: Town,
  people: TownPeople,
  plan: ConversationPlan,
  used: ReadonlySet<string>,
): Promise<Subject | undefined> {
  const [minDays, maxDays] = plan.days ?? [0, 400];
  const side =
    plan.reader === 'leila'
      ? sql`work.worker_id = ${people.leila.accountId}`
      : sql`owner.account_id = ${people.nadia.accountId} and work.worker_id <> ${people.leila.accountId}`;
  const { rows } = await sql<Subject>`
    select work.job_id, work.worker_id, owner.account_id as owner_id
    from ${sql.table(plan.among)} work
    join jobs job on job.id = work.job_id
    join lateral (select account_id from business_members where business_id = work.business_id and role = 'owner'
      order by created_at limit 1)
      owner on true
    where ${side} and work.status in (${sql.join(plan.statuses)}) and job.kind = ${plan.kind ?? 'shift'}
      and work.updated_at between ${subtractMs(now, maxDays * dayMs)} and ${subtractMs(now, minDays * dayMs)}
    order by work.updated_at desc, work.id limit 20`.execute(tx);
  return rows.find((row) => !used.has(`${row.jobId}/${row.workerId}`));
}

async function hold(town: Town, subject: Subject, { lines, unread = 0 }: ConversationPlan): Promise<void> {
  const { tx, now } = town;
  const accountOf = (side: TalkLine['by']) => (side === 'worker' ? subject.workerId : subject.ownerId);
  const { id, lastAt, lastSeq } = await openTheirConversation(tx, town.scopeOf(subject.workerId, now), {
    jobId: subject.jobId,
  });
  const changed = await lastChange(town, subject);
  const from = lastSeq === 0 ? changed : new Date(Math.max(changed, new Date(lastAt).getTime())).getTime();
  const times = timesOf(town, from, lines.length);
  const seqs: number[] = [];
  for (const [index, line] of lines.entries()) {
    const at = times[index] ?? now;
    const scope = town.scopeOf(accountOf(line.by), at);
    const fileIds: string[] = [];
    if (line.photo) {
      const input = { purpose: 'chat' as const, file: new File([await drawnPhoto()], 'Photo.jpg') };
      fileIds.push((await uploadFile(tx, scope, input, await prepareUpload(scope, input, tx))).id);
    }
    const message = await sendMessage(tx, scope, {
      conversationId: id,
      clientId: newId(at),
      body: line.says,
      fileIds,
      replyTo: line.answers === undefined ? undefined : seqs[line.answers],
    });
    seqs.push(message.seq);
    const reader = town.scopeOf(accountOf(otherSide(line.by)), at);
    const isRead = index < lines.length - unread;
    await acknowledge(tx, reader, {
      items: [{ conversationId: id, deliveredSeq: message.seq, readSeq: isRead ? message.seq : undefined }],
    });
    if (line.reaction && isRead)
      await react(tx, reader, { conversationId: id, seq: message.seq, reaction: line.reaction });
  }
}

/** Within a day of the event, by day if possible, and never in the future. */
function timesOf({ uneven, now }: Town, from: number, lines: number): Date[] {
  const room = Math.max(0, now.getTime() - 4 * minuteMs - from);
  const gaps = Array.from({ length: lines }, (_, nth) =>
    uneven.between(nth === 0 ? 4 : 1, nth === 0 ? 40 : 22),
  );
  const wishedMs = sumOf(gaps) * minuteMs;
  const usedMs = Math.min(wishedMs, room * 0.8);
  const spare = Math.min(26 * hourMs, room - usedMs);
  let begin = from;
  for (let attempt = 0; attempt < 12; attempt += 1) {
    begin = from + (spare * uneven.between(0, 100)) / 100;
    if (isByDay(new Date(begin))) break;
  }
  let at = begin;
  return gaps.map((gap) => {
    at += wishedMs === 0 ? 0 : (gap * minuteMs * usedMs) / wishedMs;
    return new Date(Math.round(at));
  });
}

async function lastChange({ tx, now }: Town, subject: Subject): Promise<number> {
  const { rows } = await sql<{ at: Date | null }>`select greatest(
    (select max(updated_at) from applications where job_id = ${subject.jobId} and worker_id = ${subject.workerId}),
    (select max(updated_at) from engagements where job_id = ${subject.jobId} and worker_id = ${subject.workerId})) as at`.execute(
    tx,
  );
  return Math.min(rows[0]?.at?.getTime() ?? now.getTime(), now.getTime() - 5 * minuteMs);
}

const wall = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900" viewBox="0 0 1200 900">
<defs><linearGradient id="light" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#47705c"/><stop offset="1" stop-color="#24443a"/></linearGradient></defs>
<rect width="1200" height="900" fill="url(#light)"/>
<rect y="0" width="1200" height="90" fill="#ece5d8"/>
<rect x="120" y="250" width="960" height="22" fill="#8a5f3c"/><rect x="120" y="430" width="960" height="22" fill="#8a5f3c"/>
<g fill="#d9cdb8"><rect x="170" y="170" width="60" height="80" rx="8"/><rect x="250" y="190" width="60" height="60" rx="8"/><rect x="720" y="180" width="70" height="70" rx="10"/></g>
<g fill="#b9793f"><rect x="420" y="330" width="36" height="100" rx="8"/><rect x="470" y="345" width="36" height="85" rx="8"/><rect x="880" y="320" width="40" height="110" rx="8"/></g>
<rect y="660" width="1200" height="240" fill="#5b3d28"/><rect y="640" width="1200" height="34" fill="#7d5637"/>
<circle cx="600" cy="60" r="10" fill="#3a3a3a"/><path d="M560 150 L640 150 L615 90 L585 90 Z" fill="#c9a24b"/>
</svg>`;

export async function drawnPhoto(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import('sharp');
  return new Uint8Array(await sharp(Buffer.from(wall)).jpeg({ quality: 80 }).toBuffer());
}

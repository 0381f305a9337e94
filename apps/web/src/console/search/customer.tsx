import { dayIn } from '@nearhand/contract/durations';
import type { OperatorContext } from '@nearhand/contract/operator-context';
import type { CustomerOverview, TimelineEvent } from '@nearhand/contract/trust/staff-search';
import {
  type CustomerKind,
  type LinkReason,
  linkTable,
  type TimelineGroup,
  timelineGroups,
} from '@nearhand/contract/trust/staff-search.rules';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pages } from '../../lib/api/query-options.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatDate, formatDay, formatTime, joined, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { PineCard } from '../../ui/card.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { Facts, FactsCard } from '../case/facts-card.tsx';
import { apiQuery } from '../console-api.ts';
import { PagedList } from '../paged-list.tsx';
import { caseKindText, casePath, englishLanguageName, statusText } from '../queue/case.labels.ts';
import { useOperator } from '../sign-in/operator-session.ts';
import { foundRecordPath } from './search.labels.ts';
import { eventText, timelineGroupText } from './timeline.labels.ts';

/** The timeline of a person or business by day. Each opened page is in the log. */
export function CustomerTimeline({
  customer: { kind, id },
  access,
}: {
  customer: { kind: CustomerKind; id: string };
  access: OperatorContext;
}) {
  const [group, setGroup] = useState<TimelineGroup>();
  const query = useInfiniteQuery(
    apiQuery.staffSearch.timeline.infiniteOptions({
      ...pages,
      input: (cursor) => ({ cursor, kind, id, group: group || undefined }),
      context: { operator: access },
      refetchOnWindowFocus: false,
    }),
  );
  return (
    <>
      <Chips label="Show" wrap>
        <Chip pressed={group === undefined} onClick={() => setGroup(undefined)}>
          All
        </Chip>
        {groupsOf(kind).map((value) => (
          <Chip key={value} pressed={group === value} onClick={() => setGroup(value)}>
            {timelineGroupText[kind][value]}
          </Chip>
        ))}
      </Chips>
      <PagedList
        query={query}
        label="History"
        errorTitle="We couldn't load the history"
        flush={false}
        empty={
          <EmptyState title="Nothing here yet">
            <p>
              {kind === 'person'
                ? 'What this person does, and what is decided about them, appears here.'
                : 'What this business does, and what is decided about it, appears here.'}
            </p>
          </EmptyState>
        }
      >
        {(events) =>
          byDay(events).map(([day, ofDay]) => (
            <section key={day} className="c-events-day">
              <h3 className="xs strong mute">{formatDay(ofDay[0]?.at ?? day, ownTimeZone())}</h3>
              <ul>
                {ofDay.map((event) => (
                  <EventRow key={`${event.kind} ${event.id}`} event={event} access={access} />
                ))}
              </ul>
            </section>
          ))
        }
      </PagedList>
    </>
  );
}

/** A business signs in only through its members. */
const groupsOf = (kind: CustomerKind): readonly TimelineGroup[] =>
  kind === 'person' ? timelineGroups : timelineGroups.filter((group) => group !== 'sign-ins');

const byDay = (events: readonly TimelineEvent[]): [string, TimelineEvent[]][] => [
  ...Map.groupBy(events, ({ at }) => dayIn(ownTimeZone(), at)),
];

function EventRow({ event, access }: { event: TimelineEvent; access: OperatorContext }) {
  const { icon, title, note, badge } = eventText(event);
  const to = event.case ? casePath(event.case) : event.record ? foundRecordPath(event.record, access) : null;
  return (
    <li className="c-event">
      <span className="xs mute num">{formatTime(event.at, ownTimeZone())}</span>
      <span className={badge?.tone ? `c-event-icon ${badge.tone}` : 'c-event-icon'}>
        <Icon name={icon} />
      </span>
      <div>
        <p className="break">
          {to ? (
            <Link className="c-event-link" to={to}>
              {title}
            </Link>
          ) : (
            title
          )}
        </p>
        {note ? (
          <p className="xs mute pre-line break" dir="auto">
            {note}
          </p>
        ) : null}
      </div>
      {badge ? <Badge tone={badge.tone}>{badge.text}</Badge> : null}
    </li>
  );
}

export function OpenCases({ open }: { open: CustomerOverview['open'] }) {
  const operator = useOperator();
  const now = useNow();
  if (open.length === 0) return null;
  return (
    <PineCard rings={false} label="Open now">
      <p className="sm mute">Open now</p>
      <p className="h-m mt1">{open.length === 1 ? '1 case' : `${open.length} cases`}</p>
      <ul className="mt2">
        {open.map((item) => (
          <li key={`${item.kind} ${item.subjectId}`} className="sum">
            <span>
              <Link className="strong" to={casePath(item)}>
                {caseKindText[item.kind].one}
              </Link>
              ,{' '}
              {item.claimedBy === null
                ? 'unclaimed'
                : item.claimedBy.id === operator.id
                  ? 'you'
                  : item.claimedBy.name}
            </span>
            <span className="mute">{formatDate(item.deadline, ownTimeZone(), now)}</span>
          </li>
        ))}
      </ul>
    </PineCard>
  );
}

const linkText: Record<LinkReason, string> = {
  bank: 'same bank account',
  card: 'same card',
  device: 'same device',
  network: 'same network',
};
const sureText = { certain: 'Certain', likely: 'Likely', weak: 'Weak' } as const;
const sureBars = { certain: 3, likely: 2, weak: 1 } as const;
/** A device and a network that colleagues share identify no single person. */
const explained: readonly LinkReason[] = ['device', 'network'];

export function LinkedAccounts({
  customer: { links, moreLinks, sharedBanks },
  accountId,
  access,
}: {
  customer: CustomerOverview;
  accountId: string;
  access: OperatorContext;
}) {
  return (
    <section className="card" aria-label="Linked accounts">
      <h2 className="h-s">Linked accounts</h2>
      {sharedBanks.map(({ bankName, last4, holders }) => {
        const ownHolder = holders.find((holder) => holder.accountId === accountId);
        const otherHolders = holders.filter((holder) => holder.accountId !== accountId);
        const names = otherHolders.map(({ name, holderName }) =>
          holderName === name ? name : `${name} (as ${holderName})`,
        );
        return (
          <div key={`${bankName} ${last4}`} className="mt3">
            <Banner tone="wait" icon="warning-circle">
              One bank account, {holders.length === 2 ? 'two holders' : `${holders.length} holders`}:{' '}
              {bankName} •••• {last4}
              {ownHolder ? `, here as ${ownHolder.holderName},` : ''} is also {names.join(' and ')}’s.
            </Banner>
          </div>
        );
      })}
      {links.length === 0 ? (
        <p className="sm mute mt2">No account shares a device, network, card or bank account.</p>
      ) : (
        <ul className="c-links mt2">
          {links.map((link) => {
            const reasons = link.colleague
              ? link.reasons.filter((reason) => !explained.includes(reason))
              : link.reasons;
            const sure = linkTable[reasons[0] ?? 'network'];
            const text = link.reasons.map((reason) => linkText[reason]).join(', ');
            return (
              <li key={link.accountId}>
                <div className="grow">
                  <Link
                    className="link strong break"
                    to={foundRecordPath({ kind: 'person', id: link.accountId }, access)}
                  >
                    {link.name}
                  </Link>
                  <p className="xs mute">
                    {joined(
                      `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`,
                      link.colleague ? 'they work for one business' : null,
                      `last on ${formatDay(link.at, ownTimeZone())}`,
                    )}
                  </p>
                </div>
                <div>
                  <p className="xs mid">{sureText[sure]}</p>
                  <span className="c-sure" aria-hidden="true">
                    {[1, 2, 3].map((bar) => (
                      <i key={bar} className={bar <= sureBars[sure] ? 'on' : undefined} />
                    ))}
                  </span>
                </div>
              </li>
            );
          })}
        </ul>
      )}
      {moreLinks > 0 ? (
        <p className="sm mute mt2">
          {moreLinks} more {moreLinks === 1 ? 'is' : 'are'} linked.
        </p>
      ) : null}
      <p className="xs mute mt3">
        A link is a hint, never a reason on its own: families and flats share these.
      </p>
    </section>
  );
}

const checkNames: Record<CustomerOverview['checks'][number]['check'], string> = {
  email: 'Email',
  phone: 'Phone number',
  identity: 'Identity document',
  payee: 'Payout details',
  'second-step': 'Second step',
  passkeys: 'Passkeys',
};

const emailText: Partial<Record<string, string>> = { verified: 'Confirmed', unverified: 'Not confirmed' };

const checkText = (check: CustomerOverview['checks'][number]['check'], status: string): string =>
  (check === 'email' ? emailText[status] : undefined) ?? statusText('document', status);

/** The checks of a person as rows, each with its state and date. */
export const checkRows = (checks: CustomerOverview['checks']): [string, string][] =>
  checks.map(({ check, status, at }) => [
    checkNames[check],
    status === null
      ? check === 'second-step'
        ? 'Off'
        : 'None'
      : joined(checkText(check, status), at ? formatDay(at, ownTimeZone()) : null),
  ]);

export const languageRow = ({ person }: CustomerOverview): [string, string | null] => [
  'Language',
  person?.language ? englishLanguageName(person.language) : null,
];

export const signInRow = ({ person }: CustomerOverview): [string, string | null] => [
  'Last sign-in',
  person?.lastSignIn
    ? joined(formatDate(person.lastSignIn.at, ownTimeZone()), person.lastSignIn.device)
    : null,
];

export function Checks({ checks }: { checks: CustomerOverview['checks'] }) {
  return (
    <FactsCard title="Checks">
      <Facts rows={checkRows(checks)} />
    </FactsCard>
  );
}

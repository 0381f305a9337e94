import { plural, t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import type { Notification } from '@nearhand/contract/talk/notifications';
import { type TopicTexts, topicButton, topicTexts } from '@nearhand/contract/talk/topics/topic-texts';
import { formatLeftShort, formatTime, joined, ownTimeZone } from '../../lib/words/format.ts';
import { noticeFormat } from '../../lib/words/notice-format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { type IconName, iconNames } from '../../ui/art/icon-names.ts';
import { ClockRing } from '../../ui/art/ring-figures.tsx';
import { IconSign } from '../../ui/art/sign.tsx';
import { Card } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { type NoticeEntry, noticeIds, runsOut, shareOf } from './notice-groups.rules.ts';
import { useSeen } from './use-seen.ts';

/** Links within the app only: any other path leads to the inbox. */
const inside = (path: string): string => (/^\/(?![/\\])/.test(path) ? path : '/notifications');

type EntryProps = {
  entry: NoticeEntry;
  isNew: boolean;
  now: Date;
  onSeen: (ids: string[]) => void;
  onOpen: (entry: NoticeEntry) => void;
};

export function NoticeRow({ entry, isNew, now, onSeen, onOpen }: EntryProps) {
  const { t } = useLingui();
  const { icon, title, text, changes } = entryTexts(entry, now);
  const row = useSeen<HTMLLIElement>(isNew, () => onSeen(noticeIds(entry)));
  return (
    <li ref={row}>
      <Link
        to={inside(entry.notice.path)}
        className={isNew ? 'li press notice new' : 'li press notice'}
        onClick={() => onOpen(entry)}
      >
        <IconSign icon={icon} round colour={moneyIcons.includes(icon) ? 'moss' : ''} />
        <span className="grow">
          <span className="t block">{title}</span>
          <Changes changes={changes} />
          {text ? <span className="sm mute block">{text}</span> : null}
        </span>
        <span className="sm mute num notice-time">
          {formatTime(entry.notice.createdAt, ownTimeZone())}
          {isNew ? (
            <span className="notice-dot">
              <span className="vh">{t`Unread`}</span>
            </span>
          ) : null}
        </span>
      </Link>
    </li>
  );
}
/** The agreed values, struck through, each with its proposed value. */
const Changes = ({ changes = [] }: { changes?: NoticeTexts['changes'] }) =>
  changes.map((change) => (
    <span key={change.after} className="sm block">
      <s className="mute block">{t`Before: ${change.before}`}</s>
      {t`New: ${change.after}`}
    </span>
  ));

const moneyIcons: readonly string[] = ['coins', 'hand-coins', 'wallet', 'bank'];

/** A pending notice: a ring with the time left, and for the first the screen's main action. */
export function WaitingNoticeCard({
  entry,
  entries,
  isNew,
  now,
  onSeen,
  onOpen,
  first,
}: EntryProps & { entries: readonly NoticeEntry[]; first: boolean }) {
  const { icon, title, text, changes } = entryTexts(entry, now);
  const card = useSeen<HTMLDivElement>(isNew, () => onSeen(noticeIds(entry)));
  const end = runsOut(entry);
  const shareLeft = shareOf(entry, entries, now.getTime());
  const to = inside(entry.notice.path);
  const inner = (
    <>
      {end !== null && shareLeft !== null ? (
        <ClockRing left={shareLeft}>{formatLeftShort(new Date(end), now)}</ClockRing>
      ) : (
        <IconSign icon={icon} round colour="straw" />
      )}
      <span className="grow">
        <span className="t strong block">{title}</span>
        <Changes changes={changes} />
        {text ? <span className="sm mute block">{text}</span> : null}
      </span>
    </>
  );
  return (
    <li>
      <Card selected={first}>
        <div ref={card}>
          {first ? (
            <>
              <div className="row g4 top notice-waits">{inner}</div>
              <div className="mt4">
                <ButtonLink kind="go" full to={to} onClick={() => onOpen(entry)}>
                  {buttonText(entry.notice)}
                </ButtonLink>
              </div>
            </>
          ) : (
            <Link className="row g4 notice-waits press" to={to} onClick={() => onOpen(entry)}>
              {inner}
              <Icon name="caret-right" flip className="mute caret" />
            </Link>
          )}
        </div>
      </Card>
    </li>
  );
}

const maxNames = 3;

function names(notices: readonly Notification[]): string {
  const all = [
    ...new Set(
      notices
        .map(({ data }) =>
          String((data.side === 'worker' ? data.businessName : data.workerName) ?? '').trim(),
        )
        .filter(Boolean),
    ),
  ];
  const more = all.length - maxNames;
  return more > 0
    ? t`${joined(...all.slice(0, maxNames))} and ${plural(more, { one: '# more', other: '# more' })}`
    : joined(...all);
}

export function entryTexts({ notice, earlier }: NoticeEntry, now = new Date()): NoticeTexts {
  const texts = noticeTexts(notice, now);
  if (earlier.length === 0) return texts;
  const all = [notice, ...earlier];
  const count = all.length;
  const about = String(notice.data.subject ?? notice.data.jobTitle ?? '').trim() || t`this job`;
  const isOneTopic = all.every(({ topic }) => topic === notice.topic);
  if (isOneTopic && notice.topic === 'application-received')
    return {
      icon: 'users',
      title: t`${plural(count, { one: '# new application', other: '# new applications' })}: ${about}`,
      text: names(all),
    };
  if (isOneTopic && countedTopics.includes(notice.topic))
    return {
      icon: texts.icon,
      title: t`${about}: ${plural(count, { one: '# update', other: '# updates' })}`,
      text: joined(texts.title, names(earlier)),
    };
  // Repeats about the same record, such as reminders: the latest replaces the others.
  if (isOneTopic) return texts;
  return {
    icon: texts.icon,
    title: t`${about}: ${plural(count, { one: '# update', other: '# updates' })}`,
    text: t`Latest: ${texts.title}`,
  };
}

/** Topics whose notices are each about a different person. */
const countedTopics: readonly NotificationTopic[] = [
  'application-withdrawn',
  'application-changed',
  'waitlist-joined',
];

type NoticeTexts = { icon: IconName; title: string; text: string; changes?: TopicTexts['changes'] };

/** The texts of a notification. The server stores names and times only, so old ones follow a changed language too. */
export function noticeTexts(
  { topic, data }: Pick<Notification, 'topic' | 'data'>,
  now = new Date(),
): NoticeTexts {
  const texts = topicTexts(topic, data, noticeFormat(now));
  // A newer server may know a topic that this app does not.
  if (!texts) return { icon: 'bell', title: t`Something new for you`, text: '' };
  const { title, lead, changes } = texts;
  return { icon: iconNames.find((name) => name === texts.icon) ?? 'bell', title, text: lead, changes };
}

const buttonText = ({ topic, data }: Pick<Notification, 'topic' | 'data'>): string =>
  topicButton(topic, data, noticeFormat()) ?? t`Open`;

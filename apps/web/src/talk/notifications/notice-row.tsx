import { useLingui } from '@lingui/react/macro';
import { formatLeftShort, formatTime, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { ClockRing } from '../../ui/art/ring-figures.tsx';
import { IconSign } from '../../ui/art/sign.tsx';
import { Card } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { entryTexts } from './entry-texts.ts';
import { idsOf, type NoticeEntry, runsOut, shareOf } from './notice-groups.rules.ts';
import { buttonText } from './notice-texts.ts';
import { useSeen } from './use-seen.ts';

/** Links within the app only: any other path leads nowhere. */
const inside = (path: string): string => (/^\/(?![/\\])/.test(path) ? path : '/notifications');

type EntryProps = {
  entry: NoticeEntry;
  isNew: boolean;
  now: Date;
  /** It was viewed. */
  onSeen: (ids: string[]) => void;
  /** It was followed. */
  onOpen: (entry: NoticeEntry) => void;
};

/** An inbox line. */
export function NoticeRow({ entry, isNew, now, onSeen, onOpen }: EntryProps) {
  const { t } = useLingui();
  const { icon, title, text } = entryTexts(entry, now);
  const row = useSeen<HTMLLIElement>(isNew, () => onSeen(idsOf(entry)));
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
const moneyIcons: readonly string[] = ['coins', 'hand-coins', 'wallet', 'bank'];

/** A pending notice: a ring with the time left, and for the first the screen's main action. */
export function WaitingCard({ entry, isNew, now, onSeen, onOpen, first }: EntryProps & { first: boolean }) {
  const { icon, title, text } = entryTexts(entry, now);
  const card = useSeen<HTMLDivElement>(isNew, () => onSeen(idsOf(entry)));
  const end = runsOut(entry);
  const left = shareOf(entry, now.getTime());
  const to = inside(entry.notice.path);
  const inner = (
    <>
      {end !== null && left !== null ? (
        <ClockRing left={left}>{formatLeftShort(new Date(end), now)}</ClockRing>
      ) : (
        <IconSign icon={icon} round colour="straw" />
      )}
      <span className="grow">
        <span className="t strong block">{title}</span>
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

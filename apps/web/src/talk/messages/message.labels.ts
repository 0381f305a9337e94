import { plural, t } from '@lingui/core/macro';
import { type Currency, currencies } from '@nearhand/contract/currencies';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import type { Message, Reaction, SystemLine } from '@nearhand/contract/talk/messages';
import { formatDate, formatMinutes, formatMoney, formatTime, ownTimeZone } from '../../lib/words/format.ts';
import type { IconName } from '../../ui/art/icon-names.ts';

const systemIcons: Record<SystemLine, IconName> = {
  applied: 'clipboard-text',
  invited: 'envelope-simple',
  shortlisted: 'star',
  'application-ended': 'x-circle',
  'interview-proposed': 'calendar-blank',
  'interview-times-suggested': 'calendar-blank',
  'interview-scheduled': 'calendar-check',
  'interview-cancelled': 'calendar-x',
  'offer-sent': 'hand-coins',
  'offer-accepted': 'check-circle',
  'offer-declined': 'x-circle',
  'offer-ended': 'x-circle',
  hired: 'check-circle',
  'work-confirmed': 'check-circle',
  'checked-in': 'sign-in',
  'checked-out': 'sign-out',
  'hours-submitted': 'clock',
  'hours-countered': 'clock',
  'work-delivered': 'package',
  'changes-requested': 'note-pencil',
  'work-approved': 'check-circle',
  'pay-released': 'coins',
  'work-cancelled': 'x-circle',
  'work-handed-on': 'user',
  'work-day-off': 'sun',
  'no-show-reported': 'warning-circle',
  'dispute-opened': 'warning-circle',
  'dispute-settled': 'check-circle',
};

/** The icon of a work event; a general one for a line of a newer server. */
export const systemIcon = (line: SystemLine): IconName => systemIcons[line] ?? 'info';

type Data = Record<string, string | number>;

function readData(data: Data, zone: string) {
  const text = (name: string) => (data[name] === undefined ? '' : String(data[name]));
  const when = (name: string) => (Number.isNaN(Date.parse(text(name))) ? '' : formatDate(text(name), zone));
  const currency = text('currency') as Currency;
  const money = () => {
    const minor = Number(data.amountMinor ?? data.payMinor ?? Number.NaN);
    return Number.isFinite(minor) && (currencies as readonly string[]).includes(currency)
      ? formatMoney(minor, currency)
      : '';
  };
  const minutes = Number(data.minutes ?? Number.NaN);
  return { text, when, money: money(), hours: Number.isFinite(minutes) ? formatMinutes(minutes) : '' };
}

/**
 * A work event worded for the reader. An unknown line of a newer server only reports that something changed.
 */
export function systemText(
  { line, data }: { line: SystemLine; data: Data },
  conversation: Pick<Conversation, 'side' | 'business' | 'worker' | 'job'>,
): string {
  const isWorker = conversation.side === 'worker';
  const worker = conversation.worker.name;
  const business = conversation.business.name;
  const { when, money, hours } = readData(data, conversation.job.timeZone);
  const starts = when('startsAt');
  const count = Number(data.count ?? 0);
  const shifts = count > 1 ? plural(count, { one: '# shift', other: '# shifts' }) : null;
  switch (line) {
    case 'applied':
      if (shifts) return isWorker ? t`You applied for ${shifts}` : t`${worker} applied for ${shifts}`;
      return isWorker ? t`You applied` : t`${worker} applied`;
    case 'invited':
      return isWorker ? t`${business} invited you to apply` : t`You invited ${worker} to apply`;
    case 'shortlisted':
      if (shifts)
        return isWorker
          ? t`You're on the shortlist for ${shifts}`
          : t`${worker} is on the shortlist for ${shifts}`;
      return isWorker ? t`You're on the shortlist` : t`${worker} is on the shortlist`;
    case 'application-ended':
      return shifts ? t`The application for ${shifts} ended` : t`The application ended`;
    case 'interview-proposed':
      return isWorker
        ? t`${business} proposed times for an interview`
        : t`You proposed times for an interview`;
    case 'interview-times-suggested':
      if ((data.by === 'worker') === isWorker) return t`You suggested other interview times`;
      return isWorker
        ? t`${business} suggested other interview times`
        : t`${worker} suggested other interview times`;
    case 'interview-scheduled':
      return starts ? t`Interview on ${starts}` : t`The interview is scheduled`;
    case 'interview-cancelled':
      return t`The interview was cancelled`;
    case 'offer-sent':
      if (shifts)
        return isWorker ? t`${business} offers you ${shifts} for ${money ?? ''}` : t`You offered ${shifts}`;
      if (isWorker) return money ? t`${business} offers you ${money}` : t`${business} made you an offer`;
      return t`You made an offer`;
    case 'offer-accepted':
      if (shifts) return isWorker ? t`You accepted ${shifts}` : t`${worker} accepted ${shifts}`;
      return isWorker ? t`You accepted the offer` : t`${worker} accepted the offer`;
    case 'offer-declined':
      if (shifts) return isWorker ? t`You declined ${shifts}` : t`${worker} declined ${shifts}`;
      if (starts)
        return isWorker
          ? t`You declined the offer for ${starts}`
          : t`${worker} declined the offer for ${starts}`;
      return isWorker ? t`You declined the offer` : t`${worker} declined the offer`;
    case 'offer-ended':
      return t`The offer ended`;
    case 'hired':
      if (shifts) return isWorker ? t`You're hired for ${shifts}` : t`${worker} is hired for ${shifts}`;
      return isWorker ? t`You're hired` : t`${worker} is hired`;
    case 'work-confirmed':
      return isWorker ? t`You confirmed the shift` : t`${worker} confirmed the shift`;
    case 'checked-in':
      return isWorker ? t`You checked in` : t`${worker} checked in`;
    case 'checked-out':
      return isWorker ? t`You checked out` : t`${worker} checked out`;
    case 'hours-submitted':
      if (hours) return isWorker ? t`You submitted ${hours}` : t`${worker} submitted ${hours}`;
      return isWorker ? t`You submitted your hours` : t`${worker} submitted hours`;
    case 'hours-countered':
      return isWorker ? t`${business} proposed different hours` : t`You proposed different hours`;
    case 'work-delivered':
      return isWorker ? t`You delivered the work` : t`${worker} delivered the work`;
    case 'changes-requested':
      return isWorker ? t`${business} asked for changes` : t`You asked for changes`;
    case 'work-approved':
      return t`The work was approved`;
    case 'pay-released':
      if (money) return isWorker ? t`${money} was released to you` : t`${money} was released to ${worker}`;
      return t`The pay was released`;
    case 'work-cancelled':
      return t`The work was cancelled`;
    case 'work-handed-on':
      return isWorker ? t`Someone else took this shift` : t`Someone else took the shift of ${worker}`;
    case 'work-day-off':
      return isWorker ? t`You have this day off` : t`${worker} has this day off`;
    case 'no-show-reported':
      return isWorker ? t`You were reported as a no-show` : t`${worker} was reported as a no-show`;
    case 'dispute-opened':
      return t`A dispute was opened`;
    case 'dispute-settled':
      return t`The dispute was settled`;
    default:
      return t`Something changed`;
  }
}

export function messageLine(message: Pick<Message, 'body' | 'files' | 'redactedAt'>): string {
  if (message.redactedAt !== null) return t`Message deleted`;
  if (message.body) return message.body;
  const [first, ...more] = message.files;
  if (!first) return '';
  if (more.length > 0) return t`${message.files.length} files`;
  return first.mediaType.startsWith('image/') ? t`Photo` : first.name;
}

export const stampText = (at: string): string => formatTime(at, ownTimeZone());

export const reactionIcon: Record<Reaction, IconName> = {
  'thumbs-up': 'thumbs-up',
  heart: 'heart',
  check: 'check',
  smiley: 'smiley',
  'hands-clapping': 'hands-clapping',
  question: 'question',
};
/** The reactions in display order; the contract's list would bring its schemas along. */
export const reactions = Object.keys(reactionIcon) as Reaction[];

export const reactionText = (reaction: Reaction): string =>
  ({
    'thumbs-up': t`Thumbs up`,
    heart: t`Heart`,
    check: t`Done`,
    smiley: t`Smile`,
    'hands-clapping': t`Applause`,
    question: t`Question`,
  })[reaction];

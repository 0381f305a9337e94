import { t } from '@lingui/core/macro';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { matchLimits, matchPoints, ratingScore } from '@nearhand/contract/hiring/matching.rules';
import { nearbyLimits } from '@nearhand/contract/hiring/nearby-start';
import { limits } from '@nearhand/contract/limits';
import { moneyLimits } from '@nearhand/contract/money/limits';
import { objectionDays } from '@nearhand/contract/money/worker-invoices.rules';
import { certificateLimits } from '@nearhand/contract/people/certificates.rules';
import { identityCheckLimits } from '@nearhand/contract/people/identity-checks.rules';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { ratingLimits } from '@nearhand/contract/people/rating.rules';
import type { SettingsView } from '@nearhand/contract/people/settings';
import { talkLimits } from '@nearhand/contract/talk/limits';
import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import { workLimits } from '@nearhand/contract/work/limits';
import { useSettings } from '../../lib/settings.ts';
import {
  formatBytes,
  formatDistance,
  formatNumber,
  formatShare,
  formatTenths,
  locale,
} from '../../lib/words/format.ts';
import { Link } from '../../ui/controls/link.tsx';
import type { Block, Inline } from './article.ts';

export function ArticleBody({ blocks }: { blocks: readonly Block[] }) {
  return (
    <div className="article">
      {blocks.map((block, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece of text has no identity but its index.
        <Part key={place} block={block} />
      ))}
    </div>
  );
}

function Part({ block }: { block: Block }) {
  if ('items' in block) {
    const List = block.kind === 'steps' ? 'ol' : 'ul';
    return (
      <List>
        {block.items.map((item, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <li key={place}>
            <Words content={item} />
          </li>
        ))}
      </List>
    );
  }
  const Tag = block.kind === 'heading' ? 'h2' : 'p';
  return (
    <Tag className={block.kind === 'heading' ? 'h-m' : undefined}>
      <Words content={block.content} />
    </Tag>
  );
}

function Words({ content }: { content: readonly Inline[] }) {
  const settings = useSettings();
  return content.map((part, place) => {
    const key = `${place}`;
    if (typeof part === 'string') return part;
    if (part.kind === 'label') return <strong key={key}>{part.text}</strong>;
    if (part.kind === 'link')
      return (
        <Link key={key} to={part.to}>
          {part.text}
        </Link>
      );
    return (
      <span key={key} className="num">
        {(helpFacts as Record<string, (typeof helpFacts)['offer']>)[part.name]?.(settings)}
      </span>
    );
  });
}

type Unit = 'minute' | 'hour' | 'day' | 'year';

const span = (value: number, unit: Unit): string =>
  new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }).format(value);
const days = (value: number) => span(value, 'day');
const hours = (value: number) => span(value, 'hour');
const minutes = (value: number) =>
  value % 60 === 0 && value > 60 ? hours(value / 60) : span(value, 'minute');
/** An amount in a currency with two decimals, without naming one. */
const amount = (minor: number): string =>
  new Intl.NumberFormat(locale(), { minimumFractionDigits: minor % 100 === 0 ? 0 : 2 }).format(minor / 100);

/** Values of `{{name}}` in articles, from this server's settings or the contract's limits. */
export const helpFacts = {
  operator: (s) => s.operator || t`[name and address of the operator, not set yet]`,
  contactEmail: (s) => s.contactEmail || t`[email address, not set yet]`,
  mapHost: (s) => s.mapHost || t`our own server`,
  businessFee: (s) => formatShare(s.businessFeeBasisPoints),
  workerFee: (s) => formatShare(s.workerFeeBasisPoints),
  jobLife: (s) => days(s.jobLifeDays),
  decideBy: (s) => days(s.decideByDays),
  openJobsWhileUnverified: (s) => formatNumber(s.openJobsWhileUnverified),
  datesWhileUnverified: () => formatNumber(limits.datesWhileUnverified),
  businessesWhileUnverified: (s) => formatNumber(s.businessesWhileUnverified),
  applicationsPerDay: (s) => formatNumber(s.applicationsPerDay),
  checkout: (s) => minutes(s.checkoutMinutes),
  identityAge: () => span(moneyLimits.identityAgeMin, 'year'),
  offer: (s) => hours(s.offerHours),
  interviewAnswer: (s) => hours(s.interviewAnswerHours),
  interviewReschedules: (s) => formatNumber(s.interviewReschedulesMax),
  interviewRescheduleCloses: (s) => hours(s.interviewRescheduleClosesHours),
  interviewNoShow: (s) => minutes(s.interviewNoShowMinutes),
  contest: (s) => hours(s.contestHours),
  confirmAsked: (s) => hours(s.confirmAskedHours),
  confirmAgain: (s) => hours(s.confirmAgainHours),
  confirmBy: (s) => hours(s.confirmByHours),
  fundAhead: (s) => span(s.fundAheadDays, 'day'),
  fundBy: (s) => hours(s.fundByHours),
  checkInOpens: (s) => minutes(s.checkInOpensMinutes),
  checkInRadius: (s) => formatDistance(s.checkInRadiusM),
  noShowAfter: (s) => minutes(s.noShowAfterMinutes),
  freeCancel: () => minutes(workLimits.freeCancelMinutes),
  changeAnswer: () => hours(workLimits.changeAnswerHours),
  dayOffAsk: () => days(workLimits.dayOffAskDays),
  dayOffAnswer: () => hours(workLimits.dayOffAnswerHours),
  sentHome: () => minutes(workLimits.sentHomeMinutes),
  lateCancel: (s) => hours(s.lateCancelHours),
  lateCancelShare: (s) => formatShare(s.lateCancelShareBasisPoints),
  lateCancelMax: (s) => minutes(s.lateCancelMinutesMax),
  autoSubmit: (s) => hours(s.autoSubmitHours),
  autoApproveShift: (s) => hours(s.autoApproveShiftHours),
  autoApproveTask: (s) => days(s.autoApproveTaskDays),
  counterRounds: (s) => formatNumber(s.counterRounds),
  disputeFile: (s) => days(s.disputeFileDays),
  disputeAnswer: (s) => days(s.disputeAnswerDays),
  disputeProposal: (s) => days(s.disputeProposalDays),
  disputeStop: (s) => days(s.disputeStopDays),
  tip: (s) => days(s.tipDays),
  review: (s) => days(s.reviewDays),
  objection: () => days(objectionDays),
  clearing: (s) => days(s.clearingDays),
  withdrawalMin: (s) => amount(s.withdrawalMinMinor),
  withdrawalInstantFee: (s) => amount(s.withdrawalInstantFeeMinor),
  withdrawalsPerDay: (s) => formatNumber(s.withdrawalsPerDay),
  withdrawalCancel: (s) => minutes(s.withdrawalCancelMinutes),
  payoutMethodHold: (s) => days(s.payoutMethodHoldDays),
  escalate: (s) => minutes(s.escalateMinutes),
  identityPhotosKept: () => days(identityCheckLimits.photosKeptDays),
  certificateReminders: () =>
    new Intl.ListFormat(locale(), { type: 'conjunction' }).format(certificateLimits.reminderDays.map(days)),
  certificateKept: () => days(certificateLimits.fileKeptDays),
  passwordMin: () => formatNumber(peopleLimits.passwordMin),
  cvSize: () => formatBytes(peopleLimits.cvBytes),
  radius: () => formatDistance(nearbyLimits.radiusDefaultKm * 1_000),
  interviewSlots: () => formatNumber(hiringLimits.interviewSlotsMax),
  interviewReplyLead: () => hours(hiringLimits.interviewReplyLeadHours),
  asPlanned: () => minutes(workLimits.asPlannedMinutes),
  lateArrival: () => minutes(workLimits.lateArrivalMinutes),
  siteCodeTries: () => formatNumber(workLimits.siteCodeTries),
  siteCodePause: () => minutes(workLimits.siteCodeTriesMinutes),
  deliveryFiles: () => formatNumber(limits.deliveryFilesMax),
  reliabilityDays: () => days(hiringLimits.reliabilityDays),
  reliabilityMin: () => formatNumber(hiringLimits.reliabilityLeastFacts),
  payoutMethods: () => formatNumber(moneyLimits.payoutMethodsMax),
  fileLink: () => minutes(limits.fileLinkMinutes),
  questions: () => formatNumber(hiringLimits.questionsMax),
  compare: () => formatNumber(hiringLimits.compareMax),
  chatFiles: () => formatNumber(talkLimits.chatFilesMax),
  chatFileSize: () => formatBytes(peopleLimits.chatFileBytes),
  chatEdit: () => minutes(talkLimits.chatEditMinutes),
  chatReadOnly: () => days(talkLimits.chatReadOnlyDays),
  ticketFiles: () => formatNumber(ticketLimits.filesMax),
  ratingWeight: () => formatNumber(ratingScore.weight),
  ratingAssumed: () => formatTenths(ratingScore.assumedTenths),
  matchSkills: () => formatNumber(matchPoints.skills),
  matchDistance: () => formatNumber(matchPoints.distance),
  matchAvailability: () => formatNumber(matchPoints.availability),
  matchReliability: () => formatNumber(matchPoints.reliability),
  matchHistory: () => formatNumber(matchPoints.history),
  matchRating: () => formatNumber(matchPoints.rating),
  matchNear: () => formatDistance(matchLimits.nearM),
  matchFar: () => formatDistance(matchLimits.farM),
  matchNewcomer: () => formatShare(matchLimits.newReliability * 100),
  widenBelow: () => formatNumber(nearbyLimits.widenBelowResults),
  ratingMin: () => formatNumber(ratingLimits.averageRatingsMin),
  day: () => hours(24),
} satisfies Record<string, (settings: SettingsView) => string>;

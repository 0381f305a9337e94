import type { CaseFacts } from '@nearhand/contract/trust/case-facts';
import { formatDayTime, formatMoney, ownTimeZone } from '../../lib/words/format.ts';
import { plainWords } from '../queue/case-words.ts';
import type { CaseRef } from '../queue/cases-api.ts';
import { CorrectionFacts, SecondApprovalFacts } from './approval-facts.tsx';
import { BusinessFacts } from './business-facts.tsx';
import { ChatMessages, TicketMessages } from './case-messages.tsx';
import { CertificateFacts } from './certificate-facts.tsx';
import { Facts, FactsCard } from './facts-card.tsx';
import { IdentityFacts } from './identity-facts.tsx';
import { AppealFacts, JobReviewFacts, ReportedFacts } from './moderation-facts.tsx';
import { PayFacts } from './pay-facts.tsx';
import { PayoutFacts, ReferralFacts } from './payment-facts.tsx';

const when = (instant: string) => formatDayTime(instant, ownTimeZone());

/** What is known about a case, by its kind. */
export function CaseFactsView({ facts, one }: { facts: CaseFacts; one: CaseRef }) {
  switch (facts.kind) {
    case 'dispute':
    case 'no_show':
      return <PayFacts facts={facts} one={one} />;
    case 'chat_report':
      return <ReportFacts {...facts} one={one} />;
    case 'frozen_chat':
      return <FrozenFacts {...facts} />;
    case 'report':
      return <ReportedFacts {...facts} one={one} />;
    case 'appeal':
      return <AppealFacts {...facts} />;
    case 'flagged_review':
      return <FlaggedFacts {...facts} />;
    case 'job_review':
      return <JobReviewFacts {...facts} />;
    case 'ticket':
      return <TicketFacts {...facts} one={one} />;
    case 'referral':
      return <ReferralFacts {...facts} />;
    case 'business_verification':
      return <BusinessFacts {...facts} one={one} />;
    case 'identity':
      return <IdentityFacts {...facts} one={one} />;
    case 'certificate':
      return <CertificateFacts {...facts} one={one} />;
    case 'chargeback':
      return <ChargebackFacts {...facts} />;
    case 'payout_held':
      return <PayoutFacts {...facts} />;
    case 'second_approval':
      return <SecondApprovalFacts {...facts} one={one} />;
    case 'correction':
      return <CorrectionFacts {...facts} />;
  }
}

type Of<Kind extends CaseFacts['kind']> = Extract<CaseFacts, { kind: Kind }>;

function ReportFacts({ report, one }: Of<'chat_report'> & { one: CaseRef }) {
  return (
    <>
      <FactsCard title="Report">
        <Facts
          rows={[
            ['Reason', plainWords(report.reason)],
            ['Words', report.note || 'None'],
            ['Reported by', `${report.by.name} (${report.by.side})`],
            ['When', when(report.at)],
            ['Worker', report.worker.name],
            ['Business', report.business.name],
            ['Job', report.job.title],
          ]}
        />
        <p className="sm mute mt3">The other side must not learn who reported.</p>
      </FactsCard>
      <FactsCard title={report.seq === null ? 'The newest messages' : 'The message and what is around it'}>
        <ChatMessages messages={report.messages} reported={report.seq} one={one} />
      </FactsCard>
    </>
  );
}

function FrozenFacts({ frozen }: Of<'frozen_chat'>) {
  return (
    <FactsCard title="Conversation">
      <Facts
        rows={[
          ['Worker', frozen.worker.name],
          ['Business', frozen.business.name],
          ['Job', frozen.job.title],
          ['Frozen since', when(frozen.at)],
          ['Reason given to both', frozen.reason],
        ]}
      />
    </FactsCard>
  );
}

function FlaggedFacts({ review }: Of<'flagged_review'>) {
  return (
    <FactsCard title="Review">
      <Facts
        rows={[
          ['Written by', `${review.author} (${review.side})`],
          ['Worker', review.worker.name],
          ['Business', review.business.name],
          ['Stars', String(review.stars)],
          ['Words', review.body || 'None'],
          ['Reply', review.replyBody],
          ['Flagged for', review.words.join(', ')],
          [
            'State',
            review.state === 'submitted' ? 'Hidden: the other side does not know of it' : 'Published',
          ],
          ['Flagged', when(review.flaggedAt)],
        ]}
      />
    </FactsCard>
  );
}

function TicketFacts({ ticket, one }: Of<'ticket'> & { one: CaseRef }) {
  const { from } = ticket;
  return (
    <>
      <FactsCard title="Request">
        <Facts
          rows={[
            ['From', `${from.name || 'No name'}, ${from.email}`],
            ['Account', from.accountId ?? 'None: a guest, answered by mail'],
            ['About', plainWords(ticket.category)],
            ['Written on', ticket.page || null],
            ...ticket.refs.map((ref): [string, string] => [`${plainWords(ref.kind)} they named`, ref.id]),
            ['Since', when(ticket.createdAt)],
          ]}
        />
      </FactsCard>
      <FactsCard title="Messages">
        <TicketMessages messages={ticket.messages} name={from.name || from.email} one={one} />
      </FactsCard>
    </>
  );
}

function ChargebackFacts({ chargeback }: Of<'chargeback'>) {
  const money = (minor: number) => formatMoney(minor, chargeback.currency);
  return (
    <FactsCard title="Payment called back">
      <Facts
        rows={[
          ['Business', chargeback.business.name],
          ['For', `${plainWords(chargeback.purpose)}: ${chargeback.description}`],
          ['Charged', `${money(chargeback.amountMinor)}, ${when(chargeback.chargedAt)}`],
          ['Called back', money(chargeback.chargebackMinor)],
          ['Borne by the business so far', money(chargeback.borneMinor)],
          ['Provider reference', chargeback.providerRef],
          ['Booked work', chargeback.engagementId],
        ]}
      />
      <p className="sm mute mt3">Answer it at the payment provider. The outcome arrives from there.</p>
    </FactsCard>
  );
}

import type { CaseFacts } from '@nearhand/contract/trust/case-facts';
import { formatCalendarDay, formatDayTime, ownTimeZone } from '../../lib/words/format.ts';
import { plainWords } from '../queue/case-words.ts';
import type { CaseRef } from '../queue/cases-api.ts';
import { CaseFiles } from './case-messages.tsx';
import { Facts, FactsCard } from './facts-card.tsx';

const when = (instant: string) => formatDayTime(instant, ownTimeZone());

/** A certificate, the name it must show, and the day it must end on. */
export function CertificateFacts({
  certificate,
  one,
}: Extract<CaseFacts, { kind: 'certificate' }> & { one: CaseRef }) {
  const { account } = certificate;
  return (
    <>
      <FactsCard title="Certificate">
        <Facts
          rows={[
            ['Kind', plainWords(certificate.kind)],
            ['Valid until, as they typed it', formatCalendarDay(certificate.expiresOn)],
            ['Name to compare', certificate.name],
            ['Name now', account.name === certificate.name ? null : account.name],
            ['Identity document', certificate.identityChecked ? 'Checked under this name' : 'Not checked'],
            ['Email', account.email],
            ['Account since', when(account.createdAt)],
            ['Sent', when(certificate.submittedAt)],
          ]}
        />
      </FactsCard>
      <FactsCard title="Copy">
        <CaseFiles files={[certificate.file]} one={one} />
        <p className="sm mute mt2">
          Only you can open it, while this case is yours. Each look is logged. Delete your own copy when you
          have decided.
        </p>
      </FactsCard>
      <FactsCard title="What to compare">
        <ul className="c-compare">
          <li>The name in the certificate is the name above.</li>
          <li>
            The last day in the certificate is the day above. Refuse another day; they can send it again.
          </li>
          <li>The issuer exists and gives this kind of certificate.</li>
        </ul>
      </FactsCard>
    </>
  );
}

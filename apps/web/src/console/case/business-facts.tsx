import type { CaseFacts } from '@nearhand/contract/trust/case-facts';
import { formatDayTime, ownTimeZone } from '../../lib/words/format.ts';
import { plainWords } from '../queue/case-words.ts';
import type { CaseRef } from '../queue/cases-api.ts';
import { CaseFiles } from './case-messages.tsx';
import { Facts, FactsCard } from './facts-card.tsx';

const when = (instant: string) => formatDayTime(instant, ownTimeZone());

/** What a business shows to be verified, who owns it, and what happened before. */
export function BusinessFacts({
  review,
  one,
}: Extract<CaseFacts, { kind: 'business_verification' }> & { one: CaseRef }) {
  const { domain } = review;
  return (
    <>
      <FactsCard title="Business">
        <Facts
          rows={[
            ['Name', review.name],
            ['Legal name', review.legalName],
            ['Registration number', review.registrationNumber || 'Not given'],
            ['Country', review.countryCode],
            ['Address', `${review.address}\n${review.area}`],
            ['Website', review.website],
            ['Domain', domain && domainWords(domain)],
            ['Email', review.email],
            ['Phone', review.phone],
            ['Open jobs', String(review.openJobs)],
            ['Registered here', when(review.createdAt)],
          ]}
        />
      </FactsCard>
      <FactsCard title="Documents">
        {review.documents.length === 0 ? <p className="mute">None.</p> : null}
        {review.documents.map(({ id, kind, file, addedAt }) => (
          <div key={id}>
            <CaseFiles files={[file]} one={one} />
            <p className="xs mute">
              {plainWords(kind)}, added {when(addedAt)}
            </p>
          </div>
        ))}
      </FactsCard>
      <FactsCard title="Owners">
        <Facts
          rows={review.owners.map((owner): [string, string] => [
            owner.name || 'No name',
            `${owner.email}, phone number ${owner.phoneChecked ? 'checked' : 'not checked'}`,
          ])}
        />
      </FactsCard>
      <FactsCard title="History">
        <Facts
          rows={review.history.map((move): [string, string] => [
            when(move.at),
            `${plainWords(move.action)}, by ${move.by === 'staff' ? 'us' : 'the business'}${move.reason ? `\n${move.reason}` : ''}`,
          ])}
        />
      </FactsCard>
    </>
  );
}

type Domain = NonNullable<Extract<CaseFacts, { kind: 'business_verification' }>['review']['domain']>;

const domainWords = ({ domain, checkedAt, method }: Domain): string =>
  checkedAt === null
    ? `${domain}, not checked`
    : `${domain}, checked ${when(checkedAt)} by ${method === 'dns' ? 'a DNS record' : 'a tag on its home page'}`;

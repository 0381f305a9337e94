import { useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import { formatMoney } from '../../lib/format.ts';
import { Card, ListRow } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { MessageLink } from '../chat/chat.part.tsx';
import { FundingBadge, useFundingMeaning } from '../holds/funding-badge.part.tsx';
import { ContactRow } from './contact-row.tsx';
import { payBasis } from './engagement-words.ts';

/** Where to go, what it pays, whom to ask for: what one needs on the way (look 09). */
export function WorkFacts({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const meaning = useFundingMeaning();
  const { terms, business, funding } = work;
  // Once it is paid nothing lies aside any more.
  const live = work.status !== 'completed' && work.status !== 'approved';
  const funded = live && funding === 'funded';
  const { lat, lng, address, area } = terms.place;
  const pay = formatMoney(terms.workerGetsMinor, terms.currency);
  return (
    <Card flush as="section" label={t`Place, pay and contact`}>
      <ListRow
        lead={<Icon name="map-pin" />}
        title={[business.name, address].filter(Boolean).join(', ')}
        note={area}
        end={
          <a
            className="link sm hit"
            href={`https://www.openstreetmap.org/directions?to=${lat}%2C${lng}`}
            target="_blank"
            rel="noopener noreferrer"
          >
            {t`Route`}
          </a>
        }
      />
      <ListRow
        lead={<Icon name="shield-check" />}
        title={funded ? t`${pay} is set aside for you` : t`${pay} for you`}
        note={funded || !live ? payBasis(terms) : `${payBasis(terms)}. ${meaning(funding, business.name)}`}
        end={live ? <FundingBadge funding={funding} /> : null}
      />
      <ContactRow work={work} />
      <div className="li">
        <MessageLink jobId={work.jobId} name={business.name} />
      </div>
    </Card>
  );
}

import { useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { formatMoney, joined } from '../../lib/words/format.ts';
import { FundingBadge, useFundingMeaning } from '../../money/holds/funding-badge.part.tsx';
import { MessageLink } from '../../talk/conversations/message-link.part.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { ContactRow } from './contact-row.part.tsx';
import { payBasis } from './engagement.words.ts';

/** Place, pay and contact (look 09). */
export function WorkFacts({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const meaning = useFundingMeaning();
  const { terms, business, funding } = work;
  // Nothing is held once the pay is released.
  const live = work.status !== 'completed' && work.status !== 'approved';
  const funded = live && funding === 'funded';
  const { lat, lng, address, area } = terms.place;
  const pay = formatMoney(terms.workerGetsMinor, terms.currency);
  return (
    <Card flush as="section" label={t`Place, pay and contact`}>
      <ListRow
        lead={<Icon name="map-pin" />}
        title={joined(business.name, address)}
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
        title={funded ? t`${pay} is secured for you` : t`${pay} for you`}
        note={funded || !live ? payBasis(terms) : `${payBasis(terms)}. ${meaning(funding, business.name)}`}
        end={live ? <FundingBadge funding={funding} /> : null}
      />
      <ContactRow work={work} />
      {work.contact?.notes ? (
        <ListRow lead={<Icon name="info" />} title={t`Getting in`} note={work.contact.notes} />
      ) : null}
      <div className="li">
        <MessageLink jobId={work.jobId} name={business.name} />
      </div>
    </Card>
  );
}

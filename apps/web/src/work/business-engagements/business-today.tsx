import { Trans, useLingui } from '@lingui/react/macro';
import type { BusinessWorkGroup } from '@nearhand/contract/engagement-statuses';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { Card } from '../../ui/card.tsx';
import { Link } from '../../ui/controls/link.tsx';
import './business-work.css';
import { groupText } from '../engagements/business-work.labels.ts';
import { useBusinessEngagements } from '../engagements/engagements.api.ts';

const groups = ['here', 'late', 'to_approve'] as const satisfies readonly BusinessWorkGroup[];
const tones = { here: '', late: 'bad', to_approve: 'wait' };

export function BusinessToday({ businessId }: { businessId: string }) {
  const { t } = useLingui();
  const counts = useBusinessEngagements(businessId, { group: 'here' }).data?.pages[0]?.counts;
  const { all } = useCurrentBusiness();
  if (!counts) return null;
  const hasSeveral = all.length > 1;
  const workingNow = (
    <p className="mt3">
      <Link className="link sm hit" to="/working-now">
        {hasSeveral ? t`Working now, in all your businesses` : t`Working now`}
      </Link>
    </p>
  );
  if (Object.values(counts).every((count) => count === 0)) return hasSeveral ? workingNow : null;
  return (
    <Card as="section" label={t`On shift`}>
      <div className="row base">
        <h2 className="h-m grow">{t`On shift`}</h2>
        <Link className="link sm hit" to="/merchant-ongoing-jobs">
          <Trans>See everyone</Trans>
        </Link>
      </div>
      <div className="counts-row mt3">
        {groups.map((group) => (
          <Link
            key={group}
            className={counts[group] > 0 ? `count-tile ${tones[group]}` : 'count-tile'}
            to={group === 'to_approve' ? '/release-payment' : `/merchant-ongoing-jobs?group=${group}`}
          >
            <b>{counts[group]}</b>
            <span className="sm">{groupText(group).label}</span>
          </Link>
        ))}
      </div>
      {workingNow}
    </Card>
  );
}

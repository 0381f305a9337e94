import { useLingui } from '@lingui/react/macro';
import { verificationPath } from '@nearhand/contract/app-paths';
import type { Business } from '@nearhand/contract/people/businesses';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useSettings } from '../../lib/settings.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { businessStatusMeaning, businessStatusText } from './business.labels.ts';
import { useSubmitBusiness } from './businesses.api.ts';
import { roleText } from './role.labels.ts';

export function BusinessStatusBadge({ status }: { status: Business['status'] }) {
  const { label, tone } = businessStatusText(status);
  return (
    <Badge tone={tone} icon={status === 'verified' ? 'seal-check' : undefined}>
      {label}
    </Badge>
  );
}

export function BusinessStatusCard({ business, unsaved = false }: { business: Business; unsaved?: boolean }) {
  const { t } = useLingui();
  const submit = useSubmitBusiness();
  const settings = useSettings();
  const [refusal, setRefusal] = useState<string | null>(null);

  const ask = async () => {
    setRefusal(null);
    try {
      await submit.mutateAsync({ businessId: business.id });
      showToast(t`We'll check it and let you know`);
    } catch (failure) {
      setRefusal(errorText(failure));
    }
  };

  return (
    <Card as="section" roomy label={t`Verification`}>
      <div className="row wrap">
        <h2 className="h-s grow">{t`Verification`}</h2>
        <BusinessStatusBadge status={business.status} />
      </div>
      <p className="sm mute mt2">{businessStatusMeaning(business.status, settings)}</p>
      <p className="xs mute mt2">{t`Your role: ${roleText(business.role)}`}</p>
      {business.actions.includes('submit') ? (
        <div className="mt4">
          <Button kind="ink" full busy={submit.isPending} disabled={unsaved} onClick={() => void ask()}>
            {business.status === 'rejected' ? t`Ask to be checked again` : t`Request verification`}
          </Button>
          {unsaved ? <p className="help">{t`Save your changes first.`}</p> : null}
        </div>
      ) : null}
      {roleMay(business.role, 'details') ? (
        <p className="sm mt3">
          <Link className="link" to={verificationPath(business.id)}>{t`Documents and website`}</Link>
        </p>
      ) : null}
      {refusal ? (
        <div className="mt3">
          <Banner tone="bad" icon="warning-circle" live>
            {refusal}
          </Banner>
        </div>
      ) : null}
    </Card>
  );
}
